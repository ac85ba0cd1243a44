import HTTP
import SocialModel
import Testing

@testable import PinfoldServer

@Suite struct ThrottleTests {
    private func client(_ app: TestApp, at address: String) throws -> Client {
        Client(app: app, address: try #require(IPAddress(address)))
    }

    /// Tries until one is refused, and gives back how many came through and what the refusal says.
    private func exhaust(_ client: Client, _ login: String) async throws -> (tries: Int, retryAfter: Int) {
        for tries in 0..<1000 {
            let answer = try await client.signIn(login, password: "wrong horse")
            if answer.status == .tooManyRequests {
                return (tries, try #require(answer.header("Retry-After").flatMap { Int($0) }))
            }
            #expect(answer.status == .unauthorized)
        }
        throw UnexpectedStatus(description: "a thousand wrong passwords and no throttle")
    }

    @Test func `who attacks from one address locks nobody else out`() async throws {
        try await withApp(TestApp.Setup(rateLimits: true)) { app, client in
            try await client.signUp("ana")
            let attacker = try self.client(app, at: "198.51.100.7")
            let (tries, _) = try await exhaust(attacker, "ana")
            #expect((1...30).contains(tries))
            // Not even the right password gets through there; elsewhere it does, known address or not.
            try await attacker.signIn("ana", expect: .tooManyRequests)
            try await client.signIn("ana", expect: .created)
            try await self.client(app, at: "203.0.113.9").signIn("ana", expect: .created)
        }
    }

    @Test func `Retry-After is true to the second`() async throws {
        try await withApp(TestApp.Setup(rateLimits: true)) { app, client in
            try await client.signUp("ana")
            let attacker = try self.client(app, at: "198.51.100.7")
            for _ in 0..<5 {
                let (_, wait) = try await exhaust(attacker, "ana")
                if wait > 1 {
                    app.clock.advance(.seconds(wait - 1))
                    try await attacker.signIn("ana", password: "wrong horse", expect: .tooManyRequests)
                    app.clock.advance(.seconds(1))
                } else {
                    app.clock.advance(.seconds(wait))
                }
                try await attacker.signIn("ana", password: "wrong horse", expect: .unauthorized)
            }
        }
    }

    @Test func `many addresses against one account leave its owner a way in`() async throws {
        try await withApp(TestApp.Setup(rateLimits: true)) { app, client in
            try await client.signUp("ana")
            var refused = 0
            for number in 0..<60 {
                let attacker = try self.client(app, at: "198.51.100.\(number)")
                for _ in 0..<4
                where try await attacker.signIn("ana", password: "wrong horse").status == .tooManyRequests {
                    refused += 1
                }
            }
            #expect(refused > 50)
            // From where the account has signed in before, and from a new place.
            try await client.signIn("ana", expect: .created)
            try await self.client(app, at: "203.0.113.9").signIn("ana", expect: .created)
        }
    }

    @Test func `an unknown account is throttled like a known one`() async throws {
        try await withApp(TestApp.Setup(rateLimits: true)) { app, client in
            try await client.signUp("ana")
            let known = try await exhaust(try self.client(app, at: "198.51.100.7"), "ana")
            let unknown = try await exhaust(try self.client(app, at: "198.51.100.8"), "nobody")
            #expect(known == unknown)
            // Another spelling is the same account.
            try await self.client(app, at: "198.51.100.7").signIn("ANA", expect: .tooManyRequests)
        }
    }

    @Test func `an IPv6 network is one address`() async throws {
        try await withApp(TestApp.Setup(rateLimits: true)) { app, client in
            try await client.signUp("ana")
            _ = try await exhaust(try self.client(app, at: "2001:db8:1:2::1"), "ana")
            try await self.client(app, at: "2001:db8:1:2:ffff::9").signIn("ana", expect: .tooManyRequests)
            try await self.client(app, at: "2001:db8:1:3::1").signIn("ana", expect: .created)
        }
    }

    @Test func `sign-ins that succeed are not counted`() async throws {
        try await withApp(TestApp.Setup(rateLimits: true)) { app, client in
            try await client.signUp("ana")
            for _ in 0..<100 { try await client.signIn("ana", expect: .created) }
        }
    }

    @Test func `sign-ups from one address are throttled, and from others not`() async throws {
        try await withApp(TestApp.Setup(rateLimits: true)) { app, client in
            var statuses: [Status] = []
            for number in 0..<40 {
                let body: JSON = [
                    "username": "person\(number)", "email": "p\(number)@example.org", "password": "correct horse",
                ]
                statuses.append(try await client.post("/v1/users", body).status)
            }
            #expect(statuses.first == .created && statuses.last == .tooManyRequests)
            #expect(statuses.filter { $0 == .created }.count >= 10)
            try await self.client(app, at: "203.0.113.9").signUp("elsewhere")
        }
    }

    @Test func `whoever holds a token cannot try passwords without end`() async throws {
        try await withApp(TestApp.Setup(rateLimits: true)) { app, client in
            let ana = try await client.signUp("ana")
            let calls: [(String, String, JSON)] = [
                ("PUT", "/v1/me/password", ["current": "wrong horse", "new": "battery staple"]),
                ("DELETE", "/v1/me", ["password": "wrong horse"]),
                ("PATCH", "/v1/me", ["email": "x@example.org", "currentPassword": "wrong horse"]),
            ]
            for (method, path, body) in calls {
                var refused = false
                for _ in 0..<100 where !refused {
                    refused = try await ana.send(method, path, body).status == .tooManyRequests
                }
                #expect(refused, "\(method) \(path)")
                app.clock.advance(.seconds(600))
            }
        }
    }

    @Test func `without rate limits nothing is throttled`() async throws {
        try await withApp { app, client in
            try await client.signUp("ana")
            for _ in 0..<150 { try await client.signIn("ana", password: "wrong horse", expect: .unauthorized) }
        }
    }
}
