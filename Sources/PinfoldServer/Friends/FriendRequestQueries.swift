import HTTP
import SocialModel
import Storage

extension FriendRequest {
    /// What became of asking.
    enum Asked {
        /// A new request.
        case created(FriendRequest)
        /// Theirs was pending and is accepted now, or one's own is pending already.
        case settled(FriendRequest)
    }

    /// The pending request between two accounts, whoever asked.
    static func pending(
        between a: Identifier<User>, and b: Identifier<User>, in read: some Transaction
    ) throws -> (id: Identifier<FriendRequest>, from: Identifier<User>)? {
        try read.row(
            """
            SELECT id, fromId FROM friendRequest
            WHERE min(fromId, toId) = \(min(a, b)) AND max(fromId, toId) = \(max(a, b)) AND status = 'pending'
            """
        ) { ($0.identifier(0), $0.identifier(1)) }
    }

    /// `viewer` asks `addressee` to be friends; one pending the other way is accepted instead.
    ///
    /// - Throws: `HTTPError` 404 when there is no such account as far as the viewer may know, 400 for oneself, 409 when
    ///   they are friends already, the viewer has blocked them, or they take no requests.
    static func ask(_ addressee: Identifier<User>, by viewer: Viewer, in write: WriteTransaction) throws -> Asked {
        guard addressee != viewer.id else { throw HTTPError.badRequest("to", "is you") }
        guard try Profile.find(addressee, seenBy: viewer, in: write) != nil else { throw HTTPError.notFound }
        if try write.exists(
            "SELECT 1 FROM block WHERE blockerId = \(viewer.id) AND blockedId = \(addressee)")
        {
            throw HTTPError.conflict("blocked-by-you", "You have blocked this person")
        }
        if try Friendship.exists(between: viewer.id, and: addressee, in: write) {
            throw HTTPError.conflict("already-friends", "You are friends already")
        }
        if let pending = try pending(between: viewer.id, and: addressee, in: write) {
            if pending.from == viewer.id { return .settled(try shown(pending.id, to: viewer, in: write)) }
            return .settled(try respond(.accepted, to: pending.id, by: viewer, in: write))
        }
        guard try write.exists("SELECT 1 FROM account WHERE id = \(addressee) AND requestsFrom = 'everyone'") else {
            throw HTTPError.conflict("requests-closed", "This person takes no friend requests")
        }
        let id = Identifier<FriendRequest>(write.newIdentifier())
        try write.run(
            """
            INSERT INTO friendRequest (id, fromId, toId, status, createdAt)
            VALUES (\(id), \(viewer.id), \(addressee), 'pending', \(write.now))
            """)
        try write.log(.request(.pending, id, from: viewer.id, to: addressee))
        return .created(try shown(id, to: viewer, in: write))
    }

    /// The addressee accepts or rejects; to do again what was done changes nothing.
    ///
    /// - Throws: `HTTPError` 404 for anybody but the addressee, 409 when something else became of it.
    static func respond(
        _ answer: Status, to id: Identifier<FriendRequest>, by viewer: Viewer, in write: WriteTransaction
    ) throws -> FriendRequest {
        guard let found = try ends(of: id, seenBy: viewer, in: write), found.to == viewer.id else {
            throw HTTPError.notFound
        }
        if found.status == answer { return try shown(id, to: viewer, in: write) }
        guard found.status == .pending else {
            throw HTTPError.conflict("request-settled", "The request is \(found.status.rawValue) already")
        }
        try settle(id, as: answer, from: found.from, to: found.to, in: write)
        if answer == .accepted { try Friendship.begin(between: found.from, and: found.to, in: write) }
        return try shown(id, to: viewer, in: write)
    }

    /// The request with this id as one of its ends sees it; nil for anybody else, and for whoever the other has blocked.
    static func find(
        _ id: Identifier<FriendRequest>, seenBy viewer: Identifier<User>, in read: some Transaction
    ) throws -> FriendRequest? {
        try read.row(
            """
            SELECT \(columns(for: viewer)) WHERE friendRequest.id = \(id)
                AND \(viewer) IN (friendRequest.fromId, friendRequest.toId)
                AND NOT EXISTS (
                    SELECT 1 FROM block WHERE blockedId = \(viewer) AND blockerId IN (sender.id, addressee.id))
            """, request)
    }

    /// The sender takes a pending request back.
    ///
    /// - Throws: `HTTPError` 404 for anybody but the sender, 409 when it is accepted or rejected.
    static func cancel(
        _ id: Identifier<FriendRequest>, by viewer: Viewer, in write: WriteTransaction
    ) throws {
        guard let found = try ends(of: id, seenBy: viewer, in: write), found.from == viewer.id else {
            throw HTTPError.notFound
        }
        if found.status == .cancelled { return }
        guard found.status == .pending else {
            throw HTTPError.conflict("request-settled", "The request is \(found.status.rawValue) already")
        }
        try settle(id, as: .cancelled, from: found.from, to: found.to, in: write)
    }

    /// Ends the pending request between two accounts, if there is one, as `account` could without a block: one's own
    /// is cancelled, the other's rejected.
    static func withdraw(
        by account: Identifier<User>, from other: Identifier<User>, in write: WriteTransaction
    ) throws {
        guard let pending = try pending(between: account, and: other, in: write) else { return }
        let isOwn = pending.from == account
        try settle(
            pending.id, as: isOwn ? .cancelled : .rejected, from: pending.from, to: isOwn ? other : account,
            in: write)
    }

    /// Accepts the pending request between two accounts, if there is one, whoever asked: they become friends in another
    /// way.
    static func acceptPending(
        between a: Identifier<User>, and b: Identifier<User>, in write: WriteTransaction
    ) throws {
        guard let pending = try pending(between: a, and: b, in: write) else { return }
        try settle(pending.id, as: .accepted, from: pending.from, to: pending.from == a ? b : a, in: write)
    }

    /// The viewer's requests, newest first, with ids up to `last`; not those with somebody who has blocked the viewer.
    static func all(
        of viewer: Viewer, direction: Direction?, status: Status?, to last: Int64, limit: Int,
        in read: some Transaction
    ) throws -> [FriendRequest] {
        // Each direction is a range of its own index, by status if one is asked for; one range alone when only one
        // direction is.
        let incoming = direction == .outgoing ? 0 : viewer.id.rawValue
        let outgoing = direction == .incoming ? 0 : viewer.id.rawValue
        let hasStatus: SQL = status.map { "status = \($0.rawValue)" } ?? "TRUE"
        return try read.rows(
            """
            SELECT \(columns(for: viewer.id)) WHERE friendRequest.id IN (
                SELECT id FROM (
                    SELECT id FROM friendRequest
                    WHERE toId = \(incoming) AND id <= \(last) AND \(hasStatus)
                        AND NOT EXISTS (
                            SELECT 1 FROM block WHERE blockerId = fromId AND blockedId = \(viewer.id))
                    ORDER BY id DESC LIMIT \(limit))
                UNION ALL
                SELECT id FROM (
                    SELECT id FROM friendRequest
                    WHERE fromId = \(outgoing) AND id <= \(last) AND \(hasStatus)
                        AND NOT EXISTS (
                            SELECT 1 FROM block WHERE blockerId = toId AND blockedId = \(viewer.id))
                    ORDER BY id DESC LIMIT \(limit)))
            ORDER BY friendRequest.id DESC LIMIT \(limit)
            """, request)
    }

    /// Of an end that hides from `viewer` as from a stranger, only the name that never changes.
    private static func columns(for viewer: Identifier<User>) -> SQL {
        """
        \(User.columns(of: "sender", where: Acquaintance.isOpen("sender", to: viewer))),
        \(User.columns(of: "addressee", where: Acquaintance.isOpen("addressee", to: viewer))),
        friendRequest.id, friendRequest.status, friendRequest.createdAt, friendRequest.respondedAt
        FROM friendRequest
        JOIN account AS sender ON sender.id = friendRequest.fromId
        JOIN account AS addressee ON addressee.id = friendRequest.toId
        """
    }

    private static func request(_ row: Row) -> FriendRequest {
        FriendRequest(
            id: row.identifier(10), from: row.user(0), to: row.user(5),
            status: Status(rawValue: row.text(11)) ?? .pending,
            createdAt: row.timestamp(12),
            respondedAt: row.optionalInt64(13).map(Timestamp.init(milliseconds:)))
    }

    /// The request with this id, of which `viewer` is known to be an end.
    private static func shown(
        _ id: Identifier<FriendRequest>, to viewer: Viewer, in read: some Transaction
    ) throws -> FriendRequest {
        let found = try read.row(
            "SELECT \(columns(for: viewer.id)) WHERE friendRequest.id = \(id)", request)
        guard let found else { throw HTTPError.notFound }
        return found
    }

    private static func ends(
        of id: Identifier<FriendRequest>, seenBy viewer: Viewer, in read: some Transaction
    ) throws -> (from: Identifier<User>, to: Identifier<User>, status: Status)? {
        try read.row(
            """
            SELECT fromId, toId, status FROM friendRequest
            WHERE id = \(id) AND NOT EXISTS (
                SELECT 1 FROM block WHERE blockedId = \(viewer.id) AND blockerId IN (fromId, toId))
            """
        ) { row in
            (row.identifier(0), row.identifier(1), Status(rawValue: row.text(2)) ?? .pending)
        }
    }

    private static func settle(
        _ id: Identifier<FriendRequest>, as status: Status, from: Identifier<User>, to: Identifier<User>,
        in write: WriteTransaction
    ) throws {
        try write.run(
            """
            UPDATE friendRequest SET status = \(status.rawValue), respondedAt = \(write.now) WHERE id = \(id)
            """)
        try write.log(.request(status, id, from: from, to: to))
    }
}

extension FriendRequest: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.key("id")
            json.identifier(id)
            json.key("from")
            from.write(to: &json)
            json.key("to")
            to.write(to: &json)
            json.key("status")
            json.string(status.rawValue)
            json.key("createdAt")
            json.time(createdAt.milliseconds)
            json.key("respondedAt")
            json.optionalTime(respondedAt)
        }
    }
}
