import HTTP
import SocialModel
import Storage

/// Signing up, one's own account, and finding others.
enum AccountRoutes {
    static func signUp(_ request: Request, _ app: App) throws -> Response {
        try request.refuseQuery()
        if app.registration == .closed {
            throw HTTPError.conflict("registration-closed", "Signing up is closed here")
        }
        var body = try BodyFields(request)
        let username = body.required("username", Username.reader)
        let email = body.required("email", EmailAddress.reader)
        let password = body.required("password", PasswordHasher.reader)
        let displayName = body.nullable("displayName", .text(1...100))
        let phone = body.nullable("phone", .text(1...40))
        let asCookie = body.optional("cookie", .boolean) ?? false
        let invite = body.nullable("invite", .text(1...100))
        try body.finish()
        let cookies = asCookie ? try app.cookies(for: request) : nil
        guard let username, let email, let password else { throw HTTPError.badRequest([]) }
        guard app.registration == .open || invite != nil else {
            throw HTTPError.conflict("invite-needed", "Signing up here needs an invite")
        }
        try app.throttle.admitSignUp(from: request.address, at: app.clock())
        let badInvite = HTTPError.badRequest("invite", "is unknown, used up or expired")
        if let invite {
            let greeting = try app.database.read {
                try InviteGreeting.find(invite, seenBy: nil, at: app.clock(), in: $0)
            }
            guard greeting != nil else { throw badInvite }
        }

        let new = NewAccount(
            username: username, email: email, phone: phone, displayName: displayName,
            passwordHash: try app.passwords.hash(password))
        let tokens = TokenPair(app.random)
        let user = try app.database.write { write in
            let user = try Account.create(new, in: write)
            if let invite {
                guard try Invite.accept(invite, by: user.id, in: write) != nil else { throw badInvite }
            }
            _ = try Session.start(for: user.id, from: request, with: tokens, in: write)
            return user
        }
        return SignedIn(user: user, tokens: tokens, cookies: cookies)
            .response(status: 201, location: "/v1/users/\(user.id)")
    }

    static func own(_ request: Request, _ app: App, _ read: ReadTransaction) throws -> Response {
        let viewer = try app.viewer(of: request, in: read)
        try request.refuseQuery()
        return .json(try Account.own(of: viewer, in: read))
    }

    /// On the pool: a new e-mail address wants the password.
    static func change(_ request: Request, _ app: App) throws -> Response {
        let (viewer, current, passwordHash) = try app.database.read { read in
            let viewer = try app.viewer(of: request, in: read)
            let hash = try Account.passwordHash(of: viewer.id, in: read)
            return (viewer, try Account.own(of: viewer, in: read), hash)
        }
        try request.refuseQuery()
        var body = try BodyFields(request)
        var change = ProfileChange()
        change.displayName = body.optional("displayName", .text(1...100))
        change.bio = body.change("bio", .text(0...1000, blank: true))
        change.phone = body.change("phone", .text(1...40))
        change.email = body.optional("email", EmailAddress.reader)
        let password = body.nullable("currentPassword", .text(1...256, blank: true))
        try body.unchanged(membersOf: current, ["id", "username", "photoURL", "createdAt", "role", "counts", "usage"])
        if change.email == current.email { change.email = nil }
        if change.email != nil {
            if let password {
                try app.checkPassword(password, field: "currentPassword", of: viewer, passwordHash, request, &body)
            } else {
                body.fault("currentPassword", "is required to change email")
            }
        }
        try body.finish()
        let language = MailLanguage(accepting: request.header("Accept-Language"))
        let response: Response = try app.database.write { [change] write in
            let viewer = try app.viewer(of: request, in: write)
            guard try Account.passwordHash(of: viewer.id, in: write) == passwordHash || change.email == nil else {
                throw HTTPError.badRequest("currentPassword", "is not the password")
            }
            try request.requireMatch(try Account.own(of: viewer, in: write))
            return .json(try Account.change(change, of: viewer, language: language, in: write))
        }
        if change.email != nil { app.mail.wake() }
        return response
    }

    static func remove(_ request: Request, _ app: App) throws -> Response {
        let passwordHash = try app.confirmedPassword(request)
        return try app.database.write { write in
            let viewer = try app.viewer(of: request, in: write)
            guard try Account.passwordHash(of: viewer.id, in: write) == passwordHash else {
                throw HTTPError.badRequest("password", "is not the password")
            }
            try request.requireMatch(try Account.own(of: viewer, in: write))
            try Account.remove(viewer.id, in: write)
            if viewer.role == .admin, try Account.isAny(in: write) { try ManagedAccount.requireAdmin(in: write) }
            return app.site.goodbye(to: request)
        }
    }

    static func changePassword(_ request: Request, _ app: App) throws -> Response {
        let (viewer, passwordHash) = try app.signedIn(request)
        try request.refuseQuery()
        var body = try BodyFields(request)
        let current = body.required("current", .text(1...256, blank: true))
        let new = body.required("new", PasswordHasher.reader)
        let keepsTokens = body.optional("keepTokens", .boolean) ?? false
        try app.checkPassword(current, field: "current", of: viewer, passwordHash, request, &body)
        try body.finish()
        guard let new else { throw HTTPError.badRequest([]) }
        let newHash = try app.passwords.hash(new)
        let language = MailLanguage(accepting: request.header("Accept-Language"))
        try app.database.write { write in
            let viewer = try app.viewer(of: request, in: write)
            guard try Account.passwordHash(of: viewer.id, in: write) == passwordHash else {
                throw HTTPError.badRequest("current", "is not the password")
            }
            try Account.setPassword(hash: newHash, of: viewer.id, keepsTokens: keepsTokens, in: write)
            try Session.endAll(of: viewer.id, except: viewer.session, in: write)
            try QueuedMail.tell(.passwordChanged, owner: viewer.id, in: language, in: write)
        }
        app.mail.wake()
        return .noContent
    }

    static func profile(_ request: Request, _ app: App, _ read: ReadTransaction) throws -> Response {
        let viewer = try app.viewer(of: request, in: read)
        try request.refuseQuery()
        guard let profile = try Profile.find(request.identifier("userId"), seenBy: viewer, in: read) else {
            throw HTTPError.notFound
        }
        return .json(profile)
    }

    static func search(_ request: Request, _ app: App, _ read: ReadTransaction) throws -> Response {
        let viewer = try app.viewer(of: request, in: read)
        var query = try QueryFields(request)
        let prefix = query.required("q", .text(1...100))
        let page = Page(&query)
        try query.finish()
        guard let prefix else { throw HTTPError.badRequest([]) }

        let list = "users \(viewer.id) \(prefix)"
        let after = try app.name(after: page.cursor, of: list)
        let found = try Profile.search(
            prefix, after: after, limit: page.limit + 1, seenBy: viewer, in: read)
        return .json(app.page(found, limit: page.limit, list))
    }
}

/// The answer to signing up, signing in and refreshing.
struct SignedIn {
    let user: User
    let tokens: TokenPair
    /// How a browser gets the tokens; nil puts them into the body.
    var cookies: SessionCookies?

    func response(status: Int, location: String? = nil) -> Response {
        var json = JSONWriter()
        json.object { json in
            json.key("user")
            user.write(to: &json)
            if cookies == nil {
                json.key("accessToken")
                json.string(tokens.access)
                json.key("refreshToken")
                json.string(tokens.refresh)
            }
            json.key("expiresIn")
            json.integer(Session.accessLifetime / 1000)
        }
        var response = Response.content("application/json; charset=utf-8", json.bytes, status: status)
        response.headers.append(Header("Cache-Control", "no-store"))
        response.headers += cookies?.setting(tokens) ?? []
        if let location { response.headers.append(Header("Location", location)) }
        return response
    }
}

extension App {
    /// How a browser that asks for it gets its tokens.
    ///
    /// - Throws: `HTTPError` 403 if another site's page asks: it would have its visitor act as somebody else here.
    func cookies(for request: Request) throws -> SessionCookies {
        guard request.header("Origin") == nil || site.isOwnPage(request) else { throw HTTPError.originRefused }
        return site.cookies
    }

    /// The viewer, and the hash that their password is checked against.
    func signedIn(_ request: Request) throws -> (viewer: Viewer, passwordHash: String?) {
        try database.read { read in
            let viewer = try self.viewer(of: request, in: read)
            return (viewer, try Account.passwordHash(of: viewer.id, in: read))
        }
    }

    /// For a call whose body is `{password}` and no more: the hash that the password was right for. A change must find it
    /// as it is here.
    ///
    /// - Throws: `HTTPError` 400 for a wrong password, 401, 429.
    func confirmedPassword(_ request: Request) throws -> String? {
        let (viewer, passwordHash) = try signedIn(request)
        try request.refuseQuery()
        var body = try BodyFields(request)
        let password = body.required("password", .text(1...256, blank: true))
        try checkPassword(password, field: "password", of: viewer, passwordHash, request, &body)
        try body.finish()
        return passwordHash
    }

    /// Takes note in `body` of a wrong password; throttled like signing in.
    func checkPassword(
        _ password: String?, field: String, of viewer: Viewer, _ hash: String?, _ request: Request,
        _ body: inout BodyFields
    ) throws {
        guard let password, let hash else { return }
        let key = viewer.id.description
        try throttle.admitSignIn(key, from: request.address, at: clock(), isKnown: { true })
        if passwords.check(password, against: hash) {
            throttle.signedIn(key, from: request.address)
        } else {
            body.fault(field, "is not the password")
        }
    }

    /// The name that the page behind `cursor` follows, in a list by folded username.
    func name(after cursor: String?, of list: String) throws -> String {
        guard let cursor else { return "" }
        return String(decoding: try cursors.open(cursor, for: list), as: UTF8.self)
    }

    /// The greatest id of the page behind `cursor`, in a list by id, newest first.
    func identifier(before cursor: String?, of list: String) throws -> Int64 {
        guard let cursor else { return .max }
        return (Int64(String(decoding: try cursors.open(cursor, for: list), as: UTF8.self)) ?? 1) - 1
    }

    /// One page of items that are keyed by text, from one more than `limit`.
    func page<Item>(_ found: [(Item, key: String)], limit: Int, _ list: String) -> Items<Item> {
        let shown = found.prefix(limit)
        let next = found.count > limit ? shown.last.map { cursors.seal(Array($0.key.utf8), for: list) } : nil
        return Items(items: shown.map(\.0), next: next)
    }
}
