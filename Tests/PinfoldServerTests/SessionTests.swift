import HTTP
import SocialModel
import Testing

@testable import PinfoldServer

@Suite struct SessionTests {
    @Test func `own devices are listed, without tokens, and ended`() async throws {
        try await withApp { app, client in
            let (ana, ben) = try await client.signUp("ana", "ben")
            app.clock.advance(.seconds(60))
            let far = Client(app: app, address: try #require(IPAddress("2001:db8::7")))
            let other = try Person(
                try await far.send(
                    "POST", "/v1/sessions",
                    body: (["login": "ana", "password": .string(Client.password(of: "ana"))] as JSON).bytes,
                    headers: [("User-Agent", "Phone/1")], expect: .created), client: far)
            let list = try await ana.get("/v1/sessions", expect: .ok)
            let items = try #require(list.json["items"]).elements
            #expect(items.map { $0["current"] } == [false, true])
            #expect(items[0]["address"] == "2001:db8::7" && items[0]["userAgent"] == "Phone/1")
            #expect(items[1]["address"] == "127.0.0.1" && items[1]["userAgent"] == .null)
            #expect(items[0]["createdAt"] == JSON(timestamp: app.clock.now) && list.json["next"] == .null)
            for token in [ana.token, ana.refreshToken, other.token, other.refreshToken] {
                #expect(!list.text.contains(token))
            }
            // Somebody else's session is as one that never was.
            let theirs = try #require(try await ben.get("/v1/sessions").ids.first)
            let foreign = try await ana.delete("/v1/sessions/\(theirs)", expect: .notFound)
            let never = try await ana.delete("/v1/sessions/9223372036854775807", expect: .notFound)
            #expect(foreign.response.body == never.response.body)
            try await ben.get("/v1/me", expect: .ok)
            try await ana.delete("/v1/sessions/\(list.ids[0])", expect: .noContent)
            try await other.get("/v1/me", expect: .unauthorized)
            try await client.refresh(other.refreshToken, expect: .unauthorized)
            try await ana.delete("/v1/sessions/current", expect: .noContent)
            try await ana.get("/v1/me", expect: .unauthorized)
        }
    }

    @Test func `all sessions of one account end at once, and nobody else's`() async throws {
        try await withApp { app, client in
            let (ana, ben) = try await client.signUp("ana", "ben")
            let other = try Person(try await client.signIn("ana", expect: .created), client: client)
            try await ana.delete("/v1/sessions", expect: .noContent)
            for token in [ana.refreshToken, other.refreshToken] {
                try await client.refresh(token, expect: .unauthorized)
            }
            try await other.get("/v1/me", expect: .unauthorized)
            try await ben.get("/v1/me", expect: .ok)
        }
    }

    @Test func `tokens expire, and the refresh token outlives the access token`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            app.clock.advance(.milliseconds(Session.accessLifetime - 1))
            try await ana.get("/v1/me", expect: .ok)
            app.clock.advance(.milliseconds(1))
            try await ana.get("/v1/me", expect: .unauthorized)
            let renewed = try Person(try await client.refresh(ana.refreshToken, expect: .ok), client: client)
            try await renewed.get("/v1/me", expect: .ok)
            app.clock.advance(.milliseconds(Session.refreshLifetime - 1))
            try await renewed.get("/v1/me", expect: .unauthorized)
            let again = try Person(try await client.refresh(renewed.refreshToken, expect: .ok), client: client)
            app.clock.advance(.milliseconds(Session.refreshLifetime))
            try await client.refresh(again.refreshToken, expect: .unauthorized)
            // Housekeeping then forgets the session, and one that is alive it keeps.
            let ben = try await client.signUp("ben")
            try await app.database.write { try Housekeeping.run(in: $0) }
            #expect(try app.database.read { try $0.rows("SELECT id FROM session") { $0.int64(0) } }.count == 1)
            try await ben.get("/v1/me", expect: .ok)
        }
    }

    /// The rule of the contract: until one of the new tokens is used the old ones still work, and a refresh with the old
    /// one replaces them; once one is used, the old refresh token ends its session.
    private struct Device {
        var isAlive = true
        /// Every pair of tokens this device was ever given, oldest first.
        var pairs: [Person]
        /// Number of the newest pair of which a token was used.
        var confirmed = 0
        /// Those that a refresh with an older token has replaced.
        var replaced: Set<Int> = []

        func isAccepted(access index: Int) -> Bool { isAlive && index >= confirmed && !replaced.contains(index) }
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `refreshing follows its rule through any sequence of uses`(seed: UInt64) async throws {
        try await withApp { app, client in
            var generator = SplitMix64(seed: seed)
            var devices = [Device(pairs: [try await client.signUp("ana")])]
            devices.append(
                Device(pairs: [try Person(try await client.signIn("ana", expect: .created), client: client)]))
            for step in 0..<60 {
                let which = generator.int(0..<devices.count)
                var device = devices[which]
                // Mostly the newest pairs; sometimes one of long ago.
                let last = device.pairs.count - 1
                let index = generator.chance(80) ? max(0, last - generator.int(0..<2)) : generator.int(0..<last + 1)
                let pair = device.pairs[index]
                let context: Testing.Comment = "seed \(seed), step \(step), device \(which), pair \(index) of \(last)"
                if generator.chance(50) {
                    let isAccepted = device.isAccepted(access: index)
                    #expect(try await pair.get("/v1/me").status == (isAccepted ? .ok : .unauthorized), context)
                    if isAccepted { device.confirmed = max(device.confirmed, index) }
                    // The first use is noted on the writer, behind which this waits.
                    try await app.database.write { _ in }
                } else {
                    let answer = try await client.refresh(pair.refreshToken)
                    let isKnown = device.isAlive && !device.replaced.contains(index)
                    if isKnown, index >= device.confirmed {
                        #expect(answer.status == .ok, context)
                        device.replaced.formUnion(device.pairs.indices.filter { $0 > index })
                        device.confirmed = index
                        device.pairs.append(try Person(answer, client: client))
                    } else {
                        #expect(answer.status == .unauthorized, context)
                        if isKnown { device.isAlive = false }
                    }
                }
                devices[which] = device
                if !device.isAlive, generator.chance(50) {
                    let fresh = try Person(try await client.signIn("ana", expect: .created), client: client)
                    devices[which] = Device(pairs: [fresh])
                }
            }
        }
    }

    @Test func `six refreshes at once with one token leave a session that works`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            let renewed = try await withThrowingTaskGroup(of: Answer.self) { group in
                for _ in 0..<6 { group.addTask { try await client.refresh(ana.refreshToken, expect: .ok) } }
                return try await group.reduce(into: []) { $0.append(try Person($1, client: client)) }
            }
            var alive = 0
            for person in renewed where try await person.get("/v1/me").status == .ok { alive += 1 }
            #expect(alive == 1)
        }
    }

    @Test func `a refresh token is checked like any input`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            for token in ["zzz", ana.token, "\u{1F600}"] { try await client.refresh(token, expect: .unauthorized) }
            for body in [[:], ["refreshToken": nil], ["refreshToken": 5], ["refreshToken": ""]] as [JSON] {
                let answer = try await client.post("/v1/sessions/refresh", body, expect: .badRequest)
                #expect(answer.faults == ["refreshToken"])
            }
            try await client.refresh(ana.refreshToken, expect: .ok)
        }
    }

    @Test func `a session is ended only as it was read, if that is asked for`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            let phone = try Person(try await client.signIn("ana", expect: .created), client: client)
            let id = try #require(
                try await phone.get("/v1/sessions?limit=1", expect: .ok).json["items"]?.elements.first?["id"]?.text)
            let read = try await ana.get("/v1/sessions/\(id)", expect: .ok)
            try await ana.delete("/v1/sessions/\(id)", headers: [("If-Match", "\"x\"")], expect: .preconditionFailed)
            try await phone.get("/v1/me", expect: .ok)
            try await ana.delete("/v1/sessions/\(id)", headers: [("If-Match", read.etag ?? "")], expect: .noContent)
            try await phone.get("/v1/me", expect: .unauthorized)
            try await ana.delete("/v1/sessions/\(id)", headers: [("If-Match", "\"x\"")], expect: .notFound)
        }
    }
}
