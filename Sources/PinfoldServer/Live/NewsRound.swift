import HTTP
import SocialModel
import Storage

/// A part of the log told to those who have joined and whose friendships and circles do not change in it: what each may
/// see is decided in one snapshot.
struct NewsRound {
    private let entries: [LogEntry]
    private let start: Int64
    private let target: Int64
    private let joined: [Int64: [LiveClient]]
    private let read: ReadTransaction
    private let planner: PinPlanner
    private let cursors: LogCursorSeal
    private var stories: [Int64: PinStory] = [:]

    typealias Send = (LiveMessage, [LiveConnection]) -> Void

    init(
        _ entries: [LogEntry], from start: Int64, to target: Int64, joined: [Int64: [LiveClient]],
        in read: ReadTransaction, _ planner: PinPlanner, _ cursors: LogCursorSeal
    ) {
        self.entries = entries
        self.start = start
        self.target = target
        self.joined = joined
        self.read = read
        self.planner = planner
        self.cursors = cursors
        for entry in entries where entry.kind == .pin {
            if stories[entry.subject]?.add(entry) == nil { stories[entry.subject] = PinStory(entry) }
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
            default: if entry.isTold { try tell(entry, to: entry.account, send) }
            }
        }
    }

    private func tell(_ entry: LogEntry, to viewer: Int64, _ send: Send) throws {
        let clients = clients(of: viewer)
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
        let reach = try PinReach(story, pin?.audience?.code, in: read)
        var connections: (created: [LiveConnection], updated: [LiveConnection], removed: [LiveConnection]) = (
            [], [], []
        )
        let cursor = cursor(entry, entry.subject)
        for viewer in viewers {
            guard let clients = joined[viewer] else { continue }
            if viewer == story.owner, let pin {
                let message = LiveNews.pin(pin, isNew: story.before == nil, cursor: cursor, at: entry.at)
                send(message, clients.map(\.connection))
                continue
            }
            // One by one: thousands of small arrays would take longer than all the rest.
            switch reach.meaning(for: viewer) {
            case .created: for client in clients { connections.created.append(client.connection) }
            case .updated: for client in clients { connections.updated.append(client.connection) }
            case .removed: for client in clients { connections.removed.append(client.connection) }
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

    private func clients(of viewer: Int64) -> [LiveConnection] { (joined[viewer] ?? []).map(\.connection) }

    private func cursor(_ entry: LogEntry, _ id: Int64) -> String {
        cursors.seal(.between(start: start, target: target, position: entry.sequence, lastId: id))
    }
}
