import CMicroHTTPD
import Glibc

/// How a connection leaves the HTTP thread for the live loop.
extension Server {
    func becomeLive(
        _ connection: OpaquePointer, _ peer: Peer, _ response: Response, _ start: LiveStart, _ request: Request
    ) throws(HTTPError) -> MHD_Result {
        guard let incoming = peer.incoming else { return httpd_no }
        if incoming.head.method == "HEAD" {
            if start.transport == .webSocket { throw .upgradeRequired("connect with GET") }
            return answer(connection, peer, Response(status: response.status, headers: response.headers))
        }
        if start.transport == .webSocket, !incoming.head.isHTTP11 { throw .upgradeRequired("connect with HTTP/1.1") }
        if isDraining.load(ordering: .acquiring) { throw .unavailable(retryAfter: 1) }
        let isCounted = configuration.live.perAddress != nil && !configuration.trustedProxies.contains(request.address)
        let live = LiveConnection(
            start.transport, loop: self.live, address: request.address, deflate: start.deflate,
            handlers: start.handlers,
            reservation: try peers.reserveLive(
                start.transport, network: isCounted ? request.address.network : nil, limits: configuration.live))
        incoming.live = live
        incoming.status = response.status
        switch start.transport {
        case .webSocket: return upgrade(connection, peer, incoming, response)
        case .eventStream: return try stream(connection, peer, incoming, response, live)
        }
    }

    /// Lets the library send the head of a WebSocket and hand over the socket.
    private func upgrade(
        _ connection: OpaquePointer, _ peer: Peer, _ incoming: Peer.Incoming, _ response: Response
    ) -> MHD_Result {
        let answer = httpd_create_upgrade { connection, early, earlyCount, descriptor in
            guard let peer = Server.peer(of: connection), let live = peer.incoming?.live else { return }
            // The library closes its own descriptor right after this, and forgets the connection, with all its memory.
            live.descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
            guard live.descriptor >= 0 else { return live.reservation = nil }
            _ = fcntl(live.descriptor, F_SETFL, fcntl(live.descriptor, F_GETFL) | O_NONBLOCK)
            peer.server.peers.stopCounting(peer)
            peer.server.live.post(
                .adopt(live, first: Array(UnsafeRawBufferPointer(start: early, count: early == nil ? 0 : earlyCount))))
        }
        guard let answer else { return httpd_no }
        peer.step = .answered
        for header in response.headers { Self.add(header.name, header.value, to: answer) }
        Self.add("X-Request-Id", incoming.id, to: answer)
        peer.deadline.store(bodyDeadline(bytes: 0), ordering: .relaxed)
        let result = httpd_queue_response(connection, 101, answer)
        MHD_destroy_response(answer)
        return result
    }

    /// Serves an event stream past the library, which hands over no socket but for 101: it keeps the connection suspended,
    /// and so does not touch it, until the stream has ended.
    private func stream(
        _ connection: OpaquePointer, _ peer: Peer, _ incoming: Peer.Incoming, _ response: Response,
        _ live: LiveConnection
    ) throws(HTTPError) -> MHD_Result {
        live.descriptor = fcntl(peer.descriptor, F_DUPFD_CLOEXEC, 0)
        guard live.descriptor >= 0 else {
            incoming.live = nil
            throw .unavailable(retryAfter: 30)
        }
        let completion = makeCompletion()
        live.ended = { completion.complete(.success(.noContent)) }  // `finish` looks only whether it is complete
        let result = wait(for: completion, connection, peer)
        guard peer.incoming?.completion === completion else {
            // The server stops, and the connection was not suspended.
            close(live.descriptor)
            return result
        }
        peers.stopCounting(peer)
        peer.deadline.store(.max, ordering: .relaxed)
        self.live.post(.adopt(live, first: head(of: response, id: incoming.id)))
        return result
    }

    /// The head of an answer that ends with its connection.
    private func head(of response: Response, id: String) -> [UInt8] {
        var text = "HTTP/1.1 200 OK\r\n"
        for header in response.headers where Self.isSafe(header.name) && Self.isSafe(header.value) {
            text += "\(header.name): \(header.value)\r\n"
        }
        text += "X-Request-Id: \(id)\r\nDate: \(Self.date())\r\nConnection: close\r\n\r\n"
        return Array(text.utf8)
    }
}
