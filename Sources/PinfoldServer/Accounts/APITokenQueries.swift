import HTTP
import SocialModel
import Storage

/// Tokens for scripts: each does what its scopes say for its account, and nothing to the account itself.
extension APIToken {
    /// The most tokens of one account.
    static let maximumCount = 50
    /// What each token begins with, so that people and scanners of leaked secrets recognise it.
    static let prefix = "pft_"

    /// A new one: the prefix, and 32 random bytes as base64url.
    static func secret(_ random: (Int) -> [UInt8]) -> String { prefix + base64URL(random(32)) }

    /// Whether a text can be an API token. A session's tokens are shorter.
    static func canBe(_ token: some StringProtocol) -> Bool {
        token.utf8.count == prefix.utf8.count + 43 && token.hasPrefix(prefix)
    }

    /// Makes a token of `account` that is known by its secret.
    ///
    /// - Throws: `HTTPError` 400 for one that has expired already, 409 for one too many.
    static func create(
        _ name: String, _ scopes: Set<Scope>, expiresAt: Timestamp?, secret: String, of account: Identifier<User>,
        in write: WriteTransaction
    ) throws -> APIToken {
        guard expiresAt.map({ $0.milliseconds > write.now }) ?? true else {
            throw HTTPError.badRequest("expiresAt", "must be a time to come")
        }
        let count = try write.row("SELECT count(*) FROM apiToken WHERE accountId = \(account)") { $0.int(0) } ?? 0
        guard count < maximumCount else {
            throw HTTPError.conflict("too-many-tokens", "Nobody has more than \(maximumCount) API tokens")
        }
        let token = APIToken(
            id: Identifier(write.newIdentifier()), name: name, scopes: scopes,
            createdAt: Timestamp(milliseconds: write.now), expiresAt: expiresAt)
        try write.run(
            """
            INSERT INTO apiToken (id, accountId, name, scopes, hash, createdAt, expiresAt)
            VALUES (\(token.id), \(account), \(name), \(token.scopeText), \(TokenPair.hash(secret)), \(write.now),
                \(expiresAt?.milliseconds))
            """)
        return token
    }

    /// The tokens of `account`, newest first, with ids from `last` down to `first`; those too that have expired.
    static func all(
        of account: Identifier<User>, from first: Int64 = 0, to last: Int64, limit: Int, in read: some Transaction
    ) throws -> [APIToken] {
        try read.rows(
            """
            SELECT id, name, scopes, createdAt, lastUsedAt, expiresAt FROM apiToken
            WHERE accountId = \(account) AND id BETWEEN \(first) AND \(last) ORDER BY id DESC LIMIT \(limit)
            """
        ) { row in
            APIToken(
                id: row.identifier(0), name: row.text(1), scopes: scopes(row.text(2)), createdAt: row.timestamp(3),
                lastUsedAt: row.optionalInt64(4).map(Timestamp.init(milliseconds:)),
                expiresAt: row.optionalInt64(5).map(Timestamp.init(milliseconds:)))
        }
    }

    /// Revokes one of the tokens of `account`: it is worth nothing from then on.
    ///
    /// - Throws: `HTTPError` 404 when the account has no such token.
    static func revoke(
        _ token: Identifier<APIToken>, of account: Identifier<User>, in write: WriteTransaction
    ) throws {
        guard try write.run("DELETE FROM apiToken WHERE id = \(token) AND accountId = \(account)") > 0 else {
            throw HTTPError.notFound
        }
    }

    static func revokeAll(of account: Identifier<User>, in write: WriteTransaction) throws {
        try write.run("DELETE FROM apiToken WHERE accountId = \(account)")
    }

    /// Forgets those that expired long ago: until then their owner can see why a script has stopped.
    static func forgetExpired(in write: WriteTransaction) throws {
        try write.run("DELETE FROM apiToken WHERE expiresAt <= \(write.now - 30 * 86_400_000)")
    }

    /// As they are stored, in one order: separated by blanks, as in OAuth (RFC 6749, 3.3).
    fileprivate var scopeText: String {
        Scope.allCases.filter(scopes.contains).map(\.rawValue).joined(separator: " ")
    }

    fileprivate static func scopes(_ text: String) -> Set<Scope> {
        Set(text.split(separator: " ").compactMap { Scope(rawValue: String($0)) })
    }
}

extension App {
    /// Who has made the API token, and when it expires, in milliseconds since 1970.
    ///
    /// - Throws: `HTTPError` 401 for one that is unknown, revoked or expired, 403 for one that the route does not let in.
    func viewer(
        ofAPIToken token: some StringProtocol, in transaction: some Transaction
    ) throws -> (viewer: Viewer, expiresAt: Int64) {
        let now = clock()
        let found = try transaction.row(
            """
            SELECT apiToken.id, apiToken.accountId, account.role, apiToken.scopes, apiToken.lastUsedAt,
                apiToken.expiresAt
            FROM apiToken JOIN account ON account.id = apiToken.accountId
            WHERE apiToken.hash = \(TokenPair.hash(token)) AND account.suspendedAt IS NULL
                AND (apiToken.expiresAt IS NULL OR apiToken.expiresAt > \(now))
            """
        ) { row in
            (
                Viewer(id: row.identifier(1), session: row.identifier(0), role: Role(rawValue: row.text(2)) ?? .user),
                scopes: APIToken.scopes(row.text(3)), usedAt: row.optionalInt64(4), expiresAt: row.optionalInt64(5)
            )
        }
        guard let (viewer, scopes, usedAt, expiresAt) = found else {
            throw HTTPError.unauthorized("the token is not valid")
        }
        guard let scope, scopes.contains(scope) else { throw HTTPError.insufficientScope(scope) }
        if now - (usedAt ?? .min / 2) > Session.seenResolution {
            let id = viewer.session
            database.submit(
                { write in
                    try write.run(
                        """
                        UPDATE apiToken SET lastUsedAt = max(ifnull(lastUsedAt, 0), \(write.now)) WHERE id = \(id)
                        """)
                }, completion: { _ in })
        }
        return (viewer, expiresAt ?? .max)
    }
}

extension HTTPError {
    /// 403 (RFC 6750, 3.1) for an API token that lacks a scope, or for what none may do.
    static func insufficientScope(_ scope: APIToken.Scope?) -> HTTPError {
        let scopeField = scope.map { ", scope=\"\($0.rawValue)\"" } ?? ""
        return HTTPError(
            403, "insufficient-scope", "The API token does not allow this",
            detail: scope.map { "it needs the scope \($0.rawValue)" } ?? "sign in: no API token may do this",
            headers: [
                Header("WWW-Authenticate", "Bearer realm=\"pinfold\", error=\"insufficient_scope\"\(scopeField)")
            ])
    }
}

extension APIToken: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.object { writeMembers(to: &$0) }
    }

    func writeMembers(to json: inout JSONWriter) {
        json.key("id")
        json.identifier(id)
        json.key("name")
        json.string(name)
        json.key("scopes")
        json.array { json in
            for scope in Scope.allCases where scopes.contains(scope) { json.string(scope.rawValue) }
        }
        json.key("createdAt")
        json.time(createdAt.milliseconds)
        json.key("lastUsedAt")
        json.optionalTime(lastUsedAt)
        json.key("expiresAt")
        json.optionalTime(expiresAt)
    }
}
