import Foundation
import PinfoldServer
import Testing

/// `pinfold admin`, with a server that runs on the folder and without.
@Suite(.ownThreads) struct AdminTests {
    private func admin(_ folder: DataFolder, _ words: String...) throws -> String {
        let process = try Pinfold.start(["admin", "--data", folder.path] + words)
        guard try process.wait() == .exit(0) else { throw Failure("admin \(words): \(process.error)") }
        return process.output
    }

    private func expectRefusal(
        _ folder: DataFolder, _ words: String..., saying: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let process = try Pinfold.start(["admin", "--data", folder.path] + words)
        #expect(try process.wait() == .exit(1), sourceLocation: sourceLocation)
        StartFailureTests.expectOneLine(process, [saying], sourceLocation)
    }

    /// What stands alone in the second line of an output, shown once.
    private func secret(_ output: String) throws -> String {
        let lines = output.split(separator: "\n").map(String.init)
        guard lines.count == 2 else { throw Failure("two lines are due: \(output)") }
        return lines[1]
    }

    private func signIn(_ server: RunningServer, _ login: String, _ password: String) throws -> Answer {
        try server.stranger.send(
            "POST", "/v1/sessions", json: #"{"login": "\#(login)", "password": "\#(password)"}"#)
    }

    private struct Me: Decodable { let role: String }

    private func role(_ server: RunningServer, _ login: String, _ password: String) throws -> String {
        let token = try signIn(server, login, password).decoded(SignedIn.self).accessToken
        return try Client(port: server.port, token: token).send("GET", "/v1/me").decoded(Me.self).role
    }

    @Test func `accounts and roles, beside a server that runs`() throws {
        let folder = try DataFolder()
        let server = try RunningServer(folder, "--public-url", "https://map.example.org/")
        let password = try secret(admin(folder, "create", "ada", "--email", "ada@example.org"))
        #expect(try role(server, "ada", password) == "admin")
        #expect(try admin(folder, "revoke", "ADA").contains("ADA"))
        #expect(try role(server, "ada", password) == "user")
        _ = try admin(folder, "grant", "ada", "--role", "curator")
        #expect(try role(server, "ada", password) == "curator")
        let ben = try server.signUp("ben")
        let rows = try admin(folder, "users").split(separator: "\n").map { $0.split(separator: "\t") }
        #expect(
            rows.map { $0.prefix(3) } == [["ada", "curator", "ada@example.org"], ["ben", "user", "ben@example.org"]])

        let link = try secret(admin(folder, "reset-password", "ben"))
        let token = try #require(link.wholeMatch(of: /https:\/\/map\.example\.org\/#reset=([A-Za-z0-9_-]{43})/)?.1)
        let reset = try server.stranger.send(
            "POST", "/v1/password-resets/\(token)", json: #"{"password": "brand new secret"}"#)
        #expect(reset.status == 204)
        #expect(try ben.send("GET", "/v1/me").status == 401)
        #expect(try signIn(server, "ben", "brand new secret").status == 201)

        try expectRefusal(folder, "grant", "nobody", saying: "there is no account nobody")
        try expectRefusal(folder, "create", "ada", "--email", "x@example.org", saying: "the username is taken")
        try expectRefusal(folder, "create", "x", "--email", "x@example.org", saying: "3 to 30")
        try expectRefusal(folder, "create", "xyz", "--email", "x", saying: "e-mail address")
        let mode = try FileManager.default.attributesOfItem(atPath: folder.file("admin.sock"))[.posixPermissions]
        #expect(mode as? Int == 0o600)
        let log = server.process.error
        for secret in [password, String(token), "ada@example.org"] { #expect(!log.contains(secret)) }
        try server.stop()
        #expect(!FileManager.default.fileExists(atPath: folder.file("admin.sock")))
    }

    @Test func `the same without a server, and behind one that was killed`() throws {
        let folder = try DataFolder()
        try expectRefusal(folder, "users", saying: "no accounts yet")
        let password = try secret(admin(folder, "create", "ada", "--email", "ada@example.org"))
        var server = try RunningServer(folder)
        #expect(try role(server, "ada", password) == "admin")
        server.process.send(SIGKILL)
        _ = try server.process.wait()
        #expect(try admin(folder, "users").hasPrefix("ada\tadmin\t"))
        _ = try admin(folder, "revoke", "ada")
        let link = try secret(admin(folder, "reset-password", "ada", "--public-url", "https://map.example.org"))
        #expect(link.hasPrefix("https://map.example.org/#reset="))
        server = try RunningServer(folder)
        #expect(try role(server, "ada", password) == "user")
        _ = try admin(folder, "grant", "ada")
        #expect(try role(server, "ada", password) == "admin")
        try server.stop()
    }

    @Test func `nonsense on the socket is answered and harms nothing`() throws {
        let folder = try DataFolder()
        let server = try RunningServer(folder)
        for message in [
            "\n", "{}\n", "[]\n", "{\"command\": \"destroy\"}\n", "{\"command\": 5}\n", "\u{0}\u{1}\n",
            "{\"command\": \"grant\", \"username\": \"ada\", \"role\": \"god\"}\n",
            String(repeating: "x", count: 100_000) + "\n",
        ] {
            let answer = try LocalSocket(path: folder.file("admin.sock")).ask(message)
            #expect(answer.hasPrefix("{\"error\":") && answer.hasSuffix("}\n"), "\(message.prefix(40)): \(answer)")
        }
        #expect(try secret(admin(folder, "create", "ada", "--email", "ada@example.org")).count == 16)
        try server.stop()
    }
}

/// A client of a socket in the file system.
private struct LocalSocket {
    let path: String

    func ask(_ message: String) throws -> String {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let name = Array(path.utf8)
        guard name.count < 108 else { throw Failure("\(path) is too long") }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        guard isConnected else { throw Failure("\(path): \(String(cString: strerror(errno)))") }
        var rest = Array(message.utf8)[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard sent > 0 else { throw Failure("send: \(String(cString: strerror(errno)))") }
            rest = rest.dropFirst(sent)
        }
        var answer: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while case let count = recv(descriptor, &piece, piece.count, 0), count > 0 { answer += piece[..<count] }
        return String(decoding: answer, as: UTF8.self)
    }
}
