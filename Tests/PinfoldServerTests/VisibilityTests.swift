import Geo
import SocialModel
import Testing

@testable import PinfoldServer

@Suite struct VisibilityTests {
    @Test(arguments: [
        ("unfriending", "DELETE", "/v1/friends/"), ("a block", "PUT", "/v1/blocks/"),
    ])
    func `ending a friendship hides pins by every read path at once`(
        how: String, method: String, path: String
    ) async throws {
        try await withApp { app, client in
            let (ana, ben) = try await client.signUp("ana", "ben", friends: true)
            let (own, theirs) = (try await ana.drop("Ramen").id.description, try await ben.drop("Ramen").id.description)
            for path in ReadPath.allCases {
                #expect(try await path.pins(for: ana, owners: [ana, ben], known: [own, theirs]) == [own, theirs])
            }
            try await ben.send(method, "\(path)\(ana.id)", expect: .noContent)
            for path in ReadPath.allCases {
                let left = try await path.pins(for: ana, owners: [ana, ben], known: [own, theirs])
                #expect(left == [own], "\(how) leaves \(path)")
                #expect(try await path.pins(for: ben, owners: [ana, ben], known: [own, theirs]) == [theirs])
            }
        }
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `every viewer sees by every read path what the rule says, whatever happened before`(
        seed: UInt64
    ) async throws {
        try await withApp { app, client in
            var world = try await RandomWorld(seed: seed, people: 6, client: client)
            for batch in 0..<8 {
                for _ in 0..<15 { try await world.step() }
                try await world.check("seed \(seed), batch \(batch)")
            }
        }
    }

    /// Chunks of owner ids have 1, 30 or 200 places, one of them the viewer's own.
    @Test(arguments: [0, 1, 28, 29, 30, 31, 198, 199, 200, 201, 399, 400, 1_200])
    func `lists are whole at each number of friends`(friends count: Int) async throws {
        try await withApp { app, client in
            let seed = UInt64(count) + 1
            var generator = SplitMix64(seed: seed)
            let ana = try await client.signUp("ana")
            let now = app.clock.now
            // Ids of friends and strangers alternate, so that each chunk's range has strangers in it.
            let people = Array(1...Int64(2 * count + 20))
            let friends = Set(people.prefix(2 * count).filter { $0 % 2 == 0 })
            var pins: [ModelPin] = []
            for owner in people + [ana.id.rawValue] {
                for _ in 0..<generator.int(0..<3) {
                    pins.append(
                        .random(id: now << 20 | Int64(pins.count), owner: owner, now: now, using: &generator))
                }
            }
            pins.append(.random(id: now << 20 | 999_999, owner: ana.id.rawValue, now: now, using: &generator))
            try await app.database.write { [pins] write in
                try ModelPin.insertPeople(people, in: write)
                try ModelPin.insertFriends(friends, of: ana.id.rawValue, in: write)
                try ModelPin.insert(pins, in: write)
            }
            let owners = people + [ana.id.rawValue]
            var queries: [ModelQuery] = [ModelQuery(), ModelQuery(sort: .rating)]
            queries.append(ModelQuery(area: .near(.random(using: &generator), radius: nil)))
            for _ in 0..<25 { queries.append(.random(owners: owners, now: now, using: &generator)) }
            for query in queries {
                let expected = query.answer(pins, viewer: ana.id.rawValue, friends: friends).map(String.init)
                let limit = expected.count > 100 ? generator.int(90..<501) : generator.int(1..<60)
                let found = try await ana.all(query.path, limit: limit)
                #expect(found == expected, "\(count) friends, seed \(seed), \(query.path) by \(limit)")
            }
        }
    }

    @Test func `somebody else's private pin is nowhere, and its owner's alone`() async throws {
        try await withApp { app, client in
            let (ana, ben) = try await client.signUp("ana", "ben", friends: true)
            let id = try await ben.drop("Ramen", at: 10, 20, ["audience": "private"]).id.description
            for path in ReadPath.allCases {
                #expect(try await path.pins(for: ana, owners: [ana, ben], known: [id]).isEmpty, "leaked by \(path)")
                #expect(try await path.pins(for: ben, owners: [ana, ben], known: [id]) == [id])
            }
            // Nor can it be changed, deleted or restored, and the refusal is that of an id that never was.
            let requests: [(String, String, JSON?)] = [
                ("PATCH", "", ["name": "mine"]), ("DELETE", "", nil), ("POST", "/restore", [:]),
            ]
            for (method, rest, body) in requests {
                let theirs = try await ana.send(method, "/v1/pins/\(id)\(rest)", body, expect: .notFound)
                let never = try await ana.send(method, "/v1/pins/9223372036854775807\(rest)", body, expect: .notFound)
                #expect(theirs.response.body == never.response.body)
                #expect(theirs.response.headers == never.response.headers)
            }
            #expect(try await ben.get("/v1/pins/\(id)", expect: .ok).json["name"] == "Ramen")
        }
    }

    @Test func `a friend's visible pin cannot be changed either`() async throws {
        try await withApp { app, client in
            let (ana, ben) = try await client.signUp("ana", "ben", friends: true)
            let pin = try await ben.drop()
            try await ana.patch("/v1/pins/\(pin.id)", ["name": "mine"], expect: .notFound)
            try await ana.patch("/v1/pins/\(pin.id)", ["rating": 77], expect: .notFound)
            try await ana.delete("/v1/pins/\(pin.id)", expect: .notFound)
            try await ben.delete("/v1/pins/\(pin.id)", expect: .noContent)
            try await ana.post("/v1/pins/\(pin.id)/restore", expect: .notFound)
            #expect(try await ben.post("/v1/pins/\(pin.id)/restore", expect: .ok).decoded(Pin.self) == pin)
        }
    }
}
