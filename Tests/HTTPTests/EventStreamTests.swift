import Testing

@testable import HTTP

@Suite struct EventStreamTests {
    private let records = LiveRecords()

    @Test func eventsHaveTheirCursorAndType() async throws {
        let server = try TestServer.live(records)
        let client = try await server.connect(sending: "GET /events HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try await eventually { records.open.count == 1 })
        let connection = try #require(records.open.first)
        #expect(connection.transport == .eventStream)
        connection.send(LiveMessage(type: "pin.created", cursor: "c1", json: Array("{\"a\":1}".utf8)))
        connection.send(LiveMessage(type: "presence", json: Array("{}".utf8)))
        connection.send(LiveMessage(type: "bad\ntype", cursor: "bad\rcursor", json: Array("two\nlines".utf8)))
        connection.close(.normal)
        let reply = try await onThread { client.readAll(silence: patience) }
        #expect(reply.statuses == [200] && reply.isClosed)
        #expect(reply.header("Content-Type") == "text/event-stream")
        #expect(reply.header("Cache-Control") == "no-cache, no-transform")
        #expect(reply.header("X-Request-Id")?.count == 16 && reply.header("Connection") == "close")
        #expect(
            reply.body == """
                id: c1\nevent: pin.created\ndata: {"a":1}\n\nevent: presence\ndata: {}\n\ndata: two\ndata: lines\n\n\
                event: close\ndata: {"code":1000,"reason":""}\n\n
                """)
        #expect(try await eventually { server.records.exchanges.withLock { $0.first?.isComplete } == true })
        #expect(server.records.exchanges.withLock { $0.map(\.status) } == [200])
    }

    @Test func headHasNoStream() async throws {
        let server = try TestServer.live(records)
        let reply = try await server.send(
            "HEAD /events HTTP/1.1\r\nHost: x\r\n\r\nGET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
            silence: patience)
        #expect(reply.statuses == [200, 200] && reply.header("Content-Type") == "text/event-stream")
        #expect(server.server.live.count == 0)
    }

    @Test func commentsKeepItAlive() async throws {
        let server = try TestServer.live(records) { $0.live.heartbeat = .milliseconds(20) }
        let client = try await server.connect(sending: "GET /events HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try await onThread { client.read(until: ":\n\n:\n\n:\n\n") })
    }

    @Test func idleTimeDoesNotEndIt() async throws {
        let server = try TestServer.live(records) {
            $0.idleTime = .seconds(1)  // the library's shortest
            $0.live.heartbeat = .milliseconds(500)
        }
        let client = try await server.connect(sending: "GET /events HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try await onThread { client.read(until: ":\n\n:\n\n:\n\n:\n\n:\n\n") })
    }

    @Test func clientsThatTalkAreClosed() async throws {
        let server = try TestServer.live(records)
        let client = try await server.connect(sending: "GET /events HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try await eventually { records.open.count == 1 })
        try await onThread { for _ in 0..<100 { client.send(String(repeating: "x", count: 100)) } }
        #expect(try await eventually { records.closed == [.flood] })
    }
}
