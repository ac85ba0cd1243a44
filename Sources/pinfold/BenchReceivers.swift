import CWslay
import Foundation

/// Many connections of clients that listen, served by the thread that calls `poll`, with one epoll set.
///
/// It reads raw frames and looks into them no further than it must, so that it measures the server and not itself.
final class BenchReceivers {
    /// What is between the messages.
    enum Framing {
        /// Frames of RFC 6455, as servers send them.
        case webSocket
        /// What a subscriber of Redis is sent: this, the message, and a line end.
        case redis(head: [UInt8], message: Int)
    }

    private struct Client {
        var descriptor: Int32 = -1
        /// What it says first.
        var greeting: [UInt8]
        var isConnected = false
        var isOpen = false
        /// The beginning of a message whose rest is still to come.
        var kept: [UInt8] = []
    }

    /// What a connection ended with, other than by `close`.
    private(set) var failures: [String] = []
    /// How many have been answered and can receive.
    private(set) var openCount = 0
    private let port: UInt16
    private let framing: Framing
    private let epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    private var clients: [Client] = []
    private var nextToConnect = 0
    /// The client and its message.
    var receive: (Int, UnsafeRawBufferPointer) -> Void = { _, _ in }

    init(port: UInt16, framing: Framing) {
        self.port = port
        self.framing = framing
    }

    deinit {
        close()
        Glibc.close(epoll)
        buffer.deallocate()
    }

    var count: Int { clients.count }

    /// One more client, which `connect` connects.
    func add(greeting: String) { clients.append(Client(greeting: Array(greeting.utf8))) }

    /// The greeting of a WebSocket.
    static func webSocket(_ target: String, token: String) -> String {
        """
        GET \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer \(token)\r\nConnection: Upgrade\r\n\
        Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n
        """
    }

    /// Connects all that were added, `atOnce` at a time.
    ///
    /// - Throws: `CommandFailure` when that takes too long or one is refused.
    func connect(atOnce: Int, patience: Double = 60) throws {
        let end = Clock.monotonic() + patience
        while openCount < clients.count {
            while nextToConnect < clients.count, nextToConnect - openCount < atOnce {
                try begin(nextToConnect)
                nextToConnect += 1
            }
            poll(milliseconds: 100)
            try requireHealthy()
            guard Clock.monotonic() < end else {
                throw CommandFailure("only \(openCount) of \(clients.count) clients could connect")
            }
        }
    }

    /// - Throws: `CommandFailure` if a connection was refused, cut or broken.
    func requireHealthy() throws {
        guard let first = failures.first else { return }
        throw CommandFailure("\(failures.count) of \(clients.count) live connections failed, one with: \(first)")
    }

    /// Starts to connect one.
    private func begin(_ index: Int) throws {
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_INET, type, 0)
        guard descriptor >= 0 else { throw CommandFailure("there is no descriptor for client \(index)") }
        // So that thousands of ports are free again at once when it is closed.
        var hard = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &hard, socklen_t(MemoryLayout<linger>.size))
        var address = Loopback.address(port: port)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 || errno == EINPROGRESS else {
            throw CommandFailure("client \(index) cannot connect: \(String(cString: strerror(errno)))")
        }
        clients[index].descriptor = descriptor
        watch(index, EPOLL_CTL_ADD, EPOLLOUT)
    }

    private func watch(_ index: Int, _ operation: Int32, _ events: EPOLL_EVENTS) {
        var interest = epoll_event()
        interest.events = events.rawValue
        interest.data.u64 = UInt64(index)
        epoll_ctl(epoll, operation, clients[index].descriptor, &interest)
    }

    /// Reads what has come, or waits for it.
    func poll(milliseconds: Int32) {
        withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: 512) { events in
            let ready = epoll_wait(epoll, events.baseAddress, Int32(events.count), milliseconds)
            for event in events.prefix(max(0, Int(ready))) {
                let index = Int(event.data.u64)
                if clients[index].isConnected { read(index) } else { greet(index) }
            }
            // A server on the same machine would pay for waking this thread for each single message.
            if (1..<events.count / 4).contains(Int(ready)) { usleep(200) }
        }
    }

    private func greet(_ index: Int) {
        let greeting = clients[index].greeting
        let sent = send(clients[index].descriptor, greeting, greeting.count, Int32(MSG_NOSIGNAL))
        guard sent == greeting.count else { return fail(index, "it cannot be spoken to") }
        clients[index].isConnected = true
        watch(index, EPOLL_CTL_MOD, EPOLLIN)
    }

    private func read(_ index: Int) {
        let kept = clients[index].kept.count
        if kept > 0 { buffer.copyBytes(from: clients[index].kept) }
        let room = UnsafeMutableRawBufferPointer(rebasing: buffer[kept...])
        let received = recv(clients[index].descriptor, room.baseAddress, room.count, 0)
        guard received > 0 else {
            if received < 0, errno == EAGAIN || errno == EINTR { return }
            return fail(index, received == 0 ? "its end" : String(cString: strerror(errno)))
        }
        acknowledge(clients[index].descriptor)
        var bytes = UnsafeRawBufferPointer(rebasing: buffer[..<(kept + received)])
        if !clients[index].isOpen {
            guard let rest = openingEnd(bytes, index) else { return keep(bytes, index) }
            bytes = UnsafeRawBufferPointer(rebasing: bytes[rest...])
        }
        switch framing {
        case .webSocket: readFrames(bytes, index)
        case .redis(let head, let message): readMessages(bytes, index, head, message)
        }
    }

    /// At once: clients on machines of their own have clocks of their own, but of those on one machine a tick of its clock
    /// would send the acknowledgements of thousands together. Linux drops what its queue does not hold
    /// (`net.core.netdev_max_backlog`, 1,000), and with it what is on its way to others, which comes 200 ms late.
    private func acknowledge(_ descriptor: Int32) {
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_QUICKACK, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    private func keep(_ bytes: UnsafeRawBufferPointer, _ index: Int) {
        if bytes.isEmpty, clients[index].kept.isEmpty { return }
        clients[index].kept = Array(bytes)
    }

    /// Where the answer to the greeting ends; nil if it has not all come.
    private func openingEnd(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> Int? {
        let text = String(decoding: bytes.prefix(2048), as: UTF8.self)
        let (start, end) =
            switch framing {
            case .webSocket: ("HTTP/1.1 101", "\r\n\r\n")
            case .redis: ("*3\r\n$9\r\nsubscribe", "\r\n:1\r\n")
            }
        guard let range = text.range(of: end) else { return nil }
        guard text.hasPrefix(start) else {
            fail(index, "the answer \(text.prefix(200))")
            return nil
        }
        clients[index].isOpen = true
        openCount += 1
        return text.utf8.distance(from: text.startIndex, to: range.upperBound)
    }

    private func readFrames(_ bytes: UnsafeRawBufferPointer, _ index: Int) {
        var place = 0
        while bytes.count - place >= 2 {
            var length = Int(bytes[place + 1])
            var start = place + 2
            if length == 126 {
                guard bytes.count - place >= 4 else { break }
                length = Int(bytes[place + 2]) << 8 | Int(bytes[place + 3])
                start = place + 4
            } else if length > 126 {
                return fail(index, "a frame larger than any message")
            }
            guard bytes.count - start >= length else { break }
            let payload = UnsafeRawBufferPointer(rebasing: bytes[start..<(start + length)])
            switch bytes[place] {
            case 0x81: receive(index, payload)
            case 0x89: pong(index)
            case 0x88:
                let code = length >= 2 ? Int(payload[0]) << 8 | Int(payload[1]) : 0
                return fail(index, "close code \(code) \(String(decoding: payload.dropFirst(2), as: UTF8.self))")
            default: return fail(index, "a frame that was not asked for")
            }
            place = start + length
        }
        keep(UnsafeRawBufferPointer(rebasing: bytes[place...]), index)
    }

    private func pong(_ index: Int) {
        let frame: [UInt8] = [0x8a, 0x80, 0, 0, 0, 0]
        send(clients[index].descriptor, frame, frame.count, Int32(MSG_NOSIGNAL))
    }

    private func readMessages(_ bytes: UnsafeRawBufferPointer, _ index: Int, _ head: [UInt8], _ message: Int) {
        var place = 0
        let length = head.count + message + 2
        while bytes.count - place >= length {
            guard let base = bytes.baseAddress, memcmp(base + place, head, head.count) == 0 else {
                return fail(index, "something that is no message")
            }
            let start = place + head.count
            receive(index, UnsafeRawBufferPointer(rebasing: bytes[start..<(start + message)]))
            place += length
        }
        keep(UnsafeRawBufferPointer(rebasing: bytes[place...]), index)
    }

    private func fail(_ index: Int, _ reason: String) {
        failures.append(reason)
        Glibc.close(clients[index].descriptor)
        clients[index].descriptor = -1
    }

    /// Closes all connections, without a goodbye.
    func close() {
        for client in clients where client.descriptor >= 0 { Glibc.close(client.descriptor) }
        clients = []
        nextToConnect = 0
        openCount = 0
    }
}
