import Foundation
import HTTP
import SocialModel
import Testing

@testable import PinfoldServer

/// Links that make friends.
@Suite struct InviteTests {
    private func code(_ answer: Answer) throws -> String { try #require(answer.json["code"]?.text) }

    @Test func `an invite makes friends at once, once for each use`() async throws {
        try await withApp { app, client in
            let (ana, ben, cyd) = try await client.signUp("ana", "ben", "cyd")
            let made = try await ana.post("/v1/invites", ["expiresIn": 3600, "maxUses": 1], expect: .created)
            let code = try code(made)
            #expect(made.json["url"]?.text == "\(app.app.publicURL)/#invite=\(code)")
            #expect(made.header("Location") == "/v1/invites/\(code)" && code.utf8.count == 16)
            #expect(made.json["uses"]?.number == 0 && made.json["maxUses"]?.number == 1)

            let path = "/v1/invites/\(code)"
            for greeting in [try await client.get(path, expect: .ok), try await ben.get(path, expect: .ok)] {
                #expect(greeting.json["from"]?["username"]?.text == "ana")
                #expect(Set(greeting.json.members.keys) == ["code", "from", "expiresAt"])
            }
            let pin = try await ana.drop()
            try await ben.get("/v1/pins/\(pin.id)", expect: .notFound)
            let accepted = try await ben.post("\(path)/accept", expect: .ok)
            #expect(accepted.json["username"]?.text == "ana" && accepted.json["since"]?.text != nil)
            try await ben.get("/v1/pins/\(pin.id)", expect: .ok)
            // The answer may have been lost.
            try await ben.post("\(path)/accept", expect: .ok)
            try await cyd.post("\(path)/accept", expect: .notFound)
            try await client.get(path, expect: .notFound)
            let list = try await ana.get("/v1/invites", expect: .ok)
            #expect(list.json["items"]?.elements.compactMap { $0["uses"]?.number } == [1])
            #expect(try await ana.get("/v1/friends").ids == [ben.id.description])
        }
    }

    @Test func `an unknown, deleted or expired invite is one and the same nothing`() async throws {
        try await withApp { app, client in
            let (ana, ben) = try await client.signUp("ana", "ben")
            let deleted = try code(try await ana.post("/v1/invites", expect: .created))
            try await ben.delete("/v1/invites/\(deleted)", expect: .notFound)
            try await ana.delete("/v1/invites/\(deleted)", expect: .noContent)
            try await ana.delete("/v1/invites/\(deleted)", expect: .notFound)
            let expired = try code(try await ana.post("/v1/invites", ["expiresIn": 60], expect: .created))
            app.clock.advance(.seconds(60))
            var bodies: Set<String> = []
            for code in [deleted, expired, "AAAAAAAAAAAAAAAA", "x", "%F0%9F%8D%9C", String(repeating: "x", count: 999)]
            {
                for answer in [
                    try await client.get("/v1/invites/\(code)"), try await ben.get("/v1/invites/\(code)"),
                    try await ben.post("/v1/invites/\(code)/accept"),
                ] {
                    #expect(answer.status == .notFound)
                    bodies.insert(answer.text)
                }
            }
            #expect(bodies.count == 1)
            #expect(try await ana.get("/v1/invites").json["items"]?.elements.isEmpty == true)
            try await app.database.write { try Housekeeping.run(in: $0) }
            let left = try await app.database.write { try $0.row("SELECT count(*) FROM invite") { $0.int(0) } }
            #expect(left == 0)
        }
    }

    @Test func `a block either way is as if there were no invite`() async throws {
        try await withApp { app, client in
            let (ana, ben, cyd) = try await client.signUp("ana", "ben", "cyd")
            let path = "/v1/invites/\(try code(try await ana.post("/v1/invites", ["maxUses": 5], expect: .created)))"
            let unknown = try await ben.get("/v1/invites/AAAAAAAAAAAAAAAA", expect: .notFound)
            try await ana.put("/v1/blocks/\(ben.id)", expect: .noContent)
            try await cyd.put("/v1/blocks/\(ana.id)", expect: .noContent)
            for person in [ben, cyd] {
                #expect(try await person.get(path, expect: .notFound).text == unknown.text)
                #expect(try await person.post("\(path)/accept", expect: .notFound).text == unknown.text)
            }
            try await cyd.delete("/v1/blocks/\(ana.id)", expect: .noContent)
            try await cyd.post("\(path)/accept", expect: .ok)
            let own = try await ana.post("\(path)/accept", expect: .conflict)
            #expect(own.json["type"]?.text == "/problems/own-invite")
        }
    }

    @Test(arguments: [true, false])
    func `a pending request between the two is accepted, whoever asked`(inviterAsked: Bool) async throws {
        try await withApp { app, client in
            let (ana, ben) = try await client.signUp("ana", "ben")
            let (asking, asked) = inviterAsked ? (ana, ben) : (ben, ana)
            let request = try await asking.post("/v1/friend-requests", ["to": "\(asked.id)"], expect: .created)
            let before = try await app.lastEvent()
            let code = try code(try await ana.post("/v1/invites", expect: .created))
            try await ben.post("/v1/invites/\(code)/accept", expect: .ok)
            let id = try #require(request.json["id"]?.text)
            #expect(try await asking.get("/v1/friend-requests/\(id)").json["status"]?.text == "accepted")
            // The log says the same as after a request that is accepted.
            #expect(
                try await app.events(after: before).sorted()
                    == [
                        "friendAdded \(ana.id)", "friendAdded \(ben.id)", "requestAccepted \(ana.id)",
                        "requestAccepted \(ben.id)",
                    ].sorted())
        }
    }

    @Test func `uses are counted exactly, however many come at once`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            var people: [Person] = []
            for number in 0..<12 { people.append(try await client.signUp("guest\(number)")) }
            let code = try code(try await ana.post("/v1/invites", ["maxUses": 5], expect: .created))
            let guests = people
            let accepted = try await withThrowingTaskGroup(of: (Int, Int).self) { group in
                // Each tries twice.
                for (index, person) in (guests + guests).enumerated() {
                    group.addTask {
                        (index % 12, try await person.post("/v1/invites/\(code)/accept").status.rawValue)
                    }
                }
                return try await group.reduce(into: Set<Int>()) { if $1.1 == 200 { $0.insert($1.0) } }
            }
            #expect(accepted.count == 5)
            #expect(Set(try await ana.get("/v1/friends").ids) == Set(accepted.map { guests[$0].id.description }))
            #expect(try await ana.get("/v1/invites").json["items"]?.elements.first?["uses"]?.number == 5)
        }
    }

    @Test(arguments: [Privacy.RequestSource.invite, .nobody])
    func `who takes no requests still invites`(source: Privacy.RequestSource) async throws {
        try await withApp { app, client in
            let (ana, ben) = try await client.signUp("ana", "ben")
            try await ana.patch(
                "/v1/me/privacy", ["requestsFrom": .string(source.rawValue), "discoverable": "nobody"], expect: .ok)
            try await ben.post("/v1/friend-requests", ["to": "\(ana.id)"], expect: .notFound)
            try await ana.patch("/v1/me/privacy", ["discoverable": "everyone"], expect: .ok)
            let refused = try await ben.post("/v1/friend-requests", ["to": "\(ana.id)"], expect: .conflict)
            #expect(refused.json["type"]?.text == "/problems/requests-closed")
            let code = try code(try await ana.post("/v1/invites", expect: .created))
            try await ben.post("/v1/invites/\(code)/accept", expect: .ok)
            #expect(try await ana.get("/v1/friends").ids == [ben.id.description])
        }
    }

    private func newcomer(_ name: String, invite: JSON? = nil) -> JSON {
        var body: [String: JSON] = [
            "username": .string(name), "email": .string("\(name)@example.org"), "password": "a long secret",
        ]
        body["invite"] = invite
        return .object(body)
    }

    @Test func `a newcomer signs up with an invite and is a friend`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            let code = try code(try await ana.post("/v1/invites", ["maxUses": 2], expect: .created))
            let before = try await app.lastEvent()
            let answer = try await client.post(
                "/v1/users", newcomer("ben", invite: .string(code)), expect: .created)
            let ben = try Person(answer, client: client)
            #expect(try await ben.get("/v1/friends").ids == [ana.id.description])
            #expect(
                try await app.events(after: before) == [
                    "accountCreated \(ben.id)", "friendAdded \(ben.id)", "friendAdded \(ana.id)",
                ])
            // What fails uses nothing up.
            try await client.post("/v1/users", newcomer("ben", invite: .string(code)), expect: .conflict)
            #expect(try await ana.get("/v1/invites").json["items"]?.elements.first?["uses"]?.number == 1)
            try await client.post("/v1/users", newcomer("cyd", invite: .string(code)), expect: .created)
            for wrong in [code, "AAAAAAAAAAAAAAAA", " ", "x"] {
                let refused = try await client.post("/v1/users", newcomer("dan", invite: .string(wrong)))
                #expect(refused.status == .badRequest && refused.faults == ["invite"])
            }
            try await client.post("/v1/users", newcomer("dan", invite: .null), expect: .created)
        }
    }

    @Test func `where signing up needs an invite, it is one that works`() async throws {
        try await withApp(TestApp.Setup(registration: .invite)) { app, client in
            try await client.post("/v1/users", newcomer("ben"), expect: .conflict)
            try await client.post("/v1/users", newcomer("ben", invite: "AAAAAAAAAAAAAAAA"), expect: .badRequest)
            // The first of all is made by who runs the service.
            let ana = try await app.database.write { write in
                try Account.create(
                    NewAccount(
                        username: "ana", email: "ana@example.org", phone: nil, displayName: nil,
                        passwordHash: try app.app.passwords.hash(Client.password(of: "ana"))), in: write)
            }
            let signedIn = try Person(try await client.signIn("ana", expect: .created), client: client)
            let code = try code(try await signedIn.post("/v1/invites", expect: .created))
            let answers = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<6 {
                    let body = newcomer("guest\(number)", invite: .string(code))
                    group.addTask { try await client.post("/v1/users", body).status.rawValue }
                }
                return try await group.reduce(into: [Int]()) { $0.append($1) }
            }
            #expect(answers.sorted() == [201, 400, 400, 400, 400, 400])
            let accounts = try await app.database.write { try $0.row("SELECT count(*) FROM account") { $0.int(0) } }
            #expect(accounts == 2 && ana.username == "ana")
        }
        try await withApp(TestApp.Setup(registration: .closed)) { app, client in
            try await client.post("/v1/users", newcomer("ben", invite: "AAAAAAAAAAAAAAAA"), expect: .conflict)
        }
    }

    @Test func `open invites are limited, and pages show each once`() async throws {
        try await withApp { app, client in
            let (ana, ben) = try await client.signUp("ana", "ben")
            var codes: [String] = []
            for _ in 0..<Invite.liveLimit {
                codes.insert(try code(try await ana.post("/v1/invites", expect: .created)), at: 0)
            }
            let refused = try await ana.post("/v1/invites", expect: .conflict)
            #expect(refused.json["type"]?.text == "/problems/too-many-invites")
            var seen: [String] = []
            var next: String? = ""
            while let cursor = next {
                let page = try await ana.get("/v1/invites?limit=7" + (cursor.isEmpty ? "" : "&cursor=\(cursor)"))
                seen += page.json["items"]?.elements.compactMap { $0["code"]?.text } ?? []
                next = page.next
            }
            #expect(seen == codes)
            // One that is used up is no open one.
            try await ben.post("/v1/invites/\(codes[0])/accept", expect: .ok)
            try await ana.post("/v1/invites", expect: .created)
            try await ana.post("/v1/invites", expect: .conflict)
            #expect(try await ben.get("/v1/invites").json["items"]?.elements.isEmpty == true)
            app.clock.advance(.seconds(Invite.usualLifetime))
            let later = try Person(try await client.signIn("ana", expect: .created), client: client)
            #expect(try await later.get("/v1/invites").json["items"]?.elements.isEmpty == true)
            try await later.post("/v1/invites", expect: .created)
        }
    }

    @Test(arguments: [
        ("expiresIn", "59"), ("expiresIn", "2592001"), ("expiresIn", "1e99"), ("expiresIn", "\"60\""),
        ("expiresIn", "null"), ("expiresIn", "60.5"), ("maxUses", "0"), ("maxUses", "101"), ("maxUses", "-1"),
        ("maxUses", "[]"), ("code", "\"AAAAAAAAAAAAAAAA\""),
    ])
    func `bad input is named`(field: String, json: String) async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            let answer = try await client.send(
                "POST", "/v1/invites", body: Array("{\"\(field)\": \(json)}".utf8), token: ana.token)
            #expect(answer.status == .badRequest && answer.faults == [field])
        }
    }

    @Test func `strangers make, list, delete and accept none`() async throws {
        try await withApp { app, client in
            let code = try code(try await client.signUp("ana").post("/v1/invites", expect: .created))
            try await client.post("/v1/invites", [:], expect: .unauthorized)
            try await client.get("/v1/invites", expect: .unauthorized)
            try await client.send("DELETE", "/v1/invites/\(code)", expect: .unauthorized)
            try await client.send("POST", "/v1/invites/\(code)/accept", expect: .unauthorized)
            try await client.send("GET", "/v1/invites/\(code)", token: "wrong", expect: .unauthorized)
        }
    }
}

extension TestApp {
    fileprivate func lastEvent() async throws -> Int64 {
        try await database.write { try $0.row("SELECT max(sequence) FROM event") { $0.int64(0) } ?? 0 }
    }

    /// `KIND ACCOUNT` of each row of the log behind a place.
    fileprivate func events(after sequence: Int64) async throws -> [String] {
        try await database.write { write in
            try write.rows("SELECT kind, accountId FROM event WHERE sequence > \(sequence) ORDER BY sequence") {
                "\($0.text(0)) \($0.int64(1))"
            }
        }
    }
}
