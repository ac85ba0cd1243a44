import CMicroHTTPD
import Glibc
import Synchronization

/// How answers get onto the wire.
extension Server {
    /// The bytes of an answer's body, kept until the library has sent them.
    private final class Body {
        let bytes: [UInt8]
        init(_ bytes: [UInt8]) { self.bytes = bytes }
    }

    /// Hands an answer to the library, without copying its body. A file stays where it is until it is sent.
    func queue(
        _ connection: OpaquePointer, _ peer: Peer, _ incoming: Peer.Incoming, _ response: Response,
        closing: Bool
    ) -> MHD_Result {
        peer.step = .answered
        var response = response
        if !(200...599).contains(response.status) { response = Response(status: 500) }
        if response.status == 204 { response.body = [] }
        guard let answer = Self.makeAnswer(response.content) else { return httpd_no }
        for header in response.headers { Self.add(header.name, header.value, to: answer) }
        Self.add("X-Request-Id", incoming.id, to: answer)
        if closing || isDraining.load(ordering: .relaxed) { Self.add("Connection", "close", to: answer) }
        incoming.status = response.status
        incoming.sent = incoming.head.method == "HEAD" || response.status == 304 ? 0 : response.content.count
        if case .file(let file) = response.content { incoming.companion = file.companion }
        peer.deadline.store(bodyDeadline(bytes: incoming.sent), ordering: .relaxed)
        let result = httpd_queue_response(connection, UInt32(response.status), answer)
        MHD_destroy_response(answer)
        return result
    }

    private static func makeAnswer(_ content: Response.Content) -> OpaquePointer? {
        switch content {
        case .bytes(let bytes): makeAnswer(bytes)
        case .file(let file): makeAnswer(file)
        case .live: makeAnswer([])
        }
    }

    private static func makeAnswer(_ file: BodyFile) -> OpaquePointer? {
        if file.count == 0 { return makeAnswer([]) }
        let descriptor = file.duplicate()
        guard descriptor >= 0 else { return nil }
        let answer = MHD_create_response_from_fd64(UInt64(file.count), descriptor)
        if answer == nil { close(descriptor) }
        return answer
    }

    private static func makeAnswer(_ bytes: [UInt8]) -> OpaquePointer? {
        if bytes.isEmpty { return MHD_create_response_from_buffer(0, nil, httpd_memory_persistent) }
        let body = Unmanaged.passRetained(Body(bytes))
        // An array of bytes lies in one allocation that stays where it is while nobody writes to the array, and nobody
        // can: the only other hands are the library's.
        let start = body.takeUnretainedValue().bytes.withUnsafeBytes {
            UnsafeMutableRawPointer(mutating: $0.baseAddress)
        }
        let answer = MHD_create_response_from_buffer_with_free_callback_cls(
            bytes.count, start, { raw in if let raw { Unmanaged<Body>.fromOpaque(raw).release() } }, body.toOpaque())
        if answer == nil { body.release() }
        return answer
    }

    /// Adds a field. One whose value would end the line is left out: it could only come from a fault of ours, and would
    /// let its author write the rest of the answer.
    static func add(_ name: String, _ value: String, to answer: OpaquePointer) {
        if isSafe(value) { _ = MHD_add_response_header(answer, name, value) }
    }

    static func isSafe(_ value: String) -> Bool {
        value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }
    }

    /// What a client gets whose request does not arrive in time.
    func farewell(_ error: HTTPError) -> [UInt8] {
        rawAnswer(error, Request(id: identifiers.make(), method: "", path: ""))
    }

    /// An answer as bytes, for where the library takes none. The connection closes after it.
    func rawAnswer(_ error: HTTPError, _ request: Request) -> [UInt8] {
        let response = respond(error, request)
        var text =
            "HTTP/1.1 \(response.status) \(String(cString: MHD_get_reason_phrase_for(UInt32(response.status))))\r\n"
        for header in response.headers where Self.isSafe(header.name) && Self.isSafe(header.value) {
            text += "\(header.name): \(header.value)\r\n"
        }
        text += "X-Request-Id: \(request.id)\r\nDate: \(Self.date())\r\n"
        text += "Content-Length: \(response.body.count)\r\nConnection: close\r\n\r\n"
        return Array(text.utf8) + response.body
    }

    /// Now, as in RFC 9110, 5.6.7.
    static func date() -> String {
        var now = time(nil)
        var parts = tm()
        gmtime_r(&now, &parts)
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { text in
            let length = strftime(text.baseAddress, text.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
            return String(decoding: UnsafeRawBufferPointer(text).prefix(length), as: UTF8.self)
        }
    }
}
