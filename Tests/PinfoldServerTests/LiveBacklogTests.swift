import SocialModel
import Storage
import Testing

@testable import PinfoldServer

/// Whoever goes back and forth between what live connections are told and the changes has what a list has, whenever the
/// connection breaks and whatever happened in between.
@Suite struct LiveBacklogTests {
    private static let people = Array(Int64(1)...5)

    /// What a connection was sent, with where to go on behind it.
    private struct Message {
        enum What {
            case pin(Pin)
            case pinRemoved(Int64)
            case friendAdded
            case friendRemoved(Int64)
            case other
        }

        let what: What
        let cursor: LogCursor
    }

    /// Somebody's device: what it holds and knows, and its connection.
    private struct Device {
        let viewer: Identifier<User>
        var pins: [Int64: Pin] = [:]
        var cursor: LogCursor?
        /// Where its connection is told on; nil while there is none.
        var place: LogCursor?
        var queue: [Message] = []

        mutating func connect() {
            place = cursor
            queue = []
        }

        /// - Returns: whether that was all that has happened.
        mutating func send(_ limit: Int, _ app: App) throws -> Bool {
            guard let place else { return false }
            return try app.database.read { read in
                let backlog = try VisiblePins(of: viewer, in: read, app.planner).backlog(after: place, limit: limit)
                for item in backlog.items {
                    let what: Message.What
                    switch item.what {
                    case .pin(let pin, _): what = .pin(pin)
                    case .removed(let id): what = .pinRemoved(id.rawValue)
                    case .entry(let entry):
                        guard try LiveNews.entry(entry, for: viewer, cursor: "", in: read) != nil else { continue }
                        switch entry.kind {
                        case .friendAdded: what = .friendAdded
                        case .friendRemoved: what = .friendRemoved(entry.subject)
                        default: what = .other
                        }
                    }
                    queue.append(Message(what: what, cursor: item.cursor))
                }
                self.place = backlog.end
                return backlog.isAll
            }
        }

        /// - Returns: whether it has come to the end of the changes.
        mutating func readOne(_ app: App) throws -> Bool {
            guard !queue.isEmpty else { return false }
            let message = queue.removeFirst()
            switch message.what {
            case .pin(let pin): pins[pin.id.rawValue] = pin
            case .pinRemoved(let id): pins[id] = nil
            case .friendAdded: _ = try follow(from: cursor, limit: 500, app)
            case .friendRemoved(let friend): pins = pins.filter { $0.value.ownerId.rawValue != friend }
            case .other: break
            }
            cursor = message.cursor
            if case .friendAdded = message.what { return true }
            return false
        }

        mutating func follow(from start: LogCursor?, limit: Int, _ app: App) throws -> LogCursor {
            var cursor = start
            while true {
                let page = try app.database.read {
                    try VisiblePins(of: viewer, in: $0, app.planner).changes(since: cursor, limit: limit)
                }
                for pin in page.changed { pins[pin.id.rawValue] = pin }
                for id in page.removed { pins[id.rawValue] = nil }
                if !page.hasMore { return page.cursor }
                cursor = page.cursor
            }
        }

        /// Nil if it has what a list has.
        func fault(_ app: App) throws -> String? {
            let list = try app.database.read {
                try VisiblePins(of: viewer, in: $0).list(PinQuery(), after: nil, limit: 10_000)
            }
            let due = Dictionary(uniqueKeysWithValues: list.map { ($0.pin.id.rawValue, $0.pin.content) })
            let held = pins.mapValues(\.content)
            let wrong = Set(held.keys).union(due.keys).filter { held[$0] != due[$0] }
            return wrong.isEmpty ? nil : "\(wrong.map { (held[$0] ?? "-", due[$0] ?? "-") })"
        }
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func `devices that go back and forth have what a list has`(seed: UInt64) async throws {
        try await withApp { test, _ in
            var generator = SplitMix64(seed: seed)
            let app = test.app
            try await app.database.write { write in
                try ModelPin.insertPeople(Self.people, in: write)
                try ModelPin.insertFriends([2, 3, 4], of: 1, in: write)
            }
            var devices = [1, 1, 2, 3].map { Device(viewer: Identifier($0)) }
            var ends = 0
            for step in 0..<2_000 {
                test.clock.advance(.seconds(1))
                let index = generator.int(0..<devices.count)
                var isAtEnd = false
                switch generator.int(0..<100) {
                case ..<30:
                    for _ in 0..<generator.int(1..<6) {
                        let change = RandomChange.make(
                            people: Self.people, now: test.clock.now, forgets: false, &generator)
                        try await app.database.write { try change($0) }
                    }
                case ..<46:
                    // Friendships come and go more often than anything else is changed.
                    let (a, b) = (devices[index].viewer, Identifier<User>(generator.pick(Self.people)))
                    guard a != b else { break }
                    try await app.database.write { write in
                        if try !Friendship.end(between: a, and: b, in: write) {
                            try Friendship.begin(between: a, and: b, in: write)
                        }
                    }
                case ..<60: _ = try devices[index].send(generator.int(1..<6), app)
                case ..<80:
                    for _ in 0..<generator.int(1..<4) where try !isAtEnd { isAtEnd = try devices[index].readOne(app) }
                case ..<90:
                    devices[index].place = nil
                    devices[index].queue = []
                case ..<99:
                    guard devices[index].place == nil else { break }
                    if devices[index].cursor == nil || generator.chance(20) {
                        let cursor = devices[index].cursor
                        devices[index].cursor = try devices[index].follow(
                            from: cursor, limit: generator.pick([1, 2, 5, 500]), app)
                        isAtEnd = true
                    }
                    devices[index].connect()
                default:
                    guard devices[index].cursor != nil else { break }
                    if devices[index].place == nil { devices[index].connect() }
                    while try !devices[index].send(100, app) {}
                    while !devices[index].queue.isEmpty { _ = try devices[index].readOne(app) }
                    isAtEnd = true
                }
                if isAtEnd {
                    let fault = try devices[index].fault(app)
                    try #require(fault == nil, "seed \(seed), step \(step), device \(index)")
                    ends += 1
                }
            }
            #expect(ends > 30)
        }
    }

    /// Ana's phone hears of a pin of Bob's by the changes, which are ahead of what it is told live; when it comes to where
    /// he became her friend he is none any more, and the pin is gone too.
    @Test(arguments: [false, true])
    func `what was heard of early goes with a friendship that has ended since`(isForCircle: Bool) async throws {
        try await withApp { test, _ in
            let app = test.app
            let (ana, bob, eve, max) = (Int64(1), Int64(2), Int64(3), Int64(4))
            func begin(_ friend: Int64) async throws {
                try await app.database.write {
                    try Friendship.begin(between: Identifier(ana), and: Identifier(friend), in: $0)
                }
            }
            func drop(_ owner: Int64, for audience: Int64 = 1) async throws -> Int64 {
                try await app.database.write { write in
                    let id = write.newIdentifier()
                    try write.run(
                        """
                        INSERT INTO pin (id, ownerId, createdAt, longitude, latitude, category, audience, name)
                        VALUES (\(id), \(owner), \(id >> 20), 0, 0, 0, \(audience), 'a pin')
                        """)
                    return id
                }
            }
            try await app.database.write { try ModelPin.insertPeople([ana, bob, eve, max], in: $0) }
            var phone = Device(viewer: Identifier(ana))
            phone.cursor = .at(try app.database.read { try LogEntry.ends(in: $0).end })
            try await begin(eve)
            phone.connect()
            #expect(try phone.send(100, app))
            _ = try await drop(ana)
            try await begin(bob)
            let circle = try await app.database.write { write in
                let circle = write.newIdentifier()
                try write.run("INSERT INTO circle VALUES (\(circle), \(bob), 'c', 0, 0)")
                try write.run("INSERT INTO circleMember VALUES (\(circle), \(ana), \(bob))")
                return circle
            }
            let pin = try await drop(bob, for: isForCircle ? circle : 1)
            // The changes that it asks for when Eve has become a friend tell of Bob's pin already.
            #expect(try phone.readOne(app) && phone.pins[pin] != nil)

            try await app.database.write { write in
                if isForCircle {
                    try write.run("DELETE FROM circleMember WHERE memberId = \(ana)")
                } else {
                    try write.run("DELETE FROM pin WHERE id = \(pin)")
                }
            }
            _ = try await drop(ana)
            try await begin(max)
            phone.connect()
            while try !phone.send(100, app) {}
            #expect(try !phone.readOne(app))
            try await app.database.write {
                _ = try Friendship.end(between: Identifier(ana), and: Identifier(bob), in: $0)
            }
            phone.connect()
            while try !phone.send(100, app) {}
            while try !phone.readOne(app) { try #require(!phone.queue.isEmpty) }
            #expect(try phone.fault(app) == nil)
        }
    }
}

extension Pin {
    /// What is told of it to whoever may see it, but for its owner's name: of that another event tells.
    fileprivate var content: String {
        var pin = self
        pin.ownerUsername = ""
        pin.audience = nil
        return "\(pin)"
    }
}
