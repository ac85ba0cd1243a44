import Geo
import HTTP
import SocialModel
import Storage
import Testing

@testable import PinfoldServer

/// However a list is read, it is the same list.
@Suite struct PinWayTests {
    /// A viewer, friends and strangers, with pins, in a database and beside it.
    private struct World {
        let viewer = Identifier<User>(1)
        let friends: Set<Int64>
        let people: [Int64]
        let pins: [ModelPin]

        init(_ app: TestApp, friends count: Int, pinsEach: Range<Int>, seed: UInt64) async throws {
            var generator = SplitMix64(seed: seed)
            people = Array(1...Int64(2 * count + 10))
            friends = Set(people.dropFirst().filter { $0 <= 2 * count + 1 && $0 % 2 == 0 })
            var pins: [ModelPin] = []
            let now = app.clock.now
            for owner in people {
                for _ in 0..<generator.int(pinsEach) {
                    var pin = ModelPin.random(id: 0, owner: owner, now: now, using: &generator)
                    // Now and then it is an import: an old pin of a new row.
                    let time = generator.chance(80) ? pin.createdAt : now
                    pin = pin.with(id: time << 20 | Int64(pins.count))
                    pins.append(pin)
                }
            }
            self.pins = pins
            try await app.database.write { [people, friends, pins] write in
                try ModelPin.insertPeople(people, in: write)
                try ModelPin.insertFriends(friends, of: 1, in: write)
                try ModelPin.insert(pins, in: write)
            }
        }

        func answer(_ query: ModelQuery) -> [Int64] { query.answer(pins, viewer: 1, friends: friends) }
    }

    /// The query that the router would make of the same parameters.
    private static func parsed(_ query: ModelQuery) throws -> PinQuery {
        var fields = try QueryFields(
            Request(
                id: "", method: "GET", path: "/v1/pins", queryText: query.description.isEmpty ? nil : query.description)
        )
        let parsed = PinQuery(&fields)
        try fields.finish()
        return parsed
    }

    private static func ways(_ query: PinQuery, _ generator: inout SplitMix64) -> [PinWay] {
        [.owner, .place(for: query)]
            + (query.sort == .newest ? [.time(rows: 10_000), .time(rows: generator.int(0..<200))] : [])
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64]) func `every way gives what brute force gives`(seed: UInt64) async throws
    {
        try await withApp { app, _ in
            let world = try await World(app, friends: [3, 29, 40, 230][Int(seed) - 1], pinsEach: 0..<8, seed: seed)
            var generator = SplitMix64(seed: seed + 100)
            for _ in 0..<150 {
                let model = ModelQuery.random(owners: world.people, now: app.clock.now, using: &generator)
                let query = try Self.parsed(model)
                let expected = world.answer(model)
                let limit = generator.pick([1, 3, 10, 50, 501])
                // By owner through the index alone, and, from the second list on, through what is in memory.
                let ways = Self.ways(query, &generator).map { ($0, app.app.planner as PinPlanner?) } + [(.owner, nil)]
                for (way, planner) in ways {
                    let pages = try app.database.read { read in
                        let visible = VisiblePins(of: world.viewer, in: read, planner)
                        var found: [Int64] = []
                        var after: PinRank?
                        // Enough pages to see that the next one begins where the one before ended.
                        for _ in 0..<3 {
                            let page = try visible.list(query, after: after, limit: limit, by: way)
                            found += page.map(\.pin.id.rawValue)
                            after = page.last?.rank
                            if page.count < limit { break }
                        }
                        return found
                    }
                    #expect(pages == Array(expected.prefix(3 * limit)), "seed \(seed), \(model), \(way)")
                }
            }
        }
    }

    @Test(arguments: [5, 6] as [UInt64]) func `entries are all there, each once, either way`(seed: UInt64) async throws
    {
        try await withApp { app, _ in
            let world = try await World(app, friends: 35, pinsEach: 0..<8, seed: seed)
            var generator = SplitMix64(seed: seed + 100)
            for _ in 0..<100 {
                var model = ModelQuery.random(owners: world.people, now: app.clock.now, using: &generator)
                model.sort = nil
                if case .near = model.area { model.area = .everywhere }
                let query = try Self.parsed(model)
                let planner = app.app.planner
                for (way, planner) in [(nil, planner), (.owner, planner), (.owner, nil), (.place(for: query), planner)]
                    as [(PinWay?, PinPlanner?)]
                {
                    let found = try app.database.read { read in
                        var found: [Int64] = []
                        try VisiblePins(of: world.viewer, in: read, planner)
                            .forEachEntry(query, by: way) { found.append($0.id) }
                        return found
                    }
                    #expect(found.sorted() == world.answer(model).sorted(), "seed \(seed), \(model)")
                }
            }
        }
    }

    @Test func `the way is the one that reads least`() async throws {
        try await withApp { app, _ in
            // 1,000 friends of 2,010 people: half of 9,000 pins are visible, and half of all are at one spot.
            _ = try await World(app, friends: 1_000, pinsEach: 3..<7, seed: 9)
            let planner = app.app.planner
            func way(_ text: String, _ limit: Int = 50, after: PinRank? = nil) throws -> PinWay {
                var fields = try QueryFields(Request(id: "", method: "GET", path: "/v1/pins", queryText: text))
                let query = PinQuery(&fields)
                return try app.database.read { read in
                    let view = try VisiblePins(of: Identifier<User>(1), in: read, planner).view(of: nil)
                    return PinWay(for: query, view.owners, limit, after, planner)
                }
            }
            #expect(try way("limit=50").isOwner, "without statistics there is nothing to choose by")
            try planner.refresh(app.database)
            #expect(try way("limit=50").isTime)
            #expect(try way("limit=50", after: .newest(createdAt: 1, id: 1)).isOwner)
            #expect(try way("sort=rating").isOwner)
            #expect(try way("near=1,2&sort=newest&radius=100").isPlace)
            #expect(try way("bbox=-93.1,44.95,-93.0999,44.9501").isPlace)
            // Once the friends are in memory, their pins are nearer than those of all.
            func visible(_ read: ReadTransaction) -> VisiblePins<ReadTransaction> {
                VisiblePins(of: Identifier<User>(1), in: read, planner)
            }
            let all = "bbox=-180,-90,180,90&sort=rating"
            #expect(try way(all).isPlace)
            // Each list brings some of them in, so that none waits for all.
            var missing: [Int] = []
            repeat {
                missing.append(
                    try app.database.read { read in
                        _ = try visible(read).list(PinQuery(), after: nil, limit: 1)
                        return try visible(read).view(of: nil).owners.missing
                    })
            } while missing.last != 0 && missing.count < 20
            #expect(missing == [873, 745, 617, 489, 361, 233, 105, 0])
            #expect(try way(all).isOwner)
            #expect(try way("near=44.95,-93.1").isOwner)
        }
    }

    @Test func `what was remembered of friends is never used in a snapshot that has others`() async throws {
        try await withApp { app, _ in
            let world = try await World(app, friends: 12, pinsEach: 1..<3, seed: 3)
            let planner = app.app.planner
            var generator = SplitMix64(seed: 4)
            var friends = world.friends
            @Sendable func visible(_ friends: Set<Int64>) -> Set<Int64> {
                Set(ModelQuery().answer(world.pins, viewer: 1, friends: friends))
            }
            @Sendable func ids(_ read: ReadTransaction) throws -> Set<Int64> {
                Set(
                    try VisiblePins(of: world.viewer, in: read, planner).list(PinQuery(), after: nil, limit: 1_000).map(
                        \.pin.id.rawValue))
            }
            for step in 0..<60 {
                let other = generator.pick(world.people.dropFirst().map { $0 })
                let before = friends
                if friends.remove(other) == nil { friends.insert(other) }
                let (begins, after) = (friends.contains(other), friends)
                try await onThread {
                    try app.database.read { old in
                        #expect(try ids(old) == visible(before), "step \(step)")
                        try app.database.write { write in
                            if begins {
                                try Friendship.begin(between: world.viewer, and: Identifier(other), in: write)
                            } else {
                                try Friendship.end(between: world.viewer, and: Identifier(other), in: write)
                            }
                        }
                        // The old snapshot and the new one, in turns, with one memory.
                        for _ in 0..<2 {
                            #expect(try app.database.read { try ids($0) } == visible(after), "step \(step)")
                            #expect(try ids(old) == visible(before), "step \(step)")
                        }
                    }
                }
            }
        }
    }
}

extension PinWay {
    fileprivate var isOwner: Bool { if case .owner = self { true } else { false } }
    fileprivate var isPlace: Bool { if case .place = self { true } else { false } }
    fileprivate var isTime: Bool { if case .time = self { true } else { false } }
}

extension ModelPin {
    func with(id: Int64) -> ModelPin {
        ModelPin(
            id: id, owner: owner, coordinate: coordinate, words: words, rating: rating, category: category,
            isPrivate: isPrivate, createdAt: createdAt)
    }
}
