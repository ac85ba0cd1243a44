import Foundation
import PinfoldServer
import SocialModel
import Storage

extension Command {
    static let admin = Command(
        name: "admin", summary: "Makes accounts, gives and takes roles, and lets people in again.",
        options: [
            Option(name: "data", value: "DIR", help: "the server's data folder (./var)"),
            Option(name: "email", value: "ADDRESS", help: "of the account that create makes"),
            Option(
                name: "role", value: "admin|curator|user", help: "what create makes and grant gives (admin)"
            ),
            Option(
                name: "public-url", value: "URL",
                help:
                    "for the link of reset-password; a server that runs has its own (http://127.0.0.1:8080)"),
        ],
        operands: "create USER | grant USER | revoke USER | users | reset-password USER",
        run: { arguments in
            let command = try adminCommand(arguments)
            try startCrypto()
            let folder = try DataFolder(arguments["data"] ?? "./var")
            for line in try perform(command, folder, arguments) { print(line) }
        })

    private static func adminCommand(_ arguments: Arguments) throws -> AdminCommand {
        let operands = arguments.operands
        guard let role = Role(rawValue: arguments["role"] ?? "admin") else {
            throw UsageError("--role must be admin, curator or user")
        }
        switch (operands.first, operands.count) {
        case ("create", 2):
            guard let email = arguments["email"] else { throw UsageError("create needs --email ADDRESS") }
            return .create(username: operands[1], email: email, role: role)
        case ("grant", 2): return .grant(username: operands[1], role: role)
        case ("revoke", 2): return .revoke(username: operands[1])
        case ("users", 1): return .users
        case ("reset-password", 2): return .resetPassword(username: operands[1])
        default:
            throw UsageError("give create USER, grant USER, revoke USER, users, or reset-password USER")
        }
    }

    /// In the database itself, or by the server that has it.
    private static func perform(
        _ command: AdminCommand, _ folder: DataFolder, _ arguments: Arguments
    ) throws -> [String] {
        do {
            if let lines = try AdminSocket.ask(command, folder: folder.path) { return lines }
            let isNew = !FileManager.default.fileExists(atPath: folder.database)
            if isNew, command.name != "create" {
                throw CommandFailure("\(folder.path) has no accounts yet")
            }
            let configuration = try ServeConfiguration(arguments)
            let database = try folder.openDatabase()
            defer { database.close() }
            return try command.run(
                AdminCommand.Means(database: database, publicURL: configuration.publicURL))
        } catch let refusal as AdminCommand.Refusal {
            throw CommandFailure(refusal.description)
        }
    }
}
