import Foundation
import Glibc
import Synchronization

/// A server that answers as a test wants it, ill-behaved if need be: a thread and a connection for each request.
final class ScriptedServer: Sendable {
    struct Request: Sendable {
        let method: String
        /// Path and query.
        let target: String
        /// By lowercase name.
        let headers: [String: String]
        let head: String
        let body: Data

        var path: String { String(target.prefix { $0 != "?" }) }

        func query(_ name: String) -> String? {
            URLComponents(string: target)?.queryItems?.first { $0.name == name }?.value
        }
    }

    /// One connection, which ends when the handler returns.
    struct Connection: Sendable {
        let descriptor: Int32

        /// False if the client has gone.
        @discardableResult
        func write(_ bytes: Data) -> Bool {
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes {
                    Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                if count <= 0 { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }

        @discardableResult
        func write(_ text: String) -> Bool { write(Data(text.utf8)) }

        func answer(_ status: Int, json: String = "{}", headers: [String] = []) {
            let lines =
                [
                    "HTTP/1.1 \(status) X", "Content-Type: application/json", "Content-Length: \(json.utf8.count)",
                    "Connection: close",
                ] + headers
            write(lines.joined(separator: "\r\n") + "\r\n\r\n" + json)
        }

        func refuse(_ status: Int, _ slug: String, headers: [String] = []) {
            answer(
                status, json: #"{"type": "/problems/\#(slug)", "title": "No", "status": \#(status)}"#,
                headers: headers)
        }

        /// The head of an event stream, which ends with the connection.
        func beginEvents() {
            write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n")
        }

        /// Returns when the client has closed.
        func waitForEnd() {
            var byte: UInt8 = 0
            while recv(descriptor, &byte, 1, 0) > 0 {}
        }
    }

    let port: UInt16
    private let descriptor: Int32
    private let seen: Seen

    private final class Seen: Sendable {
        let requests = Mutex<[Request]>([])
    }

    var requests: [Request] { seen.requests.withLock { $0 } }

    init(_ handler: @escaping @Sendable (Request, Connection) -> Void) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) | listen(descriptor, 64) | getsockname(descriptor, address, &length)
            }
        }
        guard result == 0 else { throw POSIXError(.EADDRINUSE) }
        port = UInt16(bigEndian: address.sin_port)
        let seen = Seen()
        self.seen = seen
        Thread {
            while true {
                let client = accept(descriptor, nil, nil)
                if client < 0 { return }
                Thread {
                    if let request = Self.read(client) {
                        seen.requests.withLock { $0.append(request) }
                        handler(request, Connection(descriptor: client))
                    }
                    close(client)
                }.start()
            }
        }.start()
    }

    deinit {
        shutdown(descriptor, Int32(SHUT_RDWR))
        close(descriptor)
    }

    private static func read(_ client: Int32) -> Request? {
        var bytes = Data()
        var buffer = [UInt8](repeating: 0, count: 65536)
        func more() -> Bool {
            let count = recv(client, &buffer, buffer.count, 0)
            if count > 0 { bytes += buffer[..<count] }
            return count > 0
        }
        let end = Data("\r\n\r\n".utf8)
        while bytes.range(of: end) == nil { if !more() { return nil } }
        guard let range = bytes.range(of: end) else { return nil }
        let lines = String(decoding: bytes[..<range.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ").map(String.init)
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2 { headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces) }
        }
        if headers["expect"] != nil { send(client, "HTTP/1.1 100 Continue\r\n\r\n", 25, Int32(MSG_NOSIGNAL)) }
        let length = headers["content-length"].flatMap { Int($0) } ?? 0
        while bytes.count - range.upperBound < length { if !more() { return nil } }
        let kept = lines.filter { !$0.lowercased().hasPrefix("connection:") && !$0.lowercased().hasPrefix("expect:") }
        return Request(
            method: words[0], target: words[1], headers: headers, head: kept.joined(separator: "\r\n"),
            body: bytes[range.upperBound...])
    }
}

extension ScriptedServer {
    /// A way to the server at `port` on which answers can get lost: one whose request `isLost` picks was done, and its
    /// connection breaks before the client hears of it.
    static func losing(
        answersFrom port: UInt16, where isLost: @escaping @Sendable (Request) -> Bool
    ) throws -> ScriptedServer {
        try ScriptedServer { request, connection in
            let backend = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            defer { close(backend) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            let connected = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(backend, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            guard connected == 0 else { return }
            Connection(descriptor: backend).write(
                Data((request.head + "\r\nConnection: close\r\n\r\n").utf8) + request.body)
            var answer = Data()
            var buffer = [UInt8](repeating: 0, count: 65536)
            while true {
                let count = recv(backend, &buffer, buffer.count, 0)
                if count <= 0 { break }
                answer += buffer[..<count]
            }
            if !isLost(request) { connection.write(answer) }
        }
    }
}

/// True the first time that it is asked.
final class Once: Sendable {
    private let isOver = Atomic(false)

    func first() -> Bool { !isOver.exchange(true, ordering: .relaxed) }
}
