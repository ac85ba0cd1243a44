import HTTP
import SocialModel
import Storage

/// One person's wish neither to see nor to be seen by another. The blocked one is never told.
enum Block {
    /// The accounts that `viewer` has blocked, by folded username, from the one after `after`. Of one that has blocked
    /// the viewer too or hides from strangers, only the name that never changes.
    static func blocked(
        by viewer: Viewer, after: String, limit: Int, in read: some Transaction
    ) throws -> [(user: User, key: String)] {
        try read.rows(
            """
            SELECT \(User.columns(of: "account", where: "back.blockerId IS NULL AND account.discoverable <> 'nobody'")),
                usernameFolded
            FROM block JOIN account ON account.id = block.blockedId
            LEFT JOIN block AS back ON back.blockerId = block.blockedId AND back.blockedId = block.blockerId
            WHERE block.blockerId = \(viewer.id) AND usernameFolded > \(after)
            ORDER BY usernameFolded LIMIT \(limit)
            """
        ) { ($0.user(0), $0.text(5)) }
    }

    /// Blocks `account` for `viewer`: their friendship and pending requests end in the same transaction, both ways.
    /// Blocking twice is the same as once.
    ///
    /// - Throws: `HTTPError` 404 when there is no such account as far as the viewer may know, 400 for oneself.
    static func add(_ account: Identifier<User>, by viewer: Viewer, in write: WriteTransaction) throws {
        guard account != viewer.id else { throw HTTPError.badRequest("userId", "is you") }
        guard try Acquaintance.knows(viewer.id, account, in: write) else { throw HTTPError.notFound }
        let added = try write.run(
            """
            INSERT INTO block (blockerId, blockedId, createdAt) VALUES (\(viewer.id), \(account), \(write.now))
            ON CONFLICT DO NOTHING
            """)
        guard added > 0 else { return }
        try FriendRequest.withdraw(by: viewer.id, from: account, in: write)
        try Friendship.end(between: viewer.id, and: account, in: write)
        try write.log(.blockAdded(viewer.id, account))
    }

    /// Lifts a block, if there is one; the friendship does not come back.
    ///
    /// - Throws: `HTTPError` 404 when there is no such account as far as the viewer may know.
    static func lift(_ account: Identifier<User>, by viewer: Viewer, in write: WriteTransaction) throws {
        guard try Acquaintance.knows(viewer.id, account, in: write) else { throw HTTPError.notFound }
        let removed = try write.run("DELETE FROM block WHERE blockerId = \(viewer.id) AND blockedId = \(account)")
        if removed > 0 { try write.log(.blockRemoved(viewer.id, account)) }
    }
}

enum BlockRoutes {
    static func list(_ request: Request, _ app: App, _ read: ReadTransaction) throws -> Response {
        let viewer = try app.viewer(of: request, in: read)
        var query = try QueryFields(request)
        let page = Page(&query)
        try query.finish()

        let list = "blocks \(viewer.id)"
        let after = try app.name(after: page.cursor, of: list)
        let found = try Block.blocked(
            by: viewer, after: after, limit: page.limit + 1, in: read)
        return .json(app.page(found.map { ($0.user, key: $0.key) }, limit: page.limit, list))
    }

    static func put(_ request: Request, _ app: App, _ viewer: Viewer) throws -> Write {
        try request.refuseInput()
        let account: Identifier<User> = try request.identifier("userId")
        return Write { write, viewer in
            try Block.add(account, by: viewer, in: write)
            return .noContent
        }
    }

    static func delete(_ request: Request, _ app: App, _ viewer: Viewer) throws -> Write {
        try request.refuseQuery()
        let account: Identifier<User> = try request.identifier("userId")
        return Write { write, viewer in
            try Block.lift(account, by: viewer, in: write)
            return .noContent
        }
    }
}
