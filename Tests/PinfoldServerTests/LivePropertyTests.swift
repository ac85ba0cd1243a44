import Foundation
import Testing

@testable import PinfoldServer

/// Whatever happens, and however often connections break: what a device has is what its owner sees, each thing is told
/// once and in order, and nothing is told that was not theirs to see.
@Suite struct LivePropertyTests {
    private static let steps = ProcessInfo.processInfo.environment["PINFOLD_LIVE_STEPS"].flatMap { Int($0) } ?? 8_000

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `devices that follow have what their owners see, and never more`(seed: UInt64) async throws {
        try await withApp { test, _ in
            try await withLiveService(test) { service in
                var run = try LiveRun(service, seed: seed)
                let counts: (steps: Int, events: Int, comparisons: Int)
                do { counts = try run.run(steps: Self.steps / 4) } catch {
                    throw LiveFailure("seed \(seed), step \(run.step): \(error)")
                }
                guard counts.events > counts.steps / 2, counts.comparisons > counts.steps / 100 else {
                    throw LiveFailure("too little happened: \(counts)")
                }
            }
        }
    }
}

/// One random history.
private struct LiveRun {
    private struct Account {
        let token: String
        let password: String
    }

    private let service: LiveService
    private let http: HTTPSocket
    private var random: SplitMix64
    private var model = LiveModel()
    private var accounts: [Int64: Account] = [:]
    private var devices: [LiveDevice] = []
    /// Pins that may still be restored.
    private var deleted: [(id: Int64, pin: LiveModel.ModelPin)] = []
    private var names = 0
    private(set) var step = 0
    private var events = 0
    private var comparisons = 0

    init(_ service: LiveService, seed: UInt64) throws {
        self.service = service
        random = SplitMix64(seed: seed)
        http = try HTTPSocket(port: service.port)
        for _ in 0..<6 { try signUp() }
        let people = model.people
        for (a, b) in [(0, 1), (0, 2), (0, 3), (1, 2), (3, 4)] { try befriend(people[a], people[b]) }
        for index in [0, 0, 1, 1, 2, 3, 4, 5] { addDevice(of: people[index]) }
    }

    mutating func run(steps: Int) throws -> (steps: Int, events: Int, comparisons: Int) {
        while step < steps {
            switch random.int(0..<100) {
            case ..<50:
                let isBurst = random.chance(50)
                if isBurst { service.hold() }
                for _ in 0..<random.int(1..<(isBurst ? 12 : 3)) {
                    step += 1
                    try change()
                }
                service.release()
            case ..<75: try random.pick(devices).read(random.int(1..<20), model)
            case ..<85: random.pick(devices).cut()
            case ..<98:
                let device = random.pick(devices)
                if !device.isConnected { try device.connect(model, asksFirst: random.chance(20)) }
            default: try compare()
            }
        }
        try compare()
        return (step, events + devices.reduce(0) { $0 + $1.events }, comparisons)
    }

    /// All devices come to the end, and have what is visible.
    private mutating func compare() throws {
        var markers: [Int64: Int64] = [:]
        for viewer in Set(devices.map(\.viewer)).sorted() { markers[viewer] = try drop(by: viewer, for: .onlyOwner) }
        for device in devices {
            guard let marker = markers[device.viewer] else { continue }
            try device.read(untilPin: marker, model)
            let expected = model.visible(to: device.viewer)
            guard device.pins == expected else {
                let lost = expected.filter { device.pins[$0.key] != $0.value }
                let extra = device.pins.filter { expected[$0.key] == nil }
                throw LiveFailure("\(device.viewer) lacks \(lost), has \(extra) too much")
            }
            comparisons += 1
        }
        let token = accounts[devices[0].viewer]?.token
        let list = try http.send("GET", "/v1/pins?limit=500", token: token, expect: 200)["items"]?.elements ?? []
        guard Set(list.map { $0["name"] }) == Set(devices[0].pins.values.map { .string($0) }) else {
            throw LiveFailure("the list has other pins than the model")
        }
        for marker in markers.values where random.chance(80) { try delete(marker) }
    }

    // MARK: Changes

    private mutating func change() throws {
        let owner = random.pick(model.people)
        let other = random.pick(model.people.filter { $0 != owner })
        let pins = model.pins.filter { $0.value.owner == owner }.keys.sorted()
        let circles = model.circles.filter { $0.value.owner == owner }.keys.sorted()
        let friends = model.people.filter { model.areFriends(owner, $0) }
        switch random.int(0..<100) {
        case ..<25:
            if pins.count < 15 { _ = try drop(by: owner, for: audience(of: owner)) } else { try delete(pins[0]) }
        case ..<50: if !pins.isEmpty { try change(random.pick(pins), to: audience(of: owner)) }
        case ..<60: if !pins.isEmpty { try delete(random.pick(pins)) }
        case ..<64: try restore()
        case ..<76:
            if model.areFriends(owner, other) {
                try send("DELETE", "/v1/friends/\(other)", by: owner, expect: 204)
                model.endFriendship(owner, other)
                try commit()
            } else if !model.isBlocked(owner, other) {
                try befriend(owner, other)
            }
        case ..<80:
            try send("PUT", "/v1/blocks/\(other)", by: owner, expect: 204)
            model.blocks[owner, default: []].insert(other)
            model.endFriendship(owner, other)
            try commit()
        case ..<85:
            guard let blocked = model.blocks[owner]?.min() else { return }
            try send("DELETE", "/v1/blocks/\(blocked)", by: owner, expect: 204)
            model.blocks[owner]?.remove(blocked)
            try commit()
        case ..<88:
            guard circles.count < 4 else { return }
            let members = friends.filter { _ in random.chance(50) }
            let circle = try send(
                "POST", "/v1/circles", ["name": "c", "members": .array(members.map { "\($0)" })], by: owner, expect: 201
            )
            model.circles[try identifier(circle)] = (owner, Set(members))
            try commit()
        case ..<96:
            guard !circles.isEmpty else { return }
            let circle = random.pick(circles)
            let members = friends.filter { _ in random.chance(50) }
            try send(
                "PATCH", "/v1/circles/\(circle)", ["members": .array(members.map { "\($0)" })], by: owner, expect: 200)
            model.circles[circle]?.members = Set(members)
            try commit()
        case ..<98:
            guard !circles.isEmpty else { return }
            let circle = random.pick(circles)
            try send("DELETE", "/v1/circles/\(circle)", by: owner, expect: 204)
            model.removeCircle(circle)
            deleted.removeAll { $0.pin.audience == .circle(circle) }
            try commit()
        case ..<99: try send("PATCH", "/v1/me", ["displayName": .string(name())], by: owner, expect: 200)
        default: if random.chance(40) { try removeAccount(owner) }
        }
        try commit()
    }

    private mutating func audience(of owner: Int64) -> LiveModel.Audience {
        let circles = model.circles.filter { $0.value.owner == owner }.keys.sorted()
        switch random.int(0..<10) {
        case ..<5: return .friends
        case ..<7: return .onlyOwner
        default: return circles.isEmpty ? .friends : .circle(random.pick(circles))
        }
    }

    private func json(_ audience: LiveModel.Audience, _ name: String) -> JSON {
        switch audience {
        case .friends: ["name": .string(name), "audience": "friends"]
        case .onlyOwner: ["name": .string(name), "audience": "private"]
        case .circle(let id): ["name": .string(name), "audience": "circle", "circleId": "\(id)"]
        }
    }

    private mutating func drop(by owner: Int64, for audience: LiveModel.Audience) throws -> Int64 {
        let version = name()
        var body = json(audience, version).members
        body["latitude"] = 10
        body["longitude"] = 20
        let id = try identifier(send("POST", "/v1/pins", .object(body), by: owner, expect: 201))
        model.pins[id] = LiveModel.ModelPin(owner: owner, audience: audience, version: version)
        model.owners[id] = owner
        try commit()
        return id
    }

    private mutating func change(_ id: Int64, to audience: LiveModel.Audience) throws {
        guard let pin = model.pins[id] else { return }
        let version = name()
        try send("PATCH", "/v1/pins/\(id)", json(audience, version), by: pin.owner, expect: 200)
        model.pins[id] = LiveModel.ModelPin(owner: pin.owner, audience: audience, version: version)
        try commit()
    }

    private mutating func delete(_ id: Int64) throws {
        guard let pin = model.pins.removeValue(forKey: id) else { return }
        try send("DELETE", "/v1/pins/\(id)", by: pin.owner, expect: 204)
        deleted.append((id, pin))
        if deleted.count > 8 { deleted.removeFirst() }
        try commit()
    }

    private mutating func restore() throws {
        guard let (id, pin) = deleted.popLast(), model.people.contains(pin.owner) else { return }
        try send("POST", "/v1/pins/\(id)/restore", by: pin.owner, expect: 200)
        model.pins[id] = pin
        try commit()
    }

    private mutating func befriend(_ a: Int64, _ b: Int64) throws {
        let asked = try send("POST", "/v1/friend-requests", ["to": "\(b)"], by: a, expect: 201)
        try commit()
        try send("POST", "/v1/friend-requests/\(identifier(asked))/accept", [:], by: b, expect: 200)
        model.friends.insert(LiveModel.Pair(a, b))
        try commit()
    }

    private mutating func signUp() throws {
        let username = "user\(name())"
        let password = "correct horse \(username)"
        let answer = try http.send(
            "POST", "/v1/users",
            [
                "username": .string(username), "email": .string("\(username)@example.org"),
                "password": .string(password),
            ], expect: 201)
        guard let id = answer["user"]?["id"]?.text.flatMap({ Int64($0) }), let token = answer["accessToken"]?.text
        else {
            throw LiveFailure("signed up with \(answer)")
        }
        model.people.append(id)
        accounts[id] = Account(token: token, password: password)
        try commit()
    }

    /// Somebody goes, and somebody new has as many devices.
    private mutating func removeAccount(_ person: Int64) throws {
        guard let account = accounts[person] else { return }
        service.release()
        try send("DELETE", "/v1/me", ["password": .string(account.password)], by: person, expect: 204)
        model.remove(person)
        deleted.removeAll { $0.pin.owner == person }
        try commit()
        let gone = devices.filter { $0.viewer == person }
        for device in gone { try device.expectSessionEnd(model) }
        events += gone.reduce(0) { $0 + $1.events }
        devices.removeAll { $0.viewer == person }
        try signUp()
        guard let new = model.people.last else { return }
        for _ in gone { addDevice(of: new) }
    }

    private mutating func addDevice(of viewer: Int64) {
        guard let token = accounts[viewer]?.token else { return }
        devices.append(LiveDevice(viewer: viewer, token: token, service: service, http: http))
    }

    // MARK: Words

    private mutating func name() -> String {
        names += 1
        return "v\(names)"
    }

    private mutating func commit() throws {
        model.commit(at: try service.app.database.read { try LogEntry.ends(in: $0).end })
    }

    @discardableResult
    private func send(_ method: String, _ path: String, _ body: JSON? = nil, by person: Int64, expect: Int) throws
        -> JSON
    {
        try http.send(method, path, body, token: accounts[person]?.token, expect: expect)
    }

    private func identifier(_ json: JSON) throws -> Int64 {
        guard let id = json["id"]?.text.flatMap({ Int64($0) }) else { throw LiveFailure("no id in \(json)") }
        return id
    }
}
