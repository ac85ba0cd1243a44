import SocialModel
import Storage
import Testing

@testable import PinfoldServer

@Suite struct PrivacyTests {
    private let path = "/v1/me/privacy"

    @Test func `a new account has the defaults, and each setting changes by itself`() async throws {
        try await withApp { app, client in
            let (ana, ben) = try await client.signUp("ana", "ben")
            let start = try await ana.get(path, expect: .ok)
            #expect(
                start.json == [
                    "discoverable": "everyone", "requestsFrom": "everyone", "presence": true, "receipts": true,
                    "defaultAudience": "friends",
                ])
            #expect(start.header("Cache-Control") == "private, no-cache")
            var due = Privacy()
            #expect(try start.decoded() == due)
            let me = try await ana.get("/v1/me", expect: .ok)
            let changes: [(JSON, (inout Privacy) -> Void)] = [
                (["discoverable": "nobody"], { $0.discoverable = .nobody }),
                (["requestsFrom": "invite"], { $0.requestsFrom = .invite }),
                (["presence": false], { $0.presence = false }),
                (["receipts": false], { $0.receipts = false }),
                (["defaultAudience": "private"], { $0.defaultAudience = .private }),
                ([:], { _ in }),
                (
                    ["presence": true, "discoverable": "exact"],
                    {
                        $0.presence = true
                        $0.discoverable = .exact
                    }
                ),
            ]
            for (change, apply) in changes {
                apply(&due)
                let changed = try await ana.patch(path, change, expect: .ok)
                #expect(try changed.decoded() == due)
                let read = try await ana.get(path, expect: .ok)
                #expect(read.response.body == changed.response.body && read.etag == changed.etag)
                #expect(try app.database.read { try Privacy.showsPresence(ana.id, in: $0) } == due.presence)
            }
            #expect(try await ana.get("/v1/me").response.body == me.response.body)
            #expect(try await ben.get(path).response.body == start.response.body)
            #expect(try !app.database.read { try Privacy.showsPresence(Identifier(1), in: $0) })
            try await client.get(path, expect: .unauthorized)
        }
    }

    @Test func `what is no setting is refused by name, and nothing changes`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            let before = try await ana.get(path, expect: .ok)
            let wrong: [(String, [JSON])] = [
                ("discoverable", ["invite", "Everyone", "", nil, 1, true, [], [:]]),
                ("requestsFrom", ["exact", "friends", "NOBODY", nil, 0, false]),
                ("presence", ["true", nil, 1, 0, "everyone", []]), ("receipts", ["false", nil, 1, [:]]),
                ("defaultAudience", ["circle", "public", "Friends", nil, 1, true]),
                ("defaultCircleId", ["1", nil]), ("id", ["1"]), ("Presence", [true]),
            ]
            for (field, values) in wrong {
                for value in values {
                    let answer = try await ana.patch(path, .object([field: value]), expect: .badRequest)
                    #expect(answer.faults == [field], "\(field) \(value)")
                }
            }
            let all: JSON = [
                "discoverable": 1, "requestsFrom": 1, "presence": 1, "receipts": 1, "defaultAudience": 1, "x": 1,
            ]
            #expect(try await ana.patch(path, all, expect: .badRequest).faults == Set(all.members.keys))
            let mixed: JSON = ["presence": false, "receipts": 1]
            #expect(try await ana.patch(path, mixed, expect: .badRequest).faults == ["receipts"])
            #expect(try await ana.patch(path + "?x=1", [:], expect: .badRequest).faults == ["x"])
            #expect(try await ana.get(path + "?x=1", expect: .badRequest).faults == ["x"])
            for method in ["PUT", "POST", "DELETE"] {
                try await ana.send(method, path, [:], expect: .methodNotAllowed)
            }
            #expect(try await ana.get(path).response.body == before.response.body)
        }
    }

    @Test func `a change of an older state is refused`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            let first = try #require(try await ana.get(path, expect: .ok).etag)
            try await ana.get(path, headers: [("If-None-Match", first)], expect: .notModified)
            let second = try #require(
                try await ana.patch(path, ["presence": false], headers: [("If-Match", first)], expect: .ok).etag)
            try await ana.patch(path, ["receipts": false], headers: [("If-Match", first)], expect: .preconditionFailed)
            #expect(try await ana.get(path).etag == second && first != second)
            for tag in ["*", "\(first), \(second)"] {
                try await ana.patch(path, ["receipts": true], headers: [("If-Match", tag)], expect: .ok)
            }
        }
    }

    @Test func `a change is an event, and what changes nothing is none`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            func privacyEvents() throws -> Int? {
                try app.database.read { read in
                    try read.row("SELECT count(*) FROM event WHERE kind = 'privacy' AND accountId = \(ana.id)") {
                        $0.int(0)
                    }
                }
            }
            let changes: [JSON] = [
                ["discoverable": "exact"], ["requestsFrom": "nobody"], ["presence": false], ["receipts": false],
                ["defaultAudience": "private"],
            ]
            for (number, change) in changes.enumerated() {
                for _ in 0..<2 {
                    try await ana.patch(path, change, expect: .ok)
                    #expect(try privacyEvents() == number + 1)
                }
            }
        }
    }

    @Test func `exact is the username as for signing in, and nothing else`() async throws {
        try await withApp { app, client in
            let (jose, ana) = try await client.signUp("José", "ana")
            try await jose.patch("/v1/me", ["displayName": "Pepe"], expect: .ok)
            try await jose.patch(path, ["discoverable": "exact"], expect: .ok)
            for text in ["Jos%C3%A9", "JOS%C3%89", "jose%CC%81"] {
                #expect(try await ana.all("/v1/users?q=\(text)") == [jose.id.description], "\(text)")
            }
            for text in ["jose", "jos", "j", "pepe", "Pepe", "jos%C3%A9@example.org", "jos%C3%A9%20"] {
                #expect(try await ana.all("/v1/users?q=\(text)") == [], "\(text)")
            }
            try await ana.get("/v1/users/\(jose.id)", expect: .ok)
            try await ana.befriend(jose)
            for text in ["jose", "j", "pepe"] {
                #expect(try await ana.all("/v1/users?q=\(text)") == [jose.id.description], "\(text)")
            }
        }
    }

    @Test(arguments: [Privacy.RequestSource.invite, .nobody])
    func `who takes no requests is asked in vain, but may ask`(source: Privacy.RequestSource) async throws {
        try await withApp { app, client in
            let (ana, ben, cleo) = try await client.signUp("ana", "ben", "cleo")
            func ask(_ one: Person, _ other: Person, expect: Status) async throws -> Answer {
                try await one.post("/v1/friend-requests", ["to": "\(other.id)"], expect: expect)
            }
            let early = try await ask(cleo, ana, expect: .created)
            try await ana.patch(path, ["requestsFrom": .string(source.rawValue)], expect: .ok)
            let refused = try await ask(ben, ana, expect: .conflict)
            #expect(refused.json["type"] == "/problems/requests-closed")
            #expect(try await ben.all("/v1/friend-requests") == [])
            // What was pending before stays, and is answered with what it was.
            #expect(try await ask(cleo, ana, expect: .ok).json == early.json)
            _ = try await ask(ana, cleo, expect: .ok)
            #expect(try await ana.all("/v1/friends") == [cleo.id.description])
            _ = try await ask(ana, ben, expect: .created)
            #expect(try await ask(ben, ana, expect: .ok).json["status"] == "accepted")
            try await ana.put("/v1/blocks/\(ben.id)", expect: .noContent)
            let never = try await ben.post("/v1/friend-requests", ["to": "1"], expect: .notFound)
            #expect(try await ask(ben, ana, expect: .notFound).response.body == never.response.body)
        }
    }

    @Test func `a new pin that says no audience has the owner's`() async throws {
        try await withApp { app, client in
            let (ana, ben) = try await client.signUp("ana", "ben", friends: true)
            let circle = try #require(
                try await ana.post("/v1/circles", ["name": "c", "members": ["\(ben.id)"]], expect: .created).json["id"])
            func batch(_ key: JSON, _ more: JSON = [:]) async throws -> JSON? {
                let row: JSON = ["latitude": 1, "longitude": 2, "name": "x", "externalId": key]
                let merged = JSON.object(row.members.merging(more.members) { $1 })
                let answer = try await ana.post("/v1/pins/batch", ["pins": [merged]], expect: .ok)
                return answer.json["results"]?.elements.first?["pin"]?["audience"]
            }
            for (number, audience) in ["friends", "private", "friends"].enumerated() {
                let due = JSON.string(audience)
                try await ana.patch(path, ["defaultAudience": due], expect: .ok)
                let pin = try await ana.drop()
                #expect(pin.audience?.kind.rawValue == audience)
                #expect(try await ben.get("/v1/pins/\(pin.id)").status == (audience == "friends" ? .ok : .notFound))
                let key = JSON.string("key\(number)")
                #expect(try await batch(key) == due)
                // Who says it, is taken at the word, whatever the default is.
                for said in Pin.Audience.Kind.allCases {
                    let more: JSON =
                        said == .circle
                        ? ["audience": "circle", "circleId": circle]
                        : [
                            "audience": .string(said.rawValue)
                        ]
                    #expect(try await ana.drop("y", at: 3, 4, more).audience?.kind == said)
                    #expect(try await batch(.string("\(said) \(number)"), more) == .string(said.rawValue))
                }
                let bad = try await ana.post(
                    "/v1/pins", ["latitude": 1, "longitude": 2, "name": "x", "circleId": circle], expect: .badRequest)
                #expect(bad.faults == ["circleId"])
            }
            // A pin that is there keeps what it has.
            try await ana.patch(path, ["defaultAudience": "private"], expect: .ok)
            #expect(try await batch("key0", ["name": "z"]) == "friends")
            #expect(try await batch("circle 0", ["name": "z"]) == "circle")
            try await ana.patch(path, ["defaultAudience": "friends"], expect: .ok)
            let file = Array("name,lat,lon\nFrom elsewhere,5,6\n".utf8)
            try await client.send("POST", "/v1/pins/import", body: file, token: ana.token, expect: .ok)
            let imported = try await ana.get("/v1/pins?q=elsewhere", expect: .ok)
            #expect(imported.json["items"]?.elements.map { $0["audience"] } == ["private"])
        }
    }
}
