import Geo
import HTTP
import SocialModel
import Storage
import Testing

@testable import PinfoldServer

/// What is remembered of pins is never used in a snapshot that has others.
@Suite struct PinMemoryTests {
    private static let people = Array(Int64(1)...14)
    private static let viewer = Identifier<User>(1)

    /// What a viewer gets of the random query, in one text: with what `planner` remembers, or without.
    private static func answer(
        _ read: ReadTransaction, _ viewer: Int64, _ query: PinQuery, _ planner: PinPlanner?
    ) throws -> [String] {
        let visible = VisiblePins(of: Identifier(viewer), in: read, planner)
        let list = try visible.list(query, after: nil, limit: 30, by: .owner).map { "\($0.pin)" }
        var query = query
        if query.sort == .distance { query.sort = .newest }
        var entries: [String] = []
        try visible.forEachEntry(query, by: .owner) { entries.append("\($0)") }
        return list + entries.sorted()
    }

    @Test(arguments: [(1, 1 << 20), (2, 1 << 20), (3, 6_000), (4, 0)] as [(UInt64, Int)])
    func `whatever changes, each snapshot is answered as it is`(seed: UInt64, memoryBytes: Int) async throws {
        try await withApp { app, _ in
            var generator = SplitMix64(seed: seed)
            let planner = PinPlanner(memoryBytes: memoryBytes, changeLimit: seed == 2 ? 6 : 65_536)
            try await app.database.write { write in
                try ModelPin.insertPeople(Self.people, in: write)
                try ModelPin.insertFriends([2, 3, 4, 5, 6, 7, 8], of: 1, in: write)
            }
            for round in 0..<60 {
                app.clock.advance(.seconds(1))
                let steps = (0..<4).map { _ in
                    let changes = (0..<generator.int(1..<4)).map { _ in
                        RandomChange.make(people: Self.people, now: app.clock.now, forgets: true, &generator)
                    }
                    let queries = (0..<3).map { _ in
                        ModelQuery.random(owners: Self.people, now: app.clock.now, using: &generator)
                    }
                    let viewer = generator.chance(70) ? 1 : generator.pick(Self.people)
                    return Step(changes: changes, queries: queries, viewer: viewer)
                }
                try await onThread { try Self.run(steps[...], [], app, planner, "seed \(seed), round \(round)") }
            }
        }
    }

    private struct Step: Sendable {
        let changes: [@Sendable (WriteTransaction) throws -> Void]
        let queries: [ModelQuery]
        let viewer: Int64
    }

    /// After each step a snapshot stays open, and all that are open are asked, latest first and then oldest first.
    private static func run(
        _ steps: ArraySlice<Step>, _ open: [ReadTransaction], _ app: TestApp, _ planner: PinPlanner, _ note: String
    ) throws {
        guard let step = steps.first else { return }
        try app.database.write { write in for change in step.changes { try change(write) } }
        try app.database.read { read in
            let all = open + [read]
            for query in step.queries {
                var fields = try QueryFields(
                    Request(
                        id: "", method: "GET", path: "/",
                        queryText: query.description.isEmpty ? nil : query.description))
                let parsed = PinQuery(&fields)
                for snapshot in all.reversed() + all {
                    let expected = try answer(snapshot, step.viewer, parsed, nil)
                    let found = try answer(snapshot, step.viewer, parsed, planner)
                    #expect(found == expected, "\(note), \(query)")
                }
            }
            try run(steps.dropFirst(), all, app, planner, note)
        }
    }

    @Test func `an owner with more pins than are remembered is read from the index`() async throws {
        try await withApp { app, _ in
            var generator = SplitMix64(seed: 8)
            let pins = (0..<OwnerPins.limit + 1).map { index in
                ModelPin.random(
                    id: (app.clock.now << 20) + Int64(index), owner: 2, now: app.clock.now, using: &generator)
            }
            try await app.database.write { write in
                try ModelPin.insertPeople([1, 2], in: write)
                try ModelPin.insertFriends([2], of: 1, in: write)
                try ModelPin.insert(Array(pins.dropLast()), in: write)
            }
            func check() throws {
                try app.database.read { read in
                    let query = PinQuery()
                    let expected = try Self.answer(read, 1, query, nil)
                    #expect(try Self.answer(read, 1, query, app.app.planner) == expected)
                }
            }
            try check()
            try await app.database.write { try ModelPin.insert([pins[pins.count - 1]], in: $0) }
            try check()
            // That there are too many is known from then on, whatever changes.
            try await app.database.write { try $0.run("DELETE FROM pin WHERE id = \(pins[0].id)") }
            let missing = try app.database.read {
                try VisiblePins(of: Identifier(1), in: $0, app.app.planner).view(of: nil).known?.missing
            }
            #expect(missing == 0)
            try check()
        }
    }

    @Test func `who has changed is read again, and nobody else`() async throws {
        try await withApp { app, client in
            let (ana, ben) = try await client.signUp("ana", "ben")
            try await ana.befriend(ben)
            func missing() throws -> Int? {
                try app.database.read {
                    try VisiblePins(of: ana.id, in: $0, app.app.planner).view(of: nil).known?.missing
                }
            }
            try await ben.drop()
            #expect(try missing() == 2)
            for query in ["", "?near=1,2", "?sort=rating", "?bbox=1,2,3,4", "?owner=\(ben.id)"] {
                try await ana.get("/v1/pins\(query)", expect: .ok)
                #expect(try missing() == 0)
            }
            try await ben.drop()
            #expect(try missing() == 1)
            let list = try await ana.get("/v1/pins", expect: .ok).decoded(Items<Pin>.self)
            #expect(list.items.count == 2)
            #expect(try missing() == 0)
        }
    }

    @Test func `what changed is let go, even while viewers who saw it stay away`() async throws {
        try await withApp { app, _ in
            var generator = SplitMix64(seed: 9)
            let friends = Array(Int64(2)...61)
            let pins = (0..<100 + friends.count).map { index in
                ModelPin.random(
                    id: (app.clock.now << 20) + Int64(index), owner: 1, now: app.clock.now, using: &generator)
            }
            try await app.database.write { write in
                try ModelPin.insertPeople([1] + friends, in: write)
                try ModelPin.insertFriends(friends, of: 1, in: write)
                try ModelPin.insert(Array(pins[..<100]), in: write)
            }
            let planner = PinPlanner(memoryBytes: 40_000)
            var kept: [Kept] = []
            for (index, friend) in friends.enumerated() {
                try app.database.read { read in
                    let visible = VisiblePins(of: Identifier(friend), in: read, planner)
                    // The second time finds in memory what the first has brought there.
                    for _ in 0..<2 { _ = try visible.list(PinQuery(), after: nil, limit: 1, by: .owner) }
                    let view = try visible.view(of: nil)
                    guard let known = view.known else { return }
                    for pins in known.indices.compactMap({ known[$0] }) { kept.append(Kept(pins: pins)) }
                }
                try await app.database.write { try ModelPin.insert([pins[100 + index]], in: $0) }
            }
            #expect(kept.count > friends.count)
            let bytes = Set(kept.compactMap { $0.pins.map(ObjectIdentifier.init) }).count * 3_000
            // Two turns of half of it, and what one viewer saw last.
            #expect(bytes < 60_000, "\(bytes)")
        }
    }

    private struct Kept {
        weak var pins: OwnerPins?
    }
}
