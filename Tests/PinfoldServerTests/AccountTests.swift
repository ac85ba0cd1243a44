import HTTP
import SocialModel
import Testing

@testable import PinfoldServer

@Suite struct AccountTests {
    @Test func `signing up answers with the user and tokens that work`() async throws {
        try await withApp { app, client in
            let answer = try await client.post(
                "/v1/users",
                [
                    "username": "ana", "email": "Ana@example.org", "password": "correct horse", "displayName": "Zoë Å",
                    "phone": "+43 1",
                ], expect: .created)
            let ana = try Person(answer, client: client)
            #expect(answer.header("Location") == "/v1/users/\(ana.id)")
            #expect(answer.header("Cache-Control") == "no-store")
            #expect(answer.json["expiresIn"] == 3600)
            #expect(!answer.text.contains("horse"))
            let user = try #require(answer.json["user"])
            #expect(Set(user.members.keys) == ["id", "username", "displayName", "bio", "photoURL", "createdAt"])
            #expect(user["displayName"] == "Zoë Å" && user["createdAt"] == JSON(timestamp: app.clock.now))
            let me = try await ana.get("/v1/me", expect: .ok)
            #expect(me.json["email"] == "Ana@example.org" && me.json["phone"] == "+43 1" && me.json["role"] == "user")
            #expect(me.json["counts"] == ["incomingRequests": 0, "unreadConversations": 0])
            #expect(me.header("Cache-Control") == "private, no-cache")
            #expect(me.header("Vary") == "Authorization, Cookie, Accept")
        }
    }

    @Test func `all faults of a sign-up are told together`() async throws {
        try await withApp { app, client in
            let bodies: [(JSON, Set<String>)] = [
                ([:], ["username", "email", "password"]),
                (["username": "a", "email": "nope", "password": "x"], ["username", "email", "password"]),
                (
                    ["username": 5, "email": [], "password": nil, "displayName": [:], "phone": 1, "isAdmin": true],
                    ["username", "email", "password", "displayName", "phone", "isAdmin"]
                ),
                (["username": "a b", "email": "a@b.c", "password": "12345678"], ["username"]),
                (["username": "abc", "email": "a@b.c", "password": "\0aaaaaaaaaaa"], ["password"]),
            ]
            for (body, faults) in bodies {
                let answer = try await client.post("/v1/users", body, expect: .badRequest)
                #expect(answer.faults == faults)
            }
            let isThereAny = try app.database.read { try $0.exists("SELECT 1 FROM account") }
            #expect(!isThereAny)
        }
    }

    @Test(arguments: [
        "ab", "a b", "a-b", "ab😀", "a/b", "<ab>", "ab\u{202E}", "ab\u{200B}", "ab@", "abc\n", "", "   ",
        "\u{301}abc", "ab\u{A0}c", "abc\0",
    ])
    func `a username that is none is refused`(name: String) async throws {
        try await withApp { app, client in
            for name in [name, String(repeating: "a", count: 31)] {
                let answer = try await client.post(
                    "/v1/users",
                    ["username": .string(name), "email": "a@example.org", "password": "correct horse"],
                    expect: .badRequest)
                #expect(answer.faults == ["username"])
            }
        }
    }

    @Test(arguments: [
        ("Straße", "STRASSE"), ("plain", "ＰＬＡＩＮ"), ("ﬁsh", "FISH"), ("kelvin", "\u{212A}elvin"), ("σας", "ΣΑΣ"),
        ("café", "CAFE\u{301}"), ("１２３", "123"), ("ǆabc", "ǅabc"), ("Ωμέγα", "ωΜΈΓΑ"), ("ИВАН", "иван"), ("aix", "AIX"),
    ])
    func `one name in two spellings is taken, and signs in either way`(first: String, second: String) async throws {
        try await withApp { app, client in
            func body(_ name: String, _ email: JSON) -> JSON {
                ["username": .string(name), "email": email, "password": "correct horse"]
            }
            let made = try await client.post("/v1/users", body(first, "one@example.org"), expect: .created)
            let taken = try await client.post("/v1/users", body(second, "two@example.org"), expect: .conflict)
            #expect(taken.faults == ["username"])
            let both = try await client.post("/v1/users", body(second, "ONE@example.org"), expect: .conflict)
            #expect(both.faults == ["username", "email"])
            for login in [first, second, "one@example.org", "One@Example.ORG"] {
                let answer = try await client.signIn(login, password: "correct horse", expect: .created)
                #expect(answer.json["user"]?["id"] == made.json["user"]?["id"])
            }
        }
    }

    @Test func `dotless i is a letter of its own`() async throws {
        try await withApp { app, client in
            var names: [String?] = []
            for (name, email) in [("aix", "a@example.org"), ("aıx", "b@example.org")] as [(JSON, JSON)] {
                let made = try await client.post(
                    "/v1/users", ["username": name, "email": email, "password": "correct horse"], expect: .created)
                names.append(made.json["user"]?["username"]?.text)
            }
            #expect(names == ["aix", "aıx"])
        }
    }

    @Test func `folding is done for every letter, and doing it again changes nothing`() {
        for value in UInt32(0x41)...0x1_FFFF {
            guard let scalar = Unicode.Scalar(value), scalar.properties.isAlphabetic else { continue }
            let folded = Username.folded(String(scalar))
            #expect(Username.folded(folded) == folded, "U+\(String(value, radix: 16))")
            #expect(
                folded.unicodeScalars.allSatisfy { !$0.properties.changesWhenCaseFolded },
                "U+\(String(value, radix: 16))")
            let upper = Username.folded(scalar.properties.uppercaseMapping)
            // Dotless i has the upper case of i, and a few letters have one that folds to more than they do.
            if scalar != "ı", !scalar.properties.changesWhenCaseFolded, upper.unicodeScalars.count == 1 {
                #expect(upper == folded, "U+\(String(value, radix: 16))")
            }
        }
    }

    @Test(arguments: [(Registration.closed, "registration-closed"), (.invite, "invite-needed")])
    func `signing up may be closed`(registration: Registration, slug: String) async throws {
        try await withApp(TestApp.Setup(registration: registration)) { app, client in
            let answer = try await client.post(
                "/v1/users", ["username": "ana", "email": "a@example.org", "password": "correct horse"],
                expect: .conflict)
            #expect(answer.json["type"]?.text == "/problems/\(slug)")
        }
    }

    @Test func `six sign-ups at once for one name make one account`() async throws {
        try await withApp { app, client in
            let statuses = try await withThrowingTaskGroup(of: Status.self) { group in
                for number in 0..<6 {
                    group.addTask {
                        try await client.post(
                            "/v1/users",
                            [
                                "username": "ana", "email": .string("a\(number)@example.org"),
                                "password": "correct horse",
                            ]
                        ).status
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.filter { $0 == .created }.count == 1)
            #expect(statuses.filter { $0 == .conflict }.count == 5)
        }
    }

    @Test func `an unknown account and a wrong password are one answer`() async throws {
        try await withApp { app, client in
            try await client.signUp("ana")
            var answers: Set<String> = []
            for login in ["ana", "ana@example.org", "nobody", "nobody@example.org", "ＡＮＡ", "%"] {
                let answer = try await client.signIn(login, password: "wrong horse", expect: .unauthorized)
                answers.insert("\(answer.text) \(answer.response.headers)")
            }
            #expect(answers.count == 1)
        }
    }

    @Test func `a token that is none is 401 everywhere, before anything else is looked at`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            for value in [
                "", "Bearer", "Bearer ", "Bearer nonsense", "Basic YTpi", "Bearer \(ana.refreshToken)",
                "Bearer \(ana.token)x", "Bearer \(String(repeating: "a", count: 3000))", "Token \(ana.token)",
                ana.token,
            ] { try await client.get("/v1/me", headers: [("Authorization", value)], expect: .unauthorized) }
            try await client.get("/v1/me", headers: [("Authorization", "bEARER \(ana.token)")], expect: .ok)
            for route in routes(app.app).routes where route.pattern.hasPrefix("/v1/") {
                let isPublic =
                    ["/v1/places", "/v1/landmarks", "/v1/datasets", "/v1/tiles/landmarks"].contains {
                        route.pattern.hasPrefix($0)
                    }
                    || route.method == "POST"
                        && [
                            "/v1/users", "/v1/sessions", "/v1/sessions/refresh", "/v1/password-resets",
                            "/v1/password-resets/:token",
                        ].contains(route.pattern)
                    || route.method == "GET" && route.pattern == "/v1/invites/:code"
                if isPublic { continue }
                let path = route.pattern.split(separator: "/").map { $0.replacing(#/^:[^.]*/#, with: "1") }
                let answer = try await client.send(
                    route.method, "/" + path.joined(separator: "/") + "?foo=1", body: Array("{".utf8))
                #expect(answer.status == .unauthorized, "\(route.method) \(route.pattern)")
            }
        }
    }

    @Test func `unknown query parameters are refused by name on every route`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            let pin = try await ana.drop()
            // To all others some routes do not exist.
            try await app.database.write { try $0.run("UPDATE account SET role = 'admin'") }
            for route in routes(app.app).routes where route.pattern.hasPrefix("/v1/") {
                if route.pattern.hasPrefix("/v1/places") { continue }
                let path = route.pattern.split(separator: "/").map { part in
                    switch part {
                    case ":pinId": pin.id.description
                    case ":userId": ana.id.description
                    case let part: String(part.replacing(#/^:[^.]*/#, with: "1"))
                    }
                }.joined(separator: "/")
                let body: JSON? = ["POST", "PUT", "PATCH"].contains(route.method) ? [:] : nil
                let answer = try await ana.send(route.method, "/\(path)?q=a&foo=1", body, expect: .badRequest)
                #expect(answer.faults.contains("foo"), "\(route.method) \(route.pattern): \(answer.text)")
            }
            try await ana.get("/v1/me", expect: .ok)
        }
    }

    @Test func `a profile sent back as it was changes nothing`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            try await ana.patch("/v1/me", ["bio": "hello", "phone": "1"], expect: .ok)
            let before = try await ana.get("/v1/me", expect: .ok)
            app.clock.advance(.seconds(5))
            let after = try await ana.patch("/v1/me", before.json, expect: .ok)
            #expect(after.response.body == before.response.body && after.etag == before.etag)
        }
    }

    @Test func `a profile changes by merge patch`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            let first = try await ana.patch("/v1/me", ["displayName": "Ana B", "bio": "b", "phone": "+1"], expect: .ok)
            #expect(first.json["displayName"] == "Ana B" && first.json["bio"] == "b" && first.json["phone"] == "+1")
            let second = try await ana.patch("/v1/me", ["bio": nil], expect: .ok)
            #expect(
                second.json["bio"] == .null && second.json["phone"] == "+1" && second.json["displayName"] == "Ana B")
            for (body, faults) in [
                (["role": "admin"], ["role"]), (["id": "1"], ["id"]), (["username": "other"], ["username"]),
                (["displayName": nil], ["displayName"]), (["displayName": "  "], ["displayName"]),
                (["foo": 1], ["foo"]),
                (["usage": ["pins": 9]], ["usage"]), (["bio": 5, "phone": "", "role": "x"], ["bio", "phone", "role"]),
                (["email": "x"], ["email"]),
            ] as [(JSON, Set<String>)] {
                #expect(try await ana.patch("/v1/me", body, expect: .badRequest).faults == faults)
            }
            #expect(try await ana.get("/v1/me").response.body == second.response.body)
        }
    }

    @Test func `a new e-mail address wants the password, and must be free`() async throws {
        try await withApp { app, client in
            let (ana, _) = try await client.signUp("ana", "ben")
            let password = JSON.string(Client.password(of: "ana"))
            let without = try await ana.patch("/v1/me", ["email": "new@example.org"], expect: .badRequest)
            #expect(without.faults == ["currentPassword"])
            let wrong = try await ana.patch(
                "/v1/me", ["email": "new@example.org", "currentPassword": "wrong horse"], expect: .badRequest)
            #expect(wrong.faults == ["currentPassword"])
            let taken = try await ana.patch(
                "/v1/me", ["email": "BEN@example.org", "currentPassword": password], expect: .conflict)
            #expect(taken.faults == ["email"])
            #expect(try await ana.get("/v1/me").json["email"] == "ana@example.org")
            try await ana.patch("/v1/me", ["email": "new@example.org", "currentPassword": password], expect: .ok)
            try await client.signIn("new@example.org", password: Client.password(of: "ana"), expect: .created)
            try await client.signIn("ana@example.org", password: Client.password(of: "ana"), expect: .unauthorized)
        }
    }

    @Test func `stale changes of the profile and its removal are refused`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            let old = try #require(try await ana.get("/v1/me").etag)
            let new = try #require(
                try await ana.patch("/v1/me", ["bio": "b"], headers: [("If-Match", old)], expect: .ok).etag)
            try await ana.patch("/v1/me", ["bio": "c"], headers: [("If-Match", old)], expect: .preconditionFailed)
            let password: JSON = ["password": .string(Client.password(of: "ana"))]
            try await ana.delete("/v1/me", password, headers: [("If-Match", old)], expect: .preconditionFailed)
            #expect(try await ana.get("/v1/me", headers: [("If-None-Match", new)]).status == .notModified)
            try await ana.delete("/v1/me", password, headers: [("If-Match", new)], expect: .noContent)
        }
    }

    @Test func `a new password ends the other sessions and the old password`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            let other = try Person(try await client.signIn("ana", expect: .created), client: client)
            let current = JSON.string(Client.password(of: "ana"))
            for (body, faults) in [
                (["current": "wrong horse", "new": "battery staple"], ["current"]),
                (["current": current, "new": "x"], ["new"]),
                ([:], ["current", "new"]),
                (["current": "wrong horse", "new": "x", "foo": 1], ["current", "new", "foo"]),
            ] as [(JSON, Set<String>)] {
                #expect(try await ana.put("/v1/me/password", body, expect: .badRequest).faults == faults)
            }
            try await other.get("/v1/me", expect: .ok)
            try await ana.put("/v1/me/password", ["current": current, "new": "battery staple"], expect: .noContent)
            try await ana.get("/v1/me", expect: .ok)
            try await other.get("/v1/me", expect: .unauthorized)
            try await client.refresh(other.refreshToken, expect: .unauthorized)
            try await client.signIn("ana", expect: .unauthorized)
            try await client.signIn("ana", password: "battery staple", expect: .created)
        }
    }

    @Test func `removing an account takes all that it owns`() async throws {
        try await withApp { app, client in
            let (ana, ben) = try await client.signUp("ana", "ben", friends: true)
            let cleo = try await client.signUp("cleo")
            let pin = try await ana.drop()
            let deleted = try await ana.drop()
            try await ana.delete("/v1/pins/\(deleted.id)", expect: .noContent)
            try await cleo.post(
                "/v1/friend-requests", ["to": "\(ana.id)"], headers: [("Idempotency-Key", "k")], expect: .created)
            try await ana.put("/v1/blocks/\(cleo.id)", expect: .noContent)
            #expect(try await ana.delete("/v1/me", [:], expect: .badRequest).faults == ["password"])
            #expect(
                try await ana.delete("/v1/me", ["password": "wrong horse"], expect: .badRequest).faults == ["password"])
            try await ana.delete("/v1/me", ["password": .string(Client.password(of: "ana"))], expect: .noContent)
            try await ana.get("/v1/me", expect: .unauthorized)
            try await client.refresh(ana.refreshToken, expect: .unauthorized)
            try await client.signIn("ana", expect: .unauthorized)
            try await ben.get("/v1/pins/\(pin.id)", expect: .notFound)
            try await ben.get("/v1/users/\(ana.id)", expect: .notFound)
            #expect(try await ben.all("/v1/friends") == [])
            #expect(try await cleo.all("/v1/friend-requests") == [])
            try await app.database.write { write in
                for (table, column) in [
                    ("account", "id"), ("session", "accountId"), ("pin", "ownerId"), ("deletedPin", "ownerId"),
                    ("friendship", "accountId"), ("friendship", "friendId"), ("friendRequest", "toId"),
                    ("block", "blockerId"), ("idempotentAnswer", "accountId"),
                ] as [(StaticString, StaticString)] {
                    let isLeft = try write.exists(
                        "SELECT 1 FROM \(literal: table) WHERE \(literal: column) = \(ana.id)")
                    #expect(!isLeft, "\(table)")
                }
            }
            // The name is free again.
            try await client.signUp("ana")
        }
    }

    @Test func `people are found by the start of a name, whatever its case and accents`() async throws {
        try await withApp { app, client in
            let (ana, ben) = try await client.signUp("ana", "Bénédicte")
            try await ben.patch("/v1/me", ["displayName": "Żółw Æsop", "phone": "+4399"], expect: .ok)
            for query in ["b", "BENE", "béné", "Żółw", "zolw", "ZÓŁW Æ", "zolw aesop", "Bénédicte"] {
                let found = try await ana.get("/v1/users?q=\(escaped(query))", expect: .ok)
                #expect(found.ids == [ben.id.description], "\(query)")
                #expect(!found.text.contains("+4399") && !found.text.contains("example.org"))
            }
            for query in ["enedicte", "olw", "%", "_", "*", "b%", "' OR 1=1", "Bénédictes", "aesop"] {
                #expect(try await ana.all("/v1/users?q=\(escaped(query))") == [], "\(query)")
            }
            for query in ["/v1/users", "/v1/users?q=", "/v1/users?q=%20", "/v1/users?q=a&q=b", "/v1/users?q=%00"] {
                try await ana.get(query, expect: .badRequest)
            }
        }
    }
}
