import Foundation

/// One HTTP exchange with a program on this machine, the calling thread waiting. A new connection each time: it takes a
/// tenth of a millisecond, and none is left that the other side has closed.
package enum PlainHTTP {
    /// - Parameter limit: of each wait for the other side.
    /// - Returns: the status and the body.
    /// - Throws: `WebDriverError` if there is no whole answer in time.
    package static func exchange(
        port: UInt16, _ method: String, _ path: String, headers: [String: String] = [:], body: Data? = nil,
        limit: Duration = .seconds(60)
    ) throws -> (status: Int, body: Data) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw failure("there is no socket") }
        defer { close(descriptor) }
        var seconds = timeval(tv_sec: Int(limit.components.seconds), tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &seconds, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else { throw failure("nobody answers on port \(port)") }

        var head = "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        if let body { head += "Content-Type: application/json\r\nContent-Length: \(body.count)\r\n" }
        try send(Data((head + "\r\n").utf8) + (body ?? Data()), to: descriptor)
        return try receive(from: descriptor)
    }

    private static func send(_ data: Data, to descriptor: Int32) throws {
        var sent = 0
        while sent < data.count {
            let count = data.withUnsafeBytes { bytes in
                Glibc.send(
                    descriptor, bytes.baseAddress.map { $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure("the request could not be sent") }
            sent += count
        }
    }

    /// Reads a head and as many bytes as its `Content-Length` says.
    private static func receive(from descriptor: Int32) throws -> (status: Int, body: Data) {
        var received = Data()
        var end: Range<Data.Index>?
        var length = Int.max
        var status = 0
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while end.map({ received.count - $0.upperBound < length }) ?? true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw failure(count == 0 ? "the answer is cut off" : "there is no answer in time")
            }
            received.append(contentsOf: buffer[..<count])
            guard end == nil, let found = received.range(of: Data("\r\n\r\n".utf8)) else { continue }
            end = found
            let lines = String(decoding: received[..<found.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
            status = lines.first.flatMap { $0.split(separator: " ").dropFirst().first }.flatMap { Int($0) } ?? 0
            let field = lines.first { $0.lowercased().hasPrefix("content-length:") }
            guard
                let value = field?.split(separator: ":").last.flatMap({ Int($0.trimmingCharacters(in: .whitespaces)) })
            else {
                // An answer that has no body says so by its status (RFC 9110, 6.4.1).
                guard status == 204 || status == 304 else { throw failure("the answer has no length") }
                return (status, Data())
            }
            length = value
        }
        guard let end else { throw failure("the answer has no head") }  // not reached: the loop ends with one
        return (status, received[end.upperBound...])
    }

    private static func failure(_ what: String) -> WebDriverError { WebDriverError("WebDriver: \(what)") }
}
