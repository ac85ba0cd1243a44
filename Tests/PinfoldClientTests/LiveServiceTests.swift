import Foundation
import Geo
import SocialModel
import Synchronization
import Testing

@testable import PinfoldClient

/// The live connection and the cache, against the real service.
@Suite struct LiveServiceTests {
    private let place = Coordinate(latitudeE7: 100_000_000, longitudeE7: 200_000_000)

    private struct Person {
        let client: PinfoldClient
        let id: Identifier<User>
        var pins: [Identifier<Pin>] = []
        var circle: Identifier<Circle>?
    }

    private func signUp(_ names: String..., on server: ServedApp) async throws -> [Person] {
        var people: [Person] = []
        for name in names {
            let client = try await server.signUp(name)
            people.append(Person(client: client, id: try await client.me().value.user.id))
        }
        return people
    }

    private func befriend(_ a: Person, _ b: Person) async throws {
        let request = try await a.client.befriend(b.id)
        _ = try await b.client.accept(request.id)
    }

    /// One random change of what the first of the people sees.
    private func change(
        _ people: inout [Person], _ friends: inout Set<Identifier<User>>, _ random: inout SplitMix64, _ count: Int
    ) async throws {
        let (index, dice) = (Int.random(in: 0..<people.count, using: &random), Int.random(in: 0..<20, using: &random))
        let person = people[index]
        let reader = people[0]
        let audiences: [Pin.Audience] = [.friends, .private] + (person.circle.map { [.circle($0)] } ?? [])
        // There always is one.
        let audience = audiences.randomElement(using: &random) ?? .friends
        switch dice {
        case ..<8:
            let pin = try await person.client.createPin(NewPin("pin \(count)", at: place, audience: audience))
            people[index].pins.append(pin.value.id)
        case ..<13:
            guard let id = person.pins.randomElement(using: &random) else { return }
            var change = PinChange()
            change.name = "changed \(count)"
            change.audience = audience
            _ = try await person.client.changePin(id, change)
        case ..<15:
            guard let id = person.pins.randomElement(using: &random) else { return }
            try await person.client.deletePin(id)
            people[index].pins.removeAll { $0 == id }
        case ..<17 where index > 0:
            if friends.remove(person.id) != nil {
                if dice == 16 {
                    try await person.client.block(reader.id)
                    try await person.client.unblock(reader.id)
                } else {
                    try await person.client.endFriendship(with: reader.id)
                }
            } else {
                try await befriend(person, reader)
                friends.insert(person.id)
            }
        case ..<20 where index > 0:
            let members = friends.contains(person.id) && dice > 17 ? [reader.id] : []
            if let circle = person.circle {
                _ = try await person.client.changeCircle(circle, members: members)
            } else {
                people[index].circle = try await person.client.createCircle("c", members: members).value.id
            }
        default: break
        }
    }

    @Test(arguments: [3, 4] as [UInt64])
    func `a cache that follows has what the server lists, however often it has to come back`(seed: UInt64) async throws
    {
        let server = try ServedApp()
        var people = try await signUp("ana", "ben", "cem", "dov", on: server)
        let reader = people[0]
        var friends: Set<Identifier<User>> = []
        var random = SplitMix64(seed: seed)
        let file = server.folder.file("pins")
        var cache = PinCache(file: file, account: reader.id, changesPerSave: 7)
        func follow(_ cache: PinCache) -> Task<Void, any Error> { Task { try await cache.follow(reader.client) } }
        var following = follow(cache)
        var count = 0
        for round in 0..<25 {
            for _ in 0..<Int.random(in: 1...16, using: &random) {
                count += 1
                try await change(&people, &friends, &random, count)
                if Int.random(in: 0..<12, using: &random) == 0 { server.closeLiveConnections() }
            }
            if round % 4 == 3 {
                // The process ends, and another one goes on with what was saved, while more happens.
                following.cancel()
                await #expect(throws: CancellationError.self) { try await following.value }
                try await change(&people, &friends, &random, count)
                cache = PinCache(file: file, account: reader.id, changesPerSave: 7)
                following = follow(cache)
            }
            let listed = Set(try await reader.client.pins().all())
            var cached: Set<Pin> = []
            for _ in 0..<6_000 {
                cached = Set(await cache.all())
                if cached == listed { break }
                try await Task.sleep(for: .milliseconds(10))
            }
            #expect(cached == listed, "round \(round)")
            guard cached == listed else { break }
        }
        following.cancel()
    }

    @Test func `events of the service come typed, in order and once, through closed connections`() async throws {
        let server = try ServedApp()
        let people = try await signUp("ana", "ben", on: server)
        let (ana, ben) = (people[0].client, people[1].client)
        let cursors = MemoryCursorStore(try await ana.pinChanges().cursor)
        try await befriend(people[1], people[0])
        var bio = MeChange()
        bio.bio = .set("Here")
        _ = try await ben.changeMe(bio)
        var expected = ["friendRequestCreated", "friendRequestAccepted", "friendAdded", "profileUpdated ben"]
        var heard: [String] = []
        var iterator = ana.live(resumingFrom: cursors).makeAsyncIterator()
        func hear() async throws {
            while heard.count < expected.count {
                switch try await iterator.next()?.kind {
                case .friendRequestCreated: heard.append("friendRequestCreated")
                case .friendRequestAccepted: heard.append("friendRequestAccepted")
                case .friendAdded: heard.append("friendAdded")
                case .friendRemoved: heard.append("friendRemoved")
                case .profileUpdated(let user): heard.append("profileUpdated \(user.username)")
                case .pinCreated(let pin): heard.append("created \(pin.name)")
                case .pinUpdated(let pin): heard.append("updated \(pin.name)")
                case .pinRemoved: heard.append("removed")
                case .presence: break
                case let other: heard.append("\(String(describing: other))")
                }
            }
        }
        try await hear()
        for round in 0..<20 {
            let pin = try await ben.createPin(NewPin("\(round)", at: place))
            expected.append("created \(round)")
            if round % 3 == 0 { server.closeLiveConnections() }
            try await hear()
            if round % 2 == 0 {
                try await ben.deletePin(pin.value.id)
                expected.append("removed")
            }
        }
        try await ben.endFriendship(with: people[0].id)
        expected.append("friendRemoved")
        try await hear()
        #expect(heard == expected)
    }
}
