import HTTP
import SocialModel
import Storage

/// The messages of live connections, as their JSON: `{"type", "cursor", "at", …}`.
enum LiveNews {
    static func pin(_ pin: Pin, isNew: Bool, cursor: String, at: Int64) -> LiveMessage {
        message(isNew ? "pin.created" : "pin.updated", cursor, at) { json in
            json.key("pin")
            pin.write(to: &json)
        }
    }

    static func removed(_ id: Identifier<Pin>, cursor: String, at: Int64) -> LiveMessage {
        message("pin.removed", cursor, at) { json in
            json.key("id")
            json.identifier(id)
        }
    }

    /// Whether somebody is there. It is in no log, so it has no cursor.
    static func presence(of user: Identifier<User>, online: Bool, lastSeenAt: Int64?) -> LiveMessage {
        message("presence", nil, nil) { json in
            json.key("userId")
            json.identifier(user)
            json.key("online")
            json.bool(online)
            json.key("lastSeenAt")
            json.optionalTime(lastSeenAt.map(Timestamp.init(milliseconds:)))
        }
    }

    static let pong = message("pong", nil, nil) { _ in }

    /// What a client has sent cannot be taken: an RFC 9457 problem.
    static func problem(_ error: HTTPError) -> LiveMessage {
        message("problem", nil, nil) { json in
            json.key("problem")
            json.raw(ProblemResponse.json(error))
        }
    }

    /// What `viewer` is told of an entry of the log, as things are in the snapshot; nil if there is nothing to tell: what it
    /// is about is gone, or the viewer may not know of it.
    static func entry(
        _ entry: LogEntry, for viewer: Identifier<User>, cursor: String, in read: some Transaction
    ) throws -> LiveMessage? {
        switch entry.kind {
        case .requestCreated, .requestAccepted, .requestRejected, .requestCancelled:
            let request = try FriendRequest.find(Identifier(entry.subject), seenBy: viewer, in: read)
            guard let request, let type = requestTypes[entry.kind] else { return nil }
            return message(type, cursor, entry.at) { json in
                json.key("friendRequest")
                request.write(to: &json)
            }
        case .friendAdded:
            guard let user = try user(entry.subject, ofFriend: viewer, in: read) else { return nil }
            return message("friend.added", cursor, entry.at, user)
        case .friendRemoved:
            return message("friend.removed", cursor, entry.at, try formerFriend(entry.subject, in: read))
        case .profile:
            if entry.account == viewer.rawValue {
                guard let user = try user(entry.account, where: "1", in: read) else { return nil }
                return message("profile.updated", cursor, entry.at, user)
            }
            guard let user = try user(entry.account, ofFriend: viewer, in: read) else { return nil }
            return message("profile.updated", cursor, entry.at, user)
        default: return nil
        }
    }

    private static let requestTypes: [LogEntry.Kind: String] = [
        .requestCreated: "friendRequest.created", .requestAccepted: "friendRequest.accepted",
        .requestRejected: "friendRequest.rejected", .requestCancelled: "friendRequest.cancelled",
    ]

    private static func user(
        _ account: Int64, ofFriend viewer: Identifier<User>, in read: some Transaction
    ) throws -> User? {
        try user(
            account, where: "EXISTS (SELECT 1 FROM friendship WHERE accountId = \(viewer) AND friendId = account.id)",
            in: read)
    }

    private static func user(_ account: Int64, where condition: SQL, in read: some Transaction) throws -> User? {
        try read.row(
            """
            SELECT id, username, displayName, bio, createdAt FROM account WHERE id = \(account) AND \(condition)
            """
        ) { $0.user(0) }
    }

    /// Somebody who may hide by now: only the name that never changes, and not even that of an account that is gone.
    private static func formerFriend(_ account: Int64, in read: some Transaction) throws -> User {
        let known = try read.row("SELECT \(User.columns(of: "account", where: "0")) FROM account WHERE id = \(account)")
        {
            $0.user(0)
        }
        return known
            ?? User(
                id: Identifier(account), username: "", displayName: "", bio: nil, photoURL: nil,
                createdAt: Timestamp(milliseconds: account >> 20))
    }

    private static func message(_ type: String, _ cursor: String, _ at: Int64, _ user: User) -> LiveMessage {
        message(type, cursor, at) { json in
            json.key("user")
            user.write(to: &json)
        }
    }

    private static func message(
        _ type: String, _ cursor: String?, _ at: Int64?, _ members: (inout JSONWriter) -> Void
    ) -> LiveMessage {
        var json = JSONWriter(capacity: 1024)
        json.object { json in
            json.key("type")
            json.string(type)
            if let cursor {
                json.key("cursor")
                json.string(cursor)
            }
            if let at {
                json.key("at")
                json.time(at)
            }
            members(&json)
        }
        return LiveMessage(type: type, cursor: cursor, json: json.bytes)
    }
}
