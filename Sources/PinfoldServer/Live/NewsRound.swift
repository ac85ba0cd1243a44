import HTTP
import SocialModel
import Storage

/// A part of the log told to all who have joined: what each may see is decided in one snapshot, in which friendships and
/// circles are as they are now.
struct NewsRound {
    private let entries: [LogEntry]
    private let start: Int64
    private let target: Int64
    private let joined: [Int64: [LiveClient]]
    private let read: ReadTransaction
    private let planner: PinPlanner
    private let cursors: LogCursorSeal
    private var stories: [Int64: PinStory] = [:]
    /// Of those who have joined and whose friends or circles changed: since when.
    private var histories: [Int64: SightHistory] = [:]

    typealias Send = (LiveMessage, [LiveConnection]) -> Void

    init(
        _ entries: [LogEntry], from start: Int64, to target: Int64, joined: [Int64: [LiveClient]],
        in read: ReadTransaction, _ planner: PinPlanner, _ cursors: LogCursorSeal
    ) throws {
        self.entries = entries
        self.start = start
        self.target = target
        self.joined = joined
        self.read = read
        self.planner = planner
        self.cursors = cursors
        var turns: [Int64: [LogEntry]] = [:]
        for entry in entries {
            switch entry.kind {
            case .pin: if stories[entry.subject]?.add(entry) == nil { stories[entry.subject] = PinStory(entry) }
            case .friendAdded, .friendRemoved, .circleJoined, .circleLeft:
                turns[entry.account, default: []].append(entry)
            default: break
            }
        }
        for (viewer, turns) in turns where joined[viewer] != nil {
            let sight = try VisiblePins(of: Identifier(viewer), in: read, planner).sight()
            histories[viewer] = SightHistory(sight, turns)
        }
    }

    /// Hands out each message with whom it is for, in the order of the log.
    func tell(_ send: Send) throws {
        var told: Set<Int64> = []
        for entry in entries {
            switch entry.kind {
            case .pin: if told.insert(entry.subject).inserted { try tell(pin: entry, send) }
            case .profile:
                let friends = try VisiblePins(of: Identifier(entry.account), in: read, planner).sight().owners
                for viewer in friends { try tell(entry, to: viewer, send) }
            case .circleJoined, .circleLeft: try tell(circle: entry, send)
            default: if entry.isTold { try tell(entry, to: entry.account, send) }
            }
        }
    }

    private func tell(_ entry: LogEntry, to viewer: Int64, _ send: Send) throws {
        let clients = clients(of: viewer, at: entry)
        guard !clients.isEmpty else { return }
        let message = try LiveNews.entry(entry, for: Identifier(viewer), cursor: cursor(entry, 1), in: read)
        if let message { send(message, clients) }
    }

    private func tell(pin entry: LogEntry, _ send: Send) throws {
        guard let story = stories[entry.subject] else { return }
        let owner = VisiblePins(of: Identifier(story.owner), in: read, planner)
        let sight = try owner.sight()
        let viewers =
            joined.count < sight.owners.count
            ? joined.keys.filter(sight.ownerSet.contains) : sight.owners.filter { joined[$0] != nil }
        guard !viewers.isEmpty else { return }
        let pin = try owner.own(Identifier(entry.subject))
        let reach = try PinReach(story, pin?.audience?.code, from: start, to: target, in: read)
        var connections: (created: [LiveConnection], updated: [LiveConnection], removed: [LiveConnection]) = (
            [], [], []
        )
        let cursor = cursor(entry, entry.subject)
        for viewer in viewers {
            let clients = clients(of: viewer, at: entry)
            if viewer == story.owner, let pin {
                send(LiveNews.pin(pin, isNew: story.before == nil, cursor: cursor, at: entry.at), clients)
                continue
            }
            switch reach.meaning(for: viewer, histories[viewer]) {
            case .created: connections.created += clients
            case .updated: connections.updated += clients
            case .removed: connections.removed += clients
            case .nothing: break
            }
        }
        if var pin {
            // Whom a pin is for is told to its owner alone.
            pin.audience = nil
            if !connections.created.isEmpty {
                send(LiveNews.pin(pin, isNew: true, cursor: cursor, at: entry.at), connections.created)
            }
            if !connections.updated.isEmpty {
                send(LiveNews.pin(pin, isNew: false, cursor: cursor, at: entry.at), connections.updated)
            }
        }
        if !connections.removed.isEmpty {
            send(LiveNews.removed(Identifier(entry.subject), cursor: cursor, at: entry.at), connections.removed)
        }
    }

    /// The pins of a circle that somebody came into or left.
    private func tell(circle entry: LogEntry, _ send: Send) throws {
        let clients = clients(of: entry.account, at: entry)
        guard !clients.isEmpty else { return }
        let owner = try read.row("SELECT ownerId FROM circle WHERE id = \(entry.subject)") { $0.int64(0) }
        // Of a friend who is gone nothing is left to tell; pins that have changed too are told of there.
        guard let owner else { return }
        let visible = VisiblePins(of: Identifier(entry.account), in: read, planner)
        guard try visible.sight().ownerSet.contains(owner) else { return }
        let ids = try visible.audiences(ofPinsOf: owner)
            .filter { $0.audience == entry.subject && stories[$0.id] == nil }.map(\.id)
        for chunk in chunks(of: ids.sorted()) {
            let pins = try visible.pins(chunk)
            for id in chunk {
                if let pin = pins[id] {
                    if entry.kind == .circleJoined {
                        send(LiveNews.pin(pin, isNew: true, cursor: cursor(entry, id), at: entry.at), clients)
                    }
                } else if entry.kind == .circleLeft {
                    send(LiveNews.removed(Identifier(id), cursor: cursor(entry, id), at: entry.at), clients)
                }
            }
        }
    }

    /// Those of an account who have not been told of this part of the log before they joined.
    private func clients(of viewer: Int64, at entry: LogEntry) -> [LiveConnection] {
        var connections: [LiveConnection] = []
        for client in joined[viewer] ?? [] {
            let place = client.state.withLock { $0.cursor?.start ?? 0 }
            let last = stories[entry.subject].map { $0.changes.last?.sequence ?? 0 } ?? entry.sequence
            if place < max(last, entry.sequence) { connections.append(client.connection) }
        }
        return connections
    }

    private func cursor(_ entry: LogEntry, _ id: Int64) -> String {
        cursors.seal(.between(start: start, target: target, position: entry.sequence, lastId: id))
    }
}
