import SocialModel
import Storage

/// What the log says between a cursor and the snapshot about what a viewer sees: each pin once, where it is first
/// concerned.
struct ChangeWay {
    /// Something that may have to be told, at a place in the log. At one place they go by `id`.
    struct Step {
        enum What {
            case pin(PinStory)
            /// Of the viewer's own topic, or about a friend.
            case entry(LogEntry)
        }

        let position: Int64
        /// Of the pin; 1 for an entry.
        let id: Int64
        let at: Int64
        let what: What
    }

    /// Where somebody became a friend last, or stopped being one; or where the viewer came into a circle or left it first.
    private struct Turn {
        let position: Int64
        let at: Int64
        /// Where somebody became a friend last; nil if they stopped being one since.
        var lastAdded: Int64?
    }

    private enum Unit {
        case step(Step)
        /// The pins of an owner that have not changed themselves up to the target.
        case owner(Int64, Turn)
        /// The pins for a circle that have not; whose it is, unless it is gone by now.
        case circle(Int64, owner: Int64?, Turn)
    }

    let history: SightHistory
    private var stories: [Int64: PinStory] = [:]
    /// The pins that have a step of their own, or none. It says nothing but what the log says up to the target, so it is
    /// the same whenever the way is gone on with.
    private var changed: Set<Int64> = []
    /// The owners who became friends or stopped being some.
    private let turned: Set<Int64>
    private var units: [(position: Int64, unit: Unit)] = []
    private let start: Int64
    private let target: Int64
    private let end: Int64
    private var last: Int64 = 0

    /// - Parameter isLive: other things than pins are told too; then a friend who comes or goes is told of and not each of
    ///   their pins.
    init(
        _ visible: VisiblePins<some Transaction>, from start: Int64, to target: Int64, end: Int64, isLive: Bool
    ) throws {
        let sight = try visible.sight()
        let log = try LogPart(after: start, upTo: end, in: visible.read, visible.planner?.tail)
        let own = try log.topic(of: visible.viewer)
        history = SightHistory(sight, own)
        let owners =
            history.formerFriends.isEmpty ? sight.ownerSet : IntegerSet(sight.owners + history.formerFriends)
        let entries = try log.pins(of: owners)
        for entry in entries {
            if stories[entry.subject]?.add(entry) == nil { stories[entry.subject] = PinStory(entry) }
        }
        (self.start, self.target, self.end) = (start, target, end)
        let turns = Self.turns(own.filter { $0.sequence <= target })
        turned = Set(turns.friends.keys)
        let lastTold = entries.last { entry in stories[entry.subject].map { isTold($0) } ?? false }
        last = max(lastTold?.sequence ?? 0, own.last?.sequence ?? 0)

        for entry in entries where entry.sequence <= target {
            // What was before falls under the turn, also for whoever comes from a live connection to ask for older pins.
            if let turn = turns.friends[entry.account] {
                guard let added = turn.lastAdded, entry.sequence > added else { continue }
            }
            guard changed.insert(entry.subject).inserted, let story = stories[entry.subject], isToldHere(story)
            else { continue }
            add(Step(position: entry.sequence, id: entry.subject, at: entry.at, what: .pin(story)))
        }
        // Live, the friend who came or went is told of. But that somebody came who is no friend any more is not: then it is
        // each of their pins that goes, for the viewer may have heard of some by asking for what is behind the target.
        for (owner, turn) in turns.friends
        where !isLive || turn.lastAdded != nil && !sight.ownerSet.contains(owner) {
            units.append((turn.position, .owner(owner, turn)))
        }
        for (circle, turn) in turns.circles {
            let owner = try visible.read.row("SELECT ownerId FROM circle WHERE id = \(circle)") { $0.int64(0) }
            if let owner, turned.contains(owner) { continue }
            units.append((turn.position, .circle(circle, owner: owner, turn)))
        }
        if isLive {
            for entry in own where entry.sequence <= target && entry.isTold {
                add(Step(position: entry.sequence, id: 1, at: entry.at, what: .entry(entry)))
            }
            let profiles = try log.profiles(of: sight.ownerSet)
            for entry in profiles where entry.sequence <= target {
                add(Step(position: entry.sequence, id: 1, at: entry.at, what: .entry(entry)))
            }
        }
        units.sort { $0.position < $1.position }
    }

    /// Whether the viewer could see the pin at any time: of others nothing may show, be it that there is more to tell or
    /// where a page ends.
    private func isTold(_ story: PinStory) -> Bool { story.couldBeSeen(history, from: start, to: end) }

    /// Whether this way tells it, and not the next one, which begins at the target: what has changed behind that too is told
    /// there, if it could be seen from there on. Then it is told once.
    private func isToldHere(_ story: PinStory) -> Bool {
        guard let last = story.changes.last, last.sequence > target else { return isTold(story) }
        return isTold(story) && !story.couldBeSeen(history, from: target, to: end)
    }

    private mutating func add(_ step: Step) { units.append((step.position, .step(step))) }

    /// Whether the viewer may be concerned by anything behind `position`.
    func hasEntries(behind position: Int64) -> Bool { last > position }

    private static func turns(_ own: [LogEntry]) -> (friends: [Int64: Turn], circles: [Int64: Turn]) {
        var (friends, circles): ([Int64: Turn], [Int64: Turn]) = ([:], [:])
        for entry in own {
            let new = Turn(position: entry.sequence, at: entry.at)
            switch entry.kind {
            case .friendAdded:
                friends[entry.subject] = Turn(position: entry.sequence, at: entry.at, lastAdded: entry.sequence)
            case .friendRemoved: friends[entry.subject] = new
            case .circleJoined, .circleLeft: circles[entry.subject] = circles[entry.subject] ?? new
            default: break
            }
        }
        return (friends, circles)
    }

    /// The next `limit` steps behind a place, in order, and whether these are all.
    func steps(
        behind: (position: Int64, lastId: Int64), limit: Int, in visible: VisiblePins<some Transaction>
    ) throws -> ([Step], isAll: Bool) {
        var found: [Step] = []
        for (position, unit) in units where position >= behind.position {
            let lastId = position == behind.position ? behind.lastId : 0
            switch unit {
            case .step(let step): if step.id > lastId { found.append(step) }
            case .owner(let owner, let turn):
                let pins = try visible.audiences(ofPinsOf: owner)
                found += steps(turn, pins, behind: lastId, owner) { $0.owner == owner }
            case .circle(let circle, let owner, let turn):
                // What was for it at the target is not for it any more if it has changed since.
                let pins = try owner.map(visible.audiences) ?? []
                let unchanged = pins.filter { $0.audience == circle && stories[$0.id] == nil }
                found += steps(turn, unchanged, behind: lastId, owner ?? 0) {
                    $0.before == circle && !turned.contains($0.owner)
                }
            }
            if found.count > limit { return (Array(found.prefix(limit)), false) }
        }
        return (found, true)
    }

    /// The pins that a turn alone concerns, by id: `pins` of the owner, and those that have changed behind the target.
    private func steps(
        _ turn: Turn, _ pins: [(id: Int64, audience: Int64)], behind lastId: Int64, _ owner: Int64,
        where isConcerned: (PinStory) -> Bool
    ) -> [Step] {
        var found = stories.filter { isConcerned($0.value) }
        for (id, audience) in pins where found[id] == nil {
            found[id] = stories[id] ?? PinStory(owner: owner, audience: audience)
        }
        return found.filter { $0.key > lastId && !changed.contains($0.key) && isToldHere($0.value) }
            .sorted { $0.key < $1.key }
            .map { Step(position: turn.position, id: $0.key, at: turn.at, what: .pin($0.value)) }
    }
}

extension LogEntry {
    /// Whether it changes whose pins the account sees.
    var isTurn: Bool {
        switch kind {
        case .friendAdded, .friendRemoved, .circleJoined, .circleLeft: true
        default: false
        }
    }

    /// Whether live connections of the account are told of an entry in its topic.
    var isTold: Bool {
        switch kind {
        case .friendAdded, .friendRemoved, .requestCreated, .requestAccepted, .requestRejected, .requestCancelled: true
        default: false
        }
    }
}
