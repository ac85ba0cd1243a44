/// Who sees what, by the rule alone, and who could see what when: the log's places are the time.
struct LiveModel {
    enum Audience: Hashable {
        case friends, onlyOwner
        case circle(Int64)
    }

    struct ModelPin {
        let owner: Int64
        var audience: Audience
        /// Another one after each change.
        var version: String
    }

    /// When something was visible: from the log's place at which it became so, to the last one at which it was.
    struct Span {
        let version: String
        let from: Int64
        var to = Int64.max

        func overlaps(_ from: Int64, _ to: Int64) -> Bool { self.from <= to && from <= self.to }
    }

    struct Pair: Hashable {
        let low: Int64
        let high: Int64

        init(_ a: Int64, _ b: Int64) { (low, high) = (min(a, b), max(a, b)) }
    }

    private struct Key: Hashable {
        let viewer: Int64
        let pin: Int64
    }

    var people: [Int64] = []
    var friends: Set<Pair> = []
    /// Who has blocked whom.
    var blocks: [Int64: Set<Int64>] = [:]
    var circles: [Int64: (owner: Int64, members: Set<Int64>)] = [:]
    var pins: [Int64: ModelPin] = [:]
    /// Of all pins that ever were.
    var owners: [Int64: Int64] = [:]
    /// Where the log ends.
    private(set) var end: Int64 = 0
    private var visible: [Int64: [Int64: String]] = [:]
    private var spans: [Key: [Span]] = [:]

    func areFriends(_ a: Int64, _ b: Int64) -> Bool { friends.contains(Pair(a, b)) }

    func isBlocked(_ a: Int64, _ b: Int64) -> Bool {
        blocks[a]?.contains(b) ?? false || blocks[b]?.contains(a) ?? false
    }

    /// The versions of what a viewer sees now, by the pins' ids.
    func visible(to viewer: Int64) -> [Int64: String] { visible[viewer] ?? [:] }

    func owner(of pin: Int64) -> Int64? { owners[pin] }

    mutating func endFriendship(_ a: Int64, _ b: Int64) {
        friends.remove(Pair(a, b))
        for (id, circle) in circles {
            if circle.owner == a { circles[id]?.members.remove(b) }
            if circle.owner == b { circles[id]?.members.remove(a) }
        }
    }

    mutating func removeCircle(_ id: Int64) {
        circles[id] = nil
        for (pin, found) in pins where found.audience == .circle(id) { pins[pin]?.audience = .onlyOwner }
    }

    mutating func remove(_ person: Int64) {
        people.removeAll { $0 == person }
        friends = friends.filter { $0.low != person && $0.high != person }
        blocks[person] = nil
        for other in blocks.keys { blocks[other]?.remove(person) }
        for (id, circle) in circles {
            if circle.owner == person { circles[id] = nil } else { circles[id]?.members.remove(person) }
        }
        pins = pins.filter { $0.value.owner != person }
    }

    /// Takes down what is visible now that the log ends at `place`.
    mutating func commit(at place: Int64) {
        end = place
        for viewer in people {
            var now: [Int64: String] = [:]
            for (id, pin) in pins where isVisible(pin, to: viewer) { now[id] = pin.version }
            let before = visible[viewer] ?? [:]
            for (id, version) in before where now[id] != version {
                let key = Key(viewer: viewer, pin: id)
                let last = (spans[key]?.count ?? 0) - 1
                spans[key]?[last].to = place - 1
            }
            for (id, version) in now where before[id] != version {
                spans[Key(viewer: viewer, pin: id), default: []].append(Span(version: version, from: place))
            }
            visible[viewer] = now
        }
    }

    private func isVisible(_ pin: ModelPin, to viewer: Int64) -> Bool {
        if pin.owner == viewer { return true }
        switch pin.audience {
        case .onlyOwner: return false
        case .friends: return areFriends(pin.owner, viewer)
        case .circle(let id): return circles[id]?.members.contains(viewer) ?? false
        }
    }

    /// Whether a pin was visible to a viewer at some time from one place of the log to another, in this version or in any.
    func couldSee(_ pin: Int64, _ viewer: Int64, version: String? = nil, from: Int64, to: Int64) -> Bool {
        (spans[Key(viewer: viewer, pin: pin)] ?? []).contains { span in
            span.overlaps(from, to) && (version == nil || span.version == version)
        }
    }
}
