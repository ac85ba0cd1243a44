import HTTP
import SocialModel
import Storage

extension Row {
    /// A user from five columns: id, username, displayName, bio, createdAt.
    func user(_ first: Int) -> User {
        User(
            id: identifier(first), username: text(first + 1), displayName: text(first + 2),
            bio: optionalText(first + 3), photoURL: nil, createdAt: timestamp(first + 4))
    }
}

/// What a new account starts with, checked and normalised.
struct NewAccount: Sendable {
    var username: String
    var email: String
    var phone: String?
    var displayName: String?
    var passwordHash: String
}

/// What a profile change says.
struct ProfileChange: Sendable {
    var displayName: String?
    var bio: Change<String> = .absent
    var phone: Change<String> = .absent
    var email: String?
}

extension Account {
    /// Makes an account.
    ///
    /// - Throws: `HTTPError` 409 naming `username` or `email`, or both, if taken.
    static func create(_ new: NewAccount, in write: WriteTransaction) throws -> User {
        let folded = Username.folded(new.username)
        let emailFolded = EmailAddress.folded(new.email)
        var taken: [HTTPError.FieldFault] = []
        if try write.exists("SELECT 1 FROM account WHERE usernameFolded = \(folded)") {
            taken.append(HTTPError.FieldFault("username", "is taken"))
        }
        if try write.exists("SELECT 1 FROM account WHERE emailFolded = \(emailFolded)") {
            taken.append(HTTPError.FieldFault("email", "is taken"))
        }
        guard taken.isEmpty else { throw HTTPError.conflict("already-taken", "Somebody else has this", faults: taken) }
        let user = User(
            id: Identifier(write.newIdentifier()), username: new.username,
            displayName: new.displayName ?? new.username, bio: nil, photoURL: nil,
            createdAt: Timestamp(milliseconds: write.now))
        try write.run(
            """
            INSERT INTO account (id, username, usernameFolded, email, emailFolded, phone, displayName, usernameSearch,
                displayNameSearch, passwordHash, createdAt, updatedAt)
            VALUES (\(user.id), \(user.username), \(folded), \(new.email), \(emailFolded), \(new.phone),
                \(user.displayName), \(Username.searchFolded(user.username)),
                \(Username.searchFolded(user.displayName)), \(new.passwordHash), \(write.now), \(write.now))
            """)
        try write.log(.accountCreated(user.id))
        return user
    }

    /// Who signs in as `login`, a username or an e-mail address, and the hash of their password.
    static func credentials(
        _ login: String, in read: some Transaction
    ) throws -> (id: Identifier<User>, passwordHash: String)? {
        let folded = Username.folded(login)
        return try read.row(
            """
            SELECT id, passwordHash FROM account WHERE usernameFolded = \(folded)
            UNION ALL
            SELECT id, passwordHash FROM account WHERE emailFolded = \(folded)
            """
        ) { (id: $0.identifier(0), passwordHash: $0.text(1)) }
    }

    /// Whether an admin has shut it out.
    static func isSuspended(_ account: Identifier<User>, in read: some Transaction) throws -> Bool {
        try read.exists("SELECT 1 FROM account WHERE id = \(account) AND suspendedAt IS NOT NULL")
    }

    static func passwordHash(of account: Identifier<User>, in read: some Transaction) throws -> String? {
        try read.row("SELECT passwordHash FROM account WHERE id = \(account)") { $0.text(0) }
    }

    /// Sets the password; a reset that was sent before is worth nothing then. Whoever sets a new one may have lost the old
    /// one to somebody, who could have made API tokens with it: so these go, unless their owner wants them kept.
    static func setPassword(
        hash: String, of account: Identifier<User>, keepsTokens: Bool = false, in write: WriteTransaction
    ) throws {
        try write.run(
            "UPDATE account SET passwordHash = \(hash), updatedAt = \(write.now) WHERE id = \(account)")
        try PasswordReset.end(of: account, in: write)
        if !keepsTokens { try APIToken.revokeAll(of: account, in: write) }
    }

    /// Whether `account` has a session that was started from `address`.
    static func isKnown(
        _ address: String, of account: Identifier<User>, in read: some Transaction
    ) throws -> Bool {
        try read.exists("SELECT 1 FROM session WHERE accountId = \(account) AND address = \(address)")
    }

    /// The viewer's own account.
    static func own(of viewer: Viewer, in read: some Transaction) throws -> Account {
        let account = try read.row(
            """
            SELECT id, username, displayName, bio, createdAt, email, phone,
                (SELECT count(*) FROM friendRequest WHERE toId = account.id AND status = 'pending')
            FROM account WHERE id = \(viewer.id)
            """
        ) { row in
            Account(
                user: row.user(0), email: row.text(5), phone: row.optionalText(6), role: viewer.role,
                incomingRequests: row.int(7), pins: 0)
        }
        guard var account else { throw HTTPError.notFound }
        account.pins = try VisiblePins(of: viewer, in: read).countOwn()
        return account
    }

    /// Changes the viewer's profile and gives it back. Another e-mail address is told to the old one.
    ///
    /// - Throws: `HTTPError` 409 when the new e-mail address is taken.
    static func change(
        _ change: ProfileChange, of viewer: Viewer, language: MailLanguage, in write: WriteTransaction
    ) throws -> Account {
        let before = try own(of: viewer, in: write)
        let emailFolded = EmailAddress.folded(change.email ?? before.email)
        if try write.exists(
            "SELECT 1 FROM account WHERE emailFolded = \(emailFolded) AND id <> \(viewer.id)")
        {
            throw HTTPError.conflict(
                "already-taken", "Somebody else has this", faults: [HTTPError.FieldFault("email", "is taken")])
        }
        if change.email != nil {
            try QueuedMail.tell(.emailChanged, owner: viewer.id, in: language, in: write)
            try PasswordReset.end(of: viewer.id, in: write)
        }
        let displayName = change.displayName ?? before.user.displayName
        try write.run(
            """
            UPDATE account SET displayName = \(displayName),
                displayNameSearch = \(Username.searchFolded(displayName)),
                bio = \(change.bio.applied(to: before.user.bio)), phone = \(change.phone.applied(to: before.phone)),
                email = \(change.email ?? before.email), emailFolded = \(emailFolded), updatedAt = \(write.now)
            WHERE id = \(viewer.id)
            """)
        let after = try own(of: viewer, in: write)
        if !after.user.isWritten(as: before.user) { try write.log(.profileChanged(viewer.id)) }
        return after
    }

    /// Removes an account with all that it owns; to its friends it is as if it had never been.
    static func remove(_ account: Identifier<User>, in write: WriteTransaction) throws {
        try PinChange.removeAll(of: account, in: write)
        let friends = try write.rows("SELECT friendId FROM friendship WHERE accountId = \(account)") { row in
            row.identifier(0) as Identifier<User>
        }
        for friend in friends { try write.log(.friendRemoved(account, friend)) }
        let others = try write.rows(
            """
            SELECT toId FROM friendRequest WHERE fromId = \(account) AND status = 'pending'
            UNION ALL SELECT fromId FROM friendRequest WHERE toId = \(account) AND status = 'pending'
            """
        ) { $0.identifier(0) as Identifier<User> }
        for other in others { try FriendRequest.withdraw(by: account, from: other, in: write) }
        try ImportJob.cancelAll(of: account, by: account, in: write)
        try write.run("DELETE FROM account WHERE id = \(account)")
        try write.log(.accountRemoved(account))
    }

    /// Whether there is an account at all.
    static func isAny(in read: some Transaction) throws -> Bool { try read.exists("SELECT 1 FROM account") }
}

extension Profile {
    /// `account` as `viewer` sees it; nil if there is none, it has blocked the viewer, or it hides from strangers.
    static func find(
        _ account: Identifier<User>, seenBy viewer: Viewer, in read: some Transaction
    ) throws -> Profile? {
        let user = try read.row(
            """
            SELECT id, username, displayName, bio, createdAt FROM account
            WHERE id = \(account)
                AND NOT EXISTS (SELECT 1 FROM block WHERE blockerId = account.id AND blockedId = \(viewer.id))
                AND \(Acquaintance.isOpen("account", to: viewer.id))
            """
        ) { $0.user(0) }
        guard let user else { return nil }
        return Profile(user: user, relationship: try relationship(of: viewer.id, to: account, in: read))
    }

    private static func relationship(
        of viewer: Identifier<User>, to account: Identifier<User>, in read: some Transaction
    ) throws -> Relationship {
        if viewer == account { return .self }
        if try Friendship.exists(between: viewer, and: account, in: read) { return .friend }
        switch try FriendRequest.pending(between: viewer, and: account, in: read)?.from {
        case viewer: return .outgoing
        case account: return .incoming
        default: return .none
        }
    }

    /// The accounts whose username or display name starts with `prefix`, whatever its case and accents, by folded
    /// username; those blocked either way are absent, and those whom the viewer is not to find: of strangers, some
    /// are found by the whole username alone, some never.
    ///
    /// - Parameter after: the folded username of the last one shown.
    static func search(
        _ prefix: String, after: String, limit: Int, seenBy viewer: Viewer, in read: some Transaction
    ) throws -> [(user: User, key: String)] {
        let folded = Username.searchFolded(prefix)
        // U+10FFFF sorts after every character that follows a prefix.
        let end = folded + "\u{10FFFF}"
        return try read.rows(
            """
            SELECT id, username, displayName, bio, createdAt, usernameFolded FROM account
            WHERE id IN (
                    SELECT id FROM account WHERE usernameSearch >= \(folded) AND usernameSearch < \(end)
                    UNION
                    SELECT id FROM account WHERE displayNameSearch >= \(folded) AND displayNameSearch < \(end))
                AND usernameFolded > \(after)
                AND NOT EXISTS (SELECT 1 FROM block WHERE blockerId = account.id AND blockedId = \(viewer.id))
                AND NOT EXISTS (SELECT 1 FROM block WHERE blockerId = \(viewer.id) AND blockedId = account.id)
                AND (discoverable = 'everyone'
                    OR discoverable = 'exact' AND usernameFolded = \(Username.folded(prefix))
                    OR \(Acquaintance.isClose("account", to: viewer.id)))
            ORDER BY usernameFolded LIMIT \(limit)
            """
        ) { ($0.user(0), $0.text(5)) }
    }
}

/// What a new pin takes from the account of its owner.
struct PinOwner: Sendable {
    let username: String
    let defaultAudience: Privacy.DefaultAudience

    /// - Throws: `HTTPError` 401 when the account is gone.
    init(_ account: Identifier<User>, in read: some Transaction) throws {
        let found = try read.row("SELECT username, defaultAudience FROM account WHERE id = \(account)") {
            (username: $0.text(0), audience: Privacy.DefaultAudience(rawValue: $0.text(1)))
        }
        guard let found else { throw HTTPError.unauthorized("the account is gone") }
        username = found.username
        defaultAudience = found.audience ?? .private
    }

    /// The pin with all that its owner's account says of it.
    func completing(_ pin: Pin) -> Pin {
        var pin = pin
        pin.ownerUsername = username
        pin.audience = pin.audience ?? defaultAudience.audience
        return pin
    }
}

extension HTTPError {
    /// 403 for whoever signs in rightly, but has been shut out.
    static let suspended = HTTPError(
        403, "suspended", "The account is suspended", detail: "ask whoever runs this server")
}
