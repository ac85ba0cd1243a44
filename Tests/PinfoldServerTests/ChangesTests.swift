import HTTP
import SocialModel
import Storage
import Testing

@testable import PinfoldServer

/// Whoever follows the changes has what a list has, and never hears of what they could not see.
@Suite struct ChangesTests {
    private static let people = Array(Int64(1)...9)

    /// Somebody's device, and what was ever visible to its owner since it began.
    private struct Device {
        let viewer: Identifier<User>
        var pins: [Int64: String] = [:]
        var cursor: LogCursor?
        /// The changes have come to their end, as of the last snapshot.
        var isAtEnd = false
        /// Of the way that it is on: the ids that it was told of.
        var told: Set<Int64> = []
        var couldSee: Set<Int64> = []

        mutating func take(_ page: ChangesPage, _ note: String) {
            for pin in page.changed { pins[pin.id.rawValue] = pin.text }
            for id in page.removed {
                pins[id.rawValue] = nil
                #expect(couldSee.contains(id.rawValue), "\(note): \(id) was never visible")
            }
            let ids = page.changed.map(\.id.rawValue) + page.removed.map(\.rawValue)
            #expect(told.intersection(ids).isEmpty && Set(ids).count == ids.count, "\(note): told twice")
            told.formUnion(ids)
            cursor = page.cursor
            isAtEnd = !page.hasMore
            if case .at = page.cursor { told = [] }
        }
    }

    private static func visible(_ viewer: Identifier<User>, _ read: ReadTransaction) throws -> [Int64: String] {
        let list = try VisiblePins(of: viewer, in: read).list(PinQuery(), after: nil, limit: 10_000)
        return Dictionary(uniqueKeysWithValues: list.map { ($0.pin.id.rawValue, $0.pin.text) })
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func `following the changes ends where a list is, whatever happens on the way`(seed: UInt64) async throws {
        try await withApp { app, _ in
            var generator = SplitMix64(seed: seed)
            try await app.database.write { write in
                try ModelPin.insertPeople(Self.people, in: write)
                try ModelPin.insertFriends([2, 3, 4, 5], of: 1, in: write)
            }
            var devices = [1, 1, 2, 3].map { Device(viewer: Identifier($0)) }
            var ends = 0
            for step in 0..<500 {
                app.clock.advance(.seconds(1))
                let changes = (0..<generator.int(0..<4)).map { _ in
                    RandomChange.make(people: Self.people, now: app.clock.now, forgets: false, &generator)
                }
                for change in changes {
                    try await app.database.write { try change($0) }
                    for other in devices.indices {
                        let viewer = devices[other].viewer
                        devices[other].couldSee.formUnion(try app.database.read { try Self.visible(viewer, $0).keys })
                    }
                }
                let index = generator.int(0..<devices.count)
                let pages = generator.int(1..<5)
                let limit = generator.pick([1, 2, 5, 500])
                let (viewer, note) = (devices[index].viewer, "seed \(seed), step \(step), device \(index)")
                for _ in 0..<pages {
                    let cursor = devices[index].cursor
                    let (page, list) = try app.database.read { read in
                        let visible = VisiblePins(of: viewer, in: read, app.app.planner)
                        return (try visible.changes(since: cursor, limit: limit), try Self.visible(viewer, read))
                    }
                    #expect(page.changed.count + page.removed.count <= limit)
                    devices[index].take(page, note)
                    if devices[index].isAtEnd {
                        let held = devices[index].pins
                        let wrong = Set(held.keys).union(list.keys).filter { held[$0] != list[$0] }
                        #expect(wrong.isEmpty, "\(note): \(wrong.map { (held[$0] ?? "-", list[$0] ?? "-") })")
                        ends += 1
                        break
                    }
                }
                // Sometimes a device is new.
                if generator.chance(2) {
                    devices[index] = Device(viewer: viewer)
                    devices[index].couldSee = Set(try app.database.read { try Self.visible(viewer, $0).keys })
                }
            }
            #expect(ends > 100)
        }
    }

    @Test func `the calls go on from each other's cursors`() async throws {
        try await withApp { app, client in
            let (ana, ben) = try await client.signUp("ana", "ben")
            try await ana.befriend(ben)
            var pins: [Identifier<Pin>] = []
            for name in ["One", "Two", "Three"] { pins.append(try await ben.drop(name).id) }
            func changes(_ query: String) async throws -> Answer {
                try await ana.get("/v1/pins/changes\(query)", expect: .ok).decoded(Answer.self)
            }
            let first = try await changes("?limit=2")
            #expect(first.changed.count == 2 && first.more)
            let second = try await changes("?limit=2&since=\(first.cursor)")
            #expect(second.changed.count == 1 && !second.more)
            #expect(try await changes("?since=\(second.cursor)").changed.isEmpty)
            try await ben.patch("/v1/pins/\(pins[0])", ["audience": "private"], expect: .ok)
            try await ben.patch("/v1/pins/\(pins[1])", ["name": "Zwei"], expect: .ok)
            let third = try await changes("?since=\(second.cursor)")
            #expect(third.removed == [pins[0]] && third.changed.map(\.name) == ["Zwei"])
            try await ana.delete("/v1/friends/\(ben.id)", expect: .noContent)
            let fourth = try await changes("?since=\(third.cursor)")
            #expect(Set(fourth.removed) == [pins[1], pins[2]])
            try await ben.drop("Four")
            let fifth = try await changes("?since=\(fourth.cursor)")
            #expect(fifth.removed.isEmpty && fifth.changed.isEmpty && !fifth.more)
        }
    }

    @Test func `neither where a page ends nor that there is more tells of pins that others keep to themselves`()
        async throws
    {
        try await withApp { app, client in
            let (ana, ben) = try await client.signUp("ana", "ben", friends: true)
            func changes(_ cursor: String) async throws -> Answer {
                try await ana.get("/v1/pins/changes?limit=1&since=\(cursor)", expect: .ok).decoded(Answer.self)
            }
            let start = app.app.logCursors.seal(.at(try app.database.read { try LogEntry.ends(in: $0).end }))
            func dropPrivate() async throws {
                for _ in 0..<3 { try await ben.drop("Mine", at: 1, 1, ["audience": "private"]) }
            }
            try await dropPrivate()
            let nothing = try await changes(start)
            #expect(nothing.changed.isEmpty && nothing.removed.isEmpty && !nothing.more)
            for name in ["One", "Two"] {
                try await ben.drop(name)
                try await dropPrivate()
            }
            let first = try await changes(start)
            #expect(first.changed.map(\.name) == ["One"] && first.more)
            try await dropPrivate()
            guard case .between(_, _, _, let lastId) = try app.app.logCursors.open(first.cursor, field: "") else {
                Issue.record("the first page is not all")
                return
            }
            #expect(lastId == first.changed.first?.id.rawValue)
            let second = try await changes(first.cursor)
            #expect(second.changed.map(\.name) == ["Two"] && !second.more)
            // Of who comes as a friend, too.
            try await ana.delete("/v1/friends/\(ben.id)", expect: .noContent)
            try await dropPrivate()
            try await ana.befriend(ben)
            var (cursor, names) = (second.cursor, [String]())
            for _ in 0..<2 {
                let page = try await changes(cursor)
                names += page.changed.map(\.name)
                cursor = page.cursor
                #expect(page.changed.count == 1 && page.more == (names.count < 2))
            }
            #expect(names == ["One", "Two"])
        }
    }

    @Test func `a cursor says nothing to whoever holds it`() async throws {
        try await withApp { app, _ in
            let seal = app.app.logCursors
            let cursors: [LogCursor] = [
                .at(1), .at(2), .beginning(target: 2, lastId: 3),
                .between(start: 1, target: 2, position: 2, lastId: 0x0102_0304_0506_0708),
            ]
            let sealed = try cursors.map { try #require(bytes(base64URL: seal.seal($0))) }
            for (cursor, bytes) in zip(cursors, sealed) {
                #expect(try seal.open(base64URL(bytes), field: "since") == cursor)
                #expect(!bytes.starts(with: seal.epoch))
            }
            // Two that are alike have nothing in common.
            let same = zip(sealed[0], sealed[1]).count { $0 == $1 }
            #expect(same < sealed[0].count / 2)
        }
    }

    private struct Answer: Decodable {
        let changed: [Pin]
        let removed: [Identifier<Pin>]
        let cursor: String
        let more: Bool
    }

    @Test func `cursors that are damaged, foreign, too old or of the future are refused by name`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            try await ana.drop()
            let cursor = try await ana.get("/v1/pins/changes", expect: .ok).json["cursor"]?.text ?? ""
            for bad in [
                "x", String(cursor.dropLast()), cursor + "A", "A" + cursor.dropFirst(),
                app.app.logCursors.seal(.at(1 << 40)),
            ] {
                let answer = try await ana.get("/v1/pins/changes?since=\(bad)", expect: .badRequest)
                #expect(answer.faults == ["since"], "\(bad)")
            }
            let list = app.app.cursors.seal([1, 2, 3], for: "pins")
            #expect(try await ana.get("/v1/pins/changes?since=\(list)", expect: .badRequest).faults == ["since"])
            for bad in ["limit=0", "limit=501", "sort=newest"] {
                try await ana.get("/v1/pins/changes?\(bad)", expect: .badRequest)
            }
            try await client.send("GET", "/v1/pins/changes", expect: .unauthorized)
            let early = app.app.logCursors.seal(.at(0))
            try await app.database.write { try $0.run("DELETE FROM event WHERE sequence = 1") }
            try await ana.get("/v1/pins/changes?since=\(early)", expect: Status(rawValue: 410))
            try await ana.get("/v1/pins/changes?since=\(cursor)", expect: .ok)
        }
    }
}

extension Pin {
    /// All that a change of the pin changes; usernames stay in the service, and do not in these tests.
    fileprivate var text: String {
        var pin = self
        pin.ownerUsername = ""
        return "\(pin)"
    }
}
