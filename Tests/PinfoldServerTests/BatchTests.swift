import HTTP
import SocialModel
import Testing

@testable import PinfoldServer

@Suite struct BatchTests {
    private static let path = "/v1/pins/batch"

    private func statuses(_ answer: Answer) -> [Int] {
        (answer.json["results"]?.elements ?? []).map { Int($0["status"]?.number ?? 0) }
    }

    private func faults(_ answer: Answer, _ row: Int) -> Set<String> {
        let results = answer.json["results"]?.elements ?? []
        guard results.indices.contains(row) else { return [] }
        return Set((results[row]["errors"]?.elements ?? []).compactMap { $0["field"]?.text })
    }

    private func pinEvents(_ app: TestApp) throws -> Int {
        try app.database.read { try $0.row("SELECT count(*) FROM event WHERE kind = 'pin'") { $0.int(0) } ?? 0 }
    }

    // MARK: The model

    /// What a batch must make of the owner's pins, by the rule alone.
    private struct Model {
        var pins: [String: [String: JSON]] = [:]
        /// By the bytes of the external id: another spelling of the same letters is another id.
        var byKey: [[UInt8]: String] = [:]
        var writes = 0

        /// The status that a good row must have, given the id that it got.
        mutating func take(_ row: [String: JSON], id: String, now: Int64) -> Int {
            var row = row
            let key = (row.removeValue(forKey: "externalId")?.text).map { Array($0.utf8) }
            if let key, let known = byKey[key], var pin = pins[known] {
                let before = pin
                pin.merge(row) { $1 }
                pins[known] = pin
                if pin != before { writes += 1 }
                return known == id ? 200 : 0
            }
            var pin: [String: JSON] = [
                "comment": nil, "rating": nil, "category": "other", "audience": "friends", "address": nil,
                "createdAt": JSON(timestamp: now),
            ]
            pin.merge(row) { $1 }
            pins[id] = pin
            if let key { byKey[key] = id }
            writes += 1
            return 201
        }
    }

    private func randomRow(_ now: Int64, _ generator: inout SplitMix64) -> [String: JSON] {
        var row: [String: JSON] = [
            "latitude": .number(Double(generator.int(-3..<4))), "longitude": .number(Double(generator.int(-3..<4))),
            "name": .string(generator.pick(["Ramen", "Soba", "Łódź", "北京"])),
        ]
        if generator.chance(70) { row["externalId"] = .string(generator.pick(["a", "b", "c", "d", "é", "e\u{301}"])) }
        if generator.chance(30) { row["comment"] = generator.pick([nil, "", "good", "bad"]) }
        if generator.chance(30) { row["rating"] = generator.pick([nil, 1, 5]) }
        if generator.chance(30) { row["category"] = generator.pick(["food", "nature"]) }
        if generator.chance(30) { row["audience"] = generator.pick(["friends", "private"]) }
        if generator.chance(30) { row["address"] = generator.pick([nil, "mine", "yours"]) }
        if generator.chance(40) {
            row["createdAt"] = JSON(timestamp: TestClock.start - Int64(generator.int(0..<4)) * 86_400_000)
        }
        return row
    }

    @Test func `random batches make what the rule says`() async throws {
        try await withApp { app, client in
            let (ana, ben) = try await client.signUp("ana", "ben", friends: true)
            var generator = SplitMix64(seed: 3)
            var model = Model()
            let events = try pinEvents(app)
            for _ in 0..<40 {
                app.clock.advance(.seconds(1))
                let good = (0..<generator.int(1..<12)).map { _ in randomRow(app.clock.now, &generator) }
                var rows: [(json: JSON, good: Int?)] = []
                for (index, row) in good.enumerated() {
                    if generator.chance(20) { rows.append((generator.pick([5, [], ["name": "x"], nil]), nil)) }
                    rows.append((.object(row), index))
                }
                let answer = try await ana.post(
                    Self.path, ["pins": .array(rows.map(\.json))], expect: .ok)
                let results = answer.json["results"]?.elements ?? []
                #expect(results.count == rows.count)
                for (row, result) in zip(rows, results) {
                    guard let index = row.good else {
                        #expect(result["status"] == 400 && result["pin"] == nil)
                        continue
                    }
                    let id = try #require(result["id"]?.text)
                    let status = model.take(good[index], id: id, now: app.clock.now)
                    #expect(result["status"] == .number(Double(status)))
                    #expect(result["pin"]?["id"]?.text == id)
                    for (name, value) in model.pins[id] ?? [:] { #expect(result["pin"]?[name] == value, "\(name)") }
                }
            }
            let all = try await ana.all("/v1/pins")
            #expect(Set(all) == Set(model.pins.keys) && all.count == model.pins.count)
            for (id, expected) in model.pins {
                let pin = try await ana.get("/v1/pins/\(id)", expect: .ok).json
                for (name, value) in expected { #expect(pin[name] == value, "\(name)") }
                let isShown = expected["audience"] == "friends"
                try await ben.get("/v1/pins/\(id)", expect: isShown ? .ok : .notFound)
            }
            #expect(try pinEvents(app) - events == model.writes)
            let words = try await ana.all("/v1/pins?q=lodz")
            #expect(Set(words) == Set(model.pins.filter { $0.value["name"] == "Łódź" }.keys))
        }
    }

    @Test func `a row's faults are named as for one pin, and stop nobody else`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            for (field, json) in BadInputTests.faultyFields where !["id", "na\\u0000me"].contains(field) {
                var members = ["latitude": "1", "longitude": "2", "name": "\"Ramen\""]
                members[field] = json
                let row = "{" + members.map { "\"\($0)\": \($1)" }.joined(separator: ",") + "}"
                let good = #"{"latitude": 1, "longitude": 2, "name": "Soba", "externalId": "good"}"#
                let answer = try await client.send(
                    "POST", Self.path, body: Array("{\"pins\": [\(row), \(good), 5]}".utf8), token: ana.token,
                    expect: .ok)
                #expect(statuses(answer).first == 400 && statuses(answer).last == 400)
                #expect(statuses(answer).count == 3 && [200, 201].contains(statuses(answer)[1]))
                #expect(faults(answer, 0) == [field], "\(field): \(json.prefix(30))")
                #expect(faults(answer, 2) == ["pins"])
            }
            #expect(try await ana.all("/v1/pins").count == 1)
            let rows: JSON = [
                ["latitude": 1, "longitude": 2, "name": "x", "externalId": ""],
                [
                    "latitude": 1, "longitude": 2, "name": "x",
                    "externalId": .string(String(repeating: "x", count: 201)),
                ],
                ["latitude": 1, "longitude": 2, "name": "x", "createdAt": "1969-12-31T23:59:59Z"],
                ["latitude": 1, "longitude": 2, "name": "x", "createdAt": JSON(timestamp: app.clock.now + 1)],
                ["latitude": 1, "longitude": 2, "name": "x", "createdAt": "yesterday"],
                ["latitude": 1, "longitude": 2, "name": "x", "audience": "circle", "circleId": "5"],
                ["latitude": 1, "longitude": 2, "name": .string(String(repeating: "x", count: 300_000))],
            ]
            let answer = try await ana.post(Self.path, ["pins": rows], expect: .ok)
            #expect(statuses(answer) == Array(repeating: 400, count: 7))
            #expect(
                (0..<7).map { faults(answer, $0) } == [
                    ["externalId"], ["externalId"], ["createdAt"], ["createdAt"], ["createdAt"], ["circleId"], ["pins"],
                ])
            #expect(try await ana.all("/v1/pins").count == 1)
        }
    }

    @Test func `a batch of none, of too many, and of another form is refused whole`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            let row = #"{"latitude": 1, "longitude": 2, "name": "x"}"#
            func pins(_ count: Int) -> String {
                "{\"pins\": [\(Array(repeating: row, count: count).joined(separator: ","))]}"
            }
            func send(_ text: String) async throws -> Answer {
                try await client.send("POST", Self.path, body: Array(text.utf8), token: ana.token)
            }
            for text in ["{}", "{\"pins\": null}", "{\"pins\": []}", "{\"pins\": {}}", "{\"pins\": \"x\"}", pins(1001)]
            {
                let answer = try await send(text)
                #expect(answer.status == .badRequest && answer.faults == ["pins"], "\(text.prefix(20))")
            }
            let unknown = try await send("{\"pins\": [\(row)], \"foo\": 1}")
            #expect(unknown.status == .badRequest && unknown.faults == ["foo"])
            for text in [
                "", "5", "[\(row)]", "{\"pins\": [\(row)]", "{\"pins\": [\(row),]}", "{\"pins\": [\(row)]} x",
                "{\"pins\": [\(row)], \"pins\": [\(row)]}", "{\"pins\": [{\"name\": 01}]}", "{\"pins\": [nul]}",
                "{\"pins\": [{\"a\": 1, \"a\": 2}]}",
            ] {
                let answer = try await send(text)
                #expect(answer.status == .badRequest && answer.faults.isEmpty, "\(text)")
            }
            #expect(try await ana.all("/v1/pins") == [])
            let most = try await send(pins(1000))
            #expect(most.status == .ok && statuses(most) == Array(repeating: 201, count: 1000))
            try await ana.get("/v1/pins/batch", expect: .notFound)
            try await client.send("POST", Self.path, body: Array(pins(1).utf8), expect: .unauthorized)
            let headers = [("Content-Type", "text/csv")]
            try await client.send(
                "POST", Self.path, body: Array(pins(1).utf8), token: ana.token, headers: headers,
                expect: .unsupportedMediaType)
            let large = [UInt8](repeating: 0x20, count: PinRoutes.batchBytes) + Array(pins(1).utf8)
            try await client.send("POST", Self.path, body: large, token: ana.token, expect: .contentTooLarge)
        }
    }

    @Test func `external ids are each owner's own`() async throws {
        try await withApp { app, client in
            let (ana, ben) = try await client.signUp("ana", "ben", friends: true)
            let row: JSON = ["pins": [["latitude": 1, "longitude": 2, "name": "x", "externalId": "k"]]]
            let mine = try await ana.post(Self.path, row, expect: .ok)
            let theirs = try await ben.post(Self.path, row, expect: .ok)
            #expect(statuses(mine) == [201] && statuses(theirs) == [201])
            let changed: JSON = ["pins": [["latitude": 1, "longitude": 2, "name": "y", "externalId": "k"]]]
            #expect(statuses(try await ben.post(Self.path, changed, expect: .ok)) == [200])
            let id = try #require(mine.json["results"]?.elements.first?["id"]?.text)
            #expect(try await ana.get("/v1/pins/\(id)", expect: .ok).json["name"] == "x")
            // A deleted pin does not come back by its key.
            try await ana.delete("/v1/pins/\(id)", expect: .noContent)
            #expect(statuses(try await ana.post(Self.path, row, expect: .ok)) == [201])
        }
    }

    @Test func `a time may move a pin back, but not beyond when it was stored`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            func row(_ time: Int64?) -> JSON {
                var row: [String: JSON] = ["latitude": 1, "longitude": 2, "name": "x", "externalId": "k"]
                if let time { row["createdAt"] = JSON(timestamp: time) }
                return ["pins": [.object(row)]]
            }
            let stored = app.clock.now
            let id = try #require(
                try await ana.post(Self.path, row(nil), expect: .ok).json["results"]?.elements.first?["id"]?.text)
            app.clock.advance(.seconds(60))
            for (time, status) in [(stored + 1, 400), (stored, 200), (stored - 5000, 200), (stored - 1, 200), (0, 200)]
            {
                let answer = try await ana.post(Self.path, row(time), expect: .ok)
                #expect(statuses(answer) == [status])
                if status == 400 { #expect(faults(answer, 0) == ["createdAt"]) }
            }
            #expect(try await ana.get("/v1/pins/\(id)").json["createdAt"] == JSON(timestamp: 0))
            #expect(try await ana.all("/v1/pins?q=x") == [id])
            let patched = try await ana.patch("/v1/pins/\(id)", ["name": "Soba"], expect: .ok)
            #expect(patched.json["createdAt"] == JSON(timestamp: 0))
            #expect(try await ana.all("/v1/pins?q=x") == [])
            #expect(try await ana.all("/v1/pins?q=soba") == [id])
        }
    }

    @Test func `the same key gives the first answer again`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            let body: JSON = ["pins": [["latitude": 1, "longitude": 2, "name": "x"], 5]]
            let key = [("Idempotency-Key", "k")]
            let first = try await ana.post(Self.path, body, headers: key, expect: .ok)
            let again = try await ana.post(Self.path, body, headers: key, expect: .ok)
            #expect(first.response.body == again.response.body && first.etag == again.etag)
            #expect(try await ana.all("/v1/pins").count == 1)
            try await ana.post(Self.path, ["pins": [5]], headers: key, expect: .unprocessable)
        }
    }

    @Test func `a long answer ends in ids`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            let comment = JSON.string(String(repeating: "🍜", count: 10_000))
            func rows(_ range: Range<Int>, _ more: [String: JSON]) -> JSON {
                .array(
                    range.map { number in
                        let row: [String: JSON] = [
                            "latitude": 1, "longitude": 2, "name": "x", "externalId": .string("\(number)"),
                        ]
                        return .object(row.merging(more) { $1 })
                    })
            }
            for start in stride(from: 0, to: 240, by: 80) {
                try await ana.post(
                    Self.path, ["pins": rows(start..<start + 80, ["comment": comment])], expect: .ok)
            }
            let answer = try await ana.post(Self.path, ["pins": rows(0..<240, ["rating": 3])], expect: .ok)
            let results = answer.json["results"]?.elements ?? []
            #expect(results.count == 240 && results.allSatisfy { $0["status"] == 200 && $0["id"] != nil })
            #expect(results.first?["pin"] != nil && results.last?["pin"] == nil)
            #expect(answer.response.body.count < 9 << 20)
        }
    }
}
