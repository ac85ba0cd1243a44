import HTTP
import SocialModel
import Storage

/// Codes are stored as they are: their owner is shown them again, and whoever can read the database learns nothing from
/// them that is not in it. An invite shows nobody's pins but its owner's, lives 30 days at most, and can be deleted.
extension Invite {
    /// In seconds.
    static let lifetimes = 60...2_592_000
    static let usualLifetime = 604_800
    static let useCounts = 1...100
    /// How many that can still be accepted an account may have.
    static let liveLimit = 50

    /// Where the page takes the code; behind `#` it is sent to no server and written to no log.
    static func link(_ code: String, publicURL: String) -> String { "\(publicURL)/#invite=\(code)" }

    /// Makes an invite of `viewer`.
    ///
    /// - Parameter code: 96 random bits in base64url.
    /// - Throws: `HTTPError` 409 when there are too many already.
    static func create(
        by viewer: Viewer, code: String, lifetime: Int, maxUses: Int, publicURL: String, in write: WriteTransaction
    ) throws -> Invite {
        let live = try write.row(
            """
            SELECT count(*) FROM invite
            WHERE accountId = \(viewer.id) AND expiresAt > \(write.now) AND uses < maxUses
            """
        ) { $0.int(0) }
        guard live ?? 0 < liveLimit else {
            throw HTTPError.conflict("too-many-invites", "You have \(liveLimit) invites that are still open")
        }
        let expiresAt = write.now + Int64(lifetime) * 1000
        try write.run(
            """
            INSERT INTO invite (id, accountId, code, maxUses, createdAt, expiresAt)
            VALUES (\(write.newIdentifier()), \(viewer.id), \(code), \(maxUses), \(write.now), \(expiresAt))
            """)
        return Invite(
            code: code, url: link(code, publicURL: publicURL), createdAt: Timestamp(milliseconds: write.now),
            expiresAt: Timestamp(milliseconds: expiresAt), maxUses: maxUses, uses: 0)
    }

    /// The invites of `viewer` that have not expired, newest first, with ids up to `last`.
    static func all(
        of viewer: Viewer, to last: Int64, limit: Int, at now: Int64, publicURL: String, in read: some Transaction
    ) throws -> [(invite: Invite, id: Int64)] {
        try read.rows(
            """
            SELECT code, createdAt, expiresAt, maxUses, uses, id FROM invite
            WHERE accountId = \(viewer.id) AND id <= \(last) AND expiresAt > \(now) ORDER BY id DESC LIMIT \(limit)
            """
        ) { row in
            let invite = Invite(
                code: row.text(0), url: link(row.text(0), publicURL: publicURL), createdAt: row.timestamp(1),
                expiresAt: row.timestamp(2), maxUses: row.int(3), uses: row.int(4))
            return (invite, row.int64(5))
        }
    }

    /// Ends an invite of `viewer`.
    ///
    /// - Throws: `HTTPError` 404 when the viewer has no such invite.
    static func delete(_ code: String, of viewer: Viewer, in write: WriteTransaction) throws {
        guard try write.run("DELETE FROM invite WHERE code = \(code) AND accountId = \(viewer.id)") > 0 else {
            throw HTTPError.notFound
        }
    }

    /// Makes `account` and the owner of the invite friends, whatever the owner's privacy says of requests: a pending one
    /// between the two is accepted, a use is counted. Of friends nothing changes.
    ///
    /// - Returns: the owner, or nil when there is no such invite, it is used up or expired, or either has blocked the
    ///   other.
    /// - Throws: `HTTPError` 409 for one's own.
    static func accept(
        _ code: String, by account: Identifier<User>, in write: WriteTransaction
    ) throws -> Friend? {
        let found = try write.row(
            """
            SELECT id, accountId, uses < maxUses FROM invite WHERE code = \(code) AND expiresAt > \(write.now)
                AND NOT EXISTS (SELECT 1 FROM block WHERE blockerId = accountId AND blockedId = \(account))
                AND NOT EXISTS (SELECT 1 FROM block WHERE blockerId = \(account) AND blockedId = accountId)
            """
        ) { (id: $0.int64(0), owner: $0.identifier(1) as Identifier<User>, isOpen: $0.int(2) != 0) }
        guard let found else { return nil }
        guard found.owner != account else { throw HTTPError.conflict("own-invite", "This invite is yours") }
        if try !Friendship.exists(between: account, and: found.owner, in: write) {
            guard found.isOpen else { return nil }
            try write.run("UPDATE invite SET uses = uses + 1 WHERE id = \(found.id)")
            try FriendRequest.acceptPending(between: account, and: found.owner, in: write)
            try Friendship.begin(between: account, and: found.owner, in: write)
        }
        return try Friendship.friend(found.owner, of: account, in: write)
    }
}

extension InviteGreeting {
    /// What the invite with this code says; nil when there is none, it is used up or expired, or the viewer, if one is
    /// signed in, and its owner are blocked either way.
    static func find(
        _ code: String, seenBy viewer: Viewer?, at now: Int64, in read: some Transaction
    ) throws -> InviteGreeting? {
        // Nobody's id is 0.
        let viewer = viewer?.id.rawValue ?? 0
        return try read.row(
            """
            SELECT account.id, username, displayName, bio, account.createdAt, invite.expiresAt
            FROM invite JOIN account ON account.id = invite.accountId
            WHERE code = \(code) AND invite.expiresAt > \(now) AND uses < maxUses
                AND NOT EXISTS (SELECT 1 FROM block WHERE blockerId = account.id AND blockedId = \(viewer))
                AND NOT EXISTS (SELECT 1 FROM block WHERE blockerId = \(viewer) AND blockedId = account.id)
            """
        ) { InviteGreeting(code: code, from: $0.user(0), expiresAt: $0.timestamp(5)) }
    }
}

extension Invite: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.key("code")
            json.string(code)
            json.key("url")
            json.string(url)
            json.key("createdAt")
            json.time(createdAt.milliseconds)
            json.key("expiresAt")
            json.time(expiresAt.milliseconds)
            json.key("maxUses")
            json.integer(Int64(maxUses))
            json.key("uses")
            json.integer(Int64(uses))
        }
    }
}

extension InviteGreeting: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.key("code")
            json.string(code)
            json.key("from")
            from.write(to: &json)
            json.key("expiresAt")
            json.time(expiresAt.milliseconds)
        }
    }
}
