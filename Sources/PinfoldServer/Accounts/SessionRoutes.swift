import HTTP
import SocialModel
import Storage

/// Signing in and out, and one's own devices.
enum SessionRoutes {
    /// On the pool. An unknown account and a wrong password are one answer and one amount of work.
    static func signIn(_ request: Request, _ app: App) throws -> Response {
        try request.refuseQuery()
        var body = try BodyFields(request)
        let login = body.required("login", .text(1...254))
        let password = body.required("password", .text(1...256, blank: true))
        let asCookie = body.optional("cookie", .boolean) ?? false
        try body.finish()
        let cookies = asCookie ? try app.cookies(for: request) : nil
        guard let login, let password else { throw HTTPError.badRequest([]) }
        let credentials = try app.database.read { try Account.credentials(login, in: $0) }
        // An account has one count of tries, whether by username or by e-mail address.
        let key = credentials?.id.description ?? Username.folded(login)
        try app.throttle.admitSignIn(key, from: request.address, at: app.clock()) {
            guard let account = credentials?.id else { return false }
            return try app.database.read { try Account.isKnown(request.address.description, of: account, in: $0) }
        }

        let isRight = app.passwords.check(password, against: credentials?.passwordHash)
        guard isRight, let credentials else { throw HTTPError.unauthorized("the login or the password is wrong") }
        let tokens = TokenPair(app.random)
        let (user, session) = try app.database.write { write in
            // The password may have changed since it was checked.
            guard try Account.passwordHash(of: credentials.id, in: write) == credentials.passwordHash else {
                throw HTTPError.unauthorized("the login or the password is wrong")
            }
            guard try !Account.isSuspended(credentials.id, in: write) else { throw HTTPError.suspended }
            if let cookies { try Session.end(ofRefreshToken: cookies.refreshToken(of: request), in: write) }
            let session = try Session.start(for: credentials.id, from: request, with: tokens, in: write)
            return (try Self.user(credentials.id, in: write), session)
        }
        app.throttle.signedIn(key, from: request.address)
        return SignedIn(user: user, tokens: tokens, cookies: cookies)
            .response(status: 201, location: "/v1/sessions/\(session)")
    }

    static func refresh(_ request: Request, _ app: App) throws -> Response {
        try request.refuseQuery()
        if request.body.isEmpty { return try refreshCookies(request, app) }
        var body = try BodyFields(request)
        let token = body.required("refreshToken", .text(1...200))
        try body.finish()
        guard let token else { throw HTTPError.badRequest([]) }
        guard try app.database.read({ try Session.knows(token, in: $0) }) else {
            throw HTTPError.unauthorized("the refresh token is not valid")
        }
        let tokens = TokenPair(app.random)
        let user = try app.database.write { write -> User? in
            // A refusal ends a session, so it must commit: the error is thrown outside.
            guard case .renewed(let account) = try Session.refresh(token, with: tokens, in: write) else { return nil }
            return try Self.user(account, in: write)
        }
        guard let user else { throw HTTPError.unauthorized("the refresh token is not valid") }
        return SignedIn(user: user, tokens: tokens).response(status: 200)
    }

    private static func refreshCookies(_ request: Request, _ app: App) throws -> Response {
        let cookies = app.site.cookies
        guard let token = cookies.refreshToken(of: request), token.utf8.count <= 200,
            try app.database.read({ try Session.knows(token, in: $0) })
        else { throw HTTPError.unauthorized("there is no refresh token, or it is not valid") }
        let signedIn = try app.database.write { write -> SignedIn? in
            guard let (account, tokens) = try app.cookieSuccession.renew(token, in: write) else { return nil }
            return SignedIn(user: try Self.user(account, in: write), tokens: tokens, cookies: cookies)
        }
        guard let signedIn else { throw HTTPError.unauthorized("the refresh token is not valid") }
        return signedIn.response(status: 200)
    }

    static func list(_ request: Request, _ app: App, _ read: ReadTransaction) throws -> Response {
        let viewer = try app.viewer(of: request, in: read)
        var query = try QueryFields(request)
        let page = Page(&query)
        try query.finish()

        let list = "sessions \(viewer.id)"
        let last = try app.identifier(before: page.cursor, of: list)
        let found = try Session.all(of: viewer, to: last, limit: page.limit + 1, at: app.clock(), in: read)
        return .json(app.page(found.map { ($0, key: $0.id.description) }, limit: page.limit, list))
    }

    static func show(_ request: Request, _ app: App, _ read: ReadTransaction) throws -> Response {
        let viewer = try app.viewer(of: request, in: read)
        try request.refuseQuery()
        let id = try request.identifier("sessionId", of: Session.self).rawValue
        let found = try Session.all(of: viewer, from: id, to: id, limit: 1, at: app.clock(), in: read)
        guard let session = found.first else { throw HTTPError.notFound }
        return .json(session)
    }

    static func end(_ request: Request, _ app: App, _ viewer: Viewer) throws -> Write {
        try request.refuseQuery()
        let session: Identifier<Session> = try request.identifier("sessionId")
        return Write { write, viewer in
            let id = session.rawValue
            try request.requireMatch(
                try Session.all(of: viewer, from: id, to: id, limit: 1, at: write.now, in: write).first)
            try Session.end(session, of: viewer.id, in: write)
            return session == viewer.session ? app.site.goodbye(to: request) : .noContent
        }
    }

    static func endCurrent(_ request: Request, _ app: App, _ viewer: Viewer) throws -> Write {
        try request.refuseQuery()
        return Write { write, viewer in
            try Session.end(viewer.session, of: viewer.id, in: write)
            return app.site.goodbye(to: request)
        }
    }

    static func endAll(_ request: Request, _ app: App, _ viewer: Viewer) throws -> Write {
        try request.refuseQuery()
        return Write { write, viewer in
            try Session.endAll(of: viewer.id, in: write)
            return app.site.goodbye(to: request)
        }
    }

    private static func user(_ account: Identifier<User>, in read: some Transaction) throws -> User {
        let user = try read.row(
            "SELECT id, username, displayName, bio, createdAt FROM account WHERE id = \(account)"
        ) { $0.user(0) }
        guard let user else { throw HTTPError.unauthorized("the login or the password is wrong") }
        return user
    }
}
