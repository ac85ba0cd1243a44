import HTTP
import SocialModel
import Storage

/// Catching up: a part at a time, the next one when the connection has sent the one before.
extension LiveHub {
    /// Steps that are looked at for one part, and the bytes that it has at most, unless one message has more: each part
    /// looks through the log anew, and all of it must fit into what may wait for a client.
    private static let partSteps = 100
    private static let partBytes = 48 << 10

    func catchUp(_ client: LiveClient) {
        do {
            while true {
                switch try tellPart(client) {
                case .joined, .gone: return
                case .behind: continue
                case .sent:
                    client.connection.whenDrained { [self] isOpen in if isOpen { queue(client) } }
                    return
                }
            }
        } catch let error as HTTPError where error.slug == LogCursor.expired.slug {
            client.connection.close(.cursorExpired)
        } catch is HTTPError {
            client.connection.close(.cursorRefused)
        } catch {
            log.error("catching up failed", ["error": String(describing: error)])
            client.connection.close(.fault)
        }
    }

    private enum Outcome {
        case joined
        /// Something was sent, and there is more.
        case sent
        /// There was nothing to send, and there is more.
        case behind
        case gone
    }

    private func tellPart(_ client: LiveClient) throws -> Outcome {
        let known = client.state.withLock { $0.isClosed ? nil : ($0.pass, $0.cursor) }
        guard let known, let pass = known.0, let cursor = known.1 else { return .gone }
        let (messages, next, end) = try database.read { read -> ([LiveMessage], LogCursor, Int64) in
            let isGood = try read.exists(
                """
                SELECT 1 FROM session WHERE id = \(pass.session)
                UNION ALL SELECT 1 FROM apiToken WHERE id = \(pass.session)
                """)
            guard isGood else {
                return ([], cursor, -1)
            }
            let backlog = try VisiblePins(of: pass.viewer, in: read, planner)
                .backlog(after: cursor, limit: Self.partSteps)
            return try self.messages(of: backlog, for: pass.viewer, in: read)
        }
        guard end >= 0 else {
            client.connection.close(.sessionEnded)
            return .gone
        }
        for message in messages { client.connection.send(message) }
        client.state.withLock { $0.cursor = next }
        if case .at(let place) = next, end == place, join(client, at: place) {
            let isNew = client.state.withLock { state in
                defer { state.knowsPresence = true }
                return !state.knowsPresence
            }
            if isNew { try tellPresentFriends(to: client) }
            return .joined
        }
        return messages.isEmpty ? .behind : .sent
    }

    /// The messages of a backlog that fit into one part, where to go on, and where the log ends if that is all; else 0.
    private func messages(
        of backlog: LiveBacklog, for viewer: Identifier<User>, in read: some Transaction
    ) throws -> ([LiveMessage], LogCursor, Int64) {
        var messages: [LiveMessage] = []
        var bytes = 0
        var last: LogCursor?
        for item in backlog.items {
            let cursor = cursors.seal(item.cursor)
            let message: LiveMessage?
            switch item.what {
            case .pin(let pin, let isNew): message = LiveNews.pin(pin, isNew: isNew, cursor: cursor, at: item.at)
            case .removed(let id): message = LiveNews.removed(id, cursor: cursor, at: item.at)
            case .entry(let entry): message = try LiveNews.entry(entry, for: viewer, cursor: cursor, in: read)
            }
            if let message {
                bytes += message.json.count
                if let last, bytes > Self.partBytes, !messages.isEmpty { return (messages, last, 0) }
                messages.append(message)
            }
            last = item.cursor
        }
        guard backlog.isAll, case .at(let end) = backlog.end else { return (messages, backlog.end, 0) }
        return (messages, backlog.end, end)
    }
}
