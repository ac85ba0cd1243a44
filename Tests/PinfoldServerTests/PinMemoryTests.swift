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

    /// One thing that may happen to what the viewer sees.
    private static func change(_ app: TestApp, _ generator: inout SplitMix64)
        -> @Sendable (WriteTransaction) throws -> Void
    {
        let owner = generator.pick(people)
        let other = generator.pick(people.filter { $0 != owner })
        let pick = generator.next()
        @Sendable func aPin(_ write: WriteTransaction) throws -> Int64 {
            let ids = try write.rows("SELECT id FROM pin WHERE ownerId = \(owner)") { $0.int64(0) }
            return ids.isEmpty ? 0 : ids[Int(pick % UInt64(ids.count))]
        }
        let now = app.clock.now
        let new = ModelPin.random(id: 0, owner: owner, now: now, using: &generator)
        let rating = generator.int(1..<6)
        switch generator.int(0..<20) {
        case 0..<7:
            return { write in
                var id = write.newIdentifier()
                // Sometimes an old one comes back.
                if pick % 5 == 0 { id -= 1 << 30 }
                guard try !write.exists("SELECT 1 FROM pin WHERE id = \(id)") else { return }
                var pin = new.with(id: id)
                pin.createdAt = min(pin.createdAt, id >> 20)
                try ModelPin.insert([pin], in: write)
            }
        case 7..<10:
            return { write in
                let id = try aPin(write)
                try write.run(
                    """
                    UPDATE pin SET rating = \(rating), longitude = \(new.coordinate.longitudeE7),
                        latitude = \(new.coordinate.latitudeE7), audience = \(Int64(pick % 2)) WHERE id = \(id)
                    """)
            }
        case 10..<12:
            return { try $0.run("DELETE FROM pin WHERE id = \(try aPin($0))") }
        case 12:
            return { write in
                let name = "renamed\(pick % 1_000_000)"
                try write.run("UPDATE account SET username = \(name), usernameFolded = \(name) WHERE id = \(owner)")
                try write.log(.profileChanged(Identifier(owner)))
            }
        case 13..<15:
            return { write in
                let (a, b) = (Identifier<User>(owner), Identifier<User>(other))
                if try write.exists("SELECT 1 FROM friendship WHERE accountId = \(a) AND friendId = \(b)") {
                    try Friendship.end(between: a, and: b, in: write)
                } else {
                    try Friendship.begin(between: a, and: b, in: write)
                }
            }
        case 15..<18:
            return { write in
                // A circle of the owner's with the other in it, a pin of the owner's for it.
                guard try write.exists("SELECT 1 FROM friendship WHERE accountId = \(owner) AND friendId = \(other)")
                else { return }
                let circle = write.newIdentifier()
                try write.run("INSERT INTO circle VALUES (\(circle), \(owner), 'c', 0, 0)")
                try write.run("INSERT INTO circleMember VALUES (\(circle), \(other), \(owner))")
                try write.run("UPDATE pin SET audience = \(circle) WHERE id = \(try aPin(write))")
            }
        case 18:
            return { try $0.run("DELETE FROM circleMember WHERE memberId = \(owner)") }
        default:
            return { write in
                // What was long ago is no longer in the log.
                try write.run("DELETE FROM event WHERE sequence < (SELECT max(sequence) FROM event) - 3")
            }
        }
    }

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
            let planner = PinPlanner(memoryBytes: memoryBytes)
            try await app.database.write { write in
                try ModelPin.insertPeople(Self.people, in: write)
                try ModelPin.insertFriends([2, 3, 4, 5, 6, 7, 8], of: 1, in: write)
            }
            for round in 0..<60 {
                app.clock.advance(.seconds(1))
                let steps = (0..<4).map { _ in
                    let changes = (0..<generator.int(1..<4)).map { _ in Self.change(app, &generator) }
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
}
