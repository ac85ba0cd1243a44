import HTTP
import SocialModel
import Storage

/// One sign-in on one device: a family of tokens that follow each other by refreshing.
///
/// Each refresh starts a generation of two tokens. The new generation is *latest* but not *confirmed* until one of its
/// tokens is used; until then the previous one still works, so that a lost answer logs nobody out. A refresh token older
/// than the confirmed generation is a stolen or replayed one: its use ends the session.
struct Session: Sendable {
    /// Milliseconds.
    static let accessLifetime: Int64 = 3_600_000
    static let refreshLifetime: Int64 = 60 * 86_400_000
    /// How stale `lastSeenAt` may be before a request brings it up to date.
    static let seenResolution: Int64 = 600_000

    let id: Identifier<Session>
    let createdAt: Timestamp
    let lastSeenAt: Timestamp
    let address: String
    let userAgent: String?
    let isCurrent: Bool
}

/// The two tokens of one generation, as their client gets them, once.
struct TokenPair: Sendable {
    /// 32 random bytes, base64url.
    let access: String
    let refresh: String

    init(_ random: (Int) -> [UInt8]) {
        self.init(access: base64URL(random(32)), refresh: base64URL(random(32)))
    }

    init(access: String, refresh: String) {
        self.access = access
        self.refresh = refresh
    }

    /// What the database keeps of a token: 32 bytes of BLAKE2b. Tokens are random, so no salt is needed.
    static func hash(_ token: some StringProtocol) -> [UInt8] { blake2b(Array(token.utf8)) }
}

extension Session: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.key("id")
            json.identifier(id)
            json.key("createdAt")
            json.time(createdAt.milliseconds)
            json.key("lastSeenAt")
            json.time(lastSeenAt.milliseconds)
            json.key("address")
            json.string(address)
            json.key("userAgent")
            json.optionalString(userAgent)
            json.key("current")
            json.bool(isCurrent)
        }
    }
}

extension App {
    /// The account whose access token the request carries, in `Authorization` or else in a cookie.
    ///
    /// The first use of a new generation confirms it, on the writer, ahead of any refresh that is asked for later.
    ///
    /// - Throws: `HTTPError` 401 without a token or with one that is unknown, replaced, revoked or expired, 403 for an API
    ///   token that the route does not let in.
    func viewer(of request: Request, in transaction: some Transaction) throws -> Viewer {
        guard let token = try token(of: request) else {
            throw HTTPError.unauthorized("the request carries no token")
        }
        return try viewer(ofToken: token, in: transaction).viewer
    }

    /// The token in `Authorization` (RFC 6750, 2.1), else that in the session's cookie; nil without either. An API token
    /// may also be the password of HTTP Basic, with any username.
    ///
    /// - Throws: `HTTPError` 401 for another scheme.
    func token(of request: Request) throws -> Substring? {
        guard let authorization = request.header("Authorization") else {
            return site.cookies.accessToken(of: request)
        }
        let parts = authorization.split(separator: " ", maxSplits: 1)
        guard parts.count == 2 else { throw HTTPError.unauthorized("the token is not valid") }
        if String(parts[0]).equalsIgnoringASCIICase("Bearer") { return parts[1] }
        guard String(parts[0]).equalsIgnoringASCIICase("Basic"), let basic = BasicCredentials(parts[1]),
            APIToken.canBe(basic.password)
        else { throw HTTPError.unauthorized("the token is not valid") }
        return Substring(basic.password)
    }

    /// As `viewer(of:in:)`, and when the token expires, in milliseconds since 1970.
    func viewer(
        ofToken token: some StringProtocol, in transaction: some Transaction
    ) throws -> (viewer: Viewer, expiresAt: Int64) {
        guard token.utf8.count <= 200 else { throw HTTPError.unauthorized("the token is not valid") }
        if APIToken.canBe(token) { return try viewer(ofAPIToken: token, in: transaction) }
        let now = clock()
        let found = try transaction.row(
            """
            SELECT session.id, session.accountId, account.role, token.generation, session.confirmedGeneration,
                session.lastSeenAt, token.expiresAt
            FROM token
            JOIN session ON session.id = token.sessionId
            JOIN account ON account.id = session.accountId
            WHERE token.hash = \(TokenPair.hash(token)) AND token.purpose = 'access' AND token.expiresAt > \(now)
            """
        ) { row in
            (
                Viewer(id: row.identifier(1), session: row.identifier(0), role: Role(rawValue: row.text(2)) ?? .user),
                generation: row.int64(3), confirmed: row.int64(4), seen: row.int64(5), expiresAt: row.int64(6)
            )
        }
        guard let (viewer, generation, confirmed, seen, expiresAt) = found else {
            throw HTTPError.unauthorized("the token is not valid")
        }
        if generation > confirmed {
            database.submit({ try Session.confirm(viewer.session, generation, in: $0) }, completion: { _ in })
        }
        if now - seen > Session.seenResolution {
            database.submit({ try Session.markSeen(viewer.session, in: $0) }, completion: { _ in })
        }
        return (viewer, expiresAt)
    }
}

extension Session {
    /// Starts a session of `account` with its first tokens.
    static func start(
        for account: Identifier<User>, from request: Request, with tokens: TokenPair, in write: WriteTransaction
    ) throws -> Identifier<Session> {
        let id = Identifier<Session>(write.newIdentifier())
        let agent = request.header("User-Agent").map { String($0.unicodeScalars.prefix(300)) }
        try write.run(
            """
            INSERT INTO session
                (id, accountId, confirmedGeneration, latestGeneration, address, userAgent, createdAt, lastSeenAt)
            VALUES (\(id), \(account), 1, 1, \(request.address.description), \(agent), \(write.now), \(write.now))
            """)
        try store(tokens, of: id, generation: 1, in: write)
        return id
    }

    /// What became of a refresh token.
    enum Refreshed: Sendable {
        case renewed(Identifier<User>)
        /// The token is unknown or expired, or was reused: then its session has just ended.
        case refused
    }

    /// Whether there is such a refresh token, of whatever age: what is not known need not trouble the writer.
    static func knows(_ refreshToken: some StringProtocol, in read: some Transaction) throws -> Bool {
        try read.exists(
            "SELECT 1 FROM token WHERE hash = \(TokenPair.hash(refreshToken)) AND purpose = 'refresh'")
    }

    /// Replaces the tokens of the session that `refreshToken` belongs to.
    static func refresh(
        _ refreshToken: String, with tokens: TokenPair, in write: WriteTransaction
    ) throws -> Refreshed {
        guard let place = try Place(of: refreshToken, in: write) else { return .refused }
        return try place.isReplayed ? end(place, in: write) : renew(place, with: tokens, in: write)
    }

    /// Where a refresh token stands in its family.
    struct Place {
        let session: Identifier<Session>
        let account: Identifier<User>
        let generation: Int64
        let confirmed: Int64
        let latest: Int64
        /// When it was given out, milliseconds since 1970.
        let issuedAt: Int64

        /// A later one has been used since.
        var isReplayed: Bool { generation < confirmed }

        /// Nil if the token is unknown or expired.
        init?(of refreshToken: some StringProtocol, in write: WriteTransaction) throws {
            let found = try write.row(
                """
                SELECT session.id, session.accountId, token.generation, session.confirmedGeneration,
                    session.latestGeneration, token.expiresAt
                FROM token JOIN session ON session.id = token.sessionId
                WHERE token.hash = \(TokenPair.hash(refreshToken)) AND token.purpose = 'refresh'
                    AND token.expiresAt > \(write.now)
                """
            ) { row in
                (
                    row.identifier(0) as Identifier<Session>, row.identifier(1) as Identifier<User>,
                    (row.int64(2), row.int64(3), row.int64(4)), row.int64(5)
                )
            }
            guard let found else { return nil }
            (session, account) = (found.0, found.1)
            (generation, confirmed, latest) = found.2
            issuedAt = found.3 - Session.refreshLifetime
        }
    }

    /// Ends the session of a token that was stolen or replayed.
    static func end(_ place: Place, in write: WriteTransaction) throws -> Refreshed {
        try write.run("DELETE FROM session WHERE id = \(place.session)")
        return .refused
    }

    /// Gives `tokens` out in the place of those that are good now.
    static func renew(_ place: Place, with tokens: TokenPair, in write: WriteTransaction) throws -> Refreshed {
        if place.generation < place.latest {
            // The answer with the latest tokens was lost before anybody used them: these replace them.
            try write.run(
                "DELETE FROM token WHERE sessionId = \(place.session) AND generation > \(place.generation)")
        } else if place.generation > place.confirmed {
            try confirm(place.session, place.generation, in: write)
        }
        try write.run(
            """
            UPDATE session SET latestGeneration = \(place.latest + 1), lastSeenAt = \(write.now)
            WHERE id = \(place.session)
            """)
        try store(tokens, of: place.session, generation: place.latest + 1, in: write)
        return .renewed(place.account)
    }

    /// A token of `generation` was used: older access tokens are worth nothing from now on.
    static func confirm(_ session: Identifier<Session>, _ generation: Int64, in write: WriteTransaction) throws {
        try write.run(
            """
            UPDATE session SET confirmedGeneration = \(generation)
            WHERE id = \(session) AND confirmedGeneration < \(generation) AND latestGeneration >= \(generation)
            """)
        try write.run(
            """
            DELETE FROM token
            WHERE sessionId = \(session) AND purpose = 'access'
                AND generation < (SELECT confirmedGeneration FROM session WHERE id = \(session))
            """)
    }

    static func markSeen(_ session: Identifier<Session>, in write: WriteTransaction) throws {
        try write.run("UPDATE session SET lastSeenAt = max(lastSeenAt, \(write.now)) WHERE id = \(session)")
    }

    /// The live sessions of the viewer, newest first, with ids from `last` down to `first`.
    static func all(
        of viewer: Viewer, from first: Int64 = 0, to last: Int64, limit: Int, at now: Int64, in read: some Transaction
    ) throws -> [Session] {
        try read.rows(
            """
            SELECT id, createdAt, lastSeenAt, address, userAgent FROM session
            WHERE accountId = \(viewer.id) AND id BETWEEN \(first) AND \(last)
                AND EXISTS (SELECT 1 FROM token WHERE token.sessionId = session.id AND token.expiresAt > \(now))
            ORDER BY id DESC LIMIT \(limit)
            """
        ) { row in
            Session(
                id: row.identifier(0), createdAt: row.timestamp(1), lastSeenAt: row.timestamp(2),
                address: row.text(3), userAgent: row.optionalText(4),
                isCurrent: row.identifier(0) == viewer.session)
        }
    }

    /// Ends one session of `account`; its tokens are worth nothing from then on.
    ///
    /// - Throws: `HTTPError` 404 when the account has no such session.
    static func end(
        _ session: Identifier<Session>, of account: Identifier<User>, in write: WriteTransaction
    ) throws {
        guard try write.run("DELETE FROM session WHERE id = \(session) AND accountId = \(account)") > 0 else {
            throw HTTPError.notFound
        }
    }

    /// Ends the session of a refresh token, of whatever age, if there is one.
    static func end(ofRefreshToken token: (some StringProtocol)?, in write: WriteTransaction) throws {
        guard let token else { return }
        try write.run(
            """
            DELETE FROM session WHERE id IN (
                SELECT sessionId FROM token WHERE hash = \(TokenPair.hash(token)) AND purpose = 'refresh')
            """)
    }

    /// Ends all sessions of `account`, but for one if given.
    static func endAll(
        of account: Identifier<User>, except kept: Identifier<Session>? = nil, in write: WriteTransaction
    ) throws {
        try write.run("DELETE FROM session WHERE accountId = \(account) AND id IS NOT \(kept)")
    }

    /// Stores a generation of tokens; those that are there already live on from now.
    static func store(
        _ tokens: TokenPair, of session: Identifier<Session>, generation: Int64, in write: WriteTransaction
    ) throws {
        try write.run(
            """
            INSERT INTO token (hash, sessionId, purpose, generation, expiresAt) VALUES
                (\(TokenPair.hash(tokens.access)), \(session), 'access', \(generation),
                    \(write.now + accessLifetime)),
                (\(TokenPair.hash(tokens.refresh)), \(session), 'refresh', \(generation),
                    \(write.now + refreshLifetime))
            ON CONFLICT (hash) DO UPDATE SET expiresAt = excluded.expiresAt
            """)
    }
}
