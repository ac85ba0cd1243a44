import SocialModel
import Testing

/// People, their friendships, requests, blocks and pins, kept twice: in the service and, as plain sets, in here.
struct RandomWorld {
    private struct Pair: Hashable {
        let a, b: Int
        /// Without an order.
        init(_ x: Int, _ y: Int) { (a, b) = (min(x, y), max(x, y)) }
    }

    private struct Directed: Hashable { let from, to: Int }

    private enum Audience: Hashable {
        case friends, onlyMe
        case circle(String)

        var json: [String: JSON] {
            switch self {
            case .friends: ["audience": "friends"]
            case .onlyMe: ["audience": "private"]
            case .circle(let id): ["audience": "circle", "circleId": .string(id)]
            }
        }
    }

    private struct KnownCircle {
        let owner: Int
        var members: Set<Int>
    }

    private struct KnownPin {
        let id: String
        let owner: Int
        var audience: Audience
        var deletedAt: Int64?
    }

    private let client: Client
    private var generator: SplitMix64
    /// Everybody who ever was, by number; `alive` are those who still are.
    private var people: [Person] = []
    private var alive: [Int] = []
    private var friends: Set<Pair> = []
    private var pending: [Directed: String] = [:]
    private var blocks: Set<Directed> = []
    private var pins: [KnownPin] = []
    private var circles: [String: KnownCircle] = [:]

    init(seed: UInt64, people count: Int, client: Client) async throws {
        self.client = client
        generator = SplitMix64(seed: seed)
        for _ in 0..<count { try await join() }
    }

    private mutating func join() async throws {
        alive.append(people.count)
        people.append(try await client.signUp("person\(people.count)"))
    }

    /// One random thing happens, and the service answers as the rules say.
    mutating func step() async throws {
        let who = generator.pick(alive)
        let other = generator.pick(alive.filter { $0 != who })
        let person = people[who]
        let them = people[other]
        client.app.clock.advance(.seconds(generator.int(0..<25)))
        switch generator.int(0..<100) {
        case 0..<25: try await ask(who, other)
        case 25..<40: try await settle()
        case 40..<48:
            let areFriends = friends.contains(Pair(who, other))
            part(who, other)
            try await person.delete("/v1/friends/\(them.id)", expect: areFriends ? .noContent : .notFound)
        case 48..<53:
            try await person.put("/v1/blocks/\(them.id)", expect: .noContent)
            blocks.insert(Directed(from: who, to: other))
            part(who, other)
            pending[Directed(from: who, to: other)] = nil
            pending[Directed(from: other, to: who)] = nil
        case 53..<58:
            try await person.delete("/v1/blocks/\(them.id)", expect: .noContent)
            blocks.remove(Directed(from: who, to: other))
        case 58..<68: try await changeCircle(who)
        case 68..<80:
            let audience = anyAudience(of: who)
            let pin = try await person.drop("Ramen", at: 10, 20, .object(audience.json))
            pins.append(KnownPin(id: pin.id.description, owner: who, audience: audience))
        case 80..<98: try await changePin()
        default:
            if alive.count > 4 {
                try await person.delete(
                    "/v1/me", ["password": .string(Client.password(of: person.username))], expect: .noContent)
                remove(who)
            } else {
                try await join()
            }
        }
    }

    private mutating func part(_ a: Int, _ b: Int) {
        friends.remove(Pair(a, b))
        for (id, circle) in circles where circle.owner == a || circle.owner == b {
            circles[id]?.members.subtract([a, b])
        }
    }

    private mutating func anyAudience(of who: Int) -> Audience {
        let own = circles.filter { $0.value.owner == who }.keys.sorted()
        return generator.pick([.friends, .friends, .onlyMe] + own.map(Audience.circle))
    }

    /// A circle is made, gets other members, or goes.
    private mutating func changeCircle(_ who: Int) async throws {
        let own = circles.filter { $0.value.owner == who }.keys.sorted()
        let members = alive.filter { $0 != who && generator.chance(50) }
        let areFriends = members.allSatisfy { friends.contains(Pair(who, $0)) }
        let list = JSON.array(members.map { .string(people[$0].id.description) })
        switch (own.isEmpty, generator.int(0..<4)) {
        case (true, _), (false, 0):
            let answer = try await people[who].post(
                "/v1/circles", ["name": "Climbing", "members": list], expect: areFriends ? .created : .badRequest)
            if areFriends, let id = answer.json["id"]?.text {
                circles[id] = KnownCircle(owner: who, members: Set(members))
            }
        case (false, 1):
            let id = generator.pick(own)
            try await people[who].delete("/v1/circles/\(id)", expect: .noContent)
            circles[id] = nil
            for index in pins.indices where pins[index].audience == .circle(id) { pins[index].audience = .onlyMe }
        case (false, _):
            let id = generator.pick(own)
            try await people[who].patch(
                "/v1/circles/\(id)", ["members": list], expect: areFriends ? .ok : .badRequest)
            if areFriends { circles[id]?.members = Set(members) }
        }
    }

    private mutating func ask(_ who: Int, _ other: Int) async throws {
        let answer = try await people[who].post("/v1/friend-requests", ["to": "\(people[other].id)"])
        if blocks.contains(Directed(from: other, to: who)) { return #expect(answer.status == .notFound) }
        if blocks.contains(Directed(from: who, to: other)) || friends.contains(Pair(who, other)) {
            return #expect(answer.status == .conflict)
        }
        let id = try #require(answer.json["id"]?.text)
        if let theirs = pending.removeValue(forKey: Directed(from: other, to: who)) {
            #expect(answer.status == .ok && theirs == id && answer.json["status"] == "accepted")
            friends.insert(Pair(who, other))
        } else if let mine = pending[Directed(from: who, to: other)] {
            #expect(answer.status == .ok && mine == id && answer.json["status"] == "pending")
        } else {
            #expect(answer.status == .created)
            pending[Directed(from: who, to: other)] = id
        }
    }

    /// A pending request is accepted, rejected or taken back.
    private mutating func settle() async throws {
        let open = pending.sorted { $0.value < $1.value }
        guard !open.isEmpty else { return }
        let (ends, id) = generator.pick(open)
        pending[ends] = nil
        switch generator.int(0..<4) {
        case 0: try await people[ends.to].post("/v1/friend-requests/\(id)/reject", expect: .ok)
        case 1: try await people[ends.from].delete("/v1/friend-requests/\(id)", expect: .noContent)
        default:
            try await people[ends.to].post("/v1/friend-requests/\(id)/accept", expect: .ok)
            friends.insert(Pair(ends.from, ends.to))
        }
    }

    private mutating func changePin() async throws {
        let choices = pins.indices.filter { alive.contains(pins[$0].owner) }
        guard !choices.isEmpty else { return }
        let index = generator.pick(choices)
        let (pin, owner) = (pins[index], people[pins[index].owner])
        switch (pin.deletedAt, generator.int(0..<3)) {
        case (let deletedAt?, _):
            let isInTime = client.app.clock.now - deletedAt < 600_000
            try await owner.post("/v1/pins/\(pin.id)/restore", expect: isInTime ? .ok : .notFound)
            if isInTime { pins[index].deletedAt = nil }
        case (nil, 0):
            try await owner.delete("/v1/pins/\(pin.id)", expect: .noContent)
            pins[index].deletedAt = client.app.clock.now
        case (nil, 1): try await owner.patch("/v1/pins/\(pin.id)", ["rating": 3], expect: .ok)
        case (nil, _):
            pins[index].audience = anyAudience(of: pin.owner)
            try await owner.patch("/v1/pins/\(pin.id)", .object(pins[index].audience.json), expect: .ok)
        }
    }

    private mutating func remove(_ who: Int) {
        alive.removeAll { $0 == who }
        friends = friends.filter { $0.a != who && $0.b != who }
        pending = pending.filter { $0.key.from != who && $0.key.to != who }
        blocks = blocks.filter { $0.from != who && $0.to != who }
        pins.removeAll { $0.owner == who }
        circles = circles.filter { $0.value.owner != who }
        for id in circles.keys { circles[id]?.members.remove(who) }
    }

    private func sees(_ pin: KnownPin, _ who: Int) -> Bool {
        guard pin.owner != who else { return true }
        guard friends.contains(Pair(who, pin.owner)) else { return false }
        switch pin.audience {
        case .friends: return true
        case .onlyMe: return false
        case .circle(let id): return circles[id]?.members.contains(who) ?? false
        }
    }

    /// Each viewer's pins by each path, friends, requests, blocks, profiles and search.
    func check(_ context: String) async throws {
        let known = Set(pins.map(\.id))
        for who in alive {
            let viewer = people[who]
            let theirFriends = Set(alive.filter { friends.contains(Pair(who, $0)) })
            let visible = pins.filter { $0.deletedAt == nil && sees($0, who) }
            for path in ReadPath.allCases {
                let found = try await path.pins(for: viewer, owners: people, known: known)
                #expect(found == Set(visible.map(\.id)), "\(path) for person\(who), \(context)")
            }
            let me = try await viewer.get("/v1/me", expect: .ok).json
            #expect(me["usage"]?["pins"]?.number == Double(visible.filter { $0.owner == who }.count), "\(context)")
            let incoming = pending.filter { $0.key.to == who }.map(\.value)
            #expect(me["counts"]?["incomingRequests"]?.number == Double(incoming.count), "\(context)")
            let requests = try await viewer.all("/v1/friend-requests?direction=incoming&status=pending", limit: 2)
            #expect(requests.sorted() == incoming.sorted(), "\(context)")
            let friendIDs = try await viewer.all("/v1/friends", limit: 3)
            #expect(friendIDs.sorted() == theirFriends.map { people[$0].id.description }.sorted(), "\(context)")
            let blocked = blocks.filter { $0.from == who }.map { people[$0.to].id.description }
            #expect(try await viewer.all("/v1/blocks").sorted() == blocked.sorted(), "\(context)")
            let own = circles.filter { $0.value.owner == who }
            #expect(try await viewer.all("/v1/circles", limit: 1).sorted() == own.keys.sorted(), "\(context)")
            for (id, circle) in circles {
                let answer = try await viewer.get("/v1/circles/\(id)", expect: circle.owner == who ? .ok : .notFound)
                guard circle.owner == who else { continue }
                let members = answer.json["members"]?.elements.compactMap(\.text) ?? []
                #expect(members.sorted() == circle.members.map { people[$0].id.description }.sorted(), "\(context)")
            }
            try await checkPeople(who, theirFriends, context)
        }
        for who in people.indices where !alive.contains(who) {
            try await people[who].get("/v1/me", expect: .unauthorized)
        }
    }

    private func checkPeople(_ who: Int, _ theirFriends: Set<Int>, _ context: String) async throws {
        let found = Set(try await people[who].all("/v1/users?q=PERSON", limit: 2))
        for other in people.indices {
            let id = people[other].id.description
            let profile = try await people[who].get("/v1/users/\(id)")
            let isBlocker = blocks.contains(Directed(from: other, to: who))
            let isBlocked = blocks.contains(Directed(from: who, to: other))
            let isThere = alive.contains(other) && !isBlocker
            #expect(profile.status == (isThere ? .ok : .notFound), "\(context)")
            #expect(found.contains(id) == (isThere && !isBlocked), "\(context)")
            guard isThere else { continue }
            let relationship =
                other == who
                ? "self"
                : theirFriends.contains(other)
                    ? "friend"
                    : pending[Directed(from: who, to: other)] != nil
                        ? "outgoing" : pending[Directed(from: other, to: who)] != nil ? "incoming" : "none"
            #expect(profile.json["relationship"]?.text == relationship, "\(context)")
        }
    }
}
