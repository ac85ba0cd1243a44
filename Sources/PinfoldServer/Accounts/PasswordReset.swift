import SocialModel
import Storage

/// The right to choose a new password, for whoever holds a token: it works once, for an hour, and an account has one at
/// a time. The database has the token's hash; the token itself is in the message alone.
enum PasswordReset {
    /// An hour, in milliseconds.
    static let lifetime: Int64 = 3_600_000

    /// Where the page takes the token; behind `#` it is sent to no server and written to no log.
    static func link(_ token: String, publicURL: String) -> String { "\(publicURL)/#reset=\(token)" }

    /// Lets `token` choose a new password for the account with this address, in place of what was sent before.
    ///
    /// - Parameter emailFolded: in the form in which addresses are looked up.
    /// - Returns: the address that the account has, which is where the token goes; nil if there is none.
    static func begin(
        forEmail emailFolded: String, token: String, in write: WriteTransaction
    ) throws -> (email: String, username: String)? {
        let found = try write.row(
            "SELECT id, email, username FROM account WHERE emailFolded = \(emailFolded)"
        ) { (id: $0.identifier(0) as Identifier<User>, email: $0.text(1), username: $0.text(2)) }
        guard let found else { return nil }
        try begin(of: found.id, token: token, in: write)
        return (found.email, found.username)
    }

    /// Lets `token` choose a new password for `account`, in place of what was sent before.
    static func begin(of account: Identifier<User>, token: String, in write: WriteTransaction) throws {
        try write.run(
            """
            INSERT OR REPLACE INTO passwordReset (accountId, hash, expiresAt)
            VALUES (\(account), \(TokenPair.hash(token)), \(write.now + lifetime))
            """)
    }

    /// Whose password `token` may change at `now`.
    static func account(
        for token: String, at now: Int64, in read: some Transaction
    ) throws -> Identifier<User>? {
        try read.row(
            """
            SELECT accountId FROM passwordReset WHERE hash = \(TokenPair.hash(token)) AND expiresAt > \(now)
            """
        ) { $0.identifier(0) }
    }

    /// What was sent to the owner of `account` is worth nothing any more.
    static func end(of account: Identifier<User>, in write: WriteTransaction) throws {
        try write.run("DELETE FROM passwordReset WHERE accountId = \(account)")
    }
}
