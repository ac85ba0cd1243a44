import Foundation

@testable import PinfoldServer

/// A WebSocket client whose frames are written by hand, well-formed or not.
final class LiveSocket: @unchecked Sendable {  // used by one thread at a time
    enum Message {
        case text(JSON)
        case close(code: Int, reason: String)
        /// The connection ended without goodbye.
        case end
    }

    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private var start = 0
    private var isAtEnd = false
    /// The status of the answer to the handshake; 101 for an open connection.
    private(set) var status = 0
    /// What stands behind its head, where it is a refusal.
    private(set) var refusal = JSON.null

    init(port: UInt16, path: String, fields: [String]) throws {
        descriptor = try connectedSocket(port)
        let head = [
            "GET \(path) HTTP/1.1", "Host: 127.0.0.1", "Connection: Upgrade", "Upgrade: websocket",
            "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        ]
        write(Array(((head + fields).joined(separator: "\r\n") + "\r\n\r\n").utf8))
        var answer = HTTPReply(buffer[...])
        while answer == nil, !isAtEnd, try fill(120_000) { answer = HTTPReply(buffer[...]) }
        guard let answer else { throw LiveFailure("the handshake had no answer") }
        status = answer.status
        refusal = (try? JSON(parsing: answer.body)) ?? .null
        start = answer.count
    }

    deinit { close(descriptor) }

    /// Ends the connection as a phone does that is gone: what the server still sends is answered with a reset.
    func cut() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
        shutdown(descriptor, Int32(SHUT_RDWR))
        isAtEnd = true
    }

    @discardableResult
    func send(_ text: String) -> Bool { send(1, Array(text.utf8)) }

    /// One frame, masked.
    @discardableResult
    func send(_ opcode: UInt8, _ payload: [UInt8]) -> Bool {
        var bytes: [UInt8] = [0x80 | opcode]
        switch payload.count {
        case ..<126: bytes.append(0x80 | UInt8(payload.count))
        case ..<65_536: bytes += [0x80 | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xff)]
        default: bytes += [0x80 | 127] + (0..<8).map { UInt8(payload.count >> (56 - 8 * $0) & 0xff) }
        }
        let key: [UInt8] = [0x12, 0x34, 0x56, 0x78]
        return write(bytes + key + payload.enumerated().map { $1 ^ key[$0 % 4] })
    }

    /// The next message; nil if none comes within `wait` milliseconds.
    func next(wait: Int32 = 120_000) throws -> Message? {
        while true {
            while let frame = frame() {
                switch frame.opcode {
                case 1: return .text(try JSON(parsing: frame.payload))
                case 8:
                    let code = frame.payload.count < 2 ? 1005 : Int(frame.payload[0]) << 8 | Int(frame.payload[1])
                    return .close(code: code, reason: String(decoding: frame.payload.dropFirst(2), as: UTF8.self))
                default: continue
                }
            }
            if isAtEnd { return .end }
            guard try fill(wait) else { return nil }
        }
    }

    /// The next event of a type, after whatever else.
    func next(_ type: String) throws -> JSON {
        while true {
            switch try next() {
            case .text(let event): if event["type"]?.text == type { return event }
            case .close(let code, let reason): throw LiveFailure("closed with \(code) \(reason), no \(type)")
            case .end: throw LiveFailure("the connection ended, no \(type)")
            case nil: throw LiveFailure("no \(type) came")
            }
        }
    }

    /// The types of the events up to the answer to a ping: all that was sent before.
    func typesUntilPong() throws -> [String] {
        send(#"{"type": "ping"}"#)
        var types: [String] = []
        while true {
            guard case .text(let event) = try next(), let type = event["type"]?.text else {
                throw LiveFailure("no pong came after \(types)")
            }
            if type == "pong" { return types }
            types.append(type)
        }
    }

    /// The code that the server closes with, after whatever else.
    func closeCode() throws -> Int {
        while true {
            switch try next() {
            case .text: continue
            case .close(let code, _): return code
            case .end: return 1006
            case nil: throw LiveFailure("the connection was not closed")
            }
        }
    }

    /// A whole frame that has come.
    private func frame() -> (opcode: UInt8, payload: [UInt8])? {
        let bytes = buffer[start...]
        guard bytes.count >= 2 else { return nil }
        var (count, head) = (Int(buffer[start + 1] & 0x7f), 2)
        if count >= 126 {
            head = count == 126 ? 4 : 10
            guard bytes.count >= head else { return nil }
            count = buffer[start + 2..<start + head].reduce(0) { $0 << 8 | Int($1) }
        }
        guard bytes.count >= head + count else { return nil }
        defer { start += head + count }
        return (buffer[start] & 0xf, Array(buffer[start + head..<start + head + count]))
    }

    /// Reads what has come; false if nothing comes within `wait` milliseconds.
    private func fill(_ wait: Int32) throws -> Bool {
        if start > 0 {
            buffer.removeFirst(start)
            start = 0
        }
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, wait) > 0 else { return false }
        let piece = [UInt8](unsafeUninitializedCapacity: 65_536) { bytes, filled in
            filled = max(0, recv(descriptor, bytes.baseAddress, bytes.count, 0))
        }
        buffer += piece
        isAtEnd = piece.isEmpty
        return true
    }

    @discardableResult
    private func write(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count <= 0 { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}

/// One connection that sends requests one after the other.
final class HTTPSocket: @unchecked Sendable {  // used by one thread at a time
    private let descriptor: Int32

    init(port: UInt16) throws { descriptor = try connectedSocket(port) }

    deinit { close(descriptor) }

    /// - Throws: `LiveFailure` unless the status is one of `expected`.
    @discardableResult
    func send(
        _ method: String, _ path: String, _ body: JSON? = nil, token: String? = nil, expect expected: Int...
    ) throws -> JSON {
        var lines = ["\(method) \(path) HTTP/1.1", "Host: 127.0.0.1"]
        if let token { lines.append("Authorization: Bearer \(token)") }
        let bytes = body?.bytes ?? []
        if body != nil { lines.append("Content-Type: application/json") }
        if method != "GET" { lines.append("Content-Length: \(bytes.count)") }
        let request = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + bytes
        guard
            request.withUnsafeBytes({ Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) })
                == request.count
        else { throw LiveFailure("\(method) \(path) could not be sent") }
        var buffer: [UInt8] = []
        while true {
            let piece = [UInt8](unsafeUninitializedCapacity: 65_536) { bytes, filled in
                filled = max(0, recv(descriptor, bytes.baseAddress, bytes.count, 0))
            }
            buffer += piece
            if let reply = HTTPReply(buffer[...]) {
                guard expected.contains(reply.status) else {
                    let text = String(decoding: reply.body.prefix(300), as: UTF8.self)
                    throw LiveFailure("\(method) \(path): \(reply.status) \(text)")
                }
                return (try? JSON(parsing: reply.body)) ?? .null
            }
            if piece.isEmpty { throw LiveFailure("\(method) \(path) had no answer") }
        }
    }
}

/// An answer with its length in its head, at the beginning of some bytes.
private struct HTTPReply {
    let status: Int
    let body: [UInt8]
    /// How many bytes it is long.
    let count: Int

    /// Nil if it is not whole.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
        guard let status = head.firstMatch(of: /^HTTP\/1.1 ([0-9]+)/).flatMap({ Int($0.1) }) else { return nil }
        let length = head.firstMatch(of: /(?i)\r\ncontent-length: ([0-9]+)/).flatMap { Int($0.1) } ?? 0
        guard bytes.endIndex - end.upperBound >= length else { return nil }
        self.status = status
        body = Array(bytes[end.upperBound..<end.upperBound + length])
        count = end.upperBound + length - bytes.startIndex
    }
}

private func connectedSocket(_ port: UInt16) throws -> Int32 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let result = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
    }
    var one: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
    guard result == 0 else {
        close(descriptor)
        throw LiveFailure("cannot connect: \(String(cString: strerror(errno)))")
    }
    return descriptor
}
