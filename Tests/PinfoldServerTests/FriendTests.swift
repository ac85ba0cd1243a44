import SocialModel
import Testing

@testable import PinfoldServer

@Suite struct FriendTests {
    private func ask(_ a: Person, _ b: Person, expect: Status = .created) async throws -> FriendRequest {
        try await a.post("/v1/friend-requests", ["to": "\(b.id)"], expect: expect).decoded()
    }

    @Test func `asking, accepting, and what each side sees of it`() async throws {
        try await withApp { app, client in
            let (ana, ben) = try await client.signUp("ana", "ben")
            let answer = try await ana.post("/v1/friend-requests", ["to": "\(ben.id)"], expect: .created)
            let request = try answer.decoded(FriendRequest.self)
            #expect(answer.header("Location") == "/v1/friend-requests/\(request.id)")
            #expect(request.from.id == ana.id && request.to.id == ben.id && request.status == .pending)
            #expect(request.respondedAt == nil && answer.json["respondedAt"] == .null)
            #expect(!answer.text.contains("example.org"))
            for person in [ana, ben] {
                let shown = try await person.get("/v1/friend-requests/\(request.id)", expect: .ok)
                #expect(shown.response.body == answer.response.body)
            }
            #expect(try await ben.all("/v1/friend-requests?direction=outgoing") == [])
            #expect(try await ana.all("/v1/friend-requests?direction=incoming") == [])
            app.clock.advance(.seconds(5))
            let accepted = try await ben.post("/v1/friend-requests/\(request.id)/accept", expect: .ok)
            let settled = try accepted.decoded(FriendRequest.self)
            #expect(settled.status == .accepted && settled.respondedAt?.milliseconds == app.clock.now)
            // Accepting again, as after a lost answer, is the same answer.
            app.clock.advance(.seconds(5))
            let again = try await ben.post("/v1/friend-requests/\(request.id)/accept", expect: .ok)
            #expect(again.response.body == accepted.response.body)
            try await ben.post("/v1/friend-requests/\(request.id)/reject", expect: .conflict)
            try await ana.delete("/v1/friend-requests/\(request.id)", expect: .conflict)
            let friends = try await ana.get("/v1/friends", expect: .ok)
            #expect(friends.ids == [ben.id.description])
            #expect(friends.json["items"]?.elements.first?["since"] == JSON(timestamp: app.clock.now - 5000))
            #expect(try await ana.all("/v1/friend-requests?status=accepted") == [request.id.description])
            #expect(try await ana.all("/v1/friend-requests?status=pending") == [])
        }
    }

    @Test(arguments: ["reject", "cancel"]) func `what was turned down stays so, and may be asked again`(
        way: String
    ) async throws {
        try await withApp { app, client in
            let (ana, ben) = try await client.signUp("ana", "ben")
            let request = try await ask(ana, ben)
            for _ in 0..<2 {
                if way == "reject" {
                    let answer = try await ben.post("/v1/friend-requests/\(request.id)/reject", expect: .ok)
                    #expect(answer.json["status"] == "rejected")
                } else {
                    try await ana.delete("/v1/friend-requests/\(request.id)", expect: .noContent)
                }
            }
            try await ben.post("/v1/friend-requests/\(request.id)/accept", expect: .conflict)
            #expect(try await ben.all("/v1/friends") == [])
            let second = try await ask(ana, ben)
            #expect(second.id > request.id)
            #expect(try await ben.all("/v1/friend-requests?status=pending") == [second.id.description])
        }
    }

    @Test func `requests that cross make friends`() async throws {
        try await withApp { app, client in
            let (ana, ben) = try await client.signUp("ana", "ben")
            let request = try await ask(ana, ben)
            let crossing = try await ask(ben, ana, expect: .ok)
            #expect(crossing.id == request.id && crossing.status == .accepted)
            #expect(try await ana.all("/v1/friends") == [ben.id.description])
            try await ana.post("/v1/friend-requests", ["to": "\(ben.id)"], expect: .conflict)
        }
    }

    @Test func `requests at once, crossing or the same, leave one friendship or one request`() async throws {
        try await withApp { app, client in
            for number in 0..<4 {
                let (ana, ben) = try await client.signUp("ana\(number)", "ben\(number)")
                async let first = ana.post("/v1/friend-requests", ["to": "\(ben.id)"])
                async let second = ben.post("/v1/friend-requests", ["to": "\(ana.id)"])
                let statuses = Set([try await first.status, try await second.status])
                #expect(statuses == [.created, .ok])
                #expect(try await ana.all("/v1/friends") == [ben.id.description])
                #expect(try await ben.all("/v1/friend-requests?status=pending") == [])
                let cleo = try await client.signUp("cleo\(number)")
                async let third = cleo.post("/v1/friend-requests", ["to": "\(ben.id)"])
                async let fourth = cleo.post("/v1/friend-requests", ["to": "\(ben.id)"])
                let ids = Set([try await third.json["id"], try await fourth.json["id"]])
                #expect(ids.count == 1)
                #expect(try await ben.all("/v1/friend-requests?status=pending").count == 1)
            }
        }
    }

    @Test func `somebody else's request is as one that never was`() async throws {
        try await withApp { app, client in
            let (ana, ben, cleo) = try await client.signUp("ana", "ben", "cleo")
            let id = try await ask(ana, ben).id.description
            let calls = [("POST", "/accept"), ("POST", "/reject"), ("DELETE", ""), ("GET", "")]
            for (method, rest) in calls {
                var answers: Set<String> = []
                for request in [id, "9223372036854775807", "0", "x", "-1"] {
                    let answer = try await cleo.send(
                        method, "/v1/friend-requests/\(request)\(rest)", method == "POST" ? [:] : nil, expect: .notFound
                    )
                    answers.insert("\(answer.text) \(answer.response.headers)")
                }
                #expect(answers.count == 1, "\(method) \(rest)")
            }
            for verb in ["accept", "reject"] {
                try await ana.post("/v1/friend-requests/\(id)/\(verb)", expect: .notFound)
            }
            try await ben.delete("/v1/friend-requests/\(id)", expect: .notFound)
            #expect(try await ben.all("/v1/friend-requests?status=pending") == [id])
        }
    }

    @Test func `whom one asks must be there, be somebody else, and be given as an id`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            for value in ["abc", 5, nil, "", [], "-1", "0", "007", "99999999999999999999"] as [JSON] {
                let answer = try await ana.post("/v1/friend-requests", ["to": value], expect: .badRequest)
                #expect(answer.faults == ["to"], "\(value)")
            }
            #expect(try await ana.post("/v1/friend-requests", [:], expect: .badRequest).faults == ["to"])
            #expect(
                try await ana.post("/v1/friend-requests", ["to": "\(ana.id)"], expect: .badRequest).faults == ["to"])
            try await ana.post("/v1/friend-requests", ["to": "9223372036854775807"], expect: .notFound)
            for query in ["direction=sideways", "status=foo", "direction=", "status=pending&status=accepted"] {
                try await ana.get("/v1/friend-requests?\(query)", expect: .badRequest)
            }
            try await ana.put("/v1/blocks/\(ana.id)", expect: .badRequest)
            try await ana.put("/v1/blocks/9223372036854775807", expect: .notFound)
            try await ana.delete("/v1/blocks/9223372036854775807", expect: .notFound)
        }
    }

    @Test func `unfriending a stranger, an unknown id and one that is none are one answer`() async throws {
        try await withApp { app, client in
            let (ana, ben, cleo) = try await client.signUp("ana", "ben", "cleo")
            try await ana.befriend(ben)
            var bodies: Set<String> = []
            for id in [cleo.id.description, "9223372036854775807", "x", ana.id.description] {
                bodies.insert(try await ana.delete("/v1/friends/\(id)", expect: .notFound).text)
            }
            #expect(bodies.count == 1)
            try await ben.delete("/v1/friends/\(ana.id)", expect: .noContent)
            try await ana.delete("/v1/friends/\(ben.id)", expect: .notFound)
            try await ana.befriend(ben)
            #expect(try await ben.all("/v1/friends") == [ana.id.description])
        }
    }

    @Test func `a block ends what there was, both ways and silently`() async throws {
        try await withApp { app, client in
            let (ana, ben) = try await client.signUp("ana", "ben", friends: true)
            for _ in 0..<2 { try await ana.put("/v1/blocks/\(ben.id)", expect: .noContent) }
            #expect(try await ana.all("/v1/friends") + ben.all("/v1/friends") == [])
            #expect(try await ana.all("/v1/blocks") == [ben.id.description])
            #expect(try await ben.all("/v1/blocks") == [])
            // To the blocked one it is as if the blocker were not there.
            let request = try await ben.post("/v1/friend-requests", ["to": "\(ana.id)"], expect: .notFound)
            let never = try await ben.post("/v1/friend-requests", ["to": "9223372036854775807"], expect: .notFound)
            #expect(request.response.body == never.response.body)
            let profile = try await ben.get("/v1/users/\(ana.id)", expect: .notFound)
            #expect(profile.response.body == never.response.body)
            #expect(!(try await ben.get("/v1/me").text.lowercased().contains("block")))
            for _ in 0..<2 { try await ana.delete("/v1/blocks/\(ben.id)", expect: .noContent) }
            #expect(try await ana.all("/v1/friends") == [])
            #expect(try await ana.all("/v1/blocks") == [])
            try await ana.befriend(ben)
        }
    }

    @Test(arguments: [true, false]) func `a block ends a pending request of either`(blockerAsked: Bool) async throws {
        try await withApp { app, client in
            let (ana, ben) = try await client.signUp("ana", "ben")
            let (asker, asked) = blockerAsked ? (ana, ben) : (ben, ana)
            let request = try await ask(asker, asked)
            try await ana.put("/v1/blocks/\(ben.id)", expect: .noContent)
            for person in [ana, ben] { #expect(try await person.all("/v1/friend-requests?status=pending") == []) }
            // To whoever is blocked there is no such request any more.
            try await asked.post(
                "/v1/friend-requests/\(request.id)/accept", expect: blockerAsked ? .notFound : .conflict)
            #expect(try await ana.all("/v1/friends") == [])
        }
    }

    @Test func `friends come by name, requests newest first, each once`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            var friends: [String: String] = [:]
            var requests: [String] = []
            for name in ["delta", "Alpha", "charlie", "Ábel", "bravo", "zulu", "Echo"] {
                let person = try await client.signUp(name)
                try await ana.befriend(person)
                friends[Username.folded(name)] = person.id.description
            }
            for number in 0..<7 {
                requests.insert(try await ask(try await client.signUp("asker\(number)"), ana).id.description, at: 0)
            }
            let byName = friends.sorted { Array($0.key.utf8).lexicographicallyPrecedes(Array($1.key.utf8)) }.map(
                \.value)
            for limit in [1, 2, 3, 7, 8, 500] {
                #expect(try await ana.all("/v1/friends", limit: limit) == byName)
                let pending = try await ana.all("/v1/friend-requests?status=pending&direction=incoming", limit: limit)
                #expect(pending == requests)
                #expect(try await ana.all("/v1/friend-requests", limit: limit).count == 14)
            }
        }
    }
}
