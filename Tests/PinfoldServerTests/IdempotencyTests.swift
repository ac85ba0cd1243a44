import SocialModel
import Testing

@testable import PinfoldServer

@Suite struct IdempotencyTests {
    private let body: JSON = ["latitude": 1, "longitude": 2, "name": "Ramen"]

    @Test func `the same key and body give the first answer again, for a day`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            let key = [("Idempotency-Key", "key 1")]
            let first = try await ana.post("/v1/pins", body, headers: key, expect: .created)
            let path = "/v1/pins/\(try first.decoded(Pin.self).id)"
            try await ana.patch(path, ["name": "later"], expect: .ok)
            // A day outlives the access token.
            app.clock.advance(.milliseconds(IdempotencyKey.lifetime - 1))
            let later = try Person(try await client.signIn("ana", expect: .created), client: client)
            try await app.database.write { try Housekeeping.run(in: $0) }
            let again = try await later.post("/v1/pins", body, headers: key, expect: .created)
            #expect(again.response.body == first.response.body && again.etag == first.etag)
            #expect(again.header("Location") == path && again.header("Content-Type") == first.header("Content-Type"))
            #expect(again.header("Cache-Control") == "private, no-cache")
            #expect(try await later.all("/v1/pins").count == 1)
            app.clock.advance(.milliseconds(1))
            let new = try await later.post("/v1/pins", body, headers: key, expect: .created)
            #expect(new.response.body != first.response.body)
            #expect(try await later.all("/v1/pins").count == 2)
        }
    }

    @Test func `the same key with another body or path is 422 and does nothing`() async throws {
        try await withApp { app, client in
            let (ana, ben) = try await client.signUp("ana", "ben")
            let key = [("Idempotency-Key", "k")]
            let pin = try await ana.post("/v1/pins", body, headers: key, expect: .created).decoded(Pin.self)
            let other: JSON = ["latitude": 1, "longitude": 2, "name": "other"]
            try await ana.post("/v1/pins", other, headers: key, expect: .unprocessable)
            try await ana.post("/v1/friend-requests", ["to": "\(ben.id)"], headers: key, expect: .unprocessable)
            try await ana.post("/v1/pins/\(pin.id)/restore", headers: key, expect: .unprocessable)
            #expect(try await ana.all("/v1/pins") == [pin.id.description])
            #expect(try await ben.all("/v1/friend-requests") == [])
            // Another person's keys are another person's.
            let theirs = try await ben.post("/v1/pins", body, headers: key, expect: .created).decoded(Pin.self)
            #expect(theirs.id != pin.id && theirs.ownerId == ben.id)
        }
    }

    @Test func `what failed is not kept`() async throws {
        try await withApp { app, client in
            let (ana, ben) = try await client.signUp("ana", "ben", friends: true)
            let key = [("Idempotency-Key", "k")]
            try await ana.post("/v1/friend-requests", ["to": "\(ben.id)"], headers: key, expect: .conflict)
            try await ana.post("/v1/pins", ["latitude": 99], headers: key, expect: .badRequest)
            try await ana.post("/v1/pins", body, headers: key, expect: .created)
            for bad in ["", String(repeating: "x", count: 256)] {
                let answer = try await ana.post(
                    "/v1/pins", body, headers: [("Idempotency-Key", bad)], expect: .badRequest)
                #expect(answer.faults == ["Idempotency-Key"])
            }
            try await ana.post(
                "/v1/pins", body, headers: [("Idempotency-Key", String(repeating: "x", count: 255))], expect: .created)
        }
    }

    @Test func `eight at once with one key make one pin and one answer`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            let bodies = try await withThrowingTaskGroup(of: [UInt8].self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        try await ana.post(
                            "/v1/pins", body, headers: [("Idempotency-Key", "k")], expect: .created
                        ).response.body
                    }
                }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(bodies.count == 1)
            #expect(try await ana.all("/v1/pins").count == 1)
        }
    }
}
