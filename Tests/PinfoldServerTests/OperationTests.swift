import HTTP
import SocialModel
import Storage
import Testing

@testable import PinfoldServer

@Suite struct OperationTests {
    @Test func `on a full disk nothing is acknowledged that is not stored, and reading goes on`() async throws {
        try await withApp(TestApp.Setup(sparePages: 40)) { app, client in
            let ana = try await client.signUp("ana")
            var stored: [String] = []
            let comment = JSON.string(String(repeating: "x", count: 9_000))
            var refusals = 0
            for number in 0..<60 {
                let answer = try await ana.post(
                    "/v1/pins", ["latitude": 1, "longitude": 2, "name": "\(number)", "comment": comment])
                if answer.status == .insufficientStorage {
                    refusals += 1
                } else {
                    #expect(answer.status == .created)
                    stored.insert(try answer.decoded(Pin.self).id.description, at: 0)
                }
            }
            #expect(refusals > 0 && !stored.isEmpty)
            #expect(try await ana.all("/v1/pins") == stored)
            let events = try app.database.read { read in
                try read.rows("SELECT subjectId FROM event WHERE kind = 'pin' ORDER BY sequence DESC") { $0.int64(0) }
            }
            #expect(events.map(String.init) == stored)
            // What is deleted makes room.
            for id in stored.prefix(2) { try await ana.delete("/v1/pins/\(id)") }
        }
    }

    @Test func `an error that is no client's business shows nothing but the request's id`() throws {
        let log = Log(descriptor: nil, clock: { 0 })
        let request = Request(id: "0123456789abcdef", method: "GET", path: "/")
        struct Secret: Error { let path = "/secret/place" }
        let errors: [any Error] = [Secret(), DatabaseError(code: 1, message: "no such table", sql: "SELECT secret")]
        for error in errors {
            let response = ProblemResponse.make(error, request, log)
            let text = String(decoding: response.body, as: UTF8.self)
            #expect(response.status == 500 && text.contains(request.id))
            for word in ["secret", "SELECT", "table", "Secret"] { #expect(!text.contains(word), "\(text)") }
        }
        let full = ProblemResponse.make(DatabaseError(code: 13, message: "full", sql: "SELECT secret"), request, log)
        #expect(full.status == 507 && !String(decoding: full.body, as: UTF8.self).contains("secret"))
        let busy = ProblemResponse.make(DatabaseBusy(), request, log)
        #expect(busy.status == 503 && busy.header("Retry-After") != nil)
    }

    @Test func `the service tells that it lives, is ready, and what it counts`() async throws {
        try await withApp { app, client in
            #expect(try await client.get("/health", expect: .ok).json["status"] == "ok")
            #expect(try await client.get("/ready", expect: .ok).json["status"] == "ready")
            let metrics = try await client.get("/metrics", expect: .ok)
            #expect(metrics.header("Content-Type")?.hasPrefix("application/openmetrics-text") == true)
            #expect(metrics.text.hasSuffix("# EOF\n"))
        }
    }

    @Test func `the demo's people sign in and see each other's pins`() async throws {
        try await withApp { app, client in
            let logins = try Demo.fill(app.app)
            #expect(logins.count == 6 && Set(logins.map(\.password)).count == 6)
            var categories: Set<Pin.Category> = []
            for login in logins {
                let answer = try await client.signIn(login.username, password: login.password, expect: .created)
                let person = try Person(answer, client: client)
                let friends = try await person.all("/v1/friends")
                #expect(!friends.isEmpty)
                let pins = try await person.get("/v1/pins?near=44.95,-93.1&limit=500", expect: .ok)
                    .decoded(Items<Pin>.self).items
                #expect(Set(pins.map(\.ownerId.description)).isSubset(of: friends + [person.id.description]))
                #expect(pins.contains { $0.ownerId != person.id } && pins.contains { $0.ownerId == person.id })
                #expect(pins.allSatisfy { $0.distance ?? .infinity < 300_000 })
                categories.formUnion(pins.map(\.category))
            }
            #expect(categories == Set(Pin.Category.allCases))
        }
    }
}
