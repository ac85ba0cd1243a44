import Foundation
import SocialModel
import Synchronization
import Testing

@testable import PinfoldClient

@Suite struct SessionTests {
    @Test func `however many calls wait, the tokens are renewed once`() async throws {
        let server = try ServedApp()
        let user = try await server.client().signUp(.test("ana"))
        let ahead = Mutex(0.0)
        let client = server.client(now: { Date().addingTimeInterval(ahead.withLock { $0 }) })
        try await client.signIn(login: "ana", password: "ana secret")

        // Shortly before the token ends by the client's clock.
        ahead.withLock { $0 = 3590 }
        try await fifty(client, user)
        #expect(renewals(server) == 1)
        try await fifty(client, user)
        #expect(renewals(server) == 1)
    }

    @Test func `a token that the server refuses is renewed once, and the calls are made again`() async throws {
        let server = try ServedApp()
        let store = MemoryTokenStore()
        let user = try await server.client(tokens: store).signUp(.test("ana"))
        var tokens = try #require(await store.load())
        tokens.access = "no-such-token"
        let client = server.client(tokens: MemoryTokenStore(tokens))
        try await fifty(client, user)
        #expect(renewals(server) == 1)
    }

    private func fifty(_ client: PinfoldClient, _ user: User) async throws {
        try await withThrowingTaskGroup(of: Identifier<User>.self) { group in
            for _ in 0..<50 { group.addTask { try await client.me().user.id } }
            for try await id in group { #expect(id == user.id) }
        }
    }

    private func renewals(_ server: ServedApp) -> Int {
        server.exchanges.count { $0.path == "/v1/sessions/refresh" }
    }

    @Test func `a lost answer to a renewal logs nobody out`() async throws {
        let server = try ServedApp()
        let once = Once()
        let way = try ScriptedServer.losing(answersFrom: server.port) {
            $0.path == "/v1/sessions/refresh" && once.first()
        }
        let store = MemoryTokenStore()
        try await server.client(tokens: store).signUp(.test("ana"))
        var tokens = try #require(await store.load())
        tokens.expiresAt = .distantPast
        await store.save(tokens)
        let client = server.client(port: way.port, tokens: store)
        _ = try await client.me()
        #expect(renewals(server) == 2)
        #expect(try await client.state == .signedIn(tokens.user))
        let renewed = try #require(await store.load())
        #expect(renewed.access != tokens.access && renewed.refresh != tokens.refresh)
    }

    @Test func `a session that was ended elsewhere is signed out, for all to see`() async throws {
        let server = try ServedApp()
        let store = MemoryTokenStore()
        let client = server.client(tokens: store)
        let user = try await client.signUp(.test("ana"))
        let stream = try await client.states
        var states = stream.makeAsyncIterator()
        #expect(await states.next() == .signedIn(user.id))

        let other = server.client()
        try await other.signIn(login: "ana", password: "ana secret")
        try await other.signOutEverywhere()
        #expect(try await other.state == .signedOut(.here))
        await #expect { try await client.me() } throws: { error in
            guard case PinfoldError.signedOut = error else { return false }
            return true
        }
        #expect(await states.next() == .signedOut(.ended))
        #expect(await store.load() == nil)
    }

    @Test func `signing out without a network forgets the tokens all the same`() async throws {
        let store = MemoryTokenStore(MemoryTokenStore.scripted)
        let server = try ScriptedServer { _, _ in }
        let client = PinfoldClient.test(port: server.port, tokens: store)
        await #expect(throws: PinfoldError.self) { try await client.signOut() }
        #expect(await store.load() == nil)
        #expect(try await client.state == .signedOut(.here))
        #expect(server.requests.count == 4)
    }

    @Test func `who gives up a call stops the renewal for nobody else`() async throws {
        let isOpen = Gate()
        let server = try ScriptedServer { request, connection in
            guard request.path == "/v1/sessions/refresh" else { return connection.answer(204) }
            isOpen.wait()
            connection.answer(
                200,
                json: #"""
                    {"user": {"id": "1", "username": "ana", "displayName": "Ana", "createdAt": "2026-11-29T12:00:00.000Z"},
                    "accessToken": "access-1", "refreshToken": "refresh-1", "expiresIn": 3600}
                    """#)
        }
        var old = MemoryTokenStore.scripted
        old.expiresAt = .distantPast
        let client = PinfoldClient.test(port: server.port, tokens: MemoryTokenStore(old))
        let first = Task { try await client.block(Identifier(2)) }
        while server.requests.isEmpty { try await Task.sleep(for: .milliseconds(2)) }
        let second = Task { try await client.block(Identifier(3)) }
        first.cancel()
        isOpen.open()
        try await second.value
        #expect(server.requests.count { $0.path == "/v1/sessions/refresh" } == 1)
        #expect(server.requests.last { $0.path == "/v1/blocks/3" }?.headers["authorization"] == "Bearer access-1")
    }
}
