import Foundation
import Testing

@testable import PinfoldServer

/// Who hears what about people, on live connections.
@Suite struct LivePresenceTests {
    /// The next presence of somebody, while time passes and commits come.
    private static func presence(
        of person: Person, on socket: LiveSocket, _ test: TestApp, _ service: LiveService
    ) throws -> JSON {
        for _ in 0..<600 {
            service.app.live.wake()
            while case .text(let event)? = try socket.next(wait: 100) {
                if event["type"] == "presence", event["userId"] == "\(person.id)" { return event }
            }
            test.clock.advance(.seconds(3))
        }
        throw LiveFailure("no presence of \(person.username) came")
    }

    private static func expect(_ condition: Bool, _ message: @autoclosure () -> String) throws {
        if !condition { throw LiveFailure(message()) }
    }

    @Test func `friends hear who comes and goes, strangers do not`() async throws {
        try await withApp { test, client in
            let (ana, ben, eve) = try await client.signUp("ana", "ben", "eve")
            try await ana.befriend(ben)
            try await withLiveService(test) { service in
                let (stranger, watcher) = (
                    try service.connect(token: eve.token), try service.connect(token: ana.token)
                )
                _ = try watcher.typesUntilPong()
                let other = try service.connect(token: ben.token)
                let came = try Self.presence(of: ben, on: watcher, test, service)
                try Self.expect(came["online"] == true && came["lastSeenAt"] == .null, "\(came)")
                try Self.expect(came["cursor"] == nil, "presence has no place in the log: \(came)")
                try Self.expect(try Self.presence(of: ana, on: other, test, service)["online"] == true, "\(ana.id)")
                other.cut()
                let went = try Self.presence(of: ben, on: watcher, test, service)
                try Self.expect(went["online"] == false, "\(went)")
                guard let seen = went["lastSeenAt"]?.text, seen.hasSuffix("0:00.000Z") || seen.hasSuffix("5:00.000Z")
                else { throw LiveFailure("the minute is told: \(went)") }
                let types = try stranger.typesUntilPong()
                try Self.expect(types.isEmpty, "a stranger hears \(types)")
            }
        }
    }

    @Test func `who does not wish it, or has blocked, is not told of`() async throws {
        try await withApp { test, client in
            let (ana, ben, eve) = try await client.signUp("ana", "ben", "eve")
            let (cem, dov) = try await client.signUp("cem", "dov")
            for friend in [ben, eve, cem, dov] { try await ana.befriend(friend) }
            try await ben.patch("/v1/me/privacy", ["presence": false], expect: .ok)
            try await eve.put("/v1/blocks/\(ana.id)", expect: .noContent)
            try await withLiveService(test) { service in
                let watcher = try service.connect(token: ana.token)
                _ = try watcher.typesUntilPong()
                var open: [LiveSocket] = []
                for person in [ben, eve] {
                    let socket = try service.connect(token: person.token)
                    _ = try HTTPSocket(port: service.port).send(
                        "PATCH", "/v1/me", ["bio": "here"], token: person.token, expect: 200)
                    _ = try socket.next("profile.updated")
                    open.append(socket)
                }
                // Once two others who came later are told of, those two had their turn.
                for person in [cem, dov] {
                    open.append(try service.connect(token: person.token))
                    while true {
                        guard case .text(let event)? = try watcher.next() else { throw LiveFailure("no \(person.id)") }
                        guard event["type"] == "presence" else { continue }
                        let user = event["userId"]?.text
                        try Self.expect(user != "\(ben.id)" && user != "\(eve.id)", "told of \(event)")
                        if user == "\(person.id)" { break }
                    }
                }
                try Self.expect(open.count == 4, "all are connected")
            }
        }
    }

    @Test func `both ends hear of requests, and friends of profiles`() async throws {
        try await withApp { test, client in
            let (ana, ben, eve) = try await client.signUp("ana", "ben", "eve")
            try await withLiveService(test) { service in
                let http = try HTTPSocket(port: service.port)
                let sockets = try [ana, ben, eve].map { try service.connect(token: $0.token) }
                for socket in sockets { _ = try socket.typesUntilPong() }
                var ids: [String] = []
                for (answer, type) in [("reject", "rejected"), ("cancel", "cancelled"), ("accept", "accepted")] {
                    let asked = try http.send(
                        "POST", "/v1/friend-requests", ["to": "\(ben.id)"], token: ana.token, expect: 201)
                    let id = asked["id"]?.text ?? ""
                    ids.append(id)
                    if answer == "cancel" {
                        try http.send("DELETE", "/v1/friend-requests/\(id)", token: ana.token, expect: 204)
                    } else {
                        try http.send("POST", "/v1/friend-requests/\(id)/\(answer)", [:], token: ben.token, expect: 200)
                    }
                    for socket in sockets[..<2] {
                        let created = try socket.next("friendRequest.created")["friendRequest"]
                        try Self.expect(created?["id"]?.text == id, "another request: \(String(describing: created))")
                        let settled = try socket.next("friendRequest.\(type)")["friendRequest"]
                        try Self.expect(settled?["id"]?.text == id, "another request: \(String(describing: settled))")
                        try Self.expect(settled?["status"]?.text == type, "\(String(describing: settled))")
                    }
                }
                for (socket, friend) in zip(sockets, [ben, ana]) {
                    let added = try socket.next("friend.added")
                    try Self.expect(added["user"]?["id"] == "\(friend.id)", "\(added)")
                }
                try http.send("PATCH", "/v1/me", ["displayName": "Ben!"], token: ben.token, expect: 200)
                for socket in sockets[..<2] {
                    let user = try socket.next("profile.updated")["user"]
                    try Self.expect(user?["displayName"] == "Ben!", "\(String(describing: user))")
                }
                let types = try sockets[2].typesUntilPong()
                try Self.expect(types.isEmpty, "a stranger hears \(types)")
            }
        }
    }

    @Test func `a block sounds like an unfriending, or like nothing`() async throws {
        try await withApp { test, client in
            let (ana, ben, eve) = try await client.signUp("ana", "ben", "eve")
            let (cem, dov) = try await client.signUp("cem", "dov")
            for friend in [ben, eve] { try await ana.befriend(friend) }
            try await ana.post("/v1/friend-requests", ["to": "\(cem.id)"], expect: .created)
            try await withLiveService(test) { service in
                let http = try HTTPSocket(port: service.port)
                var bios = 0
                func heard(_ change: () throws -> Void) throws -> [String] {
                    let socket = try service.connect(token: ana.token)
                    _ = try socket.typesUntilPong()
                    try change()
                    bios += 1
                    try http.send("PATCH", "/v1/me", ["bio": .string("\(bios)")], token: ana.token, expect: 200)
                    var types: [String] = []
                    while types.last != "profile.updated" {
                        guard case .text(let event)? = try socket.next(), let type = event["type"]?.text else {
                            throw LiveFailure("no profile after \(types)")
                        }
                        if type != "presence" { types.append(type) }
                    }
                    return types.dropLast()
                }
                func block(_ person: Person) throws {
                    try http.send("PUT", "/v1/blocks/\(ana.id)", token: person.token, expect: 204)
                }
                let unfriended = try heard {
                    try http.send("DELETE", "/v1/friends/\(ana.id)", token: ben.token, expect: 204)
                }
                let blockedByFriend = try heard { try block(eve) }
                let blockedByAsked = try heard { try block(cem) }
                let blockedByStranger = try heard { try block(dov) }
                try Self.expect(unfriended == ["friend.removed"], "\(unfriended)")
                try Self.expect(blockedByFriend == ["friend.removed"], "\(blockedByFriend)")
                try Self.expect(blockedByAsked.isEmpty, "\(blockedByAsked)")
                try Self.expect(blockedByStranger.isEmpty, "\(blockedByStranger)")
            }
        }
    }
}
