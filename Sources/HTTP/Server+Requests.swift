import CMicroHTTPD
import Glibc
import Synchronization

/// The way of one request: head, body, work, answer.
extension Server {
    /// Judges the head, finds the route, and refuses what should not even send its body.
    func readHead(
        _ connection: OpaquePointer, _ peer: Peer, method: UnsafePointer<CChar>, target: UnsafePointer<CChar>,
        version: UnsafePointer<CChar>
    ) -> MHD_Result {
        guard let incoming = peer.incoming else { return httpd_no }
        peer.step = .body
        do throws(HTTPError) {
            try incoming.head.read(
                connection, method: method, target: target, version: version, targetBytes: peer.target)
        } catch {
            return refuse(connection, peer, incoming, error)
        }
        let headSize = httpd_head_size(connection)
        guard incoming.head.memory(headSize) <= configuration.connectionMemory - Self.answerHeadRoom else {
            return refuse(connection, peer, incoming, HTTPError.headTooLarge(status: 431))
        }
        incoming.bodyStart = UnsafeRawPointer(method + headSize)
        if !configuration.trustedProxies.isEmpty, configuration.trustedProxies.contains(peer.address) {
            let fields = incoming.head.headers.filter { $0.name.equalsIgnoringASCIICase("X-Forwarded-For") }
            incoming.address = configuration.trustedProxies.client(
                peer: peer.address, forwardedFor: fields.map(\.value))
        }
        let plan = router.plan(method: incoming.head.method, path: incoming.head.path)
        incoming.plan = plan
        incoming.bodyLimit = configuration.bodyLimit
        if case .run(let route, _) = plan, let limit = route.bodyLimit { incoming.bodyLimit = limit }
        if incoming.head.hasBody {
            if incoming.head.contentLength > incoming.bodyLimit {
                return refuse(connection, peer, incoming, HTTPError.contentTooLarge(limit: incoming.bodyLimit))
            }
            // A client that waits for permission is told at once; one that is sending is read to the end, so that the
            // connection lives on.
            if incoming.head.expectsContinue, case .fail(let error) = plan {
                return refuse(connection, peer, incoming, error)
            }
            if case .run(let route, _) = plan, let upload = route.upload {
                do {
                    try upload.admit(makeRequest(incoming))
                    incoming.upload = try UploadedFile(folder: upload.folder)
                } catch {
                    return refuse(connection, peer, incoming, error)
                }
            } else if case .run = plan {
                incoming.share = BodyBudget.Share(of: bodies)
                incoming.body.reserveCapacity(min(incoming.head.contentLength, BodyBudget.free))
            }
        }
        peer.deadline.store(bodyDeadline(bytes: incoming.head.contentLength), ordering: .relaxed)
        return httpd_yes
    }

    /// Keeps a piece of the body, or counts it if nobody wants it.
    func readBody(_ bytes: UnsafeRawBufferPointer, _ peer: Peer) -> MHD_Result {
        guard let incoming = peer.incoming else { return httpd_no }
        let received = incoming.received + bytes.count
        if received > incoming.bodyLimit {
            answerPastLibrary(peer, incoming, .contentTooLarge(limit: incoming.bodyLimit))
            return httpd_no
        }
        if incoming.head.isChunked, !Self.isChunkFramed(bytes, bodyStart: incoming.bodyStart) {
            answerPastLibrary(peer, incoming, .closing(.malformed("the line of a chunk's size must end in CR LF")))
            return httpd_no
        }
        incoming.received = received
        if let upload = incoming.upload {
            do { try upload.append(bytes) } catch {
                let known = error as? HTTPError ?? HTTPError(500, "internal", "The server failed")
                answerPastLibrary(peer, incoming, .closing(known))
                return httpd_no
            }
        } else if case .run? = incoming.plan {
            if let share = incoming.share, !share.grow(to: received) {
                answerPastLibrary(peer, incoming, .closing(.unavailable(retryAfter: 5)))
                return httpd_no
            }
            incoming.body.append(contentsOf: bytes)
        }
        if incoming.head.isChunked {
            let time = configuration.bodyTime.nanoseconds + timeToMove(bytes: received)
            peer.deadline.store(incoming.startedAt + time, ordering: .relaxed)
        }
        return httpd_yes
    }

    /// Whether a piece of a chunked body stands behind CR LF, as far as that can still be seen.
    ///
    /// The library takes a lone LF as well, where a proxy might read on. It hands out pieces where they were received,
    /// so what stands before one is the line of its size, unless that came alone and has been overwritten.
    private static func isChunkFramed(_ piece: UnsafeRawBufferPointer, bodyStart: UnsafeRawPointer?) -> Bool {
        guard let start = piece.baseAddress, let bodyStart, start - bodyStart >= 2 else { return true }
        return (start - 2).loadUnaligned(as: UInt8.self) == 0x0d && (start - 1).loadUnaligned(as: UInt8.self) == 0x0a
    }

    /// The library refuses what it cannot parse; this answers in its place.
    func refuseUnparsed(_ peer: Peer, status: Int) {
        let now = monotonicNow()
        let hasBegun = peer.incoming != nil
        let incoming =
            peer.incoming ?? Peer.Incoming(id: identifiers.make(), address: peer.address, startedAt: now)
        let error: HTTPError =
            switch status {
            case 413, 414, 431: .headTooLarge(status: status == 414 ? 414 : 431)
            case 505: HTTPError(505, "version-not-supported", "Only HTTP/1.1 and HTTP/1.0 are spoken")
            case 500 where !(hasBegun && peer.step == .body): HTTPError(500, "internal", "The server failed")
            case 501: HTTPError(501, "not-implemented", "The request needs what this server cannot do")
            default: .malformed(peer.step == .body ? "the body's framing is broken" : "the head is malformed")
            }
        answerPastLibrary(peer, incoming, .closing(error))
        if !hasBegun { report(incoming, status: error.status, now: now, isComplete: true) }
    }

    /// Answers where the library takes no answer: in the middle of a head or a body. The caller closes the connection.
    private func answerPastLibrary(_ peer: Peer, _ incoming: Peer.Incoming, _ error: HTTPError) {
        guard peer.move(from: .reading, to: .answering) || peer.move(from: .idle, to: .answering) else { return }
        peer.sendNow(rawAnswer(error, makeRequest(incoming)))
        incoming.status = error.status
        peer.lingers = true
    }

    /// The request is complete: does its work, or starts it and lets the connection wait.
    func work(_ connection: OpaquePointer, _ peer: Peer) -> MHD_Result {
        guard peer.move(from: .reading, to: .answering), let incoming = peer.incoming, let plan = incoming.plan else {
            return httpd_no
        }
        peer.deadline.store(.max, ordering: .relaxed)
        let request = makeRequest(incoming)
        incoming.request = request
        incoming.body = []
        incoming.upload = nil
        switch plan {
        case .answer(let response): return answer(connection, peer, response)
        case .fail(let error): return answer(connection, peer, .failure(error), request)
        case .run(let route, _):
            switch route.execution {
            case .immediate(let handler):
                return answer(connection, peer, Result { try handler(request) }, request)
            case .deferred(let start):
                let completion = makeCompletion()
                do {
                    try start(request) { completion.complete($0) }
                } catch {
                    completion.complete(.failure(error))
                }
                return wait(for: completion, connection, peer)
            case .pool(let handler):
                let completion = makeCompletion()
                let isTaken = pool.submit { completion.complete(Result { try handler(request) }) }
                if !isTaken { completion.complete(.failure(HTTPError.unavailable(retryAfter: 1))) }
                return wait(for: completion, connection, peer)
            case .async(let handler):
                let completion = makeCompletion()
                Task {
                    do {
                        completion.complete(.success(try await handler(request)))
                    } catch {
                        completion.complete(.failure(error))
                    }
                }
                return wait(for: completion, connection, peer)
            }
        }
    }

    /// The connection was resumed: its outcome is there.
    func finish(_ connection: OpaquePointer, _ peer: Peer) -> MHD_Result {
        guard let incoming = peer.incoming, let request = incoming.request, let completion = incoming.completion else {
            return httpd_no
        }
        guard let outcome = completion.take() else { return httpd_yes }
        incoming.completion = nil
        // It was an event stream, which has ended past the library.
        if incoming.live != nil { return httpd_no }
        return answer(connection, peer, outcome, request)
    }

    func makeCompletion() -> Completion {
        Completion { [self] completion in
            suspended.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(completion)) }
        }
    }

    func wait(for completion: Completion, _ connection: OpaquePointer, _ peer: Peer) -> MHD_Result {
        peer.step = .working
        peer.incoming?.completion = completion
        let isSuspended = completion.suspend(connection) {
            suspended.withLock { suspended in
                if isAbandoning.load(ordering: .acquiring) { return false }
                suspended[ObjectIdentifier(completion)] = completion
                return true
            }
        }
        if isSuspended { return httpd_yes }
        completion.complete(.failure(HTTPError.unavailable(retryAfter: 1)))  // counts only if there is nothing yet
        return finish(connection, peer)
    }

    private func makeRequest(_ incoming: Peer.Incoming) -> Request {
        var parameters: [Header] = []
        if case .run(_, let found)? = incoming.plan { parameters = found }
        return Request(
            id: incoming.id, method: incoming.head.method == "HEAD" ? "GET" : incoming.head.method,
            path: incoming.head.path, queryText: incoming.head.queryText, headers: incoming.head.headers,
            body: incoming.body, upload: incoming.upload, address: incoming.address, parameters: parameters)
    }

    /// Answers before the body is read, or because there is no telling where it ends. The connection closes.
    private func refuse(
        _ connection: OpaquePointer, _ peer: Peer, _ incoming: Peer.Incoming, _ error: any Error
    ) -> MHD_Result {
        guard peer.move(from: .reading, to: .answering) else { return httpd_no }
        peer.lingers = true
        let response = respond(error, makeRequest(incoming))
        return queue(connection, peer, incoming, response, closing: true)
    }

    private func answer(
        _ connection: OpaquePointer, _ peer: Peer, _ outcome: Result<Response, any Error>, _ request: Request
    ) -> MHD_Result {
        switch outcome {
        case .success(let response):
            if case .live(let start) = response.content {
                do throws(HTTPError) {
                    return try becomeLive(connection, peer, response, start, request)
                } catch {
                    return answer(connection, peer, respond(error, request))
                }
            }
            guard response.status == 200, let tags = request.header("If-None-Match") else {
                return answer(connection, peer, response)
            }
            var conditional = EntityTag.answer(response, method: request.method, ifNoneMatch: tags)
            conditional.content = response.content  // not sent with 304, but its length is what Content-Length tells
            return answer(connection, peer, conditional)
        case .failure(let error):
            let closes = (error as? HTTPError)?.closesConnection ?? false
            return answer(connection, peer, respond(error, request), closing: closes)
        }
    }

    func answer(
        _ connection: OpaquePointer, _ peer: Peer, _ response: Response, closing: Bool = false
    ) -> MHD_Result {
        guard let incoming = peer.incoming else { return httpd_no }
        return queue(connection, peer, incoming, response, closing: closing)
    }

    /// Bytes of a connection's memory that an answer's head may need: what is done must not stay unanswered.
    private static let answerHeadRoom = 2048

    func bodyDeadline(bytes: Int) -> Int64 {
        monotonicNow() + configuration.bodyTime.nanoseconds + timeToMove(bytes: bytes)
    }

    /// What the slowest client that is served takes for so many bytes.
    private func timeToMove(bytes: Int) -> Int64 {
        let (nanoseconds, overflow) = Int64(bytes).multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? .max / 4 : nanoseconds / Int64(max(1, configuration.bytesPerSecond))
    }
}
