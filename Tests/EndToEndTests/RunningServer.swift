import Foundation
import Testing

/// `pinfold serve` on a free port of this machine; killed when the last reference goes.
final class RunningServer: Sendable {
    let folder: DataFolder
    let process: ChildProcess
    let port: UInt16

    /// - Parameter fixedPort: a port that nobody has; 0 for any.
    init(
        _ folder: DataFolder, _ options: String..., fixedPort: UInt16 = 0, environment: [String: String] = [:]
    ) throws {
        self.folder = folder
        let words = ["serve", "--data", folder.path, "--port", "\(fixedPort)"] + options
        let process = try Pinfold.start(words, environment: environment)
        self.process = process
        port = try eventually("the server to start") {
            guard process.ending == nil else { throw Failure("the server ended: \(process.error)") }
            return process.output.firstMatch(of: /^Pinfold serves on http:\/\/127\.0\.0\.1:([0-9]+)\/\n/)
                .flatMap { UInt16($0.1) }
        }
    }

    /// Someone who is not signed in.
    var stranger: Client { Client(port: port) }

    /// Signs up and in.
    func signUp(_ username: String, headers: [String] = []) throws -> Client {
        let answer = try stranger.send(
            "POST", "/v1/users", headers: headers,
            json:
                #"{"username": "\#(username)", "email": "\#(username)@example.org", "password": "\#(username) secret"}"#
        )
        guard answer.status == 201 else { throw Failure("\(username) could not sign up: \(answer)") }
        return Client(port: port, token: try answer.decoded(SignedIn.self).accessToken)
    }

    /// Ends it as a service manager does, and expects it to end well.
    func stop(sourceLocation: SourceLocation = #_sourceLocation) throws {
        process.send(SIGTERM)
        #expect(try process.wait() == .exit(0), "\(process.error)", sourceLocation: sourceLocation)
    }

    /// The lines of its log.
    var log: [LogLine] {
        get throws {
            try process.error.split(separator: "\n").map { line in
                do {
                    return try JSONDecoder().decode(LogLine.self, from: Data(line.utf8))
                } catch { throw Failure("a line of the log is no JSON object: \(line)") }
            }
        }
    }

    struct LogLine: Decodable {
        let level: String
        let message: String?
        let request: String?
        let method: String?
        let path: String?
        let status: Int?
    }
}
