import HTTP
import SocialModel
import Testing

@testable import PinfoldServer

/// A browser's session: tokens that no script sees, and that another site's page cannot use.
@Suite struct CookieTests {
    @Test func `a browser gets its tokens as cookies alone`() async throws {
        try await withApp { app, client in
            var browser = Browser(client)
            let up = try await browser.signUp("ana")
            #expect(up.json["accessToken"] == nil && up.json["refreshToken"] == nil && up.json["expiresIn"] != nil)
            #expect(browser.cookies.map(\.name).sorted() == ["pinfold_access", "pinfold_refresh"])
            for cookie in browser.cookies {
                let isAccess = cookie.name == "pinfold_access"
                #expect(
                    cookie.attributes == [
                        "HttpOnly", "SameSite=Strict", "Max-Age=5184000", isAccess ? "Path=/" : "Path=/v1/sessions",
                    ])
                #expect(!up.text.contains(cookie.value))
            }
            #expect(browser.cookieField(for: "/v1/me")?.contains("refresh") == false)
            let me = try await browser.send("GET", "/v1/me", expect: .ok)
            #expect(me.json["username"] == "ana")
            #expect(me.header("Vary")?.contains("Cookie") == true)
            let renewed = try await browser.send("POST", "/v1/sessions/refresh", expect: .ok)
            #expect(renewed.json["user"]?["username"] == "ana" && renewed.json["accessToken"] == nil)
            try await browser.send("GET", "/v1/me", expect: .ok)
            try await browser.send("POST", "/v1/pins", ["latitude": 1, "longitude": 2, "name": "x"], expect: .created)
            // Without `cookie: true` nothing is set.
            let phone = try await client.signIn("ana", expect: .created)
            #expect(phone.header("Set-Cookie") == nil && phone.json["accessToken"] != nil)
            for value in ["1", "\"true\"", "null"] {
                let body = #"{"login": "ana", "password": "\#(Client.password(of: "ana"))", "cookie": \#(value)}"#
                let answer = try await client.send("POST", "/v1/sessions", body: Array(body.utf8), expect: .badRequest)
                #expect(answer.faults == ["cookie"])
            }
        }
    }

    @Test func `behind https the cookies are for https alone and say so`() async throws {
        var setup = TestApp.Setup()
        setup.publicURL = "https://Pins.Example.org:443/"
        try await withApp(setup) { app, client in
            var browser = Browser(client)
            browser.host = "127.0.0.1:8080"
            browser.origin = "https://pins.example.org"
            try await browser.signUp("ana")
            #expect(browser.cookies.map(\.name).sorted() == ["__Host-pinfold_access", "__Secure-pinfold_refresh"])
            #expect(browser.cookies.allSatisfy { $0.attributes.contains("Secure") })
            let access = try #require(browser.cookies.first { $0.name.hasPrefix("__Host-") })
            #expect(access.path == "/" && !access.attributes.contains { $0.hasPrefix("Domain") })
            try await browser.send("POST", "/v1/sessions/refresh", expect: .ok)
            try await browser.send("DELETE", "/v1/sessions/current", expect: .noContent)
            #expect(browser.cookies.isEmpty)

            // Anybody on the way could have written a page that came without https, but not on this machine.
            for (host, origin, isOwn) in [
                ("pins.example.org", "https://pins.example.org", true), ("other.org", "https://other.org", true),
                ("pins.example.org", "http://pins.example.org", false), ("other.org", "http://other.org", false),
                ("127.0.0.1:8080", "http://127.0.0.1:8080", true), ("[::1]:8080", "http://[::1]:8080", true),
                ("localhost:8080", "http://localhost:8080", true), ("localhost.org", "http://localhost.org", false),
                ("pins.example.org", "https://pins.example.org:444", false),
            ] {
                (browser.host, browser.origin) = (host, origin)
                try await browser.signIn("ana", expect: isOwn ? .created : .forbidden)
            }
        }
    }

    /// Every route of the service that may change something, with its parameters filled in.
    private func writes(_ app: App) -> [(method: String, path: String)] {
        routes(app).routes.filter { $0.method != "GET" }.map { route in
            let parts = route.pattern.split(separator: "/").map { $0.replacing(#/^[:*][^.]*/#, with: "1") }
            return (route.method, "/" + parts.joined(separator: "/"))
        }
    }

    @Test func `no write is done with a cookie that another site's page sends along`() async throws {
        var setup = TestApp.Setup()
        setup.hasGazetteer = true
        try await withApp(setup) { app, client in
            var browser = Browser(client)
            try await browser.signUp("ana")
            let writes = writes(app.app)
            #expect(writes.count > 25)
            let foreign: [String?] = [
                nil, "", "null", "https://evil.example", "http://127.0.0.1", "http://127.0.0.1:80800",
                "http://127.0.0.1:8080.evil.example", "http://evil.example/http://127.0.0.1:8080", "127.0.0.1:8080",
                "http://127.0.0.1:8080, http://127.0.0.1:8080", "file://", "http://localhost:8080",
            ]
            for (method, path) in writes {
                // Whichever of the two cookies comes.
                for cookie in ["pinfold_access", "pinfold_refresh"] {
                    let value = browser.cookies.first { $0.name == cookie }?.value ?? ""
                    for origin in foreign {
                        var headers = [("Host", "127.0.0.1:8080"), ("Cookie", "a=b; \(cookie)=\(value)")]
                        if let origin { headers.append(("Origin", origin)) }
                        let answer = try await client.send(method, path, body: Array("{}".utf8), headers: headers)
                        #expect(answer.status == .forbidden, "\(method) \(path) from \(origin ?? "nowhere")")
                        #expect(answer.json["type"] == "/problems/origin-refused")
                    }
                }
            }
            try await browser.send("GET", "/v1/me", expect: .ok)
            // From its own page each is looked at; so it is with a token, which no other page could have.
            for (method, path) in writes where path != "/v1/sessions" && path != "/v1/sessions/current" {
                let own = try await browser.send(method, path, [:])
                #expect(own.status != .forbidden, "\(method) \(path)")
                let headers = browser.headers("GET", path) + [("Authorization", "Bearer nonsense")]
                let token = try await client.send(method, path, body: Array("{}".utf8), headers: headers)
                #expect(token.status != .forbidden, "\(method) \(path)")
            }
        }
    }

    @Test func `whatever takes a token takes the cookie`() async throws {
        var setup = TestApp.Setup()
        setup.hasGazetteer = true
        try await withApp(setup) { app, client in
            var browser = Browser(client)
            try await browser.signUp("ana")
            var tried = 0
            for route in routes(app.app).routes where route.method == "GET" && route.pattern.hasPrefix("/v1/") {
                let parts = route.pattern.split(separator: "/").map { $0.replacing(#/^[:*][^.]*/#, with: "1") }
                let path = "/" + parts.joined(separator: "/")
                let answer = try await browser.send("GET", path, headers: [("Origin", "http://127.0.0.1:8080")])
                #expect(![.unauthorized, .forbidden].contains(answer.status), "\(path)")
                tried += 1
            }
            #expect(tried > 25)
        }
    }

    @Test func `live connections take the cookie, a WebSocket only from its own page`() async throws {
        try await withApp { app, client in
            var browser = Browser(client)
            try await browser.signUp("ana")
            let upgrade = [
                ("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Sec-WebSocket-Version", "13"),
                ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
            ]
            let own = [("Origin", "http://127.0.0.1:8080")]
            let socket = try await browser.send("GET", "/v1/live", headers: upgrade + own)
            #expect(socket.status.rawValue == 101)
            for origin in [[], [("Origin", "https://evil.example")], [("Origin", "null")]] {
                try await browser.send("GET", "/v1/live", headers: upgrade + origin, expect: .forbidden)
            }
            let events = try await browser.send("GET", "/v1/events")
            #expect(events.status == .ok && events.header("Content-Type") == "text/event-stream")
            // A cookie that is no longer good is told at once.
            try await browser.send("DELETE", "/v1/sessions/current", headers: [], expect: .noContent)
            let stale = [("Host", "127.0.0.1:8080"), ("Cookie", "pinfold_access=nonsense")]
            try await client.get("/v1/live", headers: stale + own + upgrade, expect: .unauthorized)
            try await client.get("/v1/events", headers: stale, expect: .unauthorized)
            try await client.get("/v1/places/search?q=a", headers: stale, expect: .unauthorized)
            // Without one it may sign in by its first message, wherever it comes from.
            let stranger = try await client.get("/v1/live", headers: [("Origin", "https://evil.example")] + upgrade)
            #expect(stranger.status.rawValue == 101)
        }
    }

    @Test func `Authorization goes before the cookie`() async throws {
        try await withApp { app, client in
            var browser = Browser(client)
            try await browser.signUp("ana")
            let ben = try await client.signUp("ben")
            let me = try await browser.send("GET", "/v1/me", headers: [("Authorization", "Bearer \(ben.token)")])
            #expect(me.json["username"] == "ben")
            for value in ["Bearer nonsense", "", "Basic YTpi", "Bearer"] {
                try await browser.send("GET", "/v1/me", headers: [("Authorization", value)], expect: .unauthorized)
            }
            let out = try await client.send(
                "DELETE", "/v1/sessions/current", token: ben.token, headers: browser.headers("GET", "/v1/sessions"),
                expect: .noContent)
            #expect(out.header("Set-Cookie") == nil && out.header("Clear-Site-Data") == nil)
            try await browser.send("GET", "/v1/me", expect: .ok)
        }
    }

    @Test(arguments: ["/v1/sessions/current", "/v1/sessions", "/v1/sessions/own", "/v1/me"])
    func `a browser keeps nothing of a session that it ends`(path: String) async throws {
        try await withApp { app, client in
            var browser = Browser(client)
            try await browser.signUp("ana")
            let kept = browser
            let sessions = try await browser.send("GET", "/v1/sessions", expect: .ok)
            let own = path.replacing("own", with: try #require(sessions.ids.first))
            let body: JSON? = path == "/v1/me" ? ["password": .string(Client.password(of: "ana"))] : nil
            let answer = try await browser.send("DELETE", own, body, expect: .noContent)
            #expect(answer.header("Clear-Site-Data") == #""cache", "cookies", "storage""#)
            #expect(browser.cookies.isEmpty)
            var old = kept
            try await old.send("GET", "/v1/me", expect: .unauthorized)
            try await old.send("POST", "/v1/sessions/refresh", expect: .unauthorized)
        }
    }

    @Test func `ending another device leaves this browser as it is`() async throws {
        try await withApp { app, client in
            var browser = Browser(client)
            try await browser.signUp("ana")
            try await client.signIn("ana", expect: .created)
            let sessions = try await browser.send("GET", "/v1/sessions", expect: .ok)
            let other = try #require(sessions.json["items"]?.elements.first { $0["current"] == false }?["id"]?.text)
            let answer = try await browser.send("DELETE", "/v1/sessions/\(other)", expect: .noContent)
            #expect(answer.header("Clear-Site-Data") == nil && browser.cookies.count == 2)
            try await browser.send("GET", "/v1/me", expect: .ok)
        }
    }

    @Test func `signing in again in one browser ends the session that its cookies were of`() async throws {
        try await withApp { app, client in
            var browser = Browser(client)
            try await browser.signUp("ana")
            try await client.signUp("ben")
            let before = browser
            try await browser.signIn("ana")
            #expect(try await browser.send("GET", "/v1/sessions", expect: .ok).ids.count == 1)
            var old = before
            try await old.send("GET", "/v1/me", expect: .unauthorized)
            try await browser.signIn("ben")
            #expect(try await browser.send("GET", "/v1/me", expect: .ok).json["username"] == "ben")
        }
    }

    @Test func `a refresh without a good cookie is refused`() async throws {
        try await withApp { app, client in
            var browser = Browser(client)
            try await browser.signUp("ana")
            let access = try #require(browser.cookies.first { $0.name == "pinfold_access" }).value
            try await client.send("POST", "/v1/sessions/refresh", expect: .unauthorized)
            for value in ["", "nonsense", access, String(repeating: "a", count: 3000), "a\u{e9}"] {
                let headers = [
                    ("Host", "127.0.0.1:8080"), ("Origin", "http://127.0.0.1:8080"),
                    ("Cookie", "pinfold_refresh=\(value)"),
                ]
                try await client.send("POST", "/v1/sessions/refresh", headers: headers, expect: .unauthorized)
            }
            app.clock.advance(.milliseconds(Session.refreshLifetime))
            try await browser.send("POST", "/v1/sessions/refresh", expect: .unauthorized)
        }
    }

    @Test func `a refresh cookie that was stolen ends the session when it is used late`() async throws {
        try await withApp { app, client in
            var browser = Browser(client)
            try await browser.signUp("ana")
            var thief = browser
            try await browser.send("POST", "/v1/sessions/refresh", expect: .ok)
            try await browser.send("GET", "/v1/me", expect: .ok)
            app.clock.advance(.milliseconds(CookieSuccession.leeway))
            try await thief.send("POST", "/v1/sessions/refresh", expect: .unauthorized)
            try await browser.send("GET", "/v1/me", expect: .unauthorized)
            try await browser.send("POST", "/v1/sessions/refresh", expect: .unauthorized)
        }
    }

    @Test func `an answer that was lost long ago does not log out`() async throws {
        try await withApp { app, client in
            var browser = Browser(client)
            try await browser.signUp("ana")
            var lost = browser
            try await lost.send("POST", "/v1/sessions/refresh", expect: .ok)
            app.clock.advance(.milliseconds(2 * Session.accessLifetime))
            try await app.database.write { try Housekeeping.run(in: $0) }
            try await browser.send("POST", "/v1/sessions/refresh", expect: .ok)
            try await browser.send("GET", "/v1/me", expect: .ok)
            #expect(browser.cookies.map(\.value) == lost.cookies.map(\.value))
            app.clock.advance(.milliseconds(Session.accessLifetime))
            try await browser.send("POST", "/v1/sessions/refresh", expect: .ok)
            try await browser.send("GET", "/v1/me", expect: .ok)
        }
    }

    /// Windows of one browser that refresh at once, whatever order their requests and answers travel in.
    @Test(arguments: 1...40) func `windows that refresh at once log nobody out`(seed: UInt64) async throws {
        try await withApp { app, client in
            var random = SplitMix64(seed: seed)
            var browser = Browser(client)
            try await browser.signUp("ana")
            var requests: [(headers: [(String, String)], sentAt: Int64)] = []
            var answers: [(answer: Answer, at: Int64)] = []
            // As long as nothing is under way for longer than this, nobody is logged out.
            let longest = CookieSuccession.leeway / 2 - 1_000
            func serve(_ index: Int) async throws {
                let (headers, _) = requests.remove(at: index)
                let answer = try await client.send("POST", "/v1/sessions/refresh", headers: headers, expect: .ok)
                answers.append((answer, app.clock.now))
            }
            for _ in 0..<60 {
                switch random.int(0..<10) {
                case 0...2:
                    let headers = browser.headers("POST", "/v1/sessions/refresh")
                    requests.append((headers, app.clock.now))
                case 3...5: if !requests.isEmpty { try await serve(random.int(0..<requests.count)) }
                case 6...7:
                    if !answers.isEmpty { browser.keep(answers.remove(at: random.int(0..<answers.count)).answer) }
                case 8:
                    // Old cookies of a window that is behind may be refused; it then refreshes.
                    try await browser.send("GET", "/v1/me")
                default:
                    let step = Int64(random.int(1..<10)) * 1_000
                    // What has been under way too long arrives first.
                    while let late = requests.firstIndex(where: { $0.sentAt + longest < app.clock.now + step }) {
                        try await serve(late)
                    }
                    while let late = answers.firstIndex(where: { $0.at + longest < app.clock.now + step }) {
                        browser.keep(answers.remove(at: late).answer)
                    }
                    app.clock.advance(.milliseconds(step))
                }
            }
            while !requests.isEmpty { try await serve(0) }
            answers.shuffle(using: &random)
            for (answer, _) in answers { browser.keep(answer) }
            if try await browser.send("GET", "/v1/me").status != .ok {
                try await browser.send("POST", "/v1/sessions/refresh", expect: .ok)
                try await browser.send("GET", "/v1/me", expect: .ok)
            }
            #expect(try await browser.send("GET", "/v1/sessions", expect: .ok).ids.count == 1)
        }
    }
}
