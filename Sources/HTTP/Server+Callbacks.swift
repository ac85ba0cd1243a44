import CMicroHTTPD
import Glibc
import Synchronization

/// What libmicrohttpd calls. All of it runs on a connection's own HTTP thread.
extension Server {
    func startDaemon(on descriptor: Int32) -> OpaquePointer? {
        let idleSeconds = (configuration.idleTime.nanoseconds + 999_999_999) / 1_000_000_000
        var settings = httpd_configuration(
            listenSocket: descriptor, connectionLimit: UInt32(clamping: configuration.connectionLimit),
            idleSeconds: UInt32(clamping: max(1, idleSeconds)), connectionMemory: configuration.connectionMemory)
        var callbacks = httpd_callbacks()
        callbacks.context = Unmanaged.passUnretained(self).toOpaque()
        callbacks.accept = { context, address, _ in
            guard let context, let address else { return httpd_no }
            return Server.at(context).accepts(address) ? httpd_yes : httpd_no
        }
        callbacks.connection = { context, connection, slot, event in
            guard let context, let connection, let slot else { return }
            let server = Server.at(context)
            if event == httpd_connection_opened {
                slot.pointee = server.opened(connection).map { Unmanaged.passRetained($0).toOpaque() }
            } else if let raw = slot.pointee {
                slot.pointee = nil
                server.peers.remove(Unmanaged<Peer>.fromOpaque(raw).takeRetainedValue())
            }
        }
        callbacks.requestLine = { context, target, connection in
            guard let context, let target, let peer = Server.peer(of: connection) else { return }
            Server.at(context).begin(target, peer)
        }
        callbacks.access = { context, connection, target, method, version, upload, uploadSize, _ in
            guard
                let context, let connection, let target, let method, let version, let uploadSize,
                let peer = Server.peer(of: connection)
            else { return httpd_no }
            let server = Server.at(context)
            switch peer.step {
            case .head: return server.readHead(connection, peer, method: method, target: target, version: version)
            case .body where uploadSize.pointee > 0:
                let bytes = UnsafeRawBufferPointer(start: upload, count: uploadSize.pointee)
                uploadSize.pointee = 0
                return server.readBody(bytes, peer)
            case .body: return server.work(connection, peer)
            case .working: return server.finish(connection, peer)
            case .answered: return httpd_no
            }
        }
        callbacks.completed = { context, connection, _, reason in
            guard let context, let peer = Server.peer(of: connection) else { return }
            Server.at(context).completed(peer, isComplete: reason == httpd_request_completed)
        }
        httpd_set_refusal { connection, status in
            guard let peer = Server.peer(of: connection) else { return }
            peer.server.refuseUnparsed(peer, status: Int(status))
        }
        return httpd_start(&settings, &callbacks)
    }

    private static func at(_ context: UnsafeMutableRawPointer) -> Server {
        Unmanaged<Server>.fromOpaque(context).takeUnretainedValue()
    }

    static func peer(of connection: OpaquePointer?) -> Peer? {
        guard let connection, let raw = httpd_connection_context(connection) else { return nil }
        return Unmanaged<Peer>.fromOpaque(raw).takeUnretainedValue()
    }

    private func accepts(_ address: UnsafePointer<sockaddr>) -> Bool {
        if isDraining.load(ordering: .relaxed) || peers.count >= configuration.connectionLimit { return false }
        guard let limit = configuration.perAddressConnectionLimit, let address = IPAddress(address) else { return true }
        return configuration.trustedProxies.contains(address) || peers.connections(of: address.network) < limit
    }

    private func opened(_ connection: OpaquePointer) -> Peer? {
        guard let raw = httpd_client_address(connection), let address = IPAddress(raw) else { return nil }
        let descriptor = httpd_descriptor(connection)
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        let isCounted =
            configuration.perAddressConnectionLimit != nil && !configuration.trustedProxies.contains(address)
        let now = monotonicNow()
        let peer = Peer(
            server: self, descriptor: descriptor, address: address,
            countedNetwork: isCounted ? address.network : nil, now: now,
            deadline: now + configuration.headerTime.nanoseconds)
        peers.insert(peer)
        return peer
    }

    /// A request line has arrived.
    private func begin(_ target: UnsafePointer<CChar>, _ peer: Peer) {
        let now = monotonicNow()
        peer.target.removeAll(keepingCapacity: true)
        peer.target.append(contentsOf: UnsafeRawBufferPointer(start: target, count: strlen(target)))
        peer.step = .head
        peer.incoming = Peer.Incoming(id: identifiers.make(), address: peer.address, startedAt: now)
        // The first request's time has run since the connection was made.
        if peer.requests > 0 { peer.deadline.store(now + configuration.headerTime.nanoseconds, ordering: .relaxed) }
        peer.requests += 1
        _ = peer.move(from: .idle, to: .reading)
    }

    /// The answer has been sent, or the connection has ended on the way.
    private func completed(_ peer: Peer, isComplete: Bool) {
        guard let incoming = peer.incoming else { return }
        peer.incoming = nil
        peer.step = .head
        let now = monotonicNow()
        peer.idleSince.store(now, ordering: .relaxed)
        peer.deadline.store(now + configuration.idleTime.nanoseconds, ordering: .relaxed)
        let wasCut = !peer.move(from: .answering, to: .idle) && !peer.move(from: .reading, to: .idle)
        let status = wasCut && incoming.status == 0 ? 408 : incoming.status
        // An event stream has no end by which the library could know that it is complete.
        let isWhole = isComplete || incoming.live != nil
        if status != 0 { report(incoming, status: status, now: now, isComplete: isWhole) }
    }

    func report(_ incoming: Peer.Incoming, status: Int, now: Int64, isComplete: Bool) {
        var pattern: String?
        if case .run(let route, _)? = incoming.plan { pattern = route.pattern }
        observe(
            Exchange(
                requestID: incoming.id, method: incoming.head.method, path: incoming.head.path, pattern: pattern,
                status: status, bytes: incoming.sent, nanoseconds: now - incoming.startedAt,
                address: incoming.address, isComplete: isComplete, headers: incoming.head.headers))
    }
}
