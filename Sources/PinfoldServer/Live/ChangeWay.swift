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
        /// Whether a pin is told of only where it is visible now, or only where it is not; nil for either.
        var onlyIfVisible: Bool?
    }

    /// An owner who became a friend or stopped being one, or in whose circles the viewer came or went.
    private struct Turn {
        let position: Int64
        let at: Int64
        var isFriendship: Bool
        var circles: Set<Int64>
        var onlyIfVisible: Bool?
        /// Where the owner became a friend last.
        var lastAdded: Int64?
    }

    private enum Unit {
        case step(Step)
        case owner(Int64, Turn)
    }

    let history: SightHistory
    private var stories: [Int64: PinStory] = [:]
    private var units: [(position: Int64, unit: Unit)] = []
    private let last: Int64

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
        last = max(entries.last?.sequence ?? 0, own.last?.sequence ?? 0)

        let turns = try Self.turns(own.filter { $0.sequence <= target }, in: visible.read)
        var seen: Set<Int64> = []
        for entry in entries where entry.sequence <= target {
            if let turn = turns[entry.account] {
                guard isLive else { continue }
                if turn.isFriendship {
                    guard sight.ownerSet.contains(entry.account), let added = turn.lastAdded, entry.sequence > added
                    else { continue }
                }
            }
            guard seen.insert(entry.subject).inserted, let story = stories[entry.subject] else { continue }
            add(Step(position: entry.sequence, id: entry.subject, at: entry.at, what: .pin(story)))
        }
        if !isLive {
            for (owner, turn) in turns { units.append((turn.position, .owner(owner, turn))) }
        } else {
            for entry in own where entry.sequence <= target {
                guard entry.kind == .circleJoined || entry.kind == .circleLeft,
                    let owner = try Self.owner(ofCircle: entry.subject, in: visible.read),
                    turns[owner]?.isFriendship != true
                else { continue }
                let turn = Turn(
                    position: entry.sequence, at: entry.at, isFriendship: false, circles: [entry.subject],
                    onlyIfVisible: entry.kind == .circleJoined)
                units.append((entry.sequence, .owner(owner, turn)))
            }
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

    private mutating func add(_ step: Step) { units.append((step.position, .step(step))) }

    /// Whether the viewer may be concerned by anything behind `position`.
    func hasEntries(behind position: Int64) -> Bool { last > position }

    private static func turns(_ own: [LogEntry], in read: some Transaction) throws -> [Int64: Turn] {
        var turns: [Int64: Turn] = [:]
        for entry in own {
            let new = Turn(position: entry.sequence, at: entry.at, isFriendship: false, circles: [])
            switch entry.kind {
            case .friendAdded, .friendRemoved:
                turns[entry.subject, default: new].isFriendship = true
                turns[entry.subject]?.lastAdded = entry.kind == .friendAdded ? entry.sequence : nil
            case .circleJoined, .circleLeft:
                // The pins of a circle that is gone have changed themselves.
                if let owner = try owner(ofCircle: entry.subject, in: read) {
                    turns[owner, default: new].circles.insert(entry.subject)
                }
            default: break
            }
        }
        return turns
    }

    private static func owner(ofCircle circle: Int64, in read: some Transaction) throws -> Int64? {
        try read.row("SELECT ownerId FROM circle WHERE id = \(circle)") { $0.int64(0) }
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
            case .owner(let owner, let turn): found += try steps(of: owner, turn, behind: lastId, in: visible)
            }
            if found.count > limit { return (Array(found.prefix(limit)), false) }
        }
        return (found, true)
    }

    /// The pins of an owner that a turn concerns or that have changed, by id.
    private func steps(
        of owner: Int64, _ turn: Turn, behind lastId: Int64, in visible: VisiblePins<some Transaction>
    ) throws -> [Step] {
        var found: [Int64: PinStory] = [:]
        // Live, pins that have changed themselves have steps of their own.
        if turn.onlyIfVisible == nil {
            for (id, story) in stories where story.owner == owner && id > lastId { found[id] = story }
        }
        for (id, audience) in try visible.audiences(ofPinsOf: owner) where id > lastId && stories[id] == nil {
            if turn.isFriendship || turn.circles.contains(audience) {
                found[id] = PinStory(owner: owner, audience: audience)
            }
        }
        return found.sorted { $0.key < $1.key }.map {
            Step(
                position: turn.position, id: $0.key, at: turn.at, what: .pin($0.value),
                onlyIfVisible: turn.onlyIfVisible)
        }
    }
}

extension LogEntry {
    /// Whether live connections of the account are told of an entry in its topic.
    var isTold: Bool {
        switch kind {
        case .friendAdded, .friendRemoved, .requestCreated, .requestAccepted, .requestRejected, .requestCancelled: true
        default: false
        }
    }
}
