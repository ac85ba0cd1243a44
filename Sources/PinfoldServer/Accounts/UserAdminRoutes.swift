import HTTP
import SocialModel
import Storage

/// Everybody's accounts, for admins. To everybody else these calls do not exist.
enum UserAdminRoutes {
    static func list(_ request: Request, _ app: App, _ read: ReadTransaction) throws -> Response {
        _ = try app.admin(of: request, in: read)
        var query = try QueryFields(request)
        let page = Page(&query)
        let text = query.optional("q", .text(1...100))
        try query.finish()

        let list = "all users \(text ?? "")"
        let after = try app.name(after: page.cursor, of: list)
        let found = try ManagedAccount.all(matching: text, after: after, limit: page.limit + 1, in: read)
        return .json(app.page(found.map { ($0, key: $0.folded) }, limit: page.limit, list))
    }

    static func change(_ request: Request, _ app: App, _ viewer: Viewer) throws -> Write {
        try viewer.requireAdmin()
        try request.refuseQuery()
        let id: Identifier<User> = try request.identifier("userId")
        guard let current = try app.database.read({ try ManagedAccount.find(id, in: $0) }) else {
            throw HTTPError.notFound
        }
        var body = try BodyFields(request)
        let role = body.optional("role", .choice(Role.self))
        let isSuspended = body.optional("suspended", .boolean)
        try body.unchanged(membersOf: current, ["id", "username", "displayName", "email", "createdAt"])
        try body.finish()
        return Write { write, viewer in
            try viewer.requireAdmin()
            guard let account = try ManagedAccount.find(id, in: write) else { throw HTTPError.notFound }
            if let role, role != account.role { try account.give(role, by: viewer.id, in: write) }
            if let isSuspended, isSuspended != account.isSuspended {
                try account.suspend(isSuspended, by: viewer.id, in: write)
            }
            try ManagedAccount.requireAdmin(in: write)
            guard let changed = try ManagedAccount.find(id, in: write) else { throw HTTPError.notFound }
            return .json(changed)
        }
    }

    static func audit(_ request: Request, _ app: App, _ read: ReadTransaction) throws -> Response {
        _ = try app.admin(of: request, in: read)
        var query = try QueryFields(request)
        let page = Page(&query)
        try query.finish()
        let last = try app.identifier(before: page.cursor, of: "audit")
        let found = try Audit.entries(to: last, limit: page.limit + 1, in: read)
        return .json(app.page(found.map { ($0, key: String($0.id)) }, limit: page.limit, "audit"))
    }
}

/// An account as admins see it.
struct ManagedAccount: JSONWritable {
    let id: Identifier<User>
    let username: String
    let folded: String
    let displayName: String
    let email: String
    let role: Role
    let isSuspended: Bool
    let createdAt: Timestamp

    /// Accounts by folded username, whose names or e-mail address begin with a text if there is one.
    static func all(
        matching text: String?, after name: String, limit: Int, in read: some Transaction
    ) throws -> [ManagedAccount] {
        let condition: SQL =
            text.map { text in
                let (folded, search) = (Username.folded(text), Username.searchFolded(text))
                let (foldedEnd, searchEnd) = (folded + "\u{10FFFF}", search + "\u{10FFFF}")
                return """
                    AND (usernameSearch BETWEEN \(search) AND \(searchEnd)
                        OR displayNameSearch BETWEEN \(search) AND \(searchEnd)
                        OR emailFolded BETWEEN \(folded) AND \(foldedEnd))
                    """
            } ?? ""
        return try read.rows(
            "\(columns) WHERE usernameFolded > \(name) \(condition) ORDER BY usernameFolded LIMIT \(limit)"
        ) { ManagedAccount($0) }
    }

    static func find(_ id: Identifier<User>, in read: some Transaction) throws -> ManagedAccount? {
        try read.row("\(columns) WHERE id = \(id)") { ManagedAccount($0) }
    }

    /// To be asked at the end of what may have taken the last admin away, which this undoes.
    ///
    /// - Throws: `HTTPError` 409 `last-admin` where nobody is left who can change an account.
    static func requireAdmin(in write: WriteTransaction) throws {
        guard try write.exists("SELECT 1 FROM account WHERE role = 'admin' AND suspendedAt IS NULL") else {
            throw HTTPError.conflict("last-admin", "There has to be an admin who can sign in")
        }
    }

    func give(_ role: Role, by admin: Identifier<User>?, in write: WriteTransaction) throws {
        try write.run("UPDATE account SET role = \(role.rawValue), updatedAt = \(write.now) WHERE id = \(id)")
        var detail = JSONWriter()
        detail.object { json in
            json.key("from")
            json.string(self.role.rawValue)
            json.key("to")
            json.string(role.rawValue)
        }
        try Audit.log(.userRole, username, detail: detail, by: admin, in: write)
        if role == .user { try ImportJob.cancelAll(of: id, by: admin, in: write) }
    }

    /// Shuts the account out, or lets it in again. What it is signed in with ends at once; its API tokens rest.
    func suspend(_ isSuspended: Bool, by admin: Identifier<User>?, in write: WriteTransaction) throws {
        let time = isSuspended ? write.now : nil
        try write.run("UPDATE account SET suspendedAt = \(time) WHERE id = \(id)")
        if isSuspended {
            try Session.endAll(of: id, in: write)
            try ImportJob.cancelAll(of: id, by: admin, in: write)
            // Told like the end of a session to whoever holds a connection open with it.
            try write.run(
                """
                INSERT INTO event (at, kind, accountId, subjectId)
                SELECT \(write.now), 'sessionEnded', accountId, id FROM apiToken WHERE accountId = \(id)
                """)
        }
        try Audit.log(isSuspended ? .userSuspend : .userUnsuspend, username, by: admin, in: write)
    }

    private static let columns: SQL = """
        SELECT id, username, usernameFolded, displayName, email, role, suspendedAt, createdAt FROM account
        """

    private init(_ row: Row) {
        id = row.identifier(0)
        username = row.text(1)
        folded = row.text(2)
        displayName = row.text(3)
        email = row.text(4)
        role = Role(rawValue: row.text(5)) ?? .user
        isSuspended = !row.isNull(6)
        createdAt = row.timestamp(7)
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.key("id")
            json.identifier(id)
            json.key("username")
            json.string(username)
            json.key("displayName")
            json.string(displayName)
            json.key("email")
            json.string(email)
            json.key("role")
            json.string(role.rawValue)
            json.key("suspended")
            json.bool(isSuspended)
            json.key("createdAt")
            json.time(createdAt.milliseconds)
        }
    }
}
