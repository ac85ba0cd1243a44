import HTTP
import SocialModel

/// How an admin command goes over the socket: a JSON object each way, ended by a newline.
extension AdminCommand {
    /// The most that a message may be.
    static let messageLimit = 64 << 20

    package var message: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            let values: KeyValuePairs<String, String> =
                switch self {
                case .create(let username, let email, let role):
                    ["username": username, "email": email, "role": role.rawValue]
                case .grant(let username, let role): ["username": username, "role": role.rawValue]
                case .revoke(let username), .resetPassword(let username): ["username": username]
                case .users: [:]
                case .importFile(let path, let request): ["path": path, "request": request]
                case .importJob(let id), .cancelImport(let id): ["id": id]
                }
            json.key("command")
            json.string(name)
            for (name, value) in values {
                json.key(escaping: name)
                json.string(value)
            }
        }
        return json.bytes + [UInt8(ascii: "\n")]
    }

    /// - Throws: `Refusal` for what is no command.
    init(message: some Sequence<UInt8>) throws {
        let json = try? JSONValue(parsing: Array(message))
        func text(_ name: String) throws -> String {
            guard case .object(let members) = json,
                case .string(let text) = members.first(where: { $0.name == name })?.value
            else { throw Refusal("the command has no \(name)") }
            return text
        }
        func role() throws -> Role {
            guard let role = Role(rawValue: try text("role")) else {
                throw Refusal("there is no such role")
            }
            return role
        }
        switch try text("command") {
        case "create":
            self = .create(username: try text("username"), email: try text("email"), role: try role())
        case "grant": self = .grant(username: try text("username"), role: try role())
        case "revoke": self = .revoke(username: try text("username"))
        case "users": self = .users
        case "reset-password": self = .resetPassword(username: try text("username"))
        case "import": self = .importFile(path: try text("path"), request: try text("request"))
        case "import-job": self = .importJob(id: try text("id"))
        case "cancel-import": self = .cancelImport(id: try text("id"))
        default: throw Refusal("the server that runs does not know this command")
        }
    }

    /// The answer to a message.
    static func answer(_ result: Result<[String], any Error>) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            switch result {
            case .success(let lines):
                json.key("lines")
                json.array { json in for line in lines { json.string(line) } }
            case .failure(let error):
                json.key("error")
                json.string(
                    (error as? Refusal)?.description ?? "the server could not do it; its log may say more")
            }
        }
        return json.bytes + [UInt8(ascii: "\n")]
    }

    /// What an answer says.
    ///
    /// - Throws: `Refusal`.
    static func lines(ofAnswer answer: [UInt8]) throws -> [String] {
        guard case .object(let members) = try? JSONValue(parsing: answer), let member = members.first
        else {
            throw Refusal("the server that runs gave no answer")
        }
        switch (member.name, member.value) {
        case ("lines", .array(let lines)):
            return lines.compactMap { if case .string(let line) = $0 { line } else { nil } }
        case ("error", .string(let text)): throw Refusal(text)
        default: throw Refusal("the server that runs gave an answer that is none")
        }
    }
}
