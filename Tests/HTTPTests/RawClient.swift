import Glibc

@testable import HTTP

/// A socket that sends what it is told, well-formed or not.
final class RawClient: @unchecked Sendable {  // used by one thread at a time
    let descriptor: Int32

    init(port: UInt16, host: String = "127.0.0.1") throws {
        let isIPv6 = host.contains(":")
        let descriptor = socket(
            isIPv6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        self.descriptor = descriptor
        let result: Int32
        if isIPv6 {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            inet_pton(AF_INET6, host, &address.sin6_addr)
            result = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in6>.size))
                }
            }
        } else {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            inet_pton(AF_INET, host, &address.sin_addr)
            result = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        }
        if result != 0 { throw ListenError(description: "cannot connect: \(String(cString: strerror(errno)))") }
    }

    deinit { close(descriptor) }

    /// False if the server has closed.
    @discardableResult
    func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        var bytes = bytes[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count <= 0 { return false }
            bytes = bytes.dropFirst(count)
        }
        return true
    }

    func closeSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Reads until `text` has come, or nothing comes for as long as `patience`.
    func read(until text: String) -> Bool {
        var all = ""
        while !all.contains(text) {
            let (piece, isEnd) = receive(patience)
            all += piece
            if isEnd || piece.isEmpty { return all.contains(text) }
        }
        return true
    }

    /// Reads until the server closes, or falls silent for `silence` after it has begun to answer within `patience`.
    func readAll(silence: Duration, patience: Duration = patience) -> Reply {
        var all = ""
        while true {
            let (piece, isEnd) = receive(all.isEmpty ? patience : silence)
            all += piece
            if isEnd || piece.isEmpty { return Reply(text: all, isClosed: isEnd) }
        }
    }

    /// At most `count` bytes that have come; empty if the server has closed, nil if nothing comes for as long as
    /// `patience`.
    func receiveBytes(_ count: Int) -> [UInt8]? {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        if poll(&entry, 1, Int32(patience.nanoseconds / 1_000_000)) <= 0 { return nil }
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = max(0, recv(descriptor, buffer.baseAddress, count, 0))
        }
    }

    private func receive(_ timeout: Duration) -> (String, isEnd: Bool) {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        if poll(&entry, 1, Int32(timeout.nanoseconds / 1_000_000)) <= 0 { return ("", false) }
        var buffer = [UInt8](repeating: 0, count: 65536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return count <= 0 ? ("", true) : (String(decoding: buffer[..<count], as: UTF8.self), false)
    }
}

/// What came back on a connection.
struct Reply: Sendable {
    let text: String
    let isClosed: Bool

    /// The statuses of all answers, in their order.
    var statuses: [Int] {
        text.matches(of: /HTTP\/1\.[01] (\d\d\d)/).compactMap { Int($0.output.1) }
    }

    /// The value of the first field of that name.
    func header(_ name: String) -> String? {
        for line in text.split(separator: "\r\n") where line.lowercased().hasPrefix(name.lowercased() + ":") {
            return String(line.dropFirst(name.count + 1).drop { $0 == " " })
        }
        return nil
    }

    /// What stands behind the first head.
    var body: String {
        text.firstRange(of: "\r\n\r\n").map { String(text[$0.upperBound...]) } ?? ""
    }
}
