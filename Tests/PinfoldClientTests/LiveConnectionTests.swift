import Foundation
import SocialModel
import Synchronization
import Testing

@testable import PinfoldClient

@Suite struct LiveConnectionTests {
    private func client(of server: ScriptedServer) -> PinfoldClient {
        .test(port: server.port, tokens: MemoryTokenStore(MemoryTokenStore.scripted))
    }

    /// The number in a cursor `c12`; 0 for none.
    private static func number(_ cursor: String?) -> Int { Int(cursor?.dropFirst() ?? "") ?? 0 }

    @Test func `events come typed, and what is not known comes too`() async throws {
        let pin = Pin.sample(5)
        let user = #"{"id": "7", "username": "ana", "displayName": "Ana", "createdAt": "2026-11-29T12:00:00.000Z"}"#
        let request =
            #""friendRequest": {"id": "9", "from": \#(user), "to": \#(user), "status": "pending", "createdAt": "2026-11-29T12:00:00.000Z", "respondedAt": null}"#
        let text =
            LiveText.event("pin.created", cursor: 1, #""pin": \#(try pin.json)"#)
            + LiveText.event("pin.updated", cursor: 2, #""pin": \#(try pin.json)"#)
            + LiveText.event("pin.removed", cursor: 3, #""id": "5""#)
            + LiveText.event("friendRequest.created", cursor: 4, request)
            + LiveText.event("friend.added", cursor: 5, #""user": \#(user)"#)
            + ": heartbeat\n\n"
            + "event: presence\ndata: {\"type\": \"presence\", \"userId\": \"7\", \"online\": true, \"lastSeenAt\": null}\n\n"
            + LiveText.event("message.created", cursor: 6, #""message": {"text": "hi"}"#)
            + LiveText.event("pin.created", cursor: 7, #""pin": "of another form""#)
            + LiveText.event("friend.removed", cursor: 8, #""user": \#(user)"#)
        let server = try ScriptedServer { _, connection in
            connection.beginEvents()
            // Cut anywhere, also within characters.
            var rest = Data(text.utf8)[...]
            while !rest.isEmpty {
                connection.write(Data(rest.prefix(333)))
                rest = rest.dropFirst(333)
            }
            connection.waitForEnd()
        }
        var events: [LiveEvent] = []
        for try await event in client(of: server).live() {
            events.append(event)
            if events.count == 9 { break }
        }
        #expect(events.map(\.cursor) == ["c1", "c2", "c3", "c4", "c5", nil, "c6", "c7", "c8"])
        #expect(events[0].kind == .pinCreated(pin) && events[1].kind == .pinUpdated(pin))
        #expect(events[2].kind == .pinRemoved(pin.id))
        #expect(events[0].at == Timestamp(milliseconds: 1_795_953_600_000))
        guard case .friendRequestCreated(let asked) = events[3].kind, case .friendAdded(let friend) = events[4].kind,
            case .presence(let presence) = events[5].kind, case .other("message.created", let json) = events[6].kind,
            case .other("pin.created", _) = events[7].kind, case .friendRemoved(let other) = events[8].kind
        else {
            Issue.record("\(events)")
            return
        }
        #expect(asked.id == Identifier(9) && friend.id == Identifier(7) && other == friend)
        #expect(presence.userId == Identifier(7) && presence.online)
        #expect(String(decoding: json, as: UTF8.self).contains(#"{"text": "hi"}"#))
        let first = try #require(server.requests.first)
        #expect(first.path == "/v1/events" && first.query("after") == nil && first.headers["last-event-id"] == nil)
        #expect(first.headers["authorization"] == "Bearer access-0")
    }

    @Test func `however often the connection breaks, each event comes once and in order`() async throws {
        let random = Mutex(SplitMix64(seed: 9))
        let total = 300
        let server = try ScriptedServer { request, connection in
            var (count, cut, refused) = random.withLock { random in
                (
                    Int.random(in: 0...20, using: &random), Int.random(in: 0...60, using: &random),
                    Int.random(in: 0..<5, using: &random) == 0
                )
            }
            if refused { return connection.refuse(503, "unavailable", headers: ["Retry-After: 0"]) }
            connection.beginEvents()
            var next = Self.number(request.query("after")) + 1
            while count > 0, next <= total {
                connection.write(LiveText.event("pin.removed", cursor: next, #""id": "\#(next)""#))
                (count, next) = (count - 1, next + 1)
            }
            // The start of an event that does not end on this connection.
            let torn = LiveText.event("pin.removed", cursor: next, #""id": "\#(next)""#).dropLast(1)
            connection.write(String(torn.prefix(cut)))
        }
        let cursors = MemoryCursorStore()
        var seen: [Identifier<Pin>] = []
        for try await event in client(of: server).live(resumingFrom: cursors) {
            #expect(await cursors.cursor().map { Self.number($0) } ?? 0 == seen.count, "kept once dealt with")
            guard case .pinRemoved(let id) = event.kind else { continue }
            seen.append(id)
            if seen.count == total { break }
        }
        #expect(seen == (1...Int64(total)).map { Identifier<Pin>($0) })
        #expect(server.requests.count > 20)

        // Another process goes on behind what was dealt with; the last one was only delivered.
        var iterator = client(of: server).live(resumingFrom: cursors).makeAsyncIterator()
        #expect(try await iterator.next()?.kind == .pinRemoved(Identifier(Int64(total))))
    }

    @Test func `an id without an event moves the cursor`() async throws {
        let once = Once()
        let server = try ScriptedServer { request, connection in
            connection.beginEvents()
            if once.first() {
                connection.write("id: c41\n\n")
            } else {
                connection.write(LiveText.event("pin.removed", cursor: 42, #""id": "1""#))
                connection.waitForEnd()
            }
        }
        var iterator = client(of: server).live().makeAsyncIterator()
        #expect(try await iterator.next()?.cursor == "c42")
        #expect(server.requests.map { $0.query("after") } == [nil, "c41"])
        #expect(server.requests.last?.headers["last-event-id"] == "c41")
    }

    @Test(arguments: [true, false]) func `an expired cursor is told`(atOnce: Bool) async throws {
        let server = try ScriptedServer { _, connection in
            if atOnce { return connection.refuse(410, "cursor-expired") }
            connection.beginEvents()
            connection.write("event: close\ndata: {\"code\": 4410, \"reason\": \"cursor-expired\"}\n\n")
        }
        var iterator = client(of: server).live(resumingFrom: MemoryCursorStore("c1")).makeAsyncIterator()
        await #expect { try await iterator.next() } throws: { ($0 as? PinfoldError)?.isCursorExpired == true }
        #expect(server.requests.count == 1)
    }

    @Test func `when the server closes, what came before counts, and it goes on from there`() async throws {
        let once = Once()
        let server = try ScriptedServer { request, connection in
            connection.beginEvents()
            let first = once.first()
            connection.write(LiveText.event("pin.removed", cursor: first ? 1 : 2, #""id": "1""#))
            connection.write("event: close\ndata: {\"code\": 1001, \"reason\": \"going-away\"}\n\n")
            connection.waitForEnd()
        }
        var iterator = client(of: server).live().makeAsyncIterator()
        #expect(try await iterator.next()?.cursor == "c1")
        #expect(try await iterator.next()?.cursor == "c2")
        #expect(server.requests.map { $0.query("after") } == [nil, "c1"])
    }

    @Test func `a token that has ended is renewed, and a session that has ended ends the events`() async throws {
        let renewed = #"""
            {"user": {"id": "1", "username": "ana", "displayName": "Ana", "createdAt": "2026-11-29T12:00:00.000Z"},
            "accessToken": "access-1", "refreshToken": "refresh-1", "expiresIn": 3600}
            """#
        let once = Once()
        let server = try ScriptedServer { request, connection in
            switch (request.path, request.headers["authorization"]) {
            case ("/v1/sessions/refresh", _) where once.first(): connection.answer(200, json: renewed)
            case ("/v1/events", "Bearer access-1") where request.query("after") == nil:
                connection.beginEvents()
                connection.write(LiveText.event("pin.removed", cursor: 1, #""id": "1""#))
            default: connection.refuse(401, "unauthorized")
            }
        }
        let client = client(of: server)
        var iterator = client.live().makeAsyncIterator()
        #expect(try await iterator.next()?.cursor == "c1")
        await #expect { try await iterator.next() } throws: { error in
            guard case PinfoldError.signedOut = error else { return false }
            return true
        }
        #expect(try await client.state == .signedOut(.ended))
    }

    @Test func `cancelling ends it and closes the connection`() async throws {
        let closed = Gate()
        let server = try endless(closed)
        let client = client(of: server)
        let (began, beginning) = AsyncStream<Void>.makeStream()
        let reader = Task {
            for try await _ in client.live() { beginning.yield() }
        }
        for await _ in began { break }
        reader.cancel()
        await #expect(throws: CancellationError.self) { try await reader.value }
        await closed.opened()
        #expect(server.requests.count == 1)
    }

    @Test func `who stops reading closes the connection`() async throws {
        let closed = Gate()
        let server = try endless(closed)
        for try await _ in client(of: server).live() { break }
        await closed.opened()
        #expect(server.requests.count == 1)
    }

    /// Sends one event, and opens the gate when the client has closed.
    private func endless(_ closed: Gate) throws -> ScriptedServer {
        try ScriptedServer { _, connection in
            connection.beginEvents()
            connection.write(LiveText.event("pin.removed", cursor: 1, #""id": "1""#))
            connection.waitForEnd()
            closed.open()
        }
    }
}
