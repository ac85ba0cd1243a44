import Foundation
import SocialModel
import Storage
import Testing

@testable import PinfoldServer

@Suite struct CircleTests {
    /// Ana with two friends, of whom ben is in the circle, and a stranger.
    private struct Setting {
        let ana, ben, cat, stranger: Person
        let circle: String

        init(_ client: Client) async throws {
            (ana, ben) = try await client.signUp("ana", "ben", friends: true)
            cat = try await client.signUp("cat")
            stranger = try await client.signUp("stranger")
            let request = try await cat.post("/v1/friend-requests", ["to": "\(ana.id)"], expect: .created)
            try await ana.post("/v1/friend-requests/\(request.json["id"]?.text ?? "")/accept", expect: .ok)
            let made = try await ana.post(
                "/v1/circles", ["name": "Climbing", "members": ["\(ben.id)"]], expect: .created)
            circle = try #require(made.json["id"]?.text)
            #expect(made.response.header("Location") == "/v1/circles/\(circle)")
        }
    }

    @Test func `a pin for a circle is seen by its members alone, and only the owner sees which circle`() async throws {
        try await withApp { app, client in
            let setting = try await Setting(client)
            let pin = try await setting.ana.drop(
                "Crag", at: 1, 2, ["audience": "circle", "circleId": "\(setting.circle)"])
            #expect(pin.audience == .circle(Identifier(try #require(Int64(setting.circle)))))
            let path = "/v1/pins/\(pin.id)"
            let seen = try await setting.ben.get(path, expect: .ok).json
            #expect(seen["audience"] == nil && seen["circleId"] == nil && seen["name"] == "Crag")
            try await setting.cat.get(path, expect: .notFound)
            try await setting.stranger.get(path, expect: .notFound)
            #expect(try await setting.cat.all("/v1/pins") == [])

            // Out of the circle and back; the pin goes and comes at once.
            let circle = "/v1/circles/\(setting.circle)"
            try await setting.ana.patch(circle, ["members": ["\(setting.cat.id)"]], expect: .ok)
            try await setting.ben.get(path, expect: .notFound)
            try await setting.cat.get(path, expect: .ok)
            try await setting.ana.delete("/v1/friends/\(setting.cat.id)", expect: .noContent)
            try await setting.cat.get(path, expect: .notFound)
            #expect(try await setting.ana.get(circle, expect: .ok).json["members"] == [])
        }
    }

    @Test func `a database with members of circles is found whole when it opens again`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pinfold-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var configuration = Schema.configuration(path: folder + "/pinfold.db") { TestClock.start }
        configuration.checkMilliseconds = 60_000
        let first = try DatabasePool(configuration, migrations: Schema.migrations)
        try first.write { write in
            try ModelPin.insertPeople([1, 2], in: write)
            try ModelPin.insertFriends([2], of: 1, in: write)
            try write.run("INSERT INTO circle (id, ownerId, name, createdAt, updatedAt) VALUES (9, 1, 'c', 1, 1)")
            try write.run("INSERT INTO circleMember (circleId, ownerId, memberId) VALUES (9, 1, 2)")
        }
        first.close()
        let second = try DatabasePool(configuration, migrations: Schema.migrations)
        defer { second.close() }
        let members = try second.read { try $0.rows("SELECT ownerId, memberId FROM circleMember") { $0.int(1) } }
        #expect(members == [2])
    }

    @Test func `nobody but the owner can tell that there is a circle`() async throws {
        try await withApp { app, client in
            let setting = try await Setting(client)
            let (theirs, never) = ("/v1/circles/\(setting.circle)", "/v1/circles/9223372036854775807")
            for (method, body) in [("GET", nil), ("PATCH", ["name": "x"]), ("DELETE", nil)] as [(String, JSON?)] {
                let answers = try await [theirs, never].asyncMap {
                    try await setting.ben.send(method, $0, body, expect: .notFound)
                }
                #expect(answers[0].response.body == answers[1].response.body)
                #expect(answers[0].response.headers == answers[1].response.headers)
            }
            #expect(try await setting.ben.all("/v1/circles") == [])
            // A pin cannot be put into somebody else's circle, and the refusal is that of one that never was.
            let refusals = try await [setting.circle, "9223372036854775807"].asyncMap { id in
                try await setting.ben.post(
                    "/v1/pins",
                    ["latitude": 1, "longitude": 2, "name": "x", "audience": "circle", "circleId": .string(id)],
                    expect: .badRequest)
            }
            #expect(refusals[0].faults == ["circleId"] && refusals[0].response.body == refusals[1].response.body)
        }
    }

    @Test func `members are friends, and a stranger is refused as nobody is`() async throws {
        try await withApp { app, client in
            let setting = try await Setting(client)
            try await setting.stranger.put("/v1/blocks/\(setting.ana.id)", expect: .noContent)
            let answers = try await ["\(setting.stranger.id)", "9223372036854775807", "\(setting.ana.id)"].asyncMap {
                let members: JSON = .array([.string("\(setting.ben.id)"), .string($0)])
                let made = try await setting.ana.post(
                    "/v1/circles", ["name": "x", "members": members], expect: .badRequest)
                let changed = try await setting.ana.patch(
                    "/v1/circles/\(setting.circle)", ["members": members], expect: .badRequest)
                #expect(made.faults == ["members"] && changed.faults == ["members"])
                return made.response.body
            }
            #expect(Set(answers).count == 1)
            #expect(try await setting.ana.all("/v1/circles") == [setting.circle])
        }
    }

    @Test func `bad input is named`() async throws {
        try await withApp { app, client in
            let setting = try await Setting(client)
            let faults: [(JSON, Set<String>)] = [
                ([:], ["name"]), (["name": ""], ["name"]),
                (["name": .string(String(repeating: "x", count: 101))], ["name"]),
                (["name": "x", "members": "1"], ["members"]), (["name": "x", "members": [1]], ["members"]),
                (["name": "x", "members": ["x"]], ["members"]), (["name": "x", "member": []], ["member"]),
                (["name": "x", "members": .array(Array(repeating: "5", count: 2_001))], ["members"]),
            ]
            for (body, names) in faults {
                #expect(try await setting.ana.post("/v1/circles", body, expect: .badRequest).faults == names)
            }
            for body in [["audience": "circle"], ["audience": "friends", "circleId": "5"], ["circleId": "5"]] as [JSON]
            {
                let pin: JSON = .object(["latitude": 1, "longitude": 2, "name": "x"].merging(body.members) { $1 })
                #expect(try await setting.ana.post("/v1/pins", pin, expect: .badRequest).faults == ["circleId"])
            }
            let circle = "/v1/circles/\(setting.circle)"
            try await setting.ana.patch(
                circle, ["name": "x"], headers: [("If-Match", "\"x\"")], expect: .preconditionFailed)
            let read = try await setting.ana.get(circle, expect: .ok)
            let changed = try await setting.ana.patch(circle, read.json, expect: .ok)
            #expect(changed.response.body == read.response.body, "sent back unchanged, nothing changes")
        }
    }

    @Test func `a deleted circle leaves its pins to their owner`() async throws {
        try await withApp { app, client in
            let setting = try await Setting(client)
            let audience: JSON = ["audience": "circle", "circleId": "\(setting.circle)"]
            let pin = try await setting.ana.drop("Crag", at: 1, 2, audience)
            let deleted = try await setting.ana.drop("Wall", at: 1, 2, audience)
            try await setting.ana.delete("/v1/pins/\(deleted.id)", expect: .noContent)
            app.clock.advance(.seconds(1))
            try await setting.ana.delete("/v1/circles/\(setting.circle)", expect: .noContent)
            try await setting.ana.post("/v1/pins/\(deleted.id)/restore", expect: .ok)
            for id in [pin.id, deleted.id] {
                try await setting.ben.get("/v1/pins/\(id)", expect: .notFound)
                #expect(try await setting.ana.get("/v1/pins/\(id)", expect: .ok).decoded(Pin.self).audience == .private)
            }
            try await setting.ana.delete("/v1/circles/\(setting.circle)", expect: .notFound)
            let kinds = try app.database.read { read in
                try read.rows("SELECT kind FROM event ORDER BY sequence DESC LIMIT 3") { $0.text(0) }
            }
            #expect(kinds == ["pin", "circleLeft", "pin"], "the pin's change, the member's leaving, the restored pin")
        }
    }

    @Test func `there is an end to the number of circles`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            for number in 1...100 { try await ana.post("/v1/circles", ["name": "\(number)"], expect: .created) }
            try await ana.post("/v1/circles", ["name": "one too many"], expect: .conflict)
            #expect(try await ana.all("/v1/circles", limit: 30).count == 100)
        }
    }
}

extension Sequence {
    /// One after the other.
    fileprivate func asyncMap<T>(_ transform: (Element) async throws -> T) async throws -> [T] {
        var results: [T] = []
        for element in self { results.append(try await transform(element)) }
        return results
    }
}
