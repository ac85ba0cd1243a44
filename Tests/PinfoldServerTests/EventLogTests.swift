import SocialModel
import Storage
import Testing

@testable import PinfoldServer

/// Each change is told in the log, in its own transaction, and to whom it matters.
@Suite struct EventLogTests {
    private struct Entry: Hashable, CustomStringConvertible {
        let kind: String
        let account: Int64
        var subject: Int64?
        var before: Int64?
        var after: Int64?

        var description: String { "\(kind) \(account) \(subject ?? 0) \(before ?? -1) \(after ?? -1)" }
    }

    /// What came to the log since `sequence`, which is moved on.
    private func news(_ app: TestApp, since sequence: inout Int64) throws -> [Entry] {
        let last = sequence
        let found = try app.database.read { read in
            try read.rows(
                """
                SELECT kind, accountId, subjectId, audienceBefore, audienceAfter, sequence, at FROM event
                WHERE sequence > \(last) ORDER BY sequence
                """
            ) { row in
                #expect(row.int64(6) == app.clock.now)
                let entry = Entry(
                    kind: row.text(0), account: row.int64(1), subject: row.optionalInt64(2),
                    before: row.optionalInt64(3), after: row.optionalInt64(4))
                return (entry, row.int64(5))
            }
        }
        sequence = found.last?.1 ?? sequence
        return found.map(\.0)
    }

    @Test func `changes of pins tell the audience before and after`() async throws {
        try await withApp { app, client in
            var last: Int64 = 0
            let ana = try await client.signUp("ana")
            let owner = ana.id.rawValue
            #expect(try news(app, since: &last) == [Entry(kind: "accountCreated", account: owner)])
            let pin = try await ana.drop()
            let path = "/v1/pins/\(pin.id)"
            func entry(_ before: Int64?, _ after: Int64?) -> [Entry] {
                [Entry(kind: "pin", account: owner, subject: pin.id.rawValue, before: before, after: after)]
            }
            #expect(try news(app, since: &last) == entry(nil, 1))
            try await ana.patch(path, ["name": "Soba"], expect: .ok)
            #expect(try news(app, since: &last) == entry(1, 1))
            try await ana.patch(path, ["name": "Soba"], expect: .ok)
            #expect(try news(app, since: &last) == [], "what changes nothing is no event")
            try await ana.patch(path, ["audience": "private"], expect: .ok)
            #expect(try news(app, since: &last) == entry(1, 0))
            try await ana.patch(path, ["rating": 2], expect: .ok)
            #expect(try news(app, since: &last) == entry(0, 0))
            try await ana.delete(path, expect: .noContent)
            #expect(try news(app, since: &last) == entry(0, nil))
            try await ana.post("\(path)/restore", expect: .ok)
            #expect(try news(app, since: &last) == entry(nil, 0))
            try await ana.post("\(path)/restore", expect: .ok)
            #expect(try news(app, since: &last) == [])
            try await ana.patch(path, ["audience": "friends"], expect: .ok)
            #expect(try news(app, since: &last) == entry(0, 1))
            // What is refused or only read leaves nothing.
            try await ana.patch(path, ["rating": 9], expect: .badRequest)
            try await ana.patch(path, ["rating": 3], headers: [("If-Match", "\"x\"")], expect: .preconditionFailed)
            try await ana.get("/v1/pins", expect: .ok)
            #expect(try news(app, since: &last) == [])
            let key = [("Idempotency-Key", "k")]
            let body: JSON = ["latitude": 1, "longitude": 1, "name": "x"]
            for _ in 0..<3 { try await ana.post("/v1/pins", body, headers: key, expect: .created) }
            #expect(try news(app, since: &last).count == 1)
        }
    }

    @Test func `changes of the friend graph are told to both ends, blocks to the blocker alone`() async throws {
        try await withApp { app, client in
            let (ana, ben) = try await client.signUp("ana", "ben")
            let (a, b) = (ana.id.rawValue, ben.id.rawValue)
            var last: Int64 = 0
            _ = try news(app, since: &last)
            func both(_ kind: String, _ request: Int64) -> Set<Entry> {
                [Entry(kind: kind, account: a, subject: request), Entry(kind: kind, account: b, subject: request)]
            }
            func pair(_ kind: String) -> Set<Entry> {
                [Entry(kind: kind, account: a, subject: b), Entry(kind: kind, account: b, subject: a)]
            }
            func ask() async throws -> Int64 {
                try await ana.post("/v1/friend-requests", ["to": "\(b)"], expect: .created)
                    .decoded(FriendRequest.self).id.rawValue
            }
            let first = try await ask()
            #expect(Set(try news(app, since: &last)) == both("requestCreated", first))
            try await ben.post("/v1/friend-requests/\(first)/reject", expect: .ok)
            #expect(Set(try news(app, since: &last)) == both("requestRejected", first))
            let second = try await ask()
            _ = try news(app, since: &last)
            try await ana.delete("/v1/friend-requests/\(second)", expect: .noContent)
            #expect(Set(try news(app, since: &last)) == both("requestCancelled", second))
            let third = try await ask()
            _ = try news(app, since: &last)
            try await ben.post("/v1/friend-requests/\(third)/accept", expect: .ok)
            #expect(Set(try news(app, since: &last)) == both("requestAccepted", third).union(pair("friendAdded")))
            try await ben.post("/v1/friend-requests/\(third)/accept", expect: .ok)
            #expect(try news(app, since: &last) == [])
            try await ana.put("/v1/blocks/\(b)", expect: .noContent)
            let blocked = try news(app, since: &last)
            #expect(Set(blocked) == pair("friendRemoved").union([Entry(kind: "blockAdded", account: a, subject: b)]))
            try await ana.put("/v1/blocks/\(b)", expect: .noContent)
            #expect(try news(app, since: &last) == [])
            try await ana.delete("/v1/blocks/\(b)", expect: .noContent)
            #expect(try news(app, since: &last) == [Entry(kind: "blockRemoved", account: a, subject: b)])
            try await ana.befriend(ben)
            _ = try news(app, since: &last)
            try await ben.delete("/v1/friends/\(a)", expect: .noContent)
            #expect(Set(try news(app, since: &last)) == pair("friendRemoved"))
            try await ben.delete("/v1/friends/\(a)", expect: .notFound)
            #expect(try news(app, since: &last) == [])
        }
    }

    @Test func `an account that goes takes its pins and friendships along, and says so`() async throws {
        try await withApp { app, client in
            let (ana, ben) = try await client.signUp("ana", "ben", friends: true)
            let (open, hidden) = (try await ana.drop(), try await ana.drop("x", at: 1, 1, ["audience": "private"]))
            var last: Int64 = 0
            _ = try news(app, since: &last)
            try await ana.patch("/v1/me", ["bio": "b"], expect: .ok)
            #expect(try news(app, since: &last) == [Entry(kind: "profile", account: ana.id.rawValue)])
            try await ana.patch("/v1/me", ["bio": "b"], expect: .ok)
            try await ana.patch("/v1/me", ["phone": "1"], expect: .ok)
            #expect(try news(app, since: &last) == [], "nobody else sees the phone number")
            try await ana.delete("/v1/me", ["password": .string(Client.password(of: "ana"))], expect: .noContent)
            let (a, b) = (ana.id.rawValue, ben.id.rawValue)
            let entries = try news(app, since: &last)
            #expect(entries.count { $0.kind == "sessionEnded" && $0.account == a } == 1)
            #expect(
                Set(entries.filter { $0.kind != "sessionEnded" }) == [
                    Entry(kind: "pin", account: a, subject: open.id.rawValue, before: 1),
                    Entry(kind: "pin", account: a, subject: hidden.id.rawValue, before: 0),
                    Entry(kind: "friendRemoved", account: a, subject: b),
                    Entry(kind: "friendRemoved", account: b, subject: a), Entry(kind: "accountRemoved", account: a),
                ])
        }
    }

    /// When the log cannot be written, neither is the change; and the other way round.
    @Test func `a change and its event are stored together or not at all`() async throws {
        try await withApp { app, client in
            let (ana, ben) = try await client.signUp("ana", "ben", friends: true)
            let pin = try await ana.drop()
            var last: Int64 = 0
            _ = try news(app, since: &last)
            for table in ["event", "pin", "friendship"] as [StaticString] {
                _ = try await app.database.write { write in
                    try write.run(
                        """
                        CREATE TRIGGER broken BEFORE \(literal: table.description == "event" ? "INSERT" : "DELETE")
                        ON \(literal: table) BEGIN SELECT RAISE(ABORT, 'broken'); END
                        """)
                }
                let viewer = Viewer(id: ana.id, session: Identifier(1), role: .user)
                await #expect(throws: DatabaseError.self, "\(table)") {
                    try await app.database.write { write in
                        if table.description == "friendship" {
                            try Block.add(ben.id, by: viewer, in: write)
                        } else {
                            try PinChange.delete(pin, in: write)
                        }
                    }
                }
                try await app.database.write { _ = try $0.run("DROP TRIGGER broken") }
                #expect(try await ben.all("/v1/pins") == [pin.id.description])
                #expect(try await ana.all("/v1/blocks") == [])
                #expect(try news(app, since: &last) == [])
            }
            try await ana.delete("/v1/pins/\(pin.id)", expect: .noContent)
            #expect(try news(app, since: &last).count == 1)
        }
    }
}
