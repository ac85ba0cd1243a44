import Foundation
import HTTP
import SocialModel
import Testing

@testable import PinfoldServer

/// Tokens for scripts: each does what its scopes say, and nothing to the account.
@Suite struct APITokenTests {
    @discardableResult
    private func make(
        _ person: Person, _ scopes: Set<APIToken.Scope>, _ more: JSON = [:]
    ) async throws -> (id: String, secret: String) {
        let names = APIToken.Scope.allCases.filter(scopes.contains).map { JSON.string($0.rawValue) }
        let body: [String: JSON] = ["name": "script", "scopes": .array(names)]
        let answer = try await person.post(
            "/v1/me/tokens", .object(body.merging(more.members, uniquingKeysWith: { $1 })), expect: .created)
        return (try #require(answer.json["id"]?.text), try #require(answer.json["token"]?.text))
    }

    private func basic(_ username: String, _ password: String) -> (String, String) {
        ("Authorization", "Basic \(Data("\(username):\(password)".utf8).base64EncodedString())")
    }

    @Test func `a token is shown once and known by its digest alone`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            let made = try await ana.post("/v1/me/tokens", ["name": "QGIS", "scopes": ["read"]], expect: .created)
            let secret = try #require(made.json["token"]?.text)
            #expect(secret.hasPrefix("pft_") && secret.utf8.count == 47)
            #expect(made.header("Cache-Control") == "no-store")
            let shown = try await ana.get(try #require(made.header("Location")), expect: .ok)
            let list = try await ana.get("/v1/me/tokens", expect: .ok)
            #expect(list.json["items"] == .array([shown.json]))
            #expect(shown.json["scopes"] == ["read"] && shown.json["name"] == "QGIS")
            #expect(shown.json["lastUsedAt"] == .null && shown.json["expiresAt"] == .null)
            for text in [shown.text, list.text] { #expect(!text.contains(secret.dropFirst(4))) }
            // Nothing in the database has it, not even what is kept of answers under an Idempotency-Key.
            let key = [("Idempotency-Key", "once")]
            let body: JSON = ["name": "x", "scopes": ["read"]]
            let second = try await ana.post("/v1/me/tokens", body, headers: key, expect: .created)
            let third = try await ana.post("/v1/me/tokens", body, headers: key, expect: .created)
            #expect(second.json["token"] != third.json["token"])
            let kept = try app.database.read { read in
                try read.rows("SELECT count(*) FROM idempotentAnswer") { $0.int(0) }
            }
            #expect(kept == [0])
            let hashes = try app.database.read { try $0.rows("SELECT hash FROM apiToken") { $0.blob(0) } }
            #expect(hashes.count == 3 && !hashes.contains(Array(secret.utf8)))
        }
    }

    @Test func `it is taken as a bearer token and as a password`() async throws {
        try await withApp { app, client in
            let (ana, ben) = try await client.signUp("ana", "ben")
            let (id, secret) = try await make(ana, [.read])
            try await make(ben, [.read])
            let pin = try await ana.drop()
            let ways = [
                ("Authorization", "Bearer \(secret)"), ("Authorization", "bearer \(secret)"), basic("ana", secret),
                basic("", secret), basic("anybody at all", secret), basic("ü", secret),
            ]
            for way in ways {
                #expect(try await client.get("/v1/pins", headers: [way], expect: .ok).ids == [pin.id.description])
                #expect(try await client.get("/v1/me/pins.geojson", headers: [way], expect: .ok).text.contains("Ramen"))
                try await client.get("/v1/events", headers: [way], expect: .ok)
            }
            let password = Client.password(of: "ana")
            for wrong in [
                basic("ana", password), basic("ana", ana.token), basic("ana", ana.refreshToken), basic(secret, ""),
                basic("ana", secret + "x"), basic("ana", String(secret.dropLast())), ("Authorization", "Basic"),
                ("Authorization", "Basic %%%"), ("Authorization", "Basic \(secret)"), ("Authorization", secret),
                ("Authorization", "Basic \(String(repeating: "YTpi", count: 20_000))"), basic("a:b", secret),
                ("Authorization", "Bearer pft_\(String(repeating: "a", count: 43))"),
            ] {
                let answer = try await client.get("/v1/pins", headers: [wrong], expect: .unauthorized)
                let challenges = answer.response.headers.filter { $0.name == "WWW-Authenticate" }.map(\.value)
                #expect(challenges.contains { $0.hasPrefix("Bearer") })
                #expect(challenges.contains { $0.hasPrefix("Basic") } == wrong.1.hasPrefix("Basic"), "\(wrong.1)")
            }
            // A program is asked for a password where it fetches a file; the web client's browser never is.
            func asks(_ path: String, _ headers: [(String, String)] = []) async throws -> Bool {
                let answer = try await client.get(path, headers: headers, expect: .unauthorized)
                return answer.response.headers.contains { $0.value.hasPrefix("Basic") }
            }
            #expect(try await asks("/v1/me/pins.gpx"))
            #expect(try await !asks("/v1/me"))
            #expect(try await !asks("/v1/me/pins.gpx", [("Cookie", "pinfold_access=old")]))
            // It does not renew anything, and no session of its owner shows.
            try await client.refresh(secret, expect: .unauthorized)
            #expect(try await ana.get("/v1/sessions", expect: .ok).ids.count == 1)
            try await ben.delete("/v1/me/tokens/\(id)", expect: .notFound)
            try await ana.delete("/v1/me/tokens/\(id)", expect: .noContent)
            for way in ways { try await client.get("/v1/pins", headers: [way], expect: .unauthorized) }
            try await ana.get("/v1/pins", expect: .ok)
        }
    }

    /// The scope that a route is said to need; nil if it is for sessions alone.
    private enum Need {
        case nothing
        case scope(APIToken.Scope)
        case session
    }

    private func need(_ operation: OpenAPIDescription.Operation) -> Need {
        let ways = operation.json["security"]?.elements ?? []
        if ways.isEmpty { return .nothing }
        guard let basic = ways.compactMap({ $0["basic"] }).first else { return .session }
        return basic.elements.first?.text.flatMap(APIToken.Scope.init).map(Need.scope) ?? .session
    }

    @Test func `each route lets in the tokens with its scope, and no others`() async throws {
        var setup = TestApp.Setup()
        setup.hasGazetteer = true
        try await withApp(setup) { app, client in
            let ana = try await client.signUp("ana")
            let description = OpenAPIDescription()
            var subsets: [(scopes: Set<APIToken.Scope>, secret: String)] = []
            for bits in 1..<8 {
                let all = APIToken.Scope.allCases.enumerated()
                let scopes = Set(all.filter { bits >> $0.offset & 1 == 1 }.map(\.element))
                subsets.append((scopes, try await make(ana, scopes).secret))
            }
            var needs: [String: Int] = [:]
            for route in routes(app.app).routes {
                let parts = route.pattern.split(separator: "/").map { $0.replacing(#/^[:*][^.]*/#, with: "1") }
                let path = "/" + parts.joined(separator: "/")
                let operation = try #require(description.operation(route.method, path), "\(route.method) \(path)")
                let need = need(operation)
                needs["\(need)", default: 0] += 1
                for (scopes, secret) in subsets {
                    let body = route.method == "GET" ? nil : Array("{}".utf8)
                    let asked = path == "/v1/places/search" ? path + "?q=a" : path
                    let answer = try await client.send(route.method, asked, body: body, token: secret)
                    let problem = answer.json["type"]?.text
                    switch need {
                    case .nothing: #expect(problem != "/problems/insufficient-scope", "\(route.method) \(path)")
                    case .session:
                        #expect(problem == "/problems/insufficient-scope", "\(route.method) \(path) with \(scopes)")
                        #expect(answer.status == .forbidden)
                    case .scope(let scope):
                        let isIn = scopes.contains(scope)
                        #expect((answer.status == .forbidden) == !isIn, "\(route.method) \(path) with \(scopes)")
                        #expect(answer.status != .unauthorized, "\(route.method) \(path)")
                        guard !isIn else { continue }
                        #expect(problem == "/problems/insufficient-scope")
                        let challenge = answer.header("WWW-Authenticate") ?? ""
                        #expect(challenge.contains(#"error="insufficient_scope", scope="\#(scope.rawValue)""#))
                    }
                }
                // What concerns the account itself, whatever the description says.
                let ofAccount =
                    path.hasPrefix("/v1/sessions/") && path != "/v1/sessions/refresh"
                    || path == "/v1/sessions" && route.method != "POST" || path == "/v1/me" && route.method != "GET"
                    || ["privacy", "password", "tokens", "export", "photo"].contains {
                        path.hasPrefix("/v1/me/\($0)")
                    }
                    // Whose accounts, and what was done to them.
                    || path.hasPrefix("/v1/admin/users") || path == "/v1/admin/audit"
                    // The codes make whoever has them a friend.
                    || path == "/v1/invites" && route.method == "GET"
                if ofAccount, case .session = need { continue }
                #expect(!ofAccount, "\(route.method) \(path)")
                if case .session = need { Issue.record("\(route.method) \(path) is closed to API tokens") }
            }
            #expect(needs.count == 5, "\(needs)")
            try await ana.get("/v1/me", expect: .ok)
        }
    }

    @Test func `a token ends when it is said to, and is told of a while longer`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            let end = app.clock.now + 5_000
            let (id, secret) = try await make(ana, [.read], ["expiresAt": JSON(timestamp: end)])
            let lasting = try await make(ana, [.read], ["expiresAt": .null])
            app.clock.advance(.milliseconds(4_999))
            try await client.send("GET", "/v1/pins", token: secret, expect: .ok)
            app.clock.advance(.milliseconds(1))
            try await client.send("GET", "/v1/pins", token: secret, expect: .unauthorized)
            try await app.database.write { try Housekeeping.run(in: $0) }
            let renewed = try Person(try await client.signIn("ana", expect: .created), client: client)
            #expect(try await renewed.get("/v1/me/tokens", expect: .ok).ids == [lasting.id, id])
            app.clock.advance(.seconds(30 * 86_400))
            try await app.database.write { try Housekeeping.run(in: $0) }
            let later = try Person(try await client.signIn("ana", expect: .created), client: client)
            #expect(try await later.get("/v1/me/tokens", expect: .ok).ids == [lasting.id])
            app.clock.advance(.seconds(10 * 366 * 86_400))
            try await client.send("GET", "/v1/pins", token: lasting.secret, expect: .ok)
        }
    }

    @Test func `its last use is known to ten minutes`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            let (id, secret) = try await make(ana, [.read])
            func lastUse() async throws -> JSON? {
                // Behind whatever was still to be written.
                try await app.database.write { _ in }
                return try await ana.get("/v1/me/tokens/\(id)", expect: .ok).json["lastUsedAt"]
            }
            let first = app.clock.now
            try await client.send("GET", "/v1/pins", token: secret, expect: .ok)
            #expect(try await lastUse() == JSON(timestamp: first))
            app.clock.advance(.seconds(600))
            try await client.send("GET", "/v1/pins", token: secret, expect: .ok)
            #expect(try await lastUse() == JSON(timestamp: first))
            app.clock.advance(.milliseconds(1))
            try await client.send("GET", "/v1/pins", token: secret, expect: .ok)
            #expect(try await lastUse() == JSON(timestamp: app.clock.now))
        }
    }

    @Test func `bad input is named, and nobody has too many`() async throws {
        try await withApp { app, client in
            let (ana, ben) = try await client.signUp("ana", "ben")
            for (body, faults) in [
                ([:], ["name", "scopes"]), (["name": "", "scopes": ["read"]], ["name"]),
                (["name": "x", "scopes": []], ["scopes"]), (["name": "x", "scopes": ["admin"]], ["scopes"]),
                (["name": "x", "scopes": ["read", "read"]], ["scopes"]), (["name": "x", "scopes": "read"], ["scopes"]),
                (["name": "x", "scopes": ["read"], "expiresAt": "tomorrow"], ["expiresAt"]),
                (["name": "x", "scopes": ["read"], "expiresAt": JSON(timestamp: app.clock.now)], ["expiresAt"]),
                (["name": "x", "scopes": ["read"], "expiresAt": 5, "foo": 1], ["expiresAt", "foo"]),
            ] as [(JSON, Set<String>)] {
                #expect(try await ana.post("/v1/me/tokens", body, expect: .badRequest).faults == faults, "\(body)")
            }
            for _ in 0..<APIToken.maximumCount { try await make(ana, [.write]) }
            let one = try await ana.post("/v1/me/tokens", ["name": "x", "scopes": ["read"]], expect: .conflict)
            #expect(one.json["type"] == "/problems/too-many-tokens")
            try await make(ben, [.read])
            let ids = try await ana.all("/v1/me/tokens", limit: 7)
            #expect(ids.count == APIToken.maximumCount && ids == ids.sorted { $0 > $1 })
            let path = "/v1/me/tokens/\(ids[3])"
            try await ana.delete(path, headers: [("If-Match", "\"x\"")], expect: .preconditionFailed)
            try await ana.delete(path, expect: .noContent)
            try await make(ana, [.read])
        }
    }

    @Test func `a new password ends tokens unless they are to stay, and signing out does not`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            let (_, secret) = try await make(ana, [.read])
            func change(_ current: String, _ new: String, _ more: JSON = [:]) async throws {
                let body: [String: JSON] = ["current": .string(current), "new": .string(new)]
                try await ana.put(
                    "/v1/me/password", .object(body.merging(more.members, uniquingKeysWith: { $1 })),
                    expect: .noContent)
            }
            try await change(Client.password(of: "ana"), "second secret", ["keepTokens": true])
            try await client.send("GET", "/v1/pins", token: secret, expect: .ok)
            try await change("second secret", "third secret", ["keepTokens": false])
            try await client.send("GET", "/v1/pins", token: secret, expect: .unauthorized)
            let (_, next) = try await make(ana, [.read])
            try await change("third secret", "fourth secret")
            try await client.send("GET", "/v1/pins", token: next, expect: .unauthorized)
            let (_, last) = try await make(ana, [.read])
            try await ana.delete("/v1/sessions", expect: .noContent)
            try await client.send("GET", "/v1/pins", token: last, expect: .ok)
            let again = try Person(
                try await client.signIn("ana", password: "fourth secret", expect: .created), client: client)
            try await again.delete("/v1/me", ["password": "fourth secret"], expect: .noContent)
            try await client.send("GET", "/v1/pins", token: last, expect: .unauthorized)
            #expect(try app.database.read { try $0.rows("SELECT id FROM apiToken") { $0.int64(0) } } == [])
        }
    }

    @Test func `a remembered password is no use to another site's page`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            let (_, secret) = try await make(ana, [.write])
            let body = Array(#"{"latitude": 1, "longitude": 2, "name": "x"}"#.utf8)
            let host = ("Host", "127.0.0.1:8080")
            func drop(_ headers: [(String, String)], expect: Status) async throws {
                try await client.send("POST", "/v1/pins", body: body, headers: headers + [host], expect: expect)
            }
            for origin in ["https://evil.example", "null"] {
                try await drop([basic("ana", secret), ("Origin", origin)], expect: .forbidden)
                // A page that has the token itself may use it from wherever it is.
                try await drop([("Authorization", "Bearer \(secret)"), ("Origin", origin)], expect: .created)
            }
            try await drop([basic("ana", secret)], expect: .created)
            try await drop([basic("ana", secret), ("Origin", "http://127.0.0.1:8080")], expect: .created)
        }
    }

    @Test func `revoking a token closes its live connections, and no others`() async throws {
        try await withApp { test, client in
            let ana = try await client.signUp("ana")
            let (id, secret) = try await make(ana, [.read])
            let other = try await make(ana, [.read])
            let useless = try await make(ana, [.write])
            try await withLiveService(test) { service in
                let http = try HTTPSocket(port: service.port)
                let socket = try service.connect(token: secret)
                let kept = try service.connect(token: other.secret)
                let session = try service.connect(token: ana.token)
                for socket in [socket, kept, session] { _ = try socket.typesUntilPong() }
                // By the first message it needs the scope as well.
                let late = try service.connect(token: nil)
                late.send(#"{"type": "auth", "token": "\#(useless.secret)"}"#)
                if try late.closeCode() != 4401 { throw LiveFailure("a token without the scope reads") }
                try http.send("DELETE", "/v1/me/tokens/\(id)", token: ana.token, expect: 204)
                if try socket.closeCode() != 4401 { throw LiveFailure("a revoked token goes on") }
                for socket in [kept, session] { _ = try socket.typesUntilPong() }
            }
        }
    }
}
