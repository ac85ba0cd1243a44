import Foundation
import Geo
import SocialModel
import Testing

@testable import PinfoldClient

/// What is sent again, and what is not.
@Suite struct RetryTests {
    private let place = Coordinate(latitudeE7: 100_000_000, longitudeE7: 200_000_000)

    @Test func `a pin whose answer is lost is there once`() async throws {
        let server = try ServedApp()
        let once = Once()
        let way = try ScriptedServer.losing(answersFrom: server.port) {
            $0.method == "POST" && $0.path == "/v1/pins" && once.first()
        }
        let ana = try await server.signUp("ana", port: way.port)
        let pin = try await ana.createPin(NewPin("Ramen", at: place))
        #expect(way.requests.count { $0.method == "POST" && $0.path == "/v1/pins" } == 2)
        #expect(try await ana.pins().all().map(\.id) == [pin.id])
    }

    @Test func `a deletion whose answer is lost is done, and one of nothing is 404`() async throws {
        let server = try ServedApp()
        let once = Once()
        let way = try ScriptedServer.losing(answersFrom: server.port) { $0.method == "DELETE" && once.first() }
        let ana = try await server.signUp("ana", port: way.port)
        let pin = try await ana.createPin(NewPin("Ramen", at: place))
        try await ana.deletePin(pin.id, ifUnchangedFrom: pin.tag)
        #expect(try await ana.pins().all().isEmpty)
        await #expect { try await ana.deletePin(pin.id) } throws: { ($0 as? PinfoldError)?.isNotFound == true }
    }

    @Test func `a change is sent again under a tag alone`() async throws {
        let server = try ServedApp()
        let way = try ScriptedServer.losing(answersFrom: server.port) { $0.method == "PATCH" }
        let ana = try await server.signUp("ana", port: way.port)
        let pin = try await ana.createPin(NewPin("Ramen", at: place))
        var change = PinChange()
        change.rating = .set(4)
        await #expect(throws: PinfoldError.self) { try await ana.changePin(pin.id, change) }
        #expect(way.requests.count { $0.method == "PATCH" } == 1)
        await #expect(throws: PinfoldError.self) {
            try await ana.changePin(pin.id, change, ifUnchangedFrom: pin.tag)
        }
        #expect(way.requests.count { $0.method == "PATCH" } == 5)
    }

    @Test(arguments: [429, 503]) func `a busy server is asked again when it says`(status: Int) async throws {
        let once = Once()
        let server = try ScriptedServer { request, connection in
            if once.first() {
                connection.refuse(status, "busy", headers: ["Retry-After: 1"])
            } else {
                connection.answer(200, json: #"{"status": "ok"}"#)
            }
        }
        let start = ContinuousClock.now
        try await PinfoldClient.test(port: server.port).checkHealth()
        #expect(ContinuousClock.now - start >= .seconds(1))
        #expect(server.requests.count == 2)
    }

    @Test func `a wait that is too long is the caller's to make`() async throws {
        let server = try ScriptedServer { $1.refuse(429, "too-many-requests", headers: ["Retry-After: 60"]) }
        await #expect { try await PinfoldClient.test(port: server.port).checkHealth() } throws: { error in
            guard case PinfoldError.refused(let problem, 60?) = error else { return false }
            return problem.status == 429
        }
        #expect(server.requests.count == 1)
    }

    @Test(arguments: [400, 404, 409, 412, 500, 507]) func `other refusals stand`(status: Int) async throws {
        let server = try ScriptedServer { $1.refuse(status, "no") }
        let client = PinfoldClient.test(port: server.port)
        await #expect { try await client.checkHealth() } throws: {
            ($0 as? PinfoldError)?.status == status && ($0 as? PinfoldError)?.slug == "no"
        }
        #expect(server.requests.count == 1)
    }

    @Test func `signing up and in are sent once`() async throws {
        let server = try ScriptedServer { $1.refuse(503, "unavailable", headers: ["Retry-After: 0"]) }
        let client = PinfoldClient.test(port: server.port)
        await #expect(throws: PinfoldError.self) { try await client.signUp(.test("ana")) }
        await #expect(throws: PinfoldError.self) { try await client.signIn(login: "ana", password: "x") }
        #expect(server.requests.count == 2)
    }

    @Test func `what is no answer of the API is told as such`() async throws {
        let server = try ScriptedServer { $1.answer(200, json: "<html>Sign in to the hotel's network</html>") }
        let tokens = MemoryTokenStore(MemoryTokenStore.scripted)
        let client = PinfoldClient.test(port: server.port, tokens: tokens)
        await #expect { try await client.me() } throws: { error in
            guard case PinfoldError.unreadable(200, _) = error else { return false }
            return true
        }
    }

    @Test func `a wait grows, within its bounds`() {
        let policy = RetryPolicy(attempts: 3, base: .seconds(1), cap: .seconds(10))
        for attempt in 0..<100 {
            let most = Duration.seconds(attempt < 4 ? 1 << attempt : 10)
            #expect((.zero...most).contains(policy.backoff(attempt)))
        }
        #expect(policy.delay(after: .noAnswer(URLError(.timedOut)), attempt: 1) != nil)
        #expect(policy.delay(after: .noAnswer(URLError(.timedOut)), attempt: 2) == nil)
    }
}
