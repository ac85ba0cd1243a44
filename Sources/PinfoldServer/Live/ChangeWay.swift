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

    /// An owner who became a friend or stopped being one, or in whose circles the viewer came or went.
    private struct Turn {
        let position: Int64
        let at: Int64
        var isFriendship: Bool
        var circles: Set<Int64>
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
    private let start: Int64
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
        (self.start, self.end) = (start, end)
        let lastTold = entries.last { entry in stories[entry.subject].map { isTold($0) } ?? false }
        last = max(lastTold?.sequence ?? 0, own.last?.sequence ?? 0)

        let turns = try Self.turns(own.filter { $0.sequence <= target }, in: visible.read)
        var seen: Set<Int64> = []
        for entry in entries where entry.sequence <= target {
            if let turn = turns[entry.account] {
                guard isLive, turn.isFriendship, sight.ownerSet.contains(entry.account),
                    let added = turn.lastAdded, entry.sequence > added
                else { continue }
            }
            guard seen.insert(entry.subject).inserted, let story = stories[entry.subject], isTold(story) else {
                continue
            }
            add(Step(position: entry.sequence, id: entry.subject, at: entry.at, what: .pin(story)))
        }
        for (owner, turn) in turns where !isLive || !turn.isFriendship {
            units.append((turn.position, .owner(owner, turn)))
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
                let owner = try read.row("SELECT ownerId FROM circle WHERE id = \(entry.subject)") { $0.int64(0) }
                if let owner { turns[owner, default: new].circles.insert(entry.subject) }
            default: break
            }
        }
        return turns
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
        for (id, story) in stories where story.owner == owner && id > lastId { found[id] = story }
        for (id, audience) in try visible.audiences(ofPinsOf: owner) where id > lastId && found[id] == nil {
            if turn.isFriendship || turn.circles.contains(audience) {
                found[id] = PinStory(owner: owner, audience: audience)
            }
        }
        return found.filter { isTold($0.value) }.sorted { $0.key < $1.key }.map {
            Step(position: turn.position, id: $0.key, at: turn.at, what: .pin($0.value))
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
