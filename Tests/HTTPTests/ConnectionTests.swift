import Glibc
import Testing

@testable import HTTP

@Suite struct ConnectionTests {
    private func get(_ path: String, _ fields: String = "") -> String {
        "GET \(path) HTTP/1.1\r\nHost: x\r\n\(fields)\r\n"
    }

    @Test func pipelinedRequestsAreAnsweredInOrder() async throws {
        let server = try TestServer()
        let paths = ["/health", "/async", "/nothing", "/pool", "/twice", "/fails", "/starting-fails", "/health"]
        let requests = paths.map { get($0) }.joined() + "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nhi"
        let reply = try await server.send(requests + get("/health", "Connection: close\r\n"), silence: patience)
        #expect(reply.statuses == [200, 200, 404, 200, 200, 409, 404, 200, 200, 200])
        #expect(reply.isClosed)
    }

    @Test func halfClosedClientGetsItsAnswer() async throws {
        let server = try TestServer()
        for path in ["/health", "/pool", "/async"] {
            let reply = try await server.send(get(path), halfClose: true, silence: patience)
            #expect(reply.statuses == [200] && reply.isClosed, "\(path)")
        }
    }

    @Test func keepsHTTP11OpenAndClosesHTTP10() async throws {
        let server = try TestServer()
        #expect(try await !server.send(get("/health")).isClosed)
        #expect(try await server.send("GET /health HTTP/1.0\r\n\r\n", silence: patience).isClosed)
    }

    @Test func headHasTheHeadOfGet() async throws {
        let server = try TestServer()
        let reply = try await server.send(
            "HEAD /health HTTP/1.1\r\nHost: x\r\n\r\n" + get("/health", "Connection: close\r\n"), silence: patience)
        #expect(reply.statuses == [200, 200])
        #expect(reply.header("Content-Length") == "2")
        #expect(reply.text.ranges(of: "\r\n\r\nok").count == 1)
    }

    @Test func optionsAndWrongMethodsNameTheMethods() async throws {
        let server = try TestServer()
        let options = try await server.send("OPTIONS /health HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(options.statuses == [204] && options.header("Allow") == "GET, HEAD, OPTIONS")
        let wrong = try await server.send("BREW /health HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(wrong.statuses == [405] && wrong.header("Allow") == "GET, HEAD, OPTIONS")
        #expect(try await server.send("OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n").statuses == [204])
    }

    @Test func unchangedResourceIsNotSentAgain() async throws {
        let server = try TestServer()
        let reply = try await server.send(
            get("/tagged", "If-None-Match: \"b\", W/\"a\"\r\n") + get("/health", "Connection: close\r\n"),
            silence: patience)
        #expect(reply.statuses == [304, 200])
        #expect(reply.header("ETag") == "\"a\"" && reply.header("Vary") == "Accept")
        #expect(!reply.text.contains("tagged"))
        #expect(try await server.send(get("/tagged", "If-None-Match: \"b\"\r\n")).statuses == [200])
    }

    @Test func slowRequestsAreCut() async throws {
        let server = try TestServer {
            $0.headerTime = .milliseconds(150)
            $0.bodyTime = .milliseconds(150)
            $0.bytesPerSecond = 1_000_000
        }
        let port = server.port
        let starts = [
            ("GET /hea", "l"), ("GET /health HTTP/1.1\r\nHost: x\r\n", "X-A: b\r\n"),
            ("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 9999\r\n\r\n", "a"),
            ("POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\na\r\n"),
        ]
        for (start, drip) in starts {
            let reply = try await onThread {
                let client = try RawClient(port: port)
                client.send(start)
                for _ in 0..<6000 {
                    let reply = client.readAll(silence: patience, patience: .milliseconds(10))
                    if reply.isClosed || !reply.text.isEmpty { return reply }
                    client.send(drip)
                }
                return Reply(text: "still served", isClosed: false)
            }
            #expect(reply.isClosed && reply.statuses.allSatisfy { $0 == 408 }, "\(start)")
        }
        // A loaded machine can make this request a slow one, too.
        var isServed = false
        for _ in 0..<20 where !isServed { isServed = try await server.send(get("/health")).statuses == [200] }
        #expect(isServed)
        #expect(try await eventually { server.server.openConnections == 0 })
    }

    @Test func idleConnectionsAreClosed() async throws {
        let server = try TestServer { $0.idleTime = .milliseconds(200) }
        let reply = try await server.send(get("/health"), silence: patience)
        #expect(reply.statuses == [200] && reply.isClosed)
    }

    @Test func connectionsOfOneAddressAreLimited() async throws {
        let server = try TestServer { $0.perAddressConnectionLimit = 3 }
        let port = server.port
        let held = try await onThread { try (0..<3).map { _ in try RawClient(port: port) } }
        #expect(try await eventually { server.server.openConnections == 3 })
        #expect(try await server.send(get("/health"), silence: patience).statuses.isEmpty)
        withExtendedLifetime(held) {}
    }

    @Test func connectionsOfTrustedProxiesAreNotLimited() async throws {
        let server = try TestServer {
            $0.perAddressConnectionLimit = 1
            $0.trustedProxies = [CIDRBlock("127.0.0.0/8")].compactMap(\.self)
        }
        let port = server.port
        let held = try await onThread { try (0..<3).map { _ in try RawClient(port: port) } }
        #expect(try await eventually { server.server.openConnections == 3 })
        let reply = try await server.send(get("/from", "X-Forwarded-For: 192.0.2.9, 127.0.0.7\r\n"))
        #expect(reply.body == "192.0.2.9")
        withExtendedLifetime(held) {}
    }

    @Test func strangersCannotForgeTheirAddress() async throws {
        let reply = try await TestServer().send(get("/from", "X-Forwarded-For: 192.0.2.9\r\n"))
        #expect(reply.body == "127.0.0.1")
    }

    @Test func listensOnIPv6AndRefusesATakenPort() async throws {
        let server = try TestServer { $0.host = "::1" }
        let port = server.port
        let reply = try await onThread {
            let client = try RawClient(port: port, host: "::1")
            client.send("GET /from HTTP/1.1\r\nHost: x\r\n\r\n")
            return client.readAll(silence: .milliseconds(500))
        }
        #expect(reply.body == "::1")
        let error = #expect(throws: ListenError.self) {
            try TestServer {
                $0.host = "::1"
                $0.port = port
            }
        }
        #expect(error?.description.contains("address already in use") == true)
    }

    @Test func everyAnswerIsObserved() async throws {
        let server = try TestServer()
        let reply = try await server.send(
            get("/things/a", "User-Agent: probe\r\n") + get("/nothing") + "GET / HTTP/9.9\r\n\r\n",
            silence: patience
        )
        #expect(reply.statuses == [200, 404, 505])
        #expect(try await eventually { server.records.exchanges.withLock { $0.count } == 3 })
        let exchanges = server.records.exchanges.withLock { $0 }
        #expect(exchanges.map(\.status) == [200, 404, 505])
        #expect(exchanges.first?.pattern == "/things/:name" && exchanges.first?.userAgent == "probe")
        #expect(exchanges.first?.bytes == 1 && exchanges.first?.requestID == reply.header("X-Request-Id"))
        #expect(Set(exchanges.map(\.requestID)).count == 3)
    }

    @Test func bodiesTogetherHaveALimit() async throws {
        let server = try TestServer { $0.bodyBudget = 200_000 }
        let port = server.port
        @Sendable func upload(_ count: Int) -> String {
            "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: \(count)\r\n\r\n"
        }
        let piece = String(repeating: "x", count: 200_000)
        let text = piece + piece
        try await onThread {
            let first = try RawClient(port: port)
            // 200,000 bytes, of which the first 64 KiB don't count, and no more for now.
            first.send(upload(200_001) + piece)
            while server.server.bodies.bytes < 200_000 - BodyBudget.free { sched_yield() }
            let second = try RawClient(port: port)
            second.send(upload(200_000) + piece)
            let refused = second.readAll(silence: patience)
            #expect(refused.statuses == [503] && refused.isClosed && refused.header("Retry-After") == "5")
            // Small ones pass, whatever there is.
            let small = try RawClient(port: port)
            small.send(
                "POST /echo HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 60000\r\n\r\n"
                    + piece.prefix(60_000))
            #expect(small.readAll(silence: patience).statuses == [200])
            first.send("x")
            #expect(first.read(until: "HTTP/1.1 200"))
        }
        // What the first one had is there again once its answer is out, and by chunks it is the same budget.
        try await onThread {
            while server.server.bodies.bytes > 0 { sched_yield() }
            let third = try RawClient(port: port)
            third.send(
                "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n30d40\r\n\(piece)\r\n0\r\n\r\n"
            )
            #expect(third.readAll(silence: patience).statuses == [200])
            let fourth = try RawClient(port: port)
            fourth.send(
                "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n61a80\r\n\(text)\r\n0\r\n\r\n")
            #expect(fourth.readAll(silence: patience).statuses == [503])
        }
    }
}
