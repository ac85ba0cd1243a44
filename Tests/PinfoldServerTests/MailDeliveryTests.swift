import Foundation
import Testing

@testable import PinfoldServer

/// What is queued gets out, by a mail server that may be down, slow or unwilling.
@Suite struct MailDeliveryTests {
    private static func setup(_ url: String) throws -> TestApp.Setup {
        TestApp.Setup(
            mail: MailSettings(
                sender: try #require(MailAddress("map@example.org")), way: .smtp(try SMTPServer(url: url))))
    }

    /// Runs `body` with a service whose mail goes to a server of the test's own.
    private func withMail(
        user: String = "", host: String = "127.0.0.1", _ manners: SMTPListener.Manners = SMTPListener.Manners(),
        _ body: (TestApp, Client, SMTPListener) async throws -> Void
    ) async throws {
        let server = try SMTPListener(manners)
        defer { server.stop() }
        try await withApp(try Self.setup("smtp://\(user)\(host):\(server.port)")) { app, client in
            try await body(app, client, server)
        }
    }

    private func change(_ person: Person, to password: String = "another secret") async throws {
        try await person.put(
            "/v1/me/password",
            ["current": .string(Client.password(of: person.username)), "new": .string(password)], expect: .noContent)
    }

    @Test func `a message is handed over whole, once, with the login of the URL`() async throws {
        try await withMail(user: "map:s%40cret@") { app, client, server in
            let ana = try await client.signUp("ana")
            try await ana.send(
                "PUT", "/v1/me/password",
                ["current": .string(Client.password(of: "ana")), "new": "another secret"],
                headers: [("Accept-Language", "pl")], expect: .noContent)
            #expect(try await app.sendMail() == 1)
            #expect(try await app.sendMail() == 0)
            let delivery = try #require(server.deliveries.first)
            #expect(server.deliveries.count == 1)
            #expect(delivery.sender.hasPrefix("MAIL FROM:<map@example.org>"))
            #expect(delivery.recipient == "RCPT TO:<ana@example.org>")
            let mail = try ReceivedMail(delivery.message)
            #expect(mail["Subject"] == "Twoje hasło zostało zmienione" && mail["Auto-Submitted"] == "auto-generated")
            #expect(mail["From"] == "Pinfold <map@example.org>" && mail["To"] == "<ana@example.org>")
            #expect(mail.body.contains("ana") && mail.body.contains(app.app.publicURL))
            let login = Data("\0map\0s@cret".utf8).base64EncodedString()
            #expect(server.commands.contains { $0.contains(login) })
            #expect(server.commands.first == "EHLO example.org")
        }
    }

    @Test func `a server that is busy is tried again, each time later, and then no more`() async throws {
        try await withMail { app, client, server in
            let ana = try await client.signUp("ana")
            try await change(ana)
            server.manners.recipient = "451 later"
            var tries = 0
            var waits: [Int] = []
            while try await app.queuedMail() > 0, tries < 100 {
                if try await app.sendMail() == 0 {
                    app.clock.advance(.seconds(1))
                    waits[waits.count - 1] += 1
                } else {
                    tries += 1
                    waits.append(0)
                }
                // An hour takes long second by second.
                if waits.last ?? 0 >= 640 { app.clock.advance(.seconds(600)) }
            }
            #expect(Array(waits.prefix(7)) == [10, 20, 40, 80, 160, 320, 640])
            #expect((24...40).contains(tries))
            #expect(server.deliveries.isEmpty)
        }
    }

    @Test func `what could not be sent is sent when it can be`() async throws {
        try await withMail { app, client, server in
            try await change(try await client.signUp("ana"))
            for manners in [
                SMTPListener.Manners(greeting: "421 down"), .init(sender: "451 later"), .init(message: "452 full"),
                .init(extensions: [], recipient: "450 greylisted"),
            ] {
                server.manners = manners
                try await app.sendMail()
                #expect(try await app.queuedMail() == 1 && server.deliveries.isEmpty)
                app.clock.advance(.seconds(3600))
            }
            try await change(try await client.signUp("ben"))
            server.manners = SMTPListener.Manners()
            #expect(try await app.sendMail() == 2)
            #expect(
                Set(server.deliveries.map(\.recipient)) == ["RCPT TO:<ana@example.org>", "RCPT TO:<ben@example.org>"])
        }
    }

    @Test func `what a server refuses for good is not tried again, and holds up no other`() async throws {
        try await withMail(.init(recipient: "550 nobody")) { app, client, server in
            let (ana, ben) = try await client.signUp("ana", "ben")
            try await change(ana)
            try await app.sendMail()
            #expect(try await app.queuedMail() == 0)
            server.manners = SMTPListener.Manners()
            try await change(ben)
            try await app.sendMail()
            #expect(server.deliveries.map(\.recipient) == ["RCPT TO:<ben@example.org>"])
        }
    }

    @Test func `a login that is refused may be mended`() async throws {
        try await withMail(user: "map:secret@", .init(auth: "535 no")) { app, client, server in
            try await change(try await client.signUp("ana"))
            try await app.sendMail()
            #expect(try await app.queuedMail() == 1)
            server.manners = SMTPListener.Manners()
            app.clock.advance(.seconds(60))
            try await app.sendMail()
            #expect(server.deliveries.count == 1)
        }
    }

    @Test func `beyond the loopback nothing is said to a server without TLS`() async throws {
        // The address stands for the loopback, and does not count as it.
        try await withMail(user: "map:secret@", host: "0.0.0.0") { app, client, server in
            try await change(try await client.signUp("ana"))
            for extensions in [["AUTH PLAIN"], ["AUTH PLAIN", "STARTTLS"]] {
                server.manners.extensions = extensions
                try await app.sendMail()
                app.clock.advance(.seconds(3600))
            }
            #expect(try await app.queuedMail() == 1 && server.deliveries.isEmpty)
            let verbs = Set(server.commands.compactMap { $0.split(separator: " ").first })
            #expect(verbs.contains("STARTTLS") && verbs.isSubset(of: ["EHLO", "HELO", "STARTTLS", "QUIT"]), "\(verbs)")
        }
    }

    @Test func `a server that says nothing does not hold up the end`() async throws {
        try await withMail(.init(greeting: nil)) { app, client, server in
            try await change(try await client.signUp("ana"))
            app.app.mail.start()
            while server.connections == 0 { try await Task.sleep(for: .milliseconds(2)) }
            try await onThread { app.app.mail.stop() }
            #expect(try await app.queuedMail() == 1)
        }
    }

    @Test func `the outbox has whole files that only their owner reads`() async throws {
        try await withApp { app, client in
            try await change(try await client.signUp("ana"))
            try await app.sendMail()
            let outbox = app.folder + "/outbox"
            let names = try FileManager.default.contentsOfDirectory(atPath: outbox)
            #expect(names.count == 1 && names.allSatisfy { $0.hasSuffix(".eml") })
            for (path, mode) in [(outbox, 0o700), ("\(outbox)/\(names[0])", 0o600)] {
                let attributes = try FileManager.default.attributesOfItem(atPath: path)
                #expect(attributes[.posixPermissions] as? Int == mode)
            }
            #expect(try app.outbox().first?["To"] == "<ana@example.org>")
        }
    }

    @Test func `an outbox that cannot be written keeps the message in the queue`() async throws {
        try await withApp { app, client in
            let outbox = app.folder + "/outbox"
            try Data().write(to: URL(filePath: outbox))
            try await change(try await client.signUp("ana"))
            try await app.sendMail()
            #expect(try await app.queuedMail() == 1)
            try FileManager.default.removeItem(atPath: outbox)
            app.clock.advance(.seconds(60))
            try await app.sendMail()
            #expect(try app.outbox().count == 1)
        }
    }
}
