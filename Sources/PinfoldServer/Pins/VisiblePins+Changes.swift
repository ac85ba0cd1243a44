import HTTP
import SocialModel
import Storage

/// What became visible, changed, or stopped being visible for a viewer since a place in the log.
struct ChangesPage {
    var changed: [Pin] = []
    /// Of pins that the viewer could see since then, and no longer can.
    var removed: [Identifier<Pin>] = []
    /// What to ask on with.
    var cursor: LogCursor
    /// There is more already.
    var hasMore: Bool
}

/// Each pin is told of once on the way from a cursor to the end that the log had when the way began, where it is first
/// concerned, and as it is when it is told of. A later change of it may then be told of again on the next way, which begins
/// at that end. So whoever follows to `hasMore == false` has what a list in that snapshot has.
extension VisiblePins {
    /// - Parameters:
    ///   - cursor: nil for all that is visible.
    ///   - limit: the most pins, changed and removed, that are told of.
    /// - Throws: `HTTPError` for a cursor that the log does not reach.
    func changes(since cursor: LogCursor?, limit: Int, field: String = "since") throws -> ChangesPage {
        let log = try LogEntry.ends(in: read)
        try cursor?.require(within: log, field: field)
        switch cursor ?? .beginning(target: log.end, lastId: 0) {
        case .beginning(let target, let lastId): return try beginning(target, lastId, limit, log.end)
        case .at(let place): return try way(from: place, to: log.end, behind: (0, 0), limit, log.end)
        case .between(let start, let target, let position, let lastId):
            return try way(from: start, to: target, behind: (position, lastId), limit, log.end)
        }
    }

    private func beginning(_ target: Int64, _ lastId: Int64, _ limit: Int, _ end: Int64) throws -> ChangesPage {
        var ids: [Int64] = []
        try forEachEntry(PinQuery()) { if $0.id > lastId { ids.append($0.id) } }
        ids.sort()
        let told = Array(ids.prefix(limit))
        let pins = try pins(told)
        let changed = told.compactMap { pins[$0] }
        if told.count < ids.count, let last = told.last {
            return ChangesPage(changed: changed, cursor: .beginning(target: target, lastId: last), hasMore: true)
        }
        return ChangesPage(changed: changed, cursor: .at(target), hasMore: target < end)
    }

    private func way(
        from start: Int64, to target: Int64, behind: (position: Int64, lastId: Int64), _ limit: Int, _ end: Int64
    ) throws -> ChangesPage {
        guard start < end else { return ChangesPage(cursor: .at(end), hasMore: false) }
        let way = try ChangeWay(self, from: start, to: target, end: end)
        let (candidates, isAll) = try way.candidates(behind: behind, limit: limit, in: self)
        let pins = try pins(candidates.map(\.id))
        var changes = ChangesPage(cursor: .at(target), hasMore: false)
        for candidate in candidates {
            if let pin = pins[candidate.id] {
                changes.changed.append(pin)
            } else if candidate.story.couldBeSeen(way.history, from: start, to: end) {
                changes.removed.append(Identifier(candidate.id))
            }
        }
        if !isAll, let last = candidates.last {
            changes.cursor = .between(start: start, target: target, position: last.position, lastId: last.id)
            changes.hasMore = true
        } else if way.hasEntries(behind: target) {
            changes.hasMore = true
        } else {
            changes.cursor = .at(end)
        }
        return changes
    }

    /// The ids and audiences of an owner's pins, whomever they are for: what is told of them is decided one by one.
    fileprivate func audiences(ofPinsOf owner: Int64) throws -> [(id: Int64, audience: Int64)] {
        try read.rows("SELECT id, audience FROM pin INDEXED BY pinByOwner WHERE ownerId = \(owner)", grant: grant) {
            ($0.int64(0), $0.int64(1))
        }
    }
}

/// What the log says between a cursor and the snapshot about what a viewer sees.
private struct ChangeWay {
    /// A pin that may have to be told of.
    struct Candidate {
        let position: Int64
        let id: Int64
        let story: PinStory
    }

    /// An owner who became a friend or stopped being one, or in whose circles the viewer came or went.
    private struct Turn {
        let position: Int64
        var isFriendship: Bool
        var circles: Set<Int64>
    }

    private enum Unit {
        case pin(Int64)
        case owner(Int64, Turn)
    }

    let history: SightHistory
    private var stories: [Int64: PinStory] = [:]
    private var units: [(position: Int64, unit: Unit)] = []
    private let last: Int64

    init(_ visible: VisiblePins<some Transaction>, from start: Int64, to target: Int64, end: Int64) throws {
        let sight = try visible.sight()
        let own = try LogEntry.topic(of: visible.viewer, after: start, upTo: end, in: visible.read)
        history = SightHistory(sight, own)
        let owners =
            history.formerFriends.isEmpty ? sight.ownerSet : IntegerSet(sight.owners + history.formerFriends)
        let entries = try LogEntry.pins(of: owners, after: start, upTo: end, in: visible.read)
        for entry in entries {
            if stories[entry.subject]?.add(entry) == nil { stories[entry.subject] = PinStory(entry) }
        }
        let turns = try Self.turns(own.filter { $0.sequence <= target }, in: visible.read)
        // Each once, where it is first concerned.
        var seen: Set<Int64> = []
        for entry in entries where entry.sequence <= target && turns[entry.account] == nil {
            if seen.insert(entry.subject).inserted { units.append((entry.sequence, .pin(entry.subject))) }
        }
        for (owner, turn) in turns { units.append((turn.position, .owner(owner, turn))) }
        units.sort { $0.position < $1.position }
        last = max(entries.last?.sequence ?? 0, own.last { Self.isTurn($0.kind) }?.sequence ?? 0)
    }

    /// Whether the viewer is concerned by anything behind `position`.
    func hasEntries(behind position: Int64) -> Bool { last > position }

    private static func isTurn(_ kind: LogEntry.Kind) -> Bool {
        [.friendAdded, .friendRemoved, .circleJoined, .circleLeft].contains(kind)
    }

    private static func turns(_ own: [LogEntry], in read: some Transaction) throws -> [Int64: Turn] {
        var turns: [Int64: Turn] = [:]
        for entry in own {
            switch entry.kind {
            case .friendAdded, .friendRemoved:
                turns[entry.subject, default: Turn(position: entry.sequence, isFriendship: true, circles: [])]
                    .isFriendship = true
            case .circleJoined, .circleLeft:
                // The pins of a circle that is gone have changed themselves.
                let owner = try read.row("SELECT ownerId FROM circle WHERE id = \(entry.subject)") { $0.int64(0) }
                guard let owner else { continue }
                turns[owner, default: Turn(position: entry.sequence, isFriendship: false, circles: [])]
                    .circles.insert(entry.subject)
            default: break
            }
        }
        return turns
    }

    /// The next `limit` pins behind a place, in order, and whether these are all.
    func candidates(
        behind: (position: Int64, lastId: Int64), limit: Int, in visible: VisiblePins<some Transaction>
    ) throws -> ([Candidate], isAll: Bool) {
        var found: [Candidate] = []
        for (position, unit) in units where position >= behind.position {
            let lastId = position == behind.position ? behind.lastId : 0
            switch unit {
            case .pin(let id):
                guard id > lastId, let story = stories[id] else { continue }
                found.append(Candidate(position: position, id: id, story: story))
            case .owner(let owner, let turn):
                found += try candidates(of: owner, turn, behind: lastId, in: visible)
            }
            if found.count > limit { return (Array(found.prefix(limit)), false) }
        }
        return (found, true)
    }

    /// The pins of an owner that a turn concerns or that have changed, by id.
    private func candidates(
        of owner: Int64, _ turn: Turn, behind lastId: Int64, in visible: VisiblePins<some Transaction>
    ) throws -> [Candidate] {
        var found: [Int64: PinStory] = [:]
        for (id, story) in stories where story.owner == owner && id > lastId { found[id] = story }
        for (id, audience) in try visible.audiences(ofPinsOf: owner) where id > lastId && found[id] == nil {
            if turn.isFriendship || turn.circles.contains(audience) {
                found[id] = PinStory(owner: owner, audience: audience)
            }
        }
        return found.sorted { $0.key < $1.key }.map { Candidate(position: turn.position, id: $0.key, story: $0.value) }
    }
}

extension ChangesPage {
    /// `{changed, removed, cursor, more}`.
    func json(_ app: App) -> [UInt8] {
        var json = JSONWriter(capacity: 400 * (changed.count + 1))
        json.object { json in
            json.key("changed")
            json.array { json in
                for pin in changed { pin.write(to: &json) }
            }
            json.key("removed")
            json.array { json in
                for id in removed { json.identifier(id) }
            }
            json.key("cursor")
            json.string(cursor.sealed(app))
            json.key("more")
            json.bool(hasMore)
        }
        return json.bytes
    }
}
