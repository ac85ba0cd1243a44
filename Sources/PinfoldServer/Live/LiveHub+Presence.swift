import HTTP
import SocialModel
import Storage

/// Who is here, told to friends: only changes, once a second at most, and of those who let it be known.
extension LiveHub {
    /// How long somebody may be away before friends are told, in milliseconds: phones change networks.
    fileprivate static let absence: Int64 = 10_000
    /// Friends do not learn the minute.
    fileprivate static let lastSeenResolution: Int64 = 300_000
    /// The most accounts that are told of in one round; the others follow in the next.
    private static let roundLimit = 500
    /// Presences that a new client is sent at once; the rest when it has read them.
    private static let firstPresences = 200

    /// Who has changed what may be known of them is looked at again.
    func presenceMayChange(_ entries: [LogEntry]) {
        let changed = entries.filter { $0.kind == .privacy }.map(\.account)
        if changed.isEmpty { return }
        state.withLock { state in
            for account in changed where state.joined[account] != nil || state.present.contains(account) {
                state.presenceChanges.insert(account)
            }
        }
    }

    func tellPresence(at now: Int64) throws {
        let concerned = state.withLock { Array($0.presenceChanges.prefix(Self.roundLimit)) }
        guard !concerned.isEmpty else { return }
        try database.read { read in
            let open = Set(try concerned.filter { try Privacy.showsPresence(Identifier($0), in: read) })
            let (changes, joined) = state.withLock { state in
                (concerned.compactMap { state.presence(of: $0, isOpen: open.contains($0), at: now) }, state.joined)
            }
            for change in changes {
                let account = Identifier<User>(change.account)
                let friends = try VisiblePins(of: account, in: read, planner).sight().owners
                let connections = friends.filter { $0 != change.account }.flatMap { joined[$0] ?? [] }
                    .map(\.connection)
                guard let loop = connections.first?.loop else { continue }
                loop.send(
                    LiveNews.presence(of: account, online: change.isHere, lastSeenAt: change.lastSeen),
                    to: connections)
            }
        }
    }

    /// Tells a client that has just joined which friends are here.
    func tellPresentFriends(to client: LiveClient) throws {
        guard let viewer = client.pass?.viewer else { return }
        let present = state.withLock { $0.present }
        let here = try database.read { read in
            try VisiblePins(of: viewer, in: read, planner).sight().owners.filter {
                try $0 != viewer.rawValue && present.contains($0) && Privacy.showsPresence(Identifier($0), in: read)
            }
        }
        send(here[...], to: client)
    }

    private func send(_ accounts: ArraySlice<Int64>, to client: LiveClient) {
        for account in accounts.prefix(Self.firstPresences) {
            client.connection.send(LiveNews.presence(of: Identifier(account), online: true, lastSeenAt: nil))
        }
        let rest = accounts.dropFirst(Self.firstPresences)
        guard !rest.isEmpty else { return }
        client.connection.whenDrained { [self] isOpen in if isOpen { send(rest, to: client) } }
    }
}

extension LiveHub.State {
    /// What friends are to be told of somebody who may have come or gone; nil for nothing, or nothing yet.
    ///
    /// - Parameter isOpen: they may know.
    fileprivate mutating func presence(
        of account: Int64, isOpen: Bool, at now: Int64
    ) -> (account: Int64, isHere: Bool, lastSeen: Int64?)? {
        let isHere = joined[account] != nil
        if isOpen, !isHere, present.contains(account) {
            let since = awaySince[account] ?? now
            awaySince[account] = since
            guard now - since >= LiveHub.absence else { return nil }
        }
        presenceChanges.remove(account)
        awaySince[account] = nil
        if isOpen, isHere { return present.insert(account).inserted ? (account, true, nil) : nil }
        guard present.remove(account) != nil else { return nil }
        // Who hides from now on leaves no time.
        let lastSeen = isOpen ? now / LiveHub.lastSeenResolution * LiveHub.lastSeenResolution : nil
        return (account, false, lastSeen)
    }
}
