import HTTP
import SocialModel
import Testing

@testable import PinfoldServer

@Suite struct ImportRouteTests {
    /// The members of a report that count.
    private struct Counts: Equatable {
        var created = 0
        var updated = 0
        var unchanged = 0
        var rejected = 0
        var notPlaced = 0

        init(_ answer: Answer) {
            func count(_ name: String) -> Int { Int(answer.json[name]?.number ?? -1) }
            created = count("created")
            updated = count("updated")
            unchanged = count("unchanged")
            rejected = answer.json["rejected"]?.elements.count ?? -1
            notPlaced = answer.json["notPlaced"]?.elements.count ?? -1
        }
    }

    private func send(
        _ text: String, as person: Person, _ query: String = "", expect: Status? = .ok
    ) async throws -> Answer {
        try await person.client.send(
            "POST", "/v1/pins/import" + query, body: Array(text.utf8), token: person.token,
            headers: [("Content-Type", "application/octet-stream")], expect: expect)
    }

    private func pinEvents(_ app: TestApp) throws -> Int {
        try app.database.read { try $0.row("SELECT count(*) FROM event WHERE kind = 'pin'") { $0.int(0) } ?? 0 }
    }

    private func pins(_ person: Person) async throws -> [Pin] {
        let page = try await person.get("/v1/pins?limit=500", expect: .ok).decoded(Items<Pin>.self)
        #expect(page.next == nil)
        return page.items
    }

    @Test(arguments: ImportSamples.all)
    func `each format comes in once, however often`(sample: String) async throws {
        try await withApp(TestApp.Setup(hasGazetteer: true)) { app, client in
            let ana = try await client.signUp("ana")
            let dry = Counts(try await send(sample, as: ana, "?dryRun=true"))
            #expect(try await pins(ana).isEmpty)
            let first = Counts(try await send(sample, as: ana))
            #expect(first == dry && first.created > 0 && first.updated == 0 && first.unchanged == 0)
            let stored = try await pins(ana)
            #expect(stored.count == first.created)
            #expect(stored.allSatisfy { $0.createdAt.milliseconds <= app.clock.now })
            let events = try pinEvents(app)
            for query in ["", "?dryRun=true", "?audience=friends&category=food"] {
                app.clock.advance(.seconds(60))
                let again = Counts(try await send(sample, as: ana, query))
                #expect(again.created == 0 && again.updated == 0 && again.unchanged == first.created)
                #expect(again.rejected == first.rejected && again.notPlaced == first.notPlaced)
            }
            #expect(try await pins(ana) == stored)
            #expect(try pinEvents(app) == events)
        }
    }

    @Test func `bad rows are named with row and field, texts that were cut too`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            let long = String(repeating: "x", count: 300)
            let answer = try await send(
                "name,lat,lon,rating,url\nA,95,0,,\nB,1,2,six,\n\(long),1,2,3,\nD,,,,https://maps.app.goo.gl/x\n",
                as: ana)
            #expect(
                answer.json == [
                    "format": "csv", "created": 1, "updated": 0, "unchanged": 0,
                    "rejected": [
                        ["row": 2, "field": "latitude", "message": "must be a number from -90 to 90"],
                        ["row": 3, "field": "rating", "message": "must be a number from 1 to 5"],
                    ],
                    "notPlaced": [["row": 5, "name": "D", "reason": "its link carries no coordinates"]],
                    "shortened": [["row": 4, "field": "name"]],
                ])
            #expect(try await pins(ana).map(\.name) == [String(repeating: "x", count: 199) + "…"])
        }
    }

    @Test func `new pins are private and other unless the call or the row says otherwise`() async throws {
        try await withApp { app, client in
            let (ana, ben) = try await client.signUp("ana", "ben", friends: true)
            let circle = try await ana.post("/v1/circles", ["name": "C", "members": ["\(ben.id)"]], expect: .created)
            let circleId = try #require(circle.json["id"]?.text)
            func row(_ name: String, _ properties: String = "") -> String {
                """
                {"type": "Feature", "geometry": {"type": "Point", "coordinates": [1, 2]},
                "properties": {"name": "\(name)"\(properties)}}
                """.replacing("\n", with: "")
            }
            _ = try await send(row("A"), as: ana)
            _ = try await send(row("B"), as: ana, "?audience=friends&category=nature")
            _ = try await send(row("C"), as: ana, "?audience=circle&circleId=\(circleId)")
            let own = "\n" + row("E", #", "audience": "circle", "circleId": "\#(circleId)""#)
            let gone = "\n" + row("F", #", "audience": "circle", "circleId": "5""#)
            _ = try await send(
                row("D", #", "audience": "friends", "category": "food""#) + own + gone, as: ana, "?category=nature")
            let found = Dictionary(uniqueKeysWithValues: try await pins(ana).map { ($0.name, $0) })
            let circleAudience = try Pin.Audience.circle(#require(Identifier(parsing: circleId)))
            #expect(found["A"]?.audience == .private && found["A"]?.category == .other)
            #expect(found["B"]?.audience == .friends && found["B"]?.category == .nature)
            #expect(found["C"]?.audience == circleAudience)
            #expect(found["D"]?.audience == .friends && found["D"]?.category == .food)
            #expect(found["E"]?.audience == circleAudience && found["F"]?.audience == .private)
            #expect(Set(try await pins(ben).map(\.name)) == ["B", "C", "D", "E"])
        }
    }

    @Test(arguments: [
        ("?format=xlsx", "format"), ("?dryRun=yes", "dryRun"), ("?category=Food", "category"),
        ("?audience=everyone", "audience"), ("?audience=circle", "circleId"), ("?circleId=5", "circleId"),
        ("?audience=circle&circleId=5", "circleId"), ("?audience=circle&circleId=x", "circleId"), ("?dry=1", "dry"),
        ("?format=gpx", "body"), ("", "body"),
    ])
    func `each faulty option is named`(query: String, field: String) async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            let answer = try await send("hello", as: ana, query, expect: .badRequest)
            #expect(answer.faults.contains(field), "\(answer.text)")
            #expect(try await pins(ana).isEmpty)
        }
    }

    @Test func `strangers and large files are refused`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            try await client.send("POST", "/v1/pins/import", body: [], expect: .unauthorized)
            let large = [UInt8](repeating: 0x20, count: PinRoutes.importBytes + 1)
            try await client.send("POST", "/v1/pins/import", body: large, token: ana.token, expect: .contentTooLarge)
        }
    }

    @Test func `more files at a time than may be are put off`() throws {
        let slots = ImportSlots()
        func nested(_ depth: Int) throws -> Int {
            depth == 0 ? 0 : try slots.run { try nested(depth - 1) + 1 }
        }
        for _ in 0..<2 {
            #expect(try nested(ImportSlots.limit) == ImportSlots.limit)
            #expect(throws: HTTPError.self) { try nested(ImportSlots.limit + 1) }
        }
    }

    // MARK: Our own export

    private static let texts = [
        "Ramen", " x ", "🍜 \"soup\"", "a\nb\t<c> & d", "e\u{301}", "\u{7}bell", "=1+1", "'=x\r\n", "  ",
    ]

    private func dropSome(_ person: Person, _ texts: [String] = texts) async throws {
        for (index, text) in texts.enumerated() {
            var body: [String: JSON] = [
                "latitude": .number(Double(index) / 7), "longitude": -179.9999999, "comment": .string(text),
                "name": .string(text.allSatisfy { $0 == " " } ? "blank" : text),
                "audience": index % 2 == 0 ? "friends" : "private",
            ]
            if index % 3 == 0 { body["rating"] = .number(Double(index % 5 + 1)) }
            if index % 3 == 1 { body["address"] = .string(" \(text)y ") }
            if index % 3 == 2 { body["category"] = "culture" }
            if index == 5 { body["comment"] = "" }
            if index == 4 { body["comment"] = nil }
            try await person.post("/v1/pins", .object(body), expect: .created)
            person.client.app.clock.advance(.milliseconds(1234))
        }
    }

    /// What an export keeps of a pin.
    private func kept(_ pins: [Pin]) -> [Pin] {
        pins.map { pin in
            var pin = pin
            pin.id = Identifier(1)
            pin.ownerId = Identifier(1)
            pin.ownerUsername = ""
            pin.updatedAt = pin.createdAt
            return pin
        }.sorted { ($0.createdAt, $0.name) < ($1.createdAt, $1.name) }
    }

    @Test(arguments: ["pins?f=geojson&limit=500"] + PinFileFormat.allCases.map { "me/pins.\($0.rawValue)" })
    func `our own files come back without loss`(file path: String) async throws {
        try await withApp(TestApp.Setup(hasGazetteer: true)) { app, client in
            let (ana, ben) = try await client.signUp("ana", "ben")
            // XML cannot hold the bell.
            let isXML = path.hasSuffix("gpx") || path.hasSuffix("kml")
            try await dropSome(ana, isXML ? Self.texts.filter { !$0.contains("\u{7}") } : Self.texts)
            let before = try await pins(ana)
            let file = try await ana.get("/v1/" + path, expect: .ok).text
            #expect(before.contains { $0.addressSource == .owner })

            // To its owner it changes nothing; to another account it is new, and then known.
            #expect(Counts(try await send(file, as: ana)).unchanged == before.count)
            #expect(try await pins(ana) == before)
            let moved = Counts(try await send(file, as: ben))
            #expect(moved.created == before.count && moved.rejected == 0)
            let theirs = try await pins(ben)
            #expect(kept(theirs) == kept(before))
            #expect(zip(kept(theirs), kept(before)).allSatisfy { $0.isWritten(as: $1) })
            #expect(Counts(try await send(file, as: ben)).unchanged == before.count)
            #expect(try await pins(ana) == before)

            // What was changed or deleted since comes back as it was.
            try await ana.patch(
                "/v1/pins/\(before[0].id)",
                ["name": "other", "comment": "new", "rating": 2, "latitude": 50, "audience": "private"], expect: .ok)
            try await ana.delete("/v1/pins/\(before[1].id)", expect: .noContent)
            let restored = Counts(try await send(file, as: ana))
            #expect(restored.updated == 1 && restored.created == 1 && restored.unchanged == before.count - 2)
            #expect(kept(try await pins(ana)) == kept(before))
        }
    }

    @Test func `pins of friends in the same list stay theirs`() async throws {
        try await withApp { app, client in
            let (ana, ben) = try await client.signUp("ana", "ben", friends: true)
            try await dropSome(ana)
            let mine = try await ben.drop("mine")
            let file = try await ben.get("/v1/pins?f=geojson&limit=500", expect: .ok).text
            let answer = try await send(file, as: ben)
            #expect(Counts(answer).created == 0 && Counts(answer).unchanged == 1)
            #expect(answer.json["rejected"]?.elements.allSatisfy { $0["field"] == "ownerId" } == true)
            #expect(try await pins(ben).filter { $0.ownerId == ben.id } == [mine])
        }
    }

    @Test func `nobody reaches another's pins by an id or a key`() async throws {
        try await withApp { app, client in
            let (ana, ben) = try await client.signUp("ana", "ben", friends: true)
            let pin = try await ana.drop("Ramen", at: 1, 2)
            _ = try await send("name,lat,lon,externalId\nKeyed,1,2,some-key\n", as: ana)
            let before = try await pins(ana)
            let stolen = """
                {"type": "Feature", "id": "\(pin.id)", "geometry": {"type": "Point", "coordinates": [9, 9]},
                "properties": {"name": "Stolen", "audience": "friends"}}
                """
            #expect(Counts(try await send(stolen, as: ben)).created == 1)
            #expect(Counts(try await send("id,name,lat,lon\n\(pin.id),S,9,9\n", as: ben)).updated == 1)
            #expect(Counts(try await send("name,lat,lon,externalId\nS,9,9,some-key\n", as: ben)).created == 1)
            #expect(try await pins(ana).filter { $0.ownerId == ana.id } == before)
        }
    }

    @Test func `a place that the file has twice is one pin`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            let file = "name,lat,lon,comment,externalId\nA,1,2,one,\nB,3,4,first,k\nA,1,2,two,\nC,5,6,last,k\n"
            for round in 0..<2 {
                let answer = try await send(file, as: ana)
                let counts = Counts(answer)
                #expect(round == 0 ? counts.created == 2 : counts.unchanged == 2)
                #expect(answer.json["rejected"]?.elements.compactMap { $0["row"]?.number } == [2, 3])
            }
            #expect(Set(try await pins(ana).map { "\($0.name) \($0.comment ?? "")" }) == ["A two", "C last"])
        }
    }

    @Test func `a place that comes again with another time keeps the earliest, and is not refused`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            let start = app.clock.now
            func send(_ milliseconds: Int64) async throws -> Counts {
                let time = Timestamp(milliseconds: milliseconds).text
                return Counts(try await self.send("name,lat,lon,externalId,date\nA,1,2,key,\(time)\n", as: ana))
            }
            func time() async throws -> Int64? { try await pins(ana).first?.createdAt.milliseconds }
            #expect(try await send(start - 2_000).created == 1)
            app.clock.advance(.seconds(60))
            // Later than what is there, and later than when it was stored.
            for later in [start - 1_000, start + 30_000] {
                #expect(try await send(later).unchanged == 1)
                #expect(try await time() == start - 2_000)
            }
            #expect(try await send(start - 3_000).updated == 1)
            #expect(try await time() == start - 3_000)
        }
    }

    @Test func `a session that ends stops an import between its chunks`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            let rows = 2000
            let file = "name,lat,lon\n" + (0..<rows).map { "P\($0),1,2\n" }.joined()
            async let importing = send(file, as: ana, expect: nil)
            try await ana.delete("/v1/sessions/current", expect: .noContent)
            let answer = try await importing
            let later = try Person(try await client.signIn("ana", expect: .created), client: client)
            let stored = Int(try await later.get("/v1/me").json["usage"]?["pins"]?.number ?? -1)
            #expect(stored % 250 == 0)
            #expect(answer.status == .ok ? stored == rows : answer.status == .unauthorized && stored < rows)
            let rest = Counts(try await send(file, as: later))
            #expect(rest.unchanged == stored && rest.created == rows - stored)
        }
    }
}
