import Glibc
import Synchronization

@testable import HTTP

/// What the owner of live connections is told, for a test to look at.
final class LiveRecords: Sendable {
    struct Contents: Sendable {
        var open: [LiveConnection] = []
        /// All that ever opened.
        var opened = 0
        var received: [[UInt8]] = []
        var closed: [LiveClose] = []
    }

    let contents = Mutex(Contents())

    var open: [LiveConnection] { contents.withLock { $0.open } }
    var received: [[UInt8]] { contents.withLock { $0.received } }
    var closed: [LiveClose] { contents.withLock { $0.closed } }

    /// - Parameter echoes: sends each message back.
    func handlers(echoes: Bool = false) -> LiveHandlers {
        LiveHandlers(
            opened: { [self] connection in
                contents.withLock {
                    $0.open.append(connection)
                    $0.opened += 1
                }
            },
            received: { [self] connection, bytes in
                contents.withLock { $0.received.append(bytes) }
                if echoes { connection.send(LiveMessage(type: "echo", json: bytes)) }
            },
            closed: { [self] connection, close in
                contents.withLock {
                    $0.open.removeAll { $0 === connection }
                    $0.closed.append(close)
                }
            })
    }
}

extension TestServer {
    /// A server with `/live`, `/echo-live` and `/events`. Its clients may send as much as they like, and its heartbeats
    /// are far off, unless a test says otherwise.
    static func live(
        _ records: LiveRecords, _ configure: (inout Server.Configuration) -> Void = { _ in }
    ) throws -> TestServer {
        try TestServer {
            $0.live.floodMessages = nil
            $0.live.heartbeat = .seconds(3600)
            $0.live.silence = .seconds(3600)
            configure(&$0)
        } routes: { router in
            router.get("/live", .immediate { try .webSocket($0, records.handlers()) })
            router.get("/echo-live", .immediate { try .webSocket($0, records.handlers(echoes: true)) })
            router.get("/pool-live", .pool { try .webSocket($0, records.handlers()) })
            router.get("/events", .immediate { _ in .eventStream(records.handlers()) })
        }
    }

    /// Server-side sockets of this server, but for those that listen.
    var descriptors: Int {
        (0..<Int32(65536)).count { descriptor in
            var storage = sockaddr_in()
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isSocket = withUnsafeMutablePointer(to: &storage) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) == 0 }
            }
            guard isSocket, storage.sin_family == AF_INET, storage.sin_port == port.bigEndian else { return false }
            var listens: Int32 = 0
            var size = socklen_t(MemoryLayout<Int32>.size)
            getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size)
            return listens == 0
        }
    }
}
