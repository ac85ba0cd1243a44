import Foundation
import Testing

@testable import PinfoldServer

/// A live connection lasts as long as the session that opened it.
@Suite struct LiveSessionTests {
    private static func expectClose(_ code: Int, _ socket: LiveSocket, _ what: String) throws {
        let found = try socket.closeCode()
        if found != code { throw LiveFailure("\(what): closed with \(found), not \(code)") }
    }

    /// Another session of the same person.
    private static func signIn(_ person: Person, _ http: HTTPSocket, password: String? = nil) throws -> JSON {
        try http.send(
            "POST", "/v1/sessions",
            [
                "login": .string(person.username),
                "password": .string(password ?? Client.password(of: person.username)),
            ], expect: 201)
    }

    @Test func `what ends a session closes its connections, and no other`() async throws {
        try await withApp { test, client in
            let (ana, ben) = try await client.signUp("ana", "ben", friends: true)
            try await withLiveService(test) { service in
                let http = try HTTPSocket(port: service.port)
                let (kept, other) = (try service.connect(token: ana.token), try service.connect(token: ben.token))
                let tokens = try (0..<4).map { _ in try Self.signIn(ana, http) }
                let sockets = try tokens.map { try service.connect(token: $0["accessToken"]?.text) }
                for socket in [kept, other] + sockets { _ = try socket.typesUntilPong() }

                try http.send(
                    "DELETE", "/v1/sessions/current", token: tokens[0]["accessToken"]?.text, expect: 204)
                try Self.expectClose(4401, sockets[0], "signed out")
                let list = try http.send("GET", "/v1/sessions", token: tokens[1]["accessToken"]?.text, expect: 200)
                guard list["items"]?.elements.count == 4 else { throw LiveFailure("\(list)") }

                // A refresh token that was replaced long ago: the family ends.
                let old: JSON = ["refreshToken": tokens[1]["refreshToken"] ?? .null]
                let renewed = try http.send("POST", "/v1/sessions/refresh", old, expect: 200)
                try http.send("GET", "/v1/me", token: renewed["accessToken"]?.text, expect: 200)
                try http.send("POST", "/v1/sessions/refresh", old, expect: 401)
                try Self.expectClose(4401, sockets[1], "a stolen session")

                try http.send(
                    "PUT", "/v1/me/password",
                    ["current": .string(Client.password(of: "ana")), "new": "brand new secret"],
                    token: ana.token, expect: 204)
                for socket in sockets[2...] { try Self.expectClose(4401, socket, "the password changed") }
                _ = try kept.typesUntilPong()

                try http.send("DELETE", "/v1/me", ["password": "brand new secret"], token: ana.token, expect: 204)
                try Self.expectClose(4401, kept, "the account is gone")
                _ = try other.next("friend.removed")

                let forgetful = try Self.signIn(ben, http)
                let open = try service.connect(token: forgetful["accessToken"]?.text)
                _ = try open.typesUntilPong()
                let token = String(repeating: "x", count: 43)
                try service.app.database.write { try PasswordReset.begin(of: ben.id, token: token, in: $0) }
                try http.send("POST", "/v1/password-resets/\(token)", ["password": "brand new secret"], expect: 204)
                for socket in [open, other] { try Self.expectClose(4401, socket, "the password was reset") }
            }
        }
    }

    @Test func `a token ends its connection when it ends`() async throws {
        try await withApp { test, client in
            let ana = try await client.signUp("ana")
            try await withLiveService(test) { service in
                let http = try HTTPSocket(port: service.port)
                let socket = try service.connect(token: ana.token)
                test.clock.advance(.milliseconds(Session.accessLifetime / 2))
                let later = try service.connect(token: try Self.signIn(ana, http)["accessToken"]?.text)
                for socket in [socket, later] { _ = try socket.typesUntilPong() }
                test.clock.advance(.milliseconds(Session.accessLifetime / 2))
                service.app.live.wake()
                try Self.expectClose(4401, socket, "the token has ended")
                _ = try later.typesUntilPong()
                guard try service.connect(token: ana.token).status == 401 else { throw LiveFailure("it is still good") }
            }
        }
    }

    @Test func `the first message may sign in, once`() async throws {
        try await withApp { test, client in
            let (ana, ben) = try await client.signUp("ana", "ben", friends: true)
            try await withLiveService(test) { service in
                let http = try HTTPSocket(port: service.port)
                let start = try http.send("GET", "/v1/pins/changes", token: ana.token, expect: 200)["cursor"]?.text
                let pin: JSON = ["latitude": 1, "longitude": 2, "name": "Ramen"]
                try http.send("POST", "/v1/pins", pin, token: ben.token, expect: 201)
                let socket = try service.connect(token: nil, after: start)
                // All at once: the first counts.
                for token in [ana.token, ana.token, ben.token, "x"] {
                    socket.send(#"{"type": "auth", "token": "\#(token)"}"#)
                }
                _ = try socket.next("pin.created")
                try http.send("POST", "/v1/pins", pin, token: ben.token, expect: 201)
                _ = try socket.next("pin.created")
                try http.send("POST", "/v1/pins", pin, token: ben.token, expect: 201)
                try http.send("PATCH", "/v1/me", ["bio": "end"], token: ana.token, expect: 200)
                _ = try socket.next("pin.created")
                _ = try socket.next("profile.updated")
                let types = try socket.typesUntilPong()
                guard types.allSatisfy({ $0 == "presence" }) else { throw LiveFailure("told twice: \(types)") }
            }
        }
    }

    @Test func `who does not sign in is closed`() async throws {
        try await withApp { test, client in
            let ana = try await client.signUp("ana")
            try await withLiveService(test) { service in
                let http = try HTTPSocket(port: service.port)
                let start = try http.send("GET", "/v1/pins/changes", token: ana.token, expect: 200)["cursor"]?.text
                try http.send("PATCH", "/v1/me", ["bio": "here"], token: ana.token, expect: 200)
                let (silent, wrong, early) = (
                    try service.connect(token: nil), try service.connect(token: nil), try service.connect(token: nil)
                )
                let signedIn = try service.connect(token: nil, after: start)
                wrong.send(#"{"type": "auth", "token": "nobody's"}"#)
                try Self.expectClose(4401, wrong, "a wrong token")
                early.send(#"{"type": "typing", "conversationId": "1"}"#)
                try Self.expectClose(4401, early, "not signed in")
                signedIn.send(#"{"type": "auth", "token": "\#(ana.token)"}"#)
                _ = try signedIn.next("profile.updated")
                _ = try silent.typesUntilPong()
                test.clock.advance(.milliseconds(9_999))
                service.app.live.wake()
                _ = try silent.typesUntilPong()
                test.clock.advance(.milliseconds(1))
                service.app.live.wake()
                try Self.expectClose(4401, silent, "10 s without a token")
                _ = try signedIn.typesUntilPong()
            }
        }
    }
}
