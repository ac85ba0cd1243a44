import Foundation
import Geo
import SocialModel
import Synchronization
import Testing

@testable import PinfoldClient

@Suite struct PinCacheTests {
    private let account = Identifier<User>(1)

    /// A server's pins as one viewer sees them, and every change in order; a cursor is how many changes were before it.
    private struct World {
        var pins: [Identifier<Pin>: Pin] = [:]
        private(set) var log: [Identifier<Pin>] = []

        mutating func step(_ random: inout SplitMix64) {
            let id = Int64.random(in: 1...40, using: &random)
            if Int.random(in: 0..<3, using: &random) == 0 {
                if pins.removeValue(forKey: Identifier(id)) != nil { log.append(Identifier(id)) }
            } else {
                pins[Identifier(id)] = .sample(id, name: "\(log.count)", owner: id % 4 + 1)
                log.append(Identifier(id))
            }
        }

        /// As the contract has it, with the pins as they are now.
        func changes(since cursor: Int, limit: Int) -> PinChanges {
            let ids = log[cursor...].prefix(limit)
            let end = cursor + ids.count
            let touched = Set(ids)
            return PinChanges(
                changed: touched.compactMap { pins[$0] }, removed: touched.filter { pins[$0] == nil },
                cursor: String(end), more: end < log.count)
        }

        /// The event behind a cursor, with the pin as it is now.
        func event(after cursor: Int) -> LiveEvent {
            let id = log[cursor]
            return LiveEvent(
                pins[id].map { .pinUpdated($0) } ?? .pinRemoved(id), cursor: String(cursor + 1))
        }
    }

    /// Whenever the process ends, the next one has pins and cursor of one moment, and gets to the server's state.
    @Test func `killed anywhere, it loses nothing and keeps nothing that is gone`() async throws {
        let folder = try TemporaryFolder()
        var random = SplitMix64(seed: 12)
        for round in 0..<30 {
            let file = folder.file("pins-\(round)")
            var world = World()
            var cache = PinCache(file: file, account: account, changesPerSave: Int.random(in: 1...8, using: &random))
            for _ in 0..<60 {
                for _ in 0..<Int.random(in: 0...5, using: &random) { world.step(&random) }
                let cursor = Int(await cache.cursor() ?? "0") ?? 0
                switch Int.random(in: 0..<4, using: &random) {
                case 0:  // Killed: what was in memory is gone.
                    cache = PinCache(
                        file: file, account: account, changesPerSave: Int.random(in: 1...8, using: &random))
                case 1: try await cache.apply(world.changes(since: cursor, limit: 3))
                case 2 where cursor < world.log.count: try await cache.apply(world.event(after: cursor))
                default: try await cache.save()
                }
            }
            while Int(await cache.cursor() ?? "0") != world.log.count {
                try await cache.apply(
                    world.changes(since: Int(await cache.cursor() ?? "0") ?? 0, limit: 5))
            }
            try await cache.save()
            #expect(Set(await cache.all()) == Set(world.pins.values))
            let reloaded = PinCache(file: file, account: account)
            #expect(Set(await reloaded.all()) == Set(world.pins.values))
            #expect(await reloaded.cursor() == String(world.log.count))
        }
    }

    @Test func `it is asked by id, box and owner`() async throws {
        let cache = PinCache(file: try TemporaryFolder().file("pins"), account: account)
        let pins = (1...6).map { Pin.sample($0, owner: $0 % 2, at: Int32($0) * 10_000_000) }
        try await cache.apply(PinChanges(changed: pins, removed: [], cursor: "c", more: false))
        #expect(await cache.count == 6)
        #expect(await cache.pin(Identifier(3)) == pins[2])
        #expect(await cache.pin(Identifier(9)) == nil)
        let box = try #require(BoundingBox(west: -1, south: 2, east: 1, north: 4))
        #expect(await cache.pins(in: box).map(\.id.rawValue) == [4, 3, 2])
        #expect(await cache.pins(of: Identifier(1)).map(\.id.rawValue) == [5, 3, 1])
        let user = User(
            id: Identifier(1), username: "ana", displayName: "Ana", bio: nil, photoURL: nil,
            createdAt: Timestamp(milliseconds: 0))
        try await cache.apply(LiveEvent(.friendRemoved(user), cursor: "d"))
        #expect(await cache.all().map(\.id.rawValue) == [6, 4, 2])
    }

    @Test func `a file of another account, or a damaged one, shows nothing`() async throws {
        let folder = try TemporaryFolder()
        let file = folder.file("pins")
        let cache = PinCache(file: file, account: account)
        try await cache.apply(PinChanges(changed: [.sample(1)], removed: [], cursor: "c", more: false))
        try await cache.save()
        #expect(await PinCache(file: file, account: Identifier(2)).count == 0)
        let whole = try Data(contentsOf: file)
        try whole.dropLast(7).write(to: file)
        let damaged = PinCache(file: file, account: account)
        #expect(await damaged.count == 0)
        #expect(await damaged.cursor() == nil)
        try await cache.removeAll()
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    /// A script for `follow`: what the server has, whether it knows the cursors of before, and what it tells.
    private final class Script: Sendable {
        let state = Mutex(State())

        struct State {
            var pins: [Pin] = []
            var epoch = 1
            var events: [String] = []
        }

        func answer(_ request: ScriptedServer.Request, _ connection: ScriptedServer.Connection) {
            let cursor = request.query("since") ?? request.query("after")
            let (pins, epoch, events) = state.withLock { ($0.pins, $0.epoch, $0.events) }
            if let cursor, !cursor.hasPrefix("e\(epoch)-") { return connection.refuse(410, "cursor-expired") }
            guard request.path == "/v1/events" else {
                // All of them in pages of one, then nothing new.
                let done = cursor.flatMap { Int($0.split(separator: "-")[1]) } ?? 0
                let page = pins.dropFirst(done).prefix(1)
                let texts = page.compactMap { try? $0.json }
                return connection.answer(
                    200,
                    json: #"""
                        {"changed": [\#(texts.joined())], "removed": [], "cursor": "e\#(epoch)-\#(done + page.count)",
                        "more": \#(done + page.count < pins.count)}
                        """#)
            }
            connection.beginEvents()
            for event in events { connection.write(event) }
            state.withLock { $0.events = [] }
            connection.waitForEnd()
        }
    }

    @Test func `it follows the server: changes, then events, older pins of a new friend, and all anew`() async throws {
        let script = Script()
        script.state.withLock { state in
            state.pins = [.sample(1), .sample(2, owner: 8)]
            state.events = [
                "id: e1-2\nevent: friend.removed\ndata: {\"type\": \"friend.removed\", \(LiveText.user(8))}\n\n",
                "id: e1-2\nevent: friend.added\ndata: {\"type\": \"friend.added\", \(LiveText.user(9))}\n\n",
            ]
        }
        let server = try ScriptedServer { script.answer($0, $1) }
        let client = PinfoldClient.test(port: server.port, tokens: MemoryTokenStore(MemoryTokenStore.scripted))
        let file = try TemporaryFolder()
        let cache = PinCache(file: file.file("pins"), account: account, changesPerSave: 1)
        let (told, telling) = AsyncStream<LiveEvent>.makeStream()
        var heard = told.makeAsyncIterator()
        let following = Task {
            try await cache.follow(client) { event in
                // Older pins of the friend who is about to be added.
                script.state.withLock { $0.pins += [.sample(Int64($0.pins.count + 1), owner: 9)] }
                telling.yield(event)
            }
        }
        let kinds = [await heard.next()?.kind, await heard.next()?.kind]
        #expect(kinds == [.friendRemoved(try LiveText.decodedUser(8)), .friendAdded(try LiveText.decodedUser(9))])
        #expect(Set(await cache.all().map(\.id.rawValue)) == [1, 3])
        following.cancel()
        await #expect(throws: CancellationError.self) { try await following.value }

        // The server's database was restored: other cursors, other pins.
        script.state.withLock { state in
            state.epoch = 2
            state.pins = [.sample(3, name: "Renamed"), .sample(6)]
        }
        let next = PinCache(file: file.file("pins"), account: account)
        #expect(Set(await next.all().map(\.id.rawValue)) == [1, 3])
        try await next.synchronize(with: client)
        #expect(Set(await next.all()) == [.sample(3, name: "Renamed"), .sample(6)])
        #expect(await next.cursor() == "e2-2")
    }
}
