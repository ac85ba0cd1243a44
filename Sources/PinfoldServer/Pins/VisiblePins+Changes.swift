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
/// concerned, and as it is when it is told of; but what has changed behind that end too is told of on the next way, which
/// begins there, unless it could not be seen any more from there on. So whoever follows to `hasMore == false` has what a list in that snapshot has.
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
        let way = try ChangeWay(self, from: start, to: target, end: end, isLive: false)
        let (steps, isAll) = try way.steps(behind: behind, limit: limit, in: self)
        let pins = try pins(steps.map(\.id))
        var changes = ChangesPage(cursor: .at(target), hasMore: false)
        for step in steps {
            guard case .pin = step.what else { continue }
            if let pin = pins[step.id] {
                changes.changed.append(pin)
            } else {
                changes.removed.append(Identifier(step.id))
            }
        }
        if !isAll, let last = steps.last {
            changes.cursor = .between(start: start, target: target, position: last.position, lastId: last.id)
            changes.hasMore = true
        } else if way.hasEntries(behind: target) {
            changes.hasMore = true
        } else {
            changes.cursor = .at(end)
        }
        return changes
    }

    /// What a live connection that was at `cursor` is still to be told, in the order of the log.
    ///
    /// - Parameter limit: the most that is looked at; of that not all need be told.
    /// - Throws: `HTTPError` for a cursor that the log does not reach.
    func backlog(after cursor: LogCursor, limit: Int) throws -> LiveBacklog {
        let log = try LogEntry.ends(in: read)
        try cursor.require(within: log, field: "after")
        var (start, target, behind) = (cursor.start, log.end, (Int64(0), Int64(0)))
        if case .between(_, let end, let position, let lastId) = cursor { (target, behind) = (end, (position, lastId)) }
        guard start < log.end else { return LiveBacklog(items: [], end: .at(log.end), isAll: true) }
        let way = try ChangeWay(self, from: start, to: target, end: log.end, isLive: true)
        let (steps, isAll) = try way.steps(behind: behind, limit: limit, in: self)
        let pins = try pins(steps.compactMap { if case .pin = $0.what { $0.id } else { nil } })
        var items: [LiveBacklog.Item] = []
        for step in steps {
            let what: LiveBacklog.What
            switch step.what {
            case .entry(let entry): what = .entry(entry)
            case .pin(let story):
                if let pin = pins[step.id] {
                    let wasVisible = way.history.couldSee(story.owner, story.before, from: start, before: start + 1)
                    what = .pin(pin, isNew: !wasVisible)
                } else {
                    what = .removed(Identifier(step.id))
                }
            }
            let cursor = LogCursor.between(start: start, target: target, position: step.position, lastId: step.id)
            items.append(LiveBacklog.Item(what: what, at: step.at, cursor: cursor))
        }
        if !isAll, let last = steps.last {
            let end = LogCursor.between(start: start, target: target, position: last.position, lastId: last.id)
            return LiveBacklog(items: items, end: end, isAll: false)
        }
        // What came after the target is another way.
        return LiveBacklog(items: items, end: .at(target), isAll: target == log.end)
    }

    /// The ids and audiences of an owner's pins, whomever they are for: what is told of them is decided one by one.
    func audiences(ofPinsOf owner: Int64) throws -> [(id: Int64, audience: Int64)] {
        try read.rows("SELECT id, audience FROM pin INDEXED BY pinByOwner WHERE ownerId = \(owner)", grant: grant) {
            ($0.int64(0), $0.int64(1))
        }
    }
}

extension ChangesPage {
    /// `{changed, removed, cursor, more}`.
    func json(_ cursors: LogCursorSeal) -> [UInt8] {
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
            json.string(cursors.seal(cursor))
            json.key("more")
            json.bool(hasMore)
        }
        return json.bytes
    }
}
