import Glibc
import Synchronization
import Testing

@testable import HTTP

@Suite struct ExecutionTests {
    private static let held = "GET /held HTTP/1.1\r\nHost: x\r\n\r\n"

    @Test func onlyTheFirstCompletionCounts() async throws {
        let server = try TestServer()
        let client = try await server.connect(sending: Self.held)
        #expect(try await eventually { server.records.held.withLock { $0.count } == 1 })
        let complete = try #require(server.records.held.withLock { $0.first })
        complete(.success(.text("first")))
        complete(.success(.text("second")))
        #expect(try await onThread { client.readAll(silence: .milliseconds(300)) }.body == "first")
        // The second request is another one, although it comes on the same connection.
        await client.sendOffTask(Self.held)
        #expect(try await eventually { server.records.held.withLock { $0.count } == 2 })
        complete(.success(.text("third")))
        #expect(try await onThread { client.readAll(silence: .zero, patience: .milliseconds(300)) }.text.isEmpty)
        server.records.held.withLock { $0[1] }(.failure(HTTPError.notFound))
        #expect(try await onThread { client.readAll(silence: .milliseconds(300)) }.statuses == [404])
    }

    @Test func fullPoolIsUnavailable() async throws {
        let state = PoolState()
        let server = try TestServer(
            {
                $0.poolThreads = 1
                $0.poolQueue = 1
            },
            routes: { router in
                router.get(
                    "/blocked",
                    .pool { _ in
                        state.running.add(1, ordering: .relaxed)
                        while !state.isOpen.load(ordering: .acquiring) { usleep(1000) }
                        return .text("done")
                    })
            })
        let request = "GET /blocked HTTP/1.1\r\nHost: x\r\n\r\n"
        let first = try await server.connect(sending: request)
        #expect(try await eventually { state.running.load(ordering: .relaxed) == 1 })
        let second = try await server.connect(sending: request)
        #expect(try await eventually { server.server.suspended.withLock { $0.count } == 2 })
        let third = try await server.send(request)
        #expect(third.statuses == [503] && third.header("Retry-After") == "1")
        state.isOpen.store(true, ordering: .releasing)
        #expect(try await onThread { first.read(until: "done") && second.read(until: "done") })
    }

    private final class PoolState: Sendable {
        let running = Atomic(0)
        let isOpen = Atomic(false)
    }

    @Test func drainWaitsForWhatHasBegun() async throws {
        let server = try TestServer()
        let port = server.port
        let working = try await server.connect(sending: Self.held)
        let idle = try await server.connect()
        #expect(try await eventually { server.records.held.withLock { $0.count } == 1 })
        async let stopped: Void = onThread { server.server.stop(drain: patience) }
        #expect(try await onThread { idle.readAll(silence: patience) }.isClosed)
        #expect(throws: ListenError.self, "nobody else is let in") { try RawClient(port: port) }
        let complete = try #require(server.records.held.withLock { $0.first })
        complete(.success(.text("finished")))
        let reply = try await onThread { working.readAll(silence: patience) }
        #expect(reply.body == "finished" && reply.isClosed && reply.header("Connection") == "close")
        try await stopped
        #expect(throws: ListenError.self) { try RawClient(port: port) }
        #expect(server.server.openConnections == 0)
    }

    @Test func drainEndsWhatIsNeverCompleted() async throws {
        let server = try TestServer()
        let client = try await server.connect(sending: Self.held)
        #expect(try await eventually { server.records.held.withLock { $0.count } == 1 })
        try await onThread { server.server.stop(drain: .milliseconds(50)) }
        #expect(try await onThread { client.readAll(silence: patience) }.statuses == [503])
        // The work comes to its end later, and finds nobody.
        let complete = try #require(server.records.held.withLock { $0.first })
        complete(.success(.text("late")))
        try await onThread { server.server.stop(drain: .zero) }
    }

    @Test func clientsThatGoAwayLeaveNothing() async throws {
        let server = try TestServer()
        for _ in 0..<20 {
            _ = try await server.connect(sending: Self.held)
        }
        #expect(try await eventually { server.records.held.withLock { $0.count } == 20 })
        for complete in server.records.held.withLock({ $0 }) { complete(.success(.text("for nobody"))) }
        #expect(try await eventually { server.server.openConnections == 0 })
        #expect(try await server.send("GET /health HTTP/1.1\r\nHost: x\r\n\r\n").statuses == [200])
    }

    @Test func runsInProcessAsOverASocket() async throws {
        let router = TestServer.router()
        func answer(_ method: String, _ path: String, _ headers: [Header] = [], _ body: [UInt8] = []) async -> Response
        {
            await router.respond(
                to: Request(id: "0", method: method, path: path, headers: headers, body: body),
                respond: TestServer.problem)
        }
        #expect(await answer("GET", "/things/a%20b").body == Array("a b".utf8))
        #expect(await answer("GET", "/async").body == Array("async".utf8))
        #expect(await answer("GET", "/pool").body == Array("pool".utf8))
        #expect(await answer("GET", "/twice").body == Array("first".utf8))
        #expect(await answer("GET", "/starting-fails").status == 404)
        #expect(await answer("GET", "/fails").status == 409)
        let head = await answer("HEAD", "/health")
        #expect(head.status == 200 && head.body.isEmpty)
        #expect(await answer("OPTIONS", "/health").header("Allow") == "GET, HEAD, OPTIONS")
        #expect(await answer("PUT", "/health").status == 405)
        #expect(await answer("GET", "/tagged", [Header("if-none-match", "*")]).status == 304)
        #expect(await answer("POST", "/small", [], [UInt8](repeating: 0, count: 11)).status == 413)
    }
}

extension RawClient {
    func sendOffTask(_ text: String) async { _ = try? await onThread { self.send(text) } }
}
