import HTTP
import SocialModel
import Storage

/// A new password for who has forgotten theirs, by mail.
enum PasswordResetRoutes {
    /// On the pool. Whether there is an account with the address is not even looked up here: the request is queued either
    /// way, and the sender of mail finds out.
    static func create(_ request: Request, _ app: App) throws -> Response {
        try request.refuseQuery()
        var body = try BodyFields(request)
        let email = body.required("email", EmailAddress.reader)
        try body.finish()
        guard let email else { throw HTTPError.badRequest([]) }
        let folded = EmailAddress.folded(email)
        try app.throttle.admitReset(of: folded, from: request.address, at: app.clock())
        let language = MailLanguage(accepting: request.header("Accept-Language"))
        try app.database.write { try QueuedMail.askForReset(folded, in: language, in: $0) }
        app.mail.wake()
        return Response(status: 202)
    }

    /// On the pool.
    static func use(_ request: Request, _ app: App) throws -> Response {
        try request.refuseQuery()
        let token = request.parameter("token") ?? ""
        var body = try BodyFields(request)
        let password = body.required("password", PasswordHasher.reader)
        try body.finish()
        guard let password else { throw HTTPError.badRequest([]) }
        _ = try app.database.read { try account(for: token, at: app.clock(), in: $0) }
        let hash = try app.passwords.hash(password)
        let language = MailLanguage(accepting: request.header("Accept-Language"))
        try app.database.write { write in
            let account = try account(for: token, at: write.now, in: write)
            try Account.setPassword(hash: hash, of: account, in: write)
            try Session.endAll(of: account, in: write)
            try QueuedMail.tell(.passwordChanged, owner: account, in: language, in: write)
        }
        app.mail.wake()
        return .noContent
    }

    /// Whose password the token may change.
    ///
    /// - Throws: `HTTPError` 404; 403 `suspended`, as at signing in, which only whoever has the link learns. The link stays
    ///   good until its hour is over.
    private static func account(for token: String, at now: Int64, in read: some Transaction) throws -> Identifier<User>
    {
        guard let account = try PasswordReset.account(for: token, at: now, in: read) else { throw invalid }
        guard try !Account.isSuspended(account, in: read) else { throw HTTPError.suspended }
        return account
    }

    /// 404 for a token that is unknown, used, replaced or too old, all the same.
    private static let invalid = HTTPError(
        404, "reset-invalid", "The link is not valid any more", detail: "ask for another message")
}
