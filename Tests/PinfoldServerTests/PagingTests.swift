import Geo
import HTTP
import SocialModel
import Testing

@testable import PinfoldServer

@Suite struct PagingTests {
    /// A viewer with ten friends and some hundred pins, as the service and as the test know them.
    private struct Neighbourhood {
        let ana: Person
        let friends: Set<Int64>
        var pins: [ModelPin]
        var owners: [Int64] { [ana.id.rawValue] + friends.sorted() }

        init(_ app: TestApp, _ client: Client, pins count: Int, using generator: inout SplitMix64) async throws {
            let ana = try await client.signUp("ana")
            let friends = Set<Int64>(1...10)
            let strangers: [Int64] = [11, 12]
            let owners = [ana.id.rawValue] + friends.sorted() + strangers
            var pins: [ModelPin] = []
            for number in 0..<count {
                let owner = generator.pick(owners)
                pins.append(
                    .random(
                        id: app.clock.now << 20 | 2 * Int64(number), owner: owner, now: app.clock.now,
                        using: &generator))
            }
            try await app.database.write { [pins] write in
                try ModelPin.insertPeople(friends.union(strangers), in: write)
                try ModelPin.insertFriends(friends, of: ana.id.rawValue, in: write)
                try ModelPin.insert(pins, in: write)
            }
            self.ana = ana
            self.friends = friends
            self.pins = pins
        }

        func answer(_ query: ModelQuery) -> [String] {
            query.answer(pins, viewer: ana.id.rawValue, friends: friends).map(String.init)
        }
    }

    @Test(arguments: [1, 2, 3, 7, 50, 500]) func `each limit gives the same list`(limit: Int) async throws {
        try await withApp { app, client in
            var generator = SplitMix64(seed: 7)
            let world = try await Neighbourhood(app, client, pins: limit == 1 ? 60 : 250, using: &generator)
            let point = Coordinate.random(using: &generator)
            let queries = [
                ModelQuery(), ModelQuery(sort: .rating), ModelQuery(area: .near(point, radius: nil)),
                ModelQuery(area: .near(point, radius: 5_000_000), sort: .rating),
                ModelQuery(area: .box(170, -90, -170, 90)),
            ]
            for query in queries {
                #expect(try await world.ana.all(query.path, limit: limit) == world.answer(query), "\(query.path)")
            }
        }
    }

    @Test(arguments: [11, 12, 13] as [UInt64]) func `random queries page as brute force says`(seed: UInt64) async throws
    {
        try await withApp { app, client in
            var generator = SplitMix64(seed: seed)
            let world = try await Neighbourhood(app, client, pins: 300, using: &generator)
            for _ in 0..<80 {
                let query = ModelQuery.random(
                    owners: world.owners + [11, 12], now: app.clock.now, using: &generator)
                let limit = generator.pick([2, 5, 20, 100, 500])
                let found = try await world.ana.all(query.path, limit: limit)
                #expect(found == world.answer(query), "seed \(seed), \(query.path) by \(limit)")
            }
        }
    }

    @Test(arguments: [21, 22, 23, 24] as [UInt64])
    func `each pin that stays in place is shown once, whatever is written meanwhile`(seed: UInt64) async throws {
        try await withApp { app, client in
            var generator = SplitMix64(seed: seed)
            var world = try await Neighbourhood(app, client, pins: 120, using: &generator)
            for round in 0..<12 {
                let query = ModelQuery.random(owners: world.owners, now: app.clock.now, using: &generator)
                var steady = Set(world.answer(query))
                var seen: [String] = []
                var next: String?
                repeat {
                    let joint = query.description.isEmpty ? "?" : "&"
                    let cursor = next.map { "&cursor=\($0)" } ?? ""
                    let page = try await world.ana.get("\(query.path)\(joint)limit=4\(cursor)", expect: .ok)
                    seen += page.ids
                    next = page.next
                    // Meanwhile two pins come, anywhere in the order, and one goes.
                    let id = (world.pins.map(\.id).max() ?? 0) + 1
                    let new = (0..<2).map { offset in
                        ModelPin.random(
                            id: id + offset, owner: generator.pick(world.owners), now: app.clock.now, using: &generator)
                    }
                    let gone = world.pins.remove(at: generator.int(0..<world.pins.count)).id
                    world.pins += new
                    steady.remove(String(gone))
                    try await app.database.write { write in
                        try ModelPin.insert(new, in: write)
                        try write.run("DELETE FROM pin WHERE id = \(gone)")
                    }
                } while next != nil
                let context = "seed \(seed), round \(round), \(query.path)"
                #expect(Set(seen).count == seen.count, "shown twice: \(context)")
                #expect(steady.subtracting(seen).isEmpty, "left out: \(context)")
            }
        }
    }

    @Test func `a distance is the geodesic's, to the last digit`() async throws {
        try await withApp { app, client in
            var generator = SplitMix64(seed: 3)
            let world = try await Neighbourhood(app, client, pins: 200, using: &generator)
            let point = Coordinate.random(using: &generator)
            let found = try await world.ana.get("/v1/pins?near=\(point)&limit=500", expect: .ok).decoded(
                Items<Pin>.self)
            #expect(!found.items.isEmpty)
            for pin in found.items { #expect(pin.distance == Geodesic.distance(point, pin.coordinate)) }
            let feed = try await world.ana.get("/v1/pins?limit=5", expect: .ok).decoded(Items<Pin>.self)
            #expect(feed.items.allSatisfy { $0.distance == nil })
        }
    }

    @Test func `a cursor is good for its own viewer and list alone`() async throws {
        try await withApp { app, client in
            let (ana, ben) = try await client.signUp("ana", "ben", friends: true)
            for number in 0..<6 { try await ana.drop("Ramen \(number)") }
            for name in ["carl", "cora", "cleo"] {
                let person = try await client.signUp(name)
                try await ana.befriend(person)
                try await ana.put("/v1/blocks/\(person.id)", expect: .noContent)
                try await ben.befriend(person)
                try await ana.delete("/v1/blocks/\(person.id)", expect: .noContent)
                try await ana.befriend(person)
            }
            let lists = [
                "/v1/pins?", "/v1/pins?sort=rating&", "/v1/pins?near=1,2&", "/v1/pins?near=1,2.5&",
                "/v1/pins?near=1,2&radius=9000000&", "/v1/pins?bbox=1,2,30,40&", "/v1/pins?q=ramen&",
                "/v1/pins?owner=\(ana.id)&", "/v1/pins?category=other&", "/v1/pins?since=2020-01-01T00:00:00Z&",
                "/v1/friends?", "/v1/friend-requests?", "/v1/friend-requests?status=accepted&", "/v1/users?q=c&",
            ]
            var cursors: [String: String] = [:]
            for list in lists {
                let next = try await ana.get("\(list)limit=1", expect: .ok).next
                cursors[list] = try #require(next, "\(list)") as String
            }
            for (list, cursor) in cursors {
                try await ana.get("\(list)limit=1&cursor=\(cursor)", expect: .ok)
                try await ana.get("\(list)limit=2&cursor=\(cursor)", expect: .ok)
                for other in lists where other != list {
                    let answer = try await ana.get("\(other)cursor=\(cursor)", expect: .badRequest)
                    #expect(answer.faults == ["cursor"], "\(list) in \(other)")
                }
                let stolen = try await ben.get("\(list)cursor=\(cursor)", expect: .badRequest)
                #expect(stolen.faults == ["cursor"], "\(list)")
            }
        }
    }

    @Test func `a damaged cursor is refused`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            for number in 0..<3 { try await ana.drop("Ramen \(number)") }
            let cursor = try #require(try await ana.get("/v1/pins?limit=1", expect: .ok).next)
            var damaged = [
                "x", "AAAA", "=", "%20", "%F0%9F%8D%9C", cursor + "A", cursor + cursor, String(cursor.reversed()),
            ]
            damaged.append(String(repeating: "A", count: 999))
            for length in 1..<cursor.count { damaged.append(String(cursor.prefix(length))) }
            for index in cursor.indices {
                var text = cursor
                text.replaceSubrange(index...index, with: cursor[index] == "A" ? "B" : "A")
                damaged.append(text)
            }
            for text in damaged {
                let answer = try await ana.get("/v1/pins?cursor=\(text)", expect: .badRequest)
                #expect(answer.faults == ["cursor"], "\(text)")
            }
        }
    }

    @Test(arguments: ["0", "-1", "501", "1.5", "abc", "", "+5", "99999999999999999999", "0x10", "5&limit=6"])
    func `a limit is 1 to 500`(limit: String) async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            for list in ["/v1/pins", "/v1/friends", "/v1/friend-requests", "/v1/blocks"] {
                let answer = try await ana.get("\(list)?limit=\(limit)", expect: .badRequest)
                #expect(answer.faults == ["limit"], "\(list)")
            }
        }
    }

    @Test func `GeoJSON is the same list in the same order, with links that lead on`() async throws {
        try await withApp { app, client in
            var generator = SplitMix64(seed: 5)
            let world = try await Neighbourhood(app, client, pins: 60, using: &generator)
            var link: String? = "/v1/pins?sort=rating&limit=7&f=geojson"
            var ids: [String] = []
            while let path = link {
                let page = try await world.ana.get(path, headers: [("Accept", "application/json")], expect: .ok)
                #expect(page.header("Content-Type") == "application/geo+json")
                #expect(page.json["type"] == "FeatureCollection")
                for feature in page.json["features"]?.elements ?? [] {
                    let id = try #require(feature["id"]?.text)
                    let pin = try #require(world.pins.first { "\($0.id)" == id })
                    let position: JSON = [.number(pin.coordinate.longitude), .number(pin.coordinate.latitude)]
                    #expect(feature["geometry"] == ["type": "Point", "coordinates": position])
                    #expect(feature["properties"]?["category"]?.text == pin.category.rawValue)
                    ids.append(id)
                }
                let header = page.header("Link")
                #expect((header == nil) == (page.next == nil))
                link = header.map { String($0.dropFirst().prefix { $0 != ">" }) }
                if let next = page.next { #expect(link?.contains("cursor=\(next)") == true) }
            }
            #expect(ids == world.answer(ModelQuery(sort: .rating)))
            let byHeader = try await world.ana.get(
                "/v1/pins", headers: [("Accept", "application/geo+json")], expect: .ok)
            #expect(byHeader.json["type"] == "FeatureCollection")
        }
    }

    @Test(arguments: [90, -90] as [Double]) func `pins at a pole are one point, and all are shown`(
        pole: Double
    ) async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            var expected: [String] = []
            for longitude in stride(from: -180.0, to: 180, by: 17) {
                expected.append(try await ana.drop("Pole", at: pole, longitude).id.description)
            }
            for query in ["", "&radius=0.01", "&radius=5"] {
                for longitude in [0.0014829, -93.1, 180] {
                    let found = try await ana.all("/v1/pins?near=\(pole),\(longitude)\(query)", limit: 2)
                    #expect(found.sorted() == expected, "\(longitude)\(query)")
                    #expect(Set(found).count == found.count)
                }
            }
        }
    }

    @Test func `a search without a word is refused, and never finds everything`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            let noodles = try await ana.drop("🍜 Ramen")
            try await ana.drop("Plain", at: 1, 1, ["comment": "50 % off"])
            #expect(try await ana.all("/v1/pins?q=\(escaped("🍜"))") == [noodles.id.description])
            #expect(try await ana.all("/v1/pins?q=\(escaped("🍕"))") == [])
            for text in ["%", "_", "*", "\"", "'", "!!!", "( )", "%%", "-"] {
                let answer = try await ana.get("/v1/pins?q=\(escaped(text))", expect: .badRequest)
                #expect(answer.faults == ["q"], "\(text)")
            }
        }
    }

    @Test func `a page of long texts ends early, and the next goes on`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            let long = JSON.string(String(repeating: "東", count: 10_000))
            var ids: [String] = []
            for _ in 0..<80 {
                ids.insert(try await ana.drop("Long", at: 1, 2, ["comment": long]).id.description, at: 0)
            }
            let first = try await ana.get("/v1/pins?limit=500", expect: .ok)
            #expect(first.ids == Array(ids.prefix(35)) && first.next != nil)
            #expect(first.response.body.count < 1_200_000)
            #expect(try await ana.all("/v1/pins?f=json") == ids)
        }
    }

    @Test func `a link to the next page is short and names the cursor once`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            for _ in 0..<3 { try await ana.drop() }
            let first = try await ana.get("/v1/pins?f=geojson&limit=1", expect: .ok)
            let cursor = try #require(first.next)
            let second = try await ana.get("/v1/pins?f=geojson&limit=1&%63ursor=\(cursor)", expect: .ok)
            let link = try #require(second.header("Link"))
            let target = try #require(link.split(separator: ">").first?.dropFirst())
            try await ana.get(String(target), expect: .ok)
            let owners = Array(repeating: "owner=\(ana.id)", count: 300).joined(separator: "&")
            let long = try await ana.get("/v1/pins?f=geojson&limit=1&\(owners)", expect: .ok)
            #expect(long.header("Link") == nil && long.next != nil)
        }
    }
}
