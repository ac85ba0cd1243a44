import HTTP
import SocialModel
import Storage

/// What whoever runs the server does to its accounts, from the command line: with the database at hand, or through a
/// server that has it (`AdminSocket`).
package enum AdminCommand: Sendable, Equatable {
    /// A new account with this role, and a random password.
    case create(username: String, email: String, role: Role)
    case grant(username: String, role: Role)
    /// Back to an account like any other.
    case revoke(username: String)
    case users
    /// A link to a new password, to be handed on.
    case resetPassword(username: String)
    /// An import of a file, whose path the server can read; the request as its JSON text.
    case importFile(path: String, request: String)
    /// How an import goes.
    case importJob(id: String)
    case cancelImport(id: String)

    /// As it is called on the command line.
    package var name: String {
        switch self {
        case .create: "create"
        case .grant: "grant"
        case .revoke: "revoke"
        case .users: "users"
        case .resetPassword: "reset-password"
        case .importFile: "import"
        case .importJob: "import-job"
        case .cancelImport: "cancel-import"
        }
    }

    /// What cannot be done, in a line for people.
    package struct Refusal: Error, Sendable, CustomStringConvertible {
        package let description: String

        package init(_ description: String) {
            self.description = description
        }
    }

    /// What the command needs.
    package struct Means: Sendable {
        let database: DatabasePool
        let passwords: PasswordHasher
        let publicURL: String
        let random: @Sendable (Int) -> [UInt8]
        /// Nil where no server runs.
        let imports: ImportWorker?

        package init(_ app: App) {
            database = app.database
            passwords = app.passwords
            publicURL = app.publicURL
            random = app.random
            imports = app.imports
        }

        package init(database: DatabasePool, publicURL: String) {
            self.database = database
            passwords = PasswordHasher()
            self.publicURL = publicURL
            random = randomBytes
            imports = nil
        }
    }

    /// Does it, blocking.
    ///
    /// - Returns: lines for standard output; secrets in them are shown this once.
    /// - Throws: `Refusal`, or what the database throws.
    package func run(_ means: Means) throws -> [String] {
        switch self {
        case .create(let username, let email, let role):
            return try Self.create(username, email, role, means)
        case .grant(let username, let role):
            try Self.setRole(role, of: username, means)
            return ["\(username) is \(role.rawValue) now."]
        case .revoke(let username):
            try Self.setRole(.user, of: username, means)
            return ["\(username) is an account like any other now."]
        case .users: return try Self.users(means)
        case .importFile(let path, let request):
            guard let imports = means.imports else { throw Refusal("no server runs") }
            guard let id = try imports.queue(try ImportRequest(text: request), copying: path) else {
                throw Refusal("the server cannot read \(path)")
            }
            return [id.description]
        case .importJob(let text):
            let id = Identifier<ImportJob>(parsing: text)
            let job = try id.flatMap { id in try means.database.read { try ImportJob.find(id, in: $0) } }
            guard let job else { throw Refusal("there is no import \(text)") }
            return [job.json]
        case .cancelImport(let text):
            guard let id = Identifier<ImportJob>(parsing: text) else { throw Refusal("there is no import \(text)") }
            try means.database.write { write in _ = try ImportJob.cancel(id, by: nil, in: write) }
            return []
        case .resetPassword(let username):
            let token = base64URL(means.random(32))
            try means.database.write { write in
                try PasswordReset.begin(of: try Self.account(username, in: write), token: token, in: write)
            }
            return [
                "Whoever opens this link within an hour chooses a new password for \(username), once:",
                PasswordReset.link(token, publicURL: means.publicURL),
            ]
        }
    }

    private static func create(
        _ username: String, _ email: String, _ role: Role, _ means: Means
    ) throws -> [String] {
        let name: String
        switch Username.reader.read(.string(username)) {
        case .success(let value): name = value
        case .failure(let problem): throw Refusal("the username \(problem.message)")
        }
        if case .failure(let problem) = EmailAddress.reader.read(.string(email)) {
            throw Refusal("the e-mail address \(problem.message)")
        }
        let password = base64URL(means.random(12))
        let new = NewAccount(
            username: name, email: email, phone: nil, displayName: nil,
            passwordHash: try means.passwords.hash(password))
        do {
            try means.database.write { write in
                let user = try Account.create(new, in: write)
                try write.run("UPDATE account SET role = \(role.rawValue) WHERE id = \(user.id)")
            }
        } catch let error as HTTPError where error.status == 409 {
            throw Refusal(error.faults.map { "the \($0.field) \($0.message)" }.joined(separator: ", "))
        }
        return ["\(name) is there, as \(role.rawValue). The password, shown this once:", password]
    }

    private static func setRole(_ role: Role, of username: String, _ means: Means) throws {
        try means.database.write { write in
            let account = try account(username, in: write)
            try ManagedAccount.find(account, in: write)?.give(role, by: nil, in: write)
        }
    }

    private static func users(_ means: Means) throws -> [String] {
        try means.database.read { read in
            try read.rows("SELECT username, role, email, createdAt FROM account ORDER BY usernameFolded") { row in
                var created = JSONWriter()
                created.time(row.int64(3))
                let time = String(decoding: created.bytes, as: UTF8.self).filter { $0 != "\"" }
                return [row.text(0), row.text(1), row.text(2), time].joined(separator: "\t")
            }
        }
    }

    private static func account(_ username: String, in read: some Transaction) throws -> Identifier<
        User
    > {
        let found = try read.row(
            "SELECT id FROM account WHERE usernameFolded = \(Username.folded(username))"
        ) { $0.identifier(0) as Identifier<User> }
        guard let found else { throw Refusal("there is no account \(username)") }
        return found
    }
}
