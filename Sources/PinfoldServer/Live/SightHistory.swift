import SocialModel

/// Whose pins a viewer could see, and when: from what they see now, backwards through the log.
struct SightHistory {
    /// A place in the log where something began or ended.
    private struct Turn {
        let sequence: Int64
        let begins: Bool
    }

    private let sight: Sight
    private var friends: [Int64: [Turn]] = [:]
    private var circles: [Int64: [Turn]] = [:]
    private(set) var formerFriends: Set<Int64> = []

    /// - Parameters:
    ///   - sight: of the snapshot.
    ///   - entries: of the viewer's own topic, in order and up to the snapshot's end.
    init(_ sight: Sight, _ entries: [LogEntry]) {
        self.sight = sight
        for entry in entries {
            switch entry.kind {
            case .friendAdded: friends[entry.subject, default: []].append(Turn(sequence: entry.sequence, begins: true))
            case .friendRemoved:
                friends[entry.subject, default: []].append(Turn(sequence: entry.sequence, begins: false))
                if !sight.ownerSet.contains(entry.subject) { formerFriends.insert(entry.subject) }
            case .circleJoined: circles[entry.subject, default: []].append(Turn(sequence: entry.sequence, begins: true))
            case .circleLeft: circles[entry.subject, default: []].append(Turn(sequence: entry.sequence, begins: false))
            default: break
            }
        }
    }

    /// Whether the viewer could see a pin of `owner` for `audience` at any place of the log from `start` to before `end`.
    func couldSee(_ owner: Int64, _ audience: Int64?, from start: Int64, before end: Int64) -> Bool {
        guard let audience, start < end else { return false }
        if owner == sight.viewer.rawValue { return true }
        switch audience {
        case 0: return false
        case 1: return holds(friends[owner], sight.ownerSet.contains(owner), start, end)
        default: return holds(circles[audience], sight.circleSet.contains(audience), start, end)
        }
    }

    private func holds(_ turns: [Turn]?, _ isNow: Bool, _ start: Int64, _ end: Int64) -> Bool {
        guard let turns, let first = turns.first else { return isNow }
        let last = turns.last { $0.sequence <= start }
        if last?.begins ?? !first.begins { return true }
        return turns.contains { $0.begins && $0.sequence > start && $0.sequence < end }
    }
}

/// What happened to one pin.
struct PinStory {
    let owner: Int64
    /// Where in the log it changed first, and then each time, with its audience from there on.
    private(set) var changes: [(sequence: Int64, audience: Int64?)] = []
    /// Its audience before.
    let before: Int64?

    init(_ first: LogEntry) {
        owner = first.account
        before = first.before
        add(first)
    }

    /// One that has not changed.
    init(owner: Int64, audience: Int64) {
        self.owner = owner
        before = audience
    }

    mutating func add(_ entry: LogEntry) { changes.append((entry.sequence, entry.after)) }

    /// Whether the viewer of `history` could see it at any place of the log from `start` to `end`.
    func couldBeSeen(_ history: SightHistory, from start: Int64, to end: Int64) -> Bool {
        var (place, audience) = (Int64.min, before)
        for change in changes {
            if history.couldSee(owner, audience, from: max(place, start), before: change.sequence) { return true }
            (place, audience) = (change.sequence, change.audience)
        }
        return history.couldSee(owner, audience, from: max(place, start), before: end + 1)
    }
}
