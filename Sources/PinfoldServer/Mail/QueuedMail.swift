import SocialModel
import Storage

/// A message that is still to be sent: a row that is written with the change that causes it, so that it goes out if and
/// only if the change holds, whatever happens in between.
///
/// A row never holds a secret. A password reset's token is made when its message is, goes from memory into the message,
/// and the database gets the hash (`PasswordReset`); another try makes another token.
struct QueuedMail: Sendable {
    enum Kind: String, Sendable {
        /// To whoever asked, if there is an account with the address: the request does not look, so that its answer
        /// and its time say nothing.
        case passwordReset
        case passwordChanged
        /// To the old address.
        case emailChanged
    }

    let id: Int64
    let kind: Kind
    /// For a reset the folded address, as asked for; it is sent to the address that the account has.
    let recipient: String
    /// Nil for a reset.
    let username: String?
    let language: MailLanguage
    /// Milliseconds since 1970.
    let createdAt: Int64
    /// How often it has failed.
    let attempts: Int

    /// For how long it is tried: a day, in milliseconds.
    static let patience: Int64 = 86_400_000
    private static let shortestWait: Int64 = 10_000
    private static let longestWait: Int64 = 3_600_000

    /// How long it waits after so many failures: 10 s, twice as long each time, an hour at most.
    static func wait(after attempts: Int) -> Int64 { min(longestWait, shortestWait << Int64(min(attempts - 1, 20))) }

    /// Tells the owner of an account, at the address that it has now.
    static func tell(
        _ kind: Kind, owner account: Identifier<User>, in language: MailLanguage, in write: WriteTransaction
    ) throws {
        try write.run(
            """
            INSERT INTO mail (id, kind, recipient, username, language, createdAt, dueAt)
            SELECT \(write.newIdentifier()), \(kind.rawValue), email, username, \(language.rawValue), \(write.now),
                \(write.now)
            FROM account WHERE id = \(account)
            """)
    }

    /// Somebody asks for a new password of the account with this address, if there is one.
    ///
    /// - Parameter emailFolded: in the form in which addresses are looked up.
    static func askForReset(
        _ emailFolded: String, in language: MailLanguage, in write: WriteTransaction
    ) throws {
        try write.run(
            """
            INSERT INTO mail (id, kind, recipient, language, createdAt, dueAt)
            VALUES (\(write.newIdentifier()), \(Kind.passwordReset.rawValue), \(emailFolded), \(language.rawValue),
                \(write.now), \(write.now))
            """)
    }

    /// What is due at `now`, the longest due first; also what waits for a time so far off that the clock must have been
    /// wrong.
    static func due(at now: Int64, limit: Int, in read: some Transaction) throws -> [QueuedMail] {
        try read.rows(
            """
            SELECT id, kind, recipient, username, language, createdAt, attempts FROM mail
            WHERE dueAt <= \(now) OR dueAt > \(now + longestWait) ORDER BY dueAt, id LIMIT \(limit)
            """
        ) { row in
            // The schema has no other values.
            QueuedMail(
                id: row.int64(0), kind: Kind(rawValue: row.text(1)) ?? .passwordChanged, recipient: row.text(2),
                username: row.optionalText(3), language: MailLanguage(rawValue: row.text(4)) ?? .en,
                createdAt: row.int64(5), attempts: row.int(6))
        }
    }

    /// When the next message is due, in milliseconds since 1970.
    static func nextDue(in read: some Transaction) throws -> Int64? {
        try read.row("SELECT dueAt FROM mail ORDER BY dueAt LIMIT 1") { $0.int64(0) }
    }

    /// Whether the same reader has asked for a reset again since.
    func isOutdated(in read: some Transaction) throws -> Bool {
        guard kind == .passwordReset else { return false }
        return try read.exists(
            """
            SELECT 1 FROM mail WHERE recipient = \(recipient) AND kind = \(kind.rawValue) AND id > \(id)
            """)
    }

    func remove(in write: WriteTransaction) throws {
        try write.run("DELETE FROM mail WHERE id = \(id)")
    }

    /// Takes note of one more failure, and waits.
    func postpone(in write: WriteTransaction) throws {
        try write.run(
            """
            UPDATE mail SET attempts = \(attempts + 1), dueAt = \(write.now + Self.wait(after: attempts + 1))
            WHERE id = \(id)
            """)
    }
}
