import Foundation

/// A connection to a server on loopback for single requests: no proxy, no redirects, no surprises.
final class BenchClient {
    struct Answer {
        let status: Int
        let body: [UInt8]
    }

    private let descriptor: Int32

    /// Nil if nobody listens.
    init?(port: UInt16) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var limit = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        guard var address = Loopback.address(port: port) as sockaddr_in? else { return nil }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if result != 0 {
            close(descriptor)
            return nil
        }
    }

    deinit { close(descriptor) }

    /// Nil if the connection breaks or the answer takes more than some seconds.
    func get(_ target: String, headers: [String] = []) -> Answer? {
        ask(["GET \(target) HTTP/1.1", "Host: 127.0.0.1"] + headers, "")
    }

    /// Sends JSON; nil as for `get`.
    func post(_ target: String, headers: [String] = [], _ json: String) -> Answer? {
        let length = "Content-Length: \(json.utf8.count)"
        let type = "Content-Type: application/json"
        return ask(["POST \(target) HTTP/1.1", "Host: 127.0.0.1", type, length] + headers, json)
    }

    private func ask(_ head: [String], _ body: String) -> Answer? {
        guard send(head.joined(separator: "\r\n") + "\r\n\r\n" + body) else { return nil }
        var received: [UInt8] = []
        while true {
            if let answer = Self.parse(received) { return answer }
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { return nil }
            received += buffer[..<count]
        }
    }

    /// Sends text in another protocol; false if the connection breaks.
    func send(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Waits for an answer, and tells how many line ends it has; nil if the connection breaks.
    func receiveLines() -> Int? {
        var buffer = [UInt8](repeating: 0, count: 1 << 12)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return count > 0 ? buffer[..<count].count { $0 == 0x0a } : nil
    }

    /// The answer, once it is whole. The servers here always send a length.
    private static func parse(_ bytes: [UInt8]) -> Answer? {
        let text = String(decoding: bytes.prefix(4096), as: UTF8.self)
        guard let end = text.range(of: "\r\n\r\n") else { return nil }
        let head = text[..<end.lowerBound]
        let length = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length:") }?
            .split(separator: ":").last.flatMap { Int($0.trimmingCharacters(in: .whitespaces)) }
        let words = head.split(separator: " ", maxSplits: 2)
        guard let length, words.count > 1, let status = Int(words[1]) else { return nil }
        let start = head.utf8.count + 4
        guard bytes.count >= start + length else { return nil }
        return Answer(status: status, body: Array(bytes[start..<(start + length)]))
    }
}

/// Where the servers of the benchmarks listen.
enum Loopback {
    static func address(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr = in_addr(s_addr: UInt32(INADDR_LOOPBACK).bigEndian)
        return address
    }

    /// A port that nobody listens on.
    static func freePort() -> UInt16 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = address(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                _ = bind(descriptor, address, length)
                _ = getsockname(descriptor, address, &length)
            }
        }
        return UInt16(bigEndian: address.sin_port)
    }
}
