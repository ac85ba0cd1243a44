import Geo
import SocialModel
import Storage
import Testing

@testable import PinfoldServer

/// What is remembered of the names of pins is never used in a snapshot that has others.
@Suite struct PinNamesMemoryTests {
    private static let people = Array(Int64(1)...9)

    /// As they are typed, and which plain words they find.
    private static let texts = [
        "c", "caf", "ramen", "lodz", "strass", "京", "42", "izmir", "bar caf", "cafebar", "zebra", "ramne", "izmri",
    ]

    private static let typos: [String: Substring] = ["ramne": "ramen", "izmri": "izmir"]

    private struct Step: Sendable {
        let changes: [@Sendable (WriteTransaction) throws -> Void]
        let viewer: Int64
    }

    private struct Memory {
        let planner = PinPlanner()
        let names: PinNamesMemory
    }

    @Test(arguments: [
        (1, 96 << 20, 500, 100), (2, 96 << 20, 3, 4), (3, 96 << 20, 0, 100), (4, 3_000, 2, 3), (5, 0, 1, 2),
    ])
    func `whatever changes, each snapshot is answered as it is`(
        seed: UInt64, bytes: Int, manyPins: Int, changeLimit: Int
    ) async throws {
        try await withApp { app, _ in
            var generator = SplitMix64(seed: seed)
            let memory = Memory(names: PinNamesMemory(bytes: bytes, manyPins: manyPins, changeLimit: changeLimit))
            try await app.database.write { write in
                try ModelPin.insertPeople(Self.people, in: write)
                try ModelPin.insertFriends([2, 3, 4, 5, 6], of: 1, in: write)
            }
            for round in 0..<40 {
                app.clock.advance(.seconds(1))
                let steps = (0..<4).map { _ in
                    let changes = (0..<generator.int(1..<5)).map { _ in Self.change(app.clock.now, &generator) }
                    return Step(changes: changes, viewer: generator.chance(70) ? 1 : generator.pick(Self.people))
                }
                let order = generator.next()
                try await onThread {
                    try Self.run(steps[...], [], order, app, memory, "seed \(seed), round \(round)")
                }
            }
        }
    }

    private static func change(
        _ now: Int64, _ generator: inout SplitMix64
    ) -> @Sendable (WriteTransaction) throws -> Void {
        guard generator.chance(25) else {
            return RandomChange.make(people: people, now: now, forgets: true, &generator)
        }
        let (owner, name) = (generator.pick(people), generator.pick(ModelPin.Word.vocabulary).written)
        return { write in
            try write.run(
                """
                UPDATE pin SET name = \(name) WHERE id = (SELECT id FROM pin WHERE ownerId = \(owner)
                    ORDER BY (id * 7919) % 101 LIMIT 1)
                """)
        }
    }

    /// After each step a snapshot stays open, and the ones that are open are asked, in one order or the other, or
    /// the latest only.
    private static func run(
        _ steps: ArraySlice<Step>, _ open: [ReadTransaction], _ order: UInt64, _ app: TestApp, _ memory: Memory,
        _ note: String
    ) throws {
        guard let step = steps.first else { return }
        try app.database.write { write in for change in step.changes { try change(write) } }
        try app.database.read { read in
            let all = open + [read]
            let asked = [all.reversed() + all, all + all.reversed(), [read], []][Int(order & 3)]
            for snapshot in asked {
                for text in texts {
                    let found = try found(text, step.viewer, snapshot, memory)
                    let expected = try expected(text, step.viewer, snapshot)
                    #expect(found == expected, "\(note), \(text)")
                }
            }
            try run(steps.dropFirst(), all, order >> 2, app, memory, note)
        }
    }

    private static func found(
        _ text: String, _ viewer: Int64, _ read: ReadTransaction, _ memory: Memory
    ) throws -> [String] {
        let words = PlaceFolding.alone.words(text.unicodeScalars).words
        let named = try VisiblePins(of: Identifier(viewer), in: read, memory.planner)
            .named(words, .alone, memory.names, limit: 1000) { _, _, _ in 0 }
        let visible = try VisiblePins(of: Identifier(viewer), in: read).list(PinQuery(), after: nil, limit: 100_000)
        let corrections = Set(named.pins.filter(isCorrection).map(\.pin.id))
        #expect(corrections.isSubset(of: visible.map(\.pin.id)))
        if let meant = typos[text] {
            let names = ModelPin.Word.vocabulary.filter { $0.plain.split(separator: " ").contains { $0 == meant } }
            let pins = visible.filter { pin in names.contains { $0.written == pin.pin.name } }
            #expect(corrections.isSuperset(of: pins.map(\.pin.id)), "\(text)")
        }
        return named.pins.filter { !isCorrection($0) }.map { "\($0.pin)" }.sorted()
    }

    private static func isCorrection(_ named: VisiblePins<ReadTransaction>.Named) -> Bool {
        if case .misspelt = named.match { true } else { false }
    }

    /// By brute force, over the list of all that is visible.
    private static func expected(_ text: String, _ viewer: Int64, _ read: ReadTransaction) throws -> [String] {
        let wanted = text.split(separator: " ").map(String.init)
        let pins = try VisiblePins(of: Identifier(viewer), in: read).list(PinQuery(), after: nil, limit: 100_000)
        return pins.map(\.pin).filter { pin in
            guard let word = ModelPin.Word.vocabulary.first(where: { $0.written == pin.name }) else { return false }
            let plain = word.plain.split(separator: " ").map(String.init)
            let joined = plain.joined()
            return joined.hasPrefix(wanted.joined())
                || wanted.allSatisfy { part in
                    plain.contains { $0.hasPrefix(part) || part == "京" && $0.contains(part) }
                }
        }.map { "\($0)" }.sorted()
    }

    @Test func `an older snapshot leaves no gap in the tail of the log`() async throws {
        try await withApp { app, _ in
            try await app.database.write { try ModelPin.insertPeople([1, 2], in: $0) }
            let memory = PinNamesMemory()
            try await onThread {
                try app.database.read { older in
                    let before = try Sight.state(of: Identifier(1), in: older).sequence
                    try app.database.write { try ModelPin.insertFriends([2], of: 1, in: $0) }
                    try app.database.write { try $0.log(.profileChanged(Identifier(2))) }
                    try app.database.read { newer in
                        let end = try Sight.state(of: Identifier(1), in: newer).sequence
                        #expect(end > before)
                        _ = try memory.names(of: [1], at: end, LogTail(), in: newer)
                        let tail = LogTail()
                        _ = try memory.names(of: [1], at: before, tail, in: older)
                        let entries = try tail.entries(after: before, upTo: end, in: newer)
                        #expect(entries.map { Int64($0.count) } == end - before)
                    }
                }
            }
        }
    }
}
