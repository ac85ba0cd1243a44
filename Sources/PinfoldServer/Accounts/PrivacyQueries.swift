import HTTP
import SocialModel
import Storage

/// What a change of the privacy settings says.
struct PrivacyChange: Sendable {
    var discoverable: Privacy.Discoverability?
    var requestsFrom: Privacy.RequestSource?
    var presence: Bool?
    var receipts: Bool?
    var defaultAudience: Privacy.DefaultAudience?
}

extension Privacy {
    /// The settings of `account`.
    ///
    /// - Throws: `HTTPError` 401 when the account is gone.
    static func settings(of account: Identifier<User>, in read: some Transaction) throws -> Privacy {
        let found = try read.row(
            """
            SELECT discoverable, requestsFrom, showsPresence, sendsReceipts, defaultAudience
            FROM account WHERE id = \(account)
            """
        ) { row in
            // The schema has no other values; if it had, the stricter one would hold.
            Privacy(
                discoverable: Discoverability(rawValue: row.text(0)) ?? .nobody,
                requestsFrom: RequestSource(rawValue: row.text(1)) ?? .nobody, presence: row.int(2) != 0,
                receipts: row.int(3) != 0, defaultAudience: DefaultAudience(rawValue: row.text(4)) ?? .private)
        }
        guard let found else { throw HTTPError.unauthorized("the account is gone") }
        return found
    }

    /// Changes the viewer's settings from what they were `before`, and gives them back. Requests that are pending stay.
    static func change(
        _ before: Privacy, _ change: PrivacyChange, of viewer: Viewer, in write: WriteTransaction
    ) throws -> Privacy {
        let after = Privacy(
            discoverable: change.discoverable ?? before.discoverable,
            requestsFrom: change.requestsFrom ?? before.requestsFrom, presence: change.presence ?? before.presence,
            receipts: change.receipts ?? before.receipts,
            defaultAudience: change.defaultAudience ?? before.defaultAudience)
        guard after != before else { return before }
        try write.run(
            """
            UPDATE account SET discoverable = \(after.discoverable.rawValue),
                requestsFrom = \(after.requestsFrom.rawValue), showsPresence = \(after.presence),
                sendsReceipts = \(after.receipts), defaultAudience = \(after.defaultAudience.rawValue),
                updatedAt = \(write.now)
            WHERE id = \(viewer.id)
            """)
        try write.log(.privacyChanged(viewer.id))
        return after
    }

    /// Whether friends of `account` may be told when it is here. Who is a friend is another question.
    static func showsPresence(_ account: Identifier<User>, in read: some Transaction) throws -> Bool {
        try read.exists("SELECT 1 FROM account WHERE id = \(account) AND showsPresence")
    }
}

/// Who may know of an account that strangers do not find.
enum Acquaintance {
    /// What holds in SQL where `viewer` is the account of the row `account`, its friend, or the other end of a pending
    /// request.
    static func isClose(_ account: SQL, to viewer: Identifier<User>) -> SQL {
        """
        (\(account).id = \(viewer)
            OR EXISTS (SELECT 1 FROM friendship AS tie WHERE tie.accountId = \(viewer) AND tie.friendId = \(account).id)
            OR EXISTS (
                SELECT 1 FROM friendRequest AS tie
                WHERE min(tie.fromId, tie.toId) = min(\(account).id, \(viewer))
                    AND max(tie.fromId, tie.toId) = max(\(account).id, \(viewer)) AND tie.status = 'pending'))
        """
    }

    /// What holds in SQL where `viewer` may know what the row `account` says of itself; blocks are another question.
    static func isOpen(_ account: SQL, to viewer: Identifier<User>) -> SQL {
        "(\(account).discoverable <> 'nobody' OR \(isClose(account, to: viewer)))"
    }

    /// Whether `viewer` may name `account`: it is open to the viewer, or once had to do with them, as who has hidden
    /// since may still be blocked.
    static func knows(
        _ viewer: Identifier<User>, _ account: Identifier<User>, in read: some Transaction
    ) throws -> Bool {
        try read.exists(
            """
            SELECT 1 FROM account WHERE id = \(account) AND (\(isOpen("account", to: viewer))
                OR EXISTS (SELECT 1 FROM block WHERE blockerId = \(viewer) AND blockedId = account.id)
                OR EXISTS (SELECT 1 FROM friendRequest WHERE fromId = account.id AND toId = \(viewer))
                OR EXISTS (SELECT 1 FROM friendRequest WHERE fromId = \(viewer) AND toId = account.id))
            """)
    }
}

extension User {
    /// The five columns of a user, for `Row.user`; only the name that never changes where `isOpen` does not hold.
    static func columns(of account: SQL, where isOpen: SQL) -> SQL {
        """
        \(account).id, \(account).username, iif(\(isOpen), \(account).displayName, \(account).username),
        iif(\(isOpen), \(account).bio, NULL), \(account).createdAt
        """
    }
}

extension Privacy: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.key("discoverable")
            json.string(discoverable.rawValue)
            json.key("requestsFrom")
            json.string(requestsFrom.rawValue)
            json.key("presence")
            json.bool(presence)
            json.key("receipts")
            json.bool(receipts)
            json.key("defaultAudience")
            json.string(defaultAudience.rawValue)
        }
    }
}
