import Geo
import SocialModel
import Testing

@testable import PinfoldServer

@Suite struct PinTests {
    @Test func `a pin has what it was given, and sensible defaults`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            let answer = try await ana.post(
                "/v1/pins", ["latitude": 44.95512345678, "longitude": 180, "name": "Ramen"], expect: .created)
            let members = answer.json.members
            #expect(
                Set(members.keys) == [
                    "id", "ownerId", "ownerUsername", "latitude", "longitude", "name", "address", "addressSource",
                    "comment", "rating", "category", "audience", "circleId", "photos", "createdAt", "updatedAt",
                ])
            #expect(members["latitude"] == 44.9551235 && members["longitude"] == -180)
            #expect(members["audience"] == "friends" && members["category"] == "other" && members["photos"] == [])
            for name in ["address", "addressSource", "comment", "rating", "circleId"] {
                #expect(members[name] == .null)
            }
            #expect(
                members["createdAt"] == JSON(timestamp: app.clock.now) && members["updatedAt"] == members["createdAt"])
            let pin = try answer.decoded(Pin.self)
            #expect(answer.header("Location") == "/v1/pins/\(pin.id)")
            let read = try await ana.get("/v1/pins/\(pin.id)", expect: .ok)
            #expect(read.response.body == answer.response.body && read.etag == answer.etag)
            #expect(read.header("Cache-Control") == "private, no-cache")
            #expect(try await ana.drop().id > pin.id)
        }
    }

    @Test func `a pin sent back as it was read changes nothing`() async throws {
        try await withApp(TestApp.Setup(hasGazetteer: true)) { app, client in
            let ana = try await client.signUp("ana")
            for more in [
                [:], ["address": "mine"], ["comment": "", "rating": 5, "category": "food", "audience": "private"],
            ] as [JSON] {
                let pin = try await ana.drop("Ramen", at: 10, 20, more)
                let before = try await ana.get("/v1/pins/\(pin.id)", expect: .ok)
                app.clock.advance(.seconds(5))
                let after = try await ana.patch("/v1/pins/\(pin.id)", before.json, expect: .ok)
                #expect(after.response.body == before.response.body && after.etag == before.etag)
                let empty = try await ana.patch("/v1/pins/\(pin.id)", [:], expect: .ok)
                #expect(empty.response.body == before.response.body)
            }
        }
    }

    @Test func `a patch changes what it names and the time, and null removes`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            let pin = try await ana.drop("Ramen", at: 1, 2, ["comment": "good", "rating": 4, "address": "mine"])
            var expected = pin
            let steps: [(JSON, (inout Pin) -> Void)] = [
                (["rating": nil], { $0.rating = nil }), (["comment": nil], { $0.comment = nil }),
                (["name": "Soba"], { $0.name = "Soba" }), (["rating": 1.0], { $0.rating = 1 }),
                (["category": "nature"], { $0.category = .nature }),
                (["audience": "private"], { $0.audience = .private }),
                (["latitude": -90], { $0.coordinate = Coordinate(latitudeE7: -900_000_000, longitudeE7: 20_000_000) }),
                (["longitude": 3e0], { $0.coordinate = Coordinate(latitudeE7: -900_000_000, longitudeE7: 30_000_000) }),
                (["address": "yours"], { $0.address = "yours" }),
                (
                    ["address": nil],
                    {
                        $0.address = nil
                        $0.addressSource = nil
                    }
                ),
            ]
            for (body, change) in steps {
                app.clock.advance(.seconds(1))
                change(&expected)
                expected.updatedAt = Timestamp(milliseconds: app.clock.now)
                let answer = try await ana.patch("/v1/pins/\(pin.id)", body, expect: .ok)
                #expect(try answer.decoded(Pin.self) == expected, "\(body)")
                let read = try await ana.get("/v1/pins/\(pin.id)", expect: .ok)
                #expect(read.response.body == answer.response.body && read.etag == answer.etag)
            }
        }
    }

    @Test func `read-only fields that differ are refused together`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            let pin = try await ana.drop()
            let answer = try await ana.patch(
                "/v1/pins/\(pin.id)",
                [
                    "id": "1", "ownerId": "1", "ownerUsername": "x", "createdAt": "2020-01-01T00:00:00.000Z",
                    "updatedAt": nil, "addressSource": "owner", "photos": ["x"], "Name": "x",
                ], expect: .badRequest)
            #expect(
                answer.faults == [
                    "id", "ownerId", "ownerUsername", "createdAt", "updatedAt", "addressSource", "photos", "Name",
                ])
            #expect(try await ana.get("/v1/pins/\(pin.id)").decoded(Pin.self) == pin)
        }
    }

    @Test func `an ETag changes with the pin, and stale ones stop a change`() async throws {
        try await withApp { app, client in
            let (ana, ben) = try await client.signUp("ana", "ben", friends: true)
            let path = "/v1/pins/\(try await ana.drop().id)"
            let first = try #require(try await ana.get(path).etag)
            #expect(first.hasPrefix("\"") && first.hasSuffix("\"") && first.count > 10)
            for match in [first, "*", "\"zzz\", \(first)", "W/\(first)"] {
                let answer = try await ana.get(path, headers: [("If-None-Match", match)], expect: .notModified)
                #expect(answer.response.body.isEmpty && answer.etag == first)
            }
            try await ana.get(path, headers: [("If-None-Match", "\"zzz\"")], expect: .ok)
            // Each change within one moment has its tag too.
            let second = try #require(
                try await ana.patch(path, ["name": "A"], headers: [("If-Match", first)], expect: .ok).etag)
            let third = try #require(try await ana.patch(path, ["name": "Ramen"], expect: .ok).etag)
            #expect(Set([first, second, third]).count == 3)
            for match in [first, second, "\"zzz\"", "W/\(third)", "", "zzz"] {
                let stale = [("If-Match", match)]
                try await ana.patch(path, ["name": "B"], headers: stale, expect: .preconditionFailed)
                try await ana.delete(path, headers: stale, expect: .preconditionFailed)
                try await ben.patch(path, ["name": "B"], headers: stale, expect: .notFound)
            }
            try await ana.patch(path, ["name": "C"], headers: [("If-Match", "\"x\", \(third)")], expect: .ok)
            try await ana.patch(path, ["name": "D"], headers: [("If-Match", "*")], expect: .ok)
            let last = try #require(try await ana.get(path).etag)
            try await ana.delete(path, headers: [("If-Match", last)], expect: .noContent)
            try await ana.delete(path, headers: [("If-Match", "*")], expect: .notFound)
        }
    }

    @Test func `of eight changes at once with one ETag one wins`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            let path = "/v1/pins/\(try await ana.drop().id)"
            let etag = try #require(try await ana.get(path).etag)
            let statuses = try await withThrowingTaskGroup(of: Status.self) { group in
                for number in 0..<8 {
                    group.addTask {
                        try await ana.patch(path, ["name": "\(number)"], headers: [("If-Match", etag)]).status
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.filter { $0 == .ok }.count == 1)
            #expect(statuses.filter { $0 == .preconditionFailed }.count == 7)
        }
    }

    @Test func `a deleted pin comes back within ten minutes as it was, and not later`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            let pin = try await ana.drop("Ramen", at: 1, 2, ["comment": "c", "rating": 3, "audience": "private"])
            let path = "/v1/pins/\(pin.id)"
            try await ana.delete(path, expect: .noContent)
            for (method, body) in [("GET", nil), ("DELETE", nil), ("PATCH", ["name": "x"])] as [(String, JSON?)] {
                try await ana.send(method, path, body, expect: .notFound)
            }
            #expect(try await ana.get("/v1/me").json["usage"]?["pins"] == 0)
            app.clock.advance(.milliseconds(599_999))
            try await app.database.write { try Housekeeping.run(in: $0) }
            for _ in 0..<2 {
                #expect(try await ana.post("\(path)/restore", expect: .ok).decoded(Pin.self) == pin)
            }
            try await ana.delete(path, expect: .noContent)
            app.clock.advance(.milliseconds(600_000))
            try await ana.post("\(path)/restore", expect: .notFound)
            try await app.database.write { write in
                try Housekeeping.run(in: write)
                let isLeft = try write.exists("SELECT 1 FROM deletedPin")
                #expect(!isLeft)
            }
        }
    }

    @Test func `an address is the owner's or follows the pin`() async throws {
        try await withApp(TestApp.Setup(hasGazetteer: true)) { app, client in
            let ana = try await client.signUp("ana")
            let middle = "Middle, Here, Testland"
            var pin = try await ana.drop("Ramen", at: 10, 20)
            #expect(pin.address == middle && pin.addressSource == .gazetteer)
            func patch(_ body: JSON) async throws {
                pin = try await ana.patch("/v1/pins/\(pin.id)", body, expect: .ok).decoded()
            }
            try await patch(["latitude": 40, "longitude": -40])
            #expect(pin.address == nil && pin.addressSource == nil, "nothing is guessed at sea")
            try await patch(["latitude": 10.01, "longitude": 20.01])
            #expect(pin.address == middle && pin.addressSource == .gazetteer)
            try await patch(["address": "mine"])
            #expect(pin.address == "mine" && pin.addressSource == .owner)
            try await patch(["latitude": 10.02])
            #expect(pin.address == "mine" && pin.addressSource == .owner)
            try await patch(["latitude": 40, "address": nil])
            #expect(pin.address == nil && pin.addressSource == nil)
            try await patch(["latitude": 10, "longitude": 20, "address": "here"])
            #expect(pin.address == "here" && pin.addressSource == .owner)
            try await patch(["address": nil])
            #expect(pin.address == middle && pin.addressSource == .gazetteer)
            // A text that the owner writes is the owner's, even if the gazetteer would say the same.
            let written = try await ana.drop("Ramen", at: 10, 20, ["address": .string(middle)])
            #expect(written.addressSource == .owner)
            let null = try await ana.drop("Ramen", at: 10, 20, ["address": nil])
            #expect(null.address == middle && null.addressSource == .gazetteer)
        }
    }

    @Test func `a client that sends back a moved pin whole gets the new place's address`() async throws {
        try await withApp(TestApp.Setup(hasGazetteer: true)) { app, client in
            let ana = try await client.signUp("ana")
            let pin = try await ana.drop("Ramen", at: 10, 20)
            var members = try await ana.get("/v1/pins/\(pin.id)").json.members
            members["latitude"] = -16.8
            members["longitude"] = 180
            let moved = try await ana.patch("/v1/pins/\(pin.id)", .object(members), expect: .ok).decoded(Pin.self)
            #expect(moved.address == "Edge, Here, Testland" && moved.addressSource == .gazetteer)
        }
    }

    @Test func `ids rise even when the clock goes back`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            var ids: [Identifier<Pin>] = []
            for seconds in [0, -500, 1, -1, 900] {
                app.clock.advance(.seconds(seconds))
                ids.append(try await ana.drop().id)
            }
            #expect(ids == ids.sorted() && Set(ids).count == ids.count)
        }
    }
}
