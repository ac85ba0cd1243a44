import HTTP
import SocialModel
import Storage

/// Two people who see each other's pins. Kept both ways round.
enum Friendship {
    static func exists(
        between a: Identifier<User>, and b: Identifier<User>, in read: some Transaction
    ) throws -> Bool {
        try read.exists("SELECT 1 FROM friendship WHERE accountId = \(a) AND friendId = \(b)")
    }

    static func begin(between a: Identifier<User>, and b: Identifier<User>, in write: WriteTransaction) throws {
        let added = try write.run(
            """
            INSERT INTO friendship (accountId, friendId, since)
            VALUES (\(a), \(b), \(write.now)), (\(b), \(a), \(write.now))
            ON CONFLICT DO NOTHING
            """)
        if added > 0 { try write.log(.friendAdded(a, b)) }
    }

    /// - Returns: whether they were friends.
    @discardableResult
    static func end(
        between a: Identifier<User>, and b: Identifier<User>, in write: WriteTransaction
    ) throws -> Bool {
        let removed = try write.run(
            """
            DELETE FROM friendship WHERE accountId = \(a) AND friendId = \(b) OR accountId = \(b) AND friendId = \(a)
            """)
        if removed > 0 { try write.log(.friendRemoved(a, b)) }
        return removed > 0
    }

    /// `friend` as a friend of `account`; nil if they are none.
    static func friend(
        _ friend: Identifier<User>, of account: Identifier<User>, in read: some Transaction
    ) throws -> Friend? {
        try read.row(
            """
            SELECT account.id, username, displayName, bio, account.createdAt, friendship.since
            FROM friendship JOIN account ON account.id = friendship.friendId
            WHERE friendship.accountId = \(account) AND friendship.friendId = \(friend)
            """
        ) { Friend(user: $0.user(0), since: $0.timestamp(5)) }
    }

    /// The friends of `account` by folded username, from the one after `after`.
    static func friends(
        of account: Identifier<User>, after: String, limit: Int, in read: some Transaction
    ) throws -> [(friend: Friend, key: String)] {
        try read.rows(
            """
            SELECT account.id, username, displayName, bio, account.createdAt, friendship.since, usernameFolded
            FROM friendship JOIN account ON account.id = friendship.friendId
            WHERE friendship.accountId = \(account) AND usernameFolded > \(after)
            ORDER BY usernameFolded LIMIT \(limit)
            """
        ) { (Friend(user: $0.user(0), since: $0.timestamp(5)), $0.text(6)) }
    }
}

/// A friend, and since when.
struct Friend: JSONWritable {
    let user: User
    let since: Timestamp

    func write(to json: inout JSONWriter) {
        json.object { json in
            user.writeMembers(to: &json)
            json.key("since")
            json.time(since.milliseconds)
        }
    }
}

enum FriendRoutes {
    static func list(_ request: Request, _ app: App, _ read: ReadTransaction) throws -> Response {
        let viewer = try app.viewer(of: request, in: read)
        var query = try QueryFields(request)
        let page = Page(&query)
        try query.finish()

        let list = "friends \(viewer.id)"
        let after = try app.name(after: page.cursor, of: list)
        let found = try Friendship.friends(
            of: viewer.id, after: after, limit: page.limit + 1, in: read)
        return .json(app.page(found.map { ($0.friend, key: $0.key) }, limit: page.limit, list))
    }

    static func end(_ request: Request, _ app: App, _ viewer: Viewer) throws -> Write {
        try request.refuseQuery()
        let friend: Identifier<User> = try request.identifier("userId")
        return Write { write, viewer in
            guard try Friendship.end(between: viewer.id, and: friend, in: write) else { throw HTTPError.notFound }
            return .noContent
        }
    }
}
