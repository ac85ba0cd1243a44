import SocialModel

@testable import PinfoldServer

/// What a few people may know of each other, by the rules in words: no SQL, no server.
struct PrivacyModel {
    /// Two people, whichever way round.
    struct Pair: Hashable {
        let one: Int
        let other: Int

        init(_ a: Int, _ b: Int) {
            one = min(a, b)
            other = max(a, b)
        }
    }

    /// From the first to the second.
    struct Arrow: Hashable {
        let from: Int
        let to: Int
    }

    let usernames: [String]
    let displayNames: [String]
    var settings: [Privacy]
    var friends: Set<Pair> = []
    /// Who asked.
    var pending: [Pair: Int] = [:]
    /// Who ever had a request with whom.
    var acquainted: Set<Pair> = []
    var blocks: Set<Arrow> = []

    init(usernames: [String], displayNames: [String]) {
        self.usernames = usernames
        self.displayNames = displayNames
        settings = usernames.map { _ in Privacy() }
    }

    func isClose(_ a: Int, _ b: Int) -> Bool {
        a == b || friends.contains(Pair(a, b)) || pending[Pair(a, b)] != nil
    }

    /// Whether `viewer` may know what `account` says of itself, blocks aside.
    func isOpen(_ account: Int, to viewer: Int) -> Bool {
        settings[account].discoverable != .nobody || isClose(account, viewer)
    }

    func isBlocked(_ account: Int, by other: Int) -> Bool { blocks.contains(Arrow(from: other, to: account)) }

    func sees(_ viewer: Int, _ account: Int) -> Bool {
        isOpen(account, to: viewer) && !isBlocked(viewer, by: account)
    }

    func finds(_ viewer: Int, _ account: Int, typing text: String) -> Bool {
        if isBlocked(viewer, by: account) || isBlocked(account, by: viewer) { return false }
        let isPrefix = [usernames[account], displayNames[account]].contains { name in
            Username.searchFolded(name).utf8.starts(with: Username.searchFolded(text).utf8)
        }
        guard isPrefix else { return false }
        switch settings[account].discoverable {
        case .everyone: return true
        case .exact: return isClose(viewer, account) || Username.folded(text) == Username.folded(usernames[account])
        case .nobody: return isClose(viewer, account)
        }
    }

    func relationship(of viewer: Int, to account: Int) -> Relationship {
        if viewer == account { return .self }
        if friends.contains(Pair(viewer, account)) { return .friend }
        switch pending[Pair(viewer, account)] {
        case viewer: return .outgoing
        case account: return .incoming
        default: return .none
        }
    }

    /// `viewer` asks `account`, who is somebody else.
    ///
    /// - Returns: the status that is due, and the slug of a conflict.
    mutating func ask(_ account: Int, by viewer: Int) -> (status: Status, conflict: String?) {
        let pair = Pair(viewer, account)
        guard sees(viewer, account) else { return (.notFound, nil) }
        if isBlocked(account, by: viewer) { return (.conflict, "blocked-by-you") }
        if friends.contains(pair) { return (.conflict, "already-friends") }
        if let asker = pending[pair] {
            if asker == account {
                pending[pair] = nil
                friends.insert(pair)
            }
            return (.ok, nil)
        }
        guard settings[account].requestsFrom == .everyone else { return (.conflict, "requests-closed") }
        pending[pair] = viewer
        acquainted.insert(pair)
        return (.created, nil)
    }

    func mayName(_ viewer: Int, _ account: Int) -> Bool {
        isOpen(account, to: viewer) || isBlocked(account, by: viewer) || acquainted.contains(Pair(viewer, account))
    }

    mutating func block(_ account: Int, by viewer: Int) -> Status {
        guard mayName(viewer, account) else { return .notFound }
        blocks.insert(Arrow(from: viewer, to: account))
        friends.remove(Pair(viewer, account))
        pending[Pair(viewer, account)] = nil
        return .noContent
    }

    mutating func unblock(_ account: Int, by viewer: Int) -> Status {
        guard mayName(viewer, account) else { return .notFound }
        blocks.remove(Arrow(from: viewer, to: account))
        return .noContent
    }

    mutating func unfriend(_ account: Int, by viewer: Int) -> Status {
        friends.remove(Pair(viewer, account)) == nil ? .notFound : .noContent
    }
}
