import Foundation
import Glibc
import SocialModel
import Storage
import Testing

@testable import HTTP
@testable import PinfoldServer

/// What live connections are told, and who is on them.
@Suite struct LiveHubTests {
    @Test func `of two sign-ins on one connection the second is refused, and all of it goes when it closes`()
        async throws
    {
        try await withApp { app, client in
            let (ana, ben) = try await client.signUp("ana", "ben", friends: true)
            try app.app.live.start()
            defer { app.app.live.stop() }
            for _ in 0..<30 {
                let connection = try app.webSocket()
                connection.handlers.opened(connection)
                for person in [ana, ben] {
                    connection.handlers.received(connection, Array(#"{"type":"auth","token":"\#(person.token)"}"#.utf8))
                }
                let joined = try await eventually { app.joined.isEmpty ? nil : app.joined }
                #expect(joined == [ana.id.rawValue])
                // For what is not refused to have its effect.
                for _ in 0..<5 { try await Task.sleep(for: .milliseconds(1)) }
                connection.handlers.closed(connection, .normal)
                #expect(app.joined.isEmpty)
            }
        }
    }

    @Test func `what follows the sign-in at once does not end the connection`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            try app.app.live.start()
            defer { app.app.live.stop() }
            let ear = try LiveEar(
                app, .webSocket, try LiveRoutes.webSocket(TestApp.upgrade, app.app))
            defer { ear.close() }
            ear.say(#"{"type":"auth","token":"\#(ana.token)"}"#)
            ear.say(#"{"type":"ack","cursor":"\#(app.app.logCursors.seal(.at(0)))"}"#)
            _ = try await eventually { app.joined.isEmpty ? nil : true }
            #expect(!ear.heard.contains("unauthorized"))
        }
    }

    @Test func `nobody hears of a pin that was gone before they could have seen it`() async throws {
        try await withApp { app, client in
            let (ana, ben, cleo) = try await client.signUp("ana", "ben", "cleo")
            try await cleo.befriend(ben)
            let circle = try await ben.post("/v1/circles", ["name": "C", "members": []], expect: .created)
            let circleId = try #require(circle.json["id"]?.text.flatMap { Int64($0) })
            try app.app.live.start()
            defer { app.app.live.stop() }
            let (anas, cleos) = (try LiveEar(app, ana), try LiveEar(app, cleo))
            defer {
                anas.close()
                cleos.close()
            }
            _ = try await eventually { app.joined.count == 2 ? true : nil }
            var generator = SplitMix64(seed: 1)
            let pins = (Int64(1)...2).map { number in
                var pin = ModelPin.random(
                    id: (app.clock.now << 20) + 1_000 + number, owner: ben.id.rawValue, now: app.clock.now,
                    using: &generator)
                pin.isPrivate = false
                return pin
            }
            // One transaction, so that all of it is told in one round.
            try await app.database.write { [pins] write in
                try ModelPin.insert(pins, in: write)
                try write.run("UPDATE pin SET audience = \(circleId) WHERE id = \(pins[1].id)")
                try write.run("UPDATE pin SET audience = 0 WHERE id = \(pins[1].id)")
                try write.run("DELETE FROM pin WHERE id = \(pins[0].id)")
                try Friendship.begin(between: ana.id, and: ben.id, in: write)
            }
            try await app.database.write { [pins] write in
                try write.run("UPDATE pin SET audience = \(circleId) WHERE id = \(pins[1].id)")
                try write.run("UPDATE pin SET audience = 0 WHERE id = \(pins[1].id)")
                try write.run(
                    "INSERT INTO circleMember (circleId, ownerId, memberId) VALUES (\(circleId), \(ben.id), \(cleo.id))"
                )
            }
            let last = try await ben.drop("Last")
            for ear in [anas, cleos] { _ = try await eventually { ear.heard.contains("\(last.id)") ? true : nil } }
            #expect(anas.heard.contains("friend.added"))
            #expect(!anas.heard.contains("pin.removed"))
            // Cleo could see both till they went; what was for the circle only before her is not told again.
            #expect(cleos.heard.components(separatedBy: "event: pin.removed").count == 3)
        }
    }

    @Test func `who could not be told is let go, to come back with the cursor`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            try app.app.live.start()
            defer { app.app.live.stop() }
            let ear = try LiveEar(app, ana)
            defer { ear.close() }
            _ = try await eventually { app.joined.isEmpty ? nil : true }
            try await app.database.write { write in
                try write.run("ALTER TABLE circle RENAME TO elsewhere")
                try write.run(
                    "INSERT INTO event (at, kind, accountId, subjectId) VALUES (0, 'circleJoined', \(ana.id), 5)")
            }
            #expect(try await eventually { ear.heard.contains("1011") ? true : nil })
        }
    }

    @Test func `who hides their presence is gone for friends, and who shows it again is back`() async throws {
        try await withApp { app, client in
            let (ana, ben) = try await client.signUp("ana", "ben", friends: true)
            try app.app.live.start()
            defer { app.app.live.stop() }
            let (ear, other) = (try LiveEar(app, ana), try LiveEar(app, ben))
            defer {
                ear.close()
                other.close()
            }
            func presences(_ online: Bool) -> Int {
                ear.heard.components(separatedBy: #""userId":"\#(ben.id)","online":\#(online)"#).count - 1
            }
            _ = try await eventually { presences(true) == 1 ? true : nil }
            try await ben.patch("/v1/me/privacy", ["presence": false], expect: .ok)
            _ = try await eventually { presences(false) == 1 ? true : nil }
            #expect(ear.heard.contains(#""online":false,"lastSeenAt":null"#))
            try await ben.patch("/v1/me/privacy", ["presence": true], expect: .ok)
            _ = try await eventually { presences(true) == 2 ? true : nil }
        }
    }
}

/// What `body` gives once it gives something.
private func eventually<T>(_ body: () throws -> T?) async throws -> T {
    for _ in 0..<4_000 {
        if let found = try body() { return found }
        try await Task.sleep(for: .milliseconds(5))
    }
    throw NeverCame()
}

private struct NeverCame: Error {}

extension TestApp {
    fileprivate static let upgrade = Request(
        id: "0123456789abcdef", method: "GET", path: "/v1/live",
        headers: [
            Header("Upgrade", "websocket"), Header("Connection", "Upgrade"), Header("Sec-WebSocket-Version", "13"),
            Header("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
        ])

    /// Who has joined.
    fileprivate var joined: Set<Int64> { app.live.state.withLock { Set($0.joined.keys) } }

    /// A WebSocket on which nobody has signed in, of a loop that never runs.
    fileprivate func webSocket() throws -> LiveConnection {
        guard case .live(let start) = try LiveRoutes.webSocket(Self.upgrade, app).content else { throw NeverCame() }
        return LiveConnection(
            .webSocket, loop: LiveLoop(LiveLimits()), address: .loopback, deflate: nil, handlers: start.handlers,
            reservation: LiveReservation {})
    }
}

/// The client's end of a live connection.
private final class LiveEar: @unchecked Sendable {  // used by one test
    /// As in a server, one for all.
    private static let loop = Result {
        let loop = LiveLoop(LiveLimits())
        try loop.start()
        return loop
    }
    private let descriptor: Int32
    private var bytes: [UInt8] = []

    convenience init(_ app: TestApp, _ person: Person) throws {
        let request = Request(
            id: "0123456789abcdef", method: "GET", path: "/v1/events",
            headers: [Header("Authorization", "Bearer \(person.token)")])
        try self.init(app, .eventStream, try LiveRoutes.events(request, app.app))
    }

    init(_ app: TestApp, _ transport: LiveConnection.Transport, _ response: Response) throws {
        guard case .live(let start) = response.content else { throw NeverCame() }
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0, &ends) == 0 else {
            throw NeverCame()
        }
        descriptor = ends[1]
        let loop = try Self.loop.get()
        let connection = LiveConnection(
            transport, loop: loop, address: .loopback, deflate: nil, handlers: start.handlers,
            reservation: LiveReservation {})
        connection.descriptor = ends[0]
        loop.post(.adopt(connection, first: []))
    }

    /// All that has come.
    var heard: String {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while case let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT)), count > 0 {
            bytes += buffer[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Sends a text frame.
    func say(_ text: String) {
        let payload = Array(text.utf8)
        var frame: [UInt8] = [0x81]
        if payload.count < 126 {
            frame.append(0x80 | UInt8(payload.count))
        } else {
            frame += [0x80 | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xff)]
        }
        frame += [0, 0, 0, 0]
        frame += payload
        _ = send(descriptor, frame, frame.count, Int32(MSG_NOSIGNAL))
    }

    func close() { Glibc.close(descriptor) }
}
