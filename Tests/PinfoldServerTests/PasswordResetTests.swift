import Foundation
import HTTP
import Testing

@testable import PinfoldServer

/// A new password for who has forgotten theirs.
@Suite struct PasswordResetTests {
    /// Asks for a reset and gives back the token of the message that comes.
    private func token(_ app: TestApp, _ client: Client, _ email: String) async throws -> String {
        try await client.post("/v1/password-resets", ["email": .string(email)], expect: Status(rawValue: 202))
        try await app.sendMail()
        return try #require(try app.outbox().last?.token)
    }

    @Test func `a link in a message chooses a new password, once, and ends every session`() async throws {
        try await withApp { app, client in
            let (ana, ben) = try await client.signUp("ana", "ben")
            let token = try await token(app, client, "Ana@Example.org")
            let path = "/v1/password-resets/\(token)"
            let asked = try #require(try app.outbox().first)
            #expect(asked["To"] == "<ana@example.org>" && asked["Subject"] == "Choose a new password")
            #expect(asked.body.contains("\n\(app.app.publicURL)/#reset=\(token)\n") && token.utf8.count == 43)

            #expect(try await client.post(path, ["password": "short"], expect: .badRequest).faults == ["password"])
            try await client.post(path, ["password": "brand new secret", "x": 1], expect: .badRequest)
            try await client.post(path, ["password": "brand new secret"], expect: .noContent)
            try await ana.get("/v1/me", expect: .unauthorized)
            try await client.refresh(ana.refreshToken, expect: .unauthorized)
            try await ben.get("/v1/me", expect: .ok)
            try await client.signIn("ana", expect: .unauthorized)
            try await client.signIn("ana", password: "brand new secret", expect: .created)

            let again = try await client.post(path, ["password": "brand new secret 2"], expect: .notFound)
            #expect(again.json["type"]?.text == "/problems/reset-invalid")
            try await app.sendMail()
            let mails = try app.outbox()
            #expect(mails.map { $0["Subject"] } == ["Choose a new password", "Your password was changed"])
        }
    }

    @Test func `who is suspended chooses no new password`() async throws {
        try await withApp { app, client in
            try await client.signUp("ana")
            let path = "/v1/password-resets/\(try await token(app, client, "ana@example.org"))"
            try await app.database.write { try $0.run("UPDATE account SET suspendedAt = 1") }
            let refused = try await client.post(path, ["password": "brand new secret"], expect: .forbidden)
            #expect(refused.json["type"]?.text == "/problems/suspended")
            try await app.database.write { try $0.run("UPDATE account SET suspendedAt = NULL") }
            try await client.signIn("ana", expect: .created)
            try await client.post(path, ["password": "brand new secret"], expect: .noContent)
        }
    }

    @Test func `who reads the answer does not learn whether there is an account`() async throws {
        try await withApp { app, client in
            try await client.signUp("ana")
            var answers: [Answer] = []
            for email in ["ana@example.org", "nobody@example.org"] {
                answers.append(try await client.post("/v1/password-resets", ["email": .string(email)]))
                // The request itself does the same: a row each.
                #expect(try await app.queuedMail() == answers.count)
            }
            #expect(answers.allSatisfy { $0.status.rawValue == 202 && $0.response.body.isEmpty })
            #expect(answers[0].response.headers.map(\.name) == answers[1].response.headers.map(\.name))
            #expect(answers[0].response.headers.map(\.value) == answers[1].response.headers.map(\.value))
            try await app.sendMail()
            #expect(try await app.queuedMail() == 0)
            #expect(try app.outbox().map { $0["To"] } == ["<ana@example.org>"])
            for token in ["x", "%20", String(repeating: "A", count: 43), String(repeating: "A", count: 5_000)] {
                let answer = try await client.post("/v1/password-resets/\(token)", ["password": "a long secret"])
                #expect(answer.status == .notFound && answer.json["type"]?.text == "/problems/reset-invalid")
            }
        }
    }

    @Test func `a link ends after an hour, by a later one, and by a change of the password or the address`()
        async throws
    {
        try await withApp { app, client in
            var ana = try await client.signUp("ana")
            var email = "ana@example.org"
            var password = Client.password(of: "ana")
            func expectEnd(of token: String, _ what: String) async throws {
                let answer = try await client.post("/v1/password-resets/\(token)", ["password": "stolen secret"])
                #expect(answer.status == .notFound, "\(what)")
            }
            let first = try await token(app, client, email)
            app.clock.advance(.seconds(3600))
            try await expectEnd(of: first, "an hour")

            let second = try await token(app, client, email)
            let third = try await token(app, client, email)
            try await expectEnd(of: second, "a later one")
            ana = try Person(try await client.signIn("ana", expect: .created), client: client)
            try await ana.put(
                "/v1/me/password", ["current": .string(password), "new": "another secret"], expect: .noContent)
            password = "another secret"
            try await expectEnd(of: third, "the password changed")

            let fourth = try await token(app, client, email)
            try await ana.patch(
                "/v1/me", ["email": "new@example.org", "currentPassword": .string(password)], expect: .ok)
            email = "new@example.org"
            try await expectEnd(of: fourth, "the address changed")

            let fifth = try await token(app, client, email)
            app.clock.advance(.seconds(3599))
            try await client.post("/v1/password-resets/\(fifth)", ["password": "brand new secret"], expect: .noContent)
            let sixth = try await token(app, client, email)
            ana = try Person(
                try await client.signIn("ana", password: "brand new secret", expect: .created), client: client)
            try await ana.delete("/v1/me", ["password": "brand new secret"], expect: .noContent)
            try await expectEnd(of: sixth, "the account is gone")
        }
    }

    @Test func `of many who hold a link one gets through`() async throws {
        try await withApp { app, client in
            try await client.signUp("ana")
            let token = try await token(app, client, "ana@example.org")
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<12 {
                    group.addTask {
                        try await client.post(
                            "/v1/password-resets/\(token)", ["password": .string("secret number \(number)")]
                        ).status.rawValue
                    }
                }
                return try await group.reduce(into: [Int]()) { $0.append($1) }
            }
            #expect(statuses.sorted() == [204] + Array(repeating: 404, count: 11))
        }
    }

    @Test func `the database never holds what opens an account`() async throws {
        try await withApp { app, client in
            try await client.signUp("ana")
            var tokens: [String] = []
            for _ in 0..<3 { tokens.append(try await token(app, client, "ana@example.org")) }
            try await client.post("/v1/password-resets/\(tokens[2])", ["password": "brand new secret"])
            let names = try FileManager.default.contentsOfDirectory(atPath: app.folder)
            let files = names.filter { $0.hasPrefix("pinfold.db") }
            #expect(files.count > 1)
            for name in files {
                let bytes = try Data(contentsOf: URL(filePath: "\(app.folder)/\(name)"))
                #expect(bytes.range(of: Data("ana@example.org".utf8)) != nil || name != "pinfold.db-wal")
                for token in tokens { #expect(bytes.range(of: Data(token.utf8)) == nil, "\(name)") }
            }
        }
    }

    @Test func `two requests that wait together are one message`() async throws {
        try await withApp { app, client in
            try await client.signUp("ana")
            for email in ["ana@example.org", "ANA@example.org", "ana@example.org"] {
                try await client.post("/v1/password-resets", ["email": .string(email)])
            }
            try await app.sendMail()
            #expect(try await app.queuedMail() == 0 && app.outbox().count == 1)
        }
    }

    @Test func `a message goes to the address that the account has, not to one that is folded alike`() async throws {
        try await withApp { app, client in
            try await client.signUp("mike")
            // The sign for kelvin is a K when folded, and a domain of its own.
            _ = try await token(app, client, "mi\u{212a}e@example.org")
            #expect(try app.outbox().map { $0["To"] } == ["<mike@example.org>"])
        }
    }

    @Test func `who asks too often waits, from one address or about one account`() async throws {
        try await withApp(TestApp.Setup(rateLimits: true)) { app, client in
            try await client.signUp("ana")
            func ask(_ email: String, from address: String) async throws -> Answer {
                let client = Client(app: app, address: try #require(IPAddress(address)))
                return try await client.post("/v1/password-resets", ["email": .string(email)])
            }
            // Known or not, it is the same.
            for email in ["ana@example.org", "nobody@example.org"] {
                var refused: Answer?
                for number in 0..<20 where refused == nil {
                    let answer = try await ask(email, from: "198.51.\(email.count).\(number)")
                    if answer.status == .tooManyRequests { refused = answer }
                }
                let wait = try #require(refused?.header("Retry-After").flatMap { Int($0) })
                #expect((1...900).contains(wait))
            }
            var accepted = 0
            while try await ask("somebody\(accepted)@example.org", from: "203.0.113.5").status.rawValue == 202 {
                accepted += 1
                try #require(accepted < 100)
            }
            #expect(accepted == 10)
            try await app.sendMail()
            #expect(try app.outbox().count == 1)
        }
    }

    @Test(arguments: [
        #"{}"#, #"{"email": 5}"#, #"{"email": null}"#, #"{"email": ""}"#, #"{"email": "ana"}"#, #"{"email": "a@b"}"#,
        #"{"email": "ana@example.org\r\nBcc: x@example.org"}"#, #"{"email": "<ana@example.org>"}"#,
        #"{"email": "ana@example.org, ben@example.org"}"#, #"{"email": ["ana@example.org"]}"#,
    ])
    func `what is no address is refused`(body: String) async throws {
        try await withApp { app, client in
            let answer = try await client.send("POST", "/v1/password-resets", body: Array(body.utf8))
            #expect(answer.status == .badRequest && answer.faults == ["email"])
            #expect(try await app.queuedMail() == 0)
        }
    }

    @Test func `the old address is told of a new one, and does not learn which`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            let secret = JSON.string(Client.password(of: "ana"))
            try await ana.patch("/v1/me", ["bio": "Hello"], expect: .ok)
            try await ana.patch("/v1/me", ["email": "ana@example.org"], expect: .ok)
            try await ana.patch("/v1/me", ["email": "x@example.org", "currentPassword": "wrong"], expect: .badRequest)
            #expect(try await app.queuedMail() == 0)
            try await ana.patch(
                "/v1/me", ["email": "new@example.org", "currentPassword": secret],
                headers: [("Accept-Language", "es-ES,es;q=0.9,en;q=0.5")], expect: .ok)
            try await app.sendMail()
            let mail = try #require(try app.outbox().first)
            #expect(mail["To"] == "<ana@example.org>" && mail["Content-Language"] == "es")
            #expect(mail["Subject"] == "Tu dirección de correo ha cambiado")
            #expect(!mail.lines.contains { $0.contains("new@example.org") })
        }
    }

    @Test func `a message about an account comes though the account goes`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            try await ana.put(
                "/v1/me/password", ["current": .string(Client.password(of: "ana")), "new": "another secret"],
                expect: .noContent)
            try await ana.delete("/v1/me", ["password": "another secret"], expect: .noContent)
            try await app.sendMail()
            #expect(try app.outbox().map { $0["To"] } == ["<ana@example.org>"])
        }
    }

    @Test func `no secret of a path comes to the log, however it is spelled`() {
        for (path, logged) in [
            ("/v1/password-resets/TOKEN", "/v1/password-resets/…"), ("/v1/password-resets", "/v1/password-resets"),
            ("/v1/invites/CODE/accept", "/v1/invites/…/…"), ("/v1/invites/", "/v1/invites/"),
            ("//v1//password-resets//TOKEN/", "//v1//password-resets//…/"), ("/v1/pins/5", "/v1/pins/5"),
            ("/v1/password%2Dresets/TOKEN", "/v1/password%2Dresets/…"), ("/v1/%69nvites/CODE", "/v1/%69nvites/…"),
            ("/x/v1/invites/CODE", "/x/v1/invites/…"), ("", ""), ("*", "*"), ("invites/CODE", "invites/…"),
            ("/%zz/TOKEN", "/%zz/TOKEN"),
        ] { #expect(LoggedPath.of(path) == logged) }
    }
}
