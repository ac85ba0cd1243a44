import HTTP
import SocialModel
import Storage

/// Who is here, told to friends: only changes, once a second at most, and of those who let it be known.
extension LiveHub {
    /// How long somebody may be away before friends are told, in milliseconds: phones change networks.
    private static let absence: Int64 = 10_000
    /// Friends do not learn the minute.
    private static let lastSeenResolution: Int64 = 300_000
    /// The most accounts that are told of in one round; the others follow in the next.
    private static let roundLimit = 500
    /// Presences that a new client is sent at once; the rest when it has read them.
    private static let firstPresences = 200

    func tellPresence(at now: Int64) throws {
        let (changes, joined) = state.withLock { state in
            var changes: [(account: Int64, isHere: Bool)] = []
            for account in state.presenceChanges.prefix(Self.roundLimit) {
                let isHere = state.joined[account] != nil
                if isHere {
                    state.awaySince[account] = nil
                    if state.present.insert(account).inserted { changes.append((account, true)) }
                    state.presenceChanges.remove(account)
                } else if !state.present.contains(account) {
                    state.presenceChanges.remove(account)
                } else if now - (state.awaySince[account] ?? now) >= Self.absence {
                    state.present.remove(account)
                    state.awaySince[account] = nil
                    state.presenceChanges.remove(account)
                    changes.append((account, false))
                } else if state.awaySince[account] == nil {
                    state.awaySince[account] = now
                }
            }
            return (changes, state.joined)
        }
        guard !changes.isEmpty else { return }
        try database.read { read in
            for (account, isHere) in changes where try Privacy.showsPresence(Identifier(account), in: read) {
                let friends = try VisiblePins(of: Identifier(account), in: read, planner).sight().owners
                let connections = friends.filter { $0 != account }.flatMap { joined[$0] ?? [] }.map(\.connection)
                guard let loop = connections.first?.loop else { continue }
                let seen = isHere ? nil : now / Self.lastSeenResolution * Self.lastSeenResolution
                loop.send(
                    LiveNews.presence(of: Identifier(account), online: isHere, lastSeenAt: seen), to: connections)
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
