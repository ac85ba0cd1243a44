import Geo
import SocialModel
import Testing

@testable import PinfoldServer

/// `GET /v1/places/search` over three places and the pins of some people.
@Suite struct PlaceSearchRouteTests {
    private static let withPlaces = TestApp.Setup(hasGazetteer: true)

    @Test func `signed out there are places, which any cache may keep`() async throws {
        try await withApp(Self.withPlaces) { _, client in
            let answer = try await client.get("/v1/places/search?q=mid&near=10,20.1&lang=en", expect: .ok)
            #expect(
                answer.text == """
                    {"items":[{"kind":"place","id":"2","name":"Middle","label":"Middle, Here, Testland","latitude":10,\
                    "longitude":20,"distance":10963.9,"match":"prefix","population":5000,"featureCode":"PPL",\
                    "countryCode":"XT"}],"next":null,"attribution":"Places: GeoNames (geonames.org), CC BY 4.0"}
                    """)
            #expect(answer.header("Cache-Control") == "public, max-age=300")
            #expect(answer.header("Vary") == "Authorization, Cookie, Accept")
            let other = try await client.get("/v1/places/search?q=MITTE", expect: .ok)
            #expect(other.json["items"]?.elements.first?["matchedName"]?.text == "Mitte")
            #expect(other.json["items"]?.elements.first?["match"]?.text == "exact")
            let wrong = try await client.get("/v1/places/search?q=mdidle", expect: .ok)
            #expect(wrong.json["items"]?.elements.map { $0["match"]?.text } == ["fuzzy"])
            #expect(try await client.get("/v1/places/search?q=testland+middle", expect: .ok).ids == ["2"])
            #expect(try await client.get("/v1/places/search?q=middle&kind=pin&kind=landmark", expect: .ok).ids == [])
            #expect(try await client.get("/v1/places/search?q=zzzz", expect: .ok).ids == [])
        }
    }

    @Test(arguments: [
        ("", ["q"]), ("q=", ["q"]), ("q=%20%09", ["q"]), ("q=a%00b", ["q"]), ("q=%FF%FE", ["q"]),
        ("q=" + String(repeating: "x", count: 201), ["q"]), ("q=a&limit=0", ["limit"]), ("q=a&limit=501", ["limit"]),
        ("q=a&kind=town", ["kind"]), ("q=a&near=91,0&bbox=1,2,3", ["near", "bbox"]), ("q=a&lang=e_n", ["lang"]),
        ("q=a&radius=5", ["radius"]), ("q=a&q=b", ["q"]),
    ])
    func `bad input names the fields at fault`(query: String, fields: [String]) async throws {
        try await withApp(Self.withPlaces) { _, client in
            let answer = try await client.get("/v1/places/search?\(query)", expect: .badRequest)
            #expect(answer.faults == Set(fields))
        }
    }

    @Test func `a token that is no good is 401, also here`() async throws {
        try await withApp(Self.withPlaces) { _, client in
            let headers = [("Authorization", "Bearer nonsense")]
            try await client.get("/v1/places/search?q=mid", headers: headers, expect: .unauthorized)
        }
    }

    @Test func `pins of one's own and of friends are in one order with places`() async throws {
        try await withApp(Self.withPlaces) { _, client in
            let (ana, ben) = try await client.signUp("ana", "ben", friends: true)
            let stranger = try await client.signUp("cyn")
            let own = try await ana.drop("Middle of nowhere", at: -40, 100)
            let theirs = try await ben.drop("Ramen Midori", at: 60, 60)
            try await ben.drop("Midnight", at: 60, 60, ["audience": "private"])
            try await stranger.drop("Midway")
            let answer = try await ana.get("/v1/places/search?q=mid", expect: .ok)
            #expect(answer.header("Cache-Control") == "private, no-cache")
            let items = answer.json["items"]?.elements ?? []
            // A town of 5,000 people comes after a friend's pin.
            #expect(items.map { $0["name"]?.text } == ["Middle of nowhere", "Ramen Midori", "Middle"])
            #expect(items.first?["ownerUsername"]?.text == "ana" && items.first?["kind"]?.text == "pin")
            #expect(answer.ids == [own.id.description, theirs.id.description, "2"])
            // Near Ben's pin that one comes first.
            #expect(
                try await ana.get("/v1/places/search?q=mid&near=60,60", expect: .ok).ids.first == theirs.id.description)
            #expect(try await ana.get("/v1/places/search?q=mid&kind=place", expect: .ok).ids == ["2"])
            #expect(
                try await ana.get("/v1/places/search?q=midori+ram&kind=pin", expect: .ok).ids == [theirs.id.description]
            )
            #expect(try await ana.get("/v1/places/search?q=dori&kind=pin", expect: .ok).ids == [])
            #expect(try await ana.get("/v1/places/search?q=mid&limit=1", expect: .ok).ids == [own.id.description])
            for text in ["ramenmidori", "ramen+midori", "rame+nmi+dori"] {
                let exact = try await ana.get("/v1/places/search?q=\(text)&kind=pin", expect: .ok)
                #expect(exact.json["items"]?.elements.map { $0["match"]?.text } == ["exact"], "\(text)")
            }
        }
    }

    @Test func `pins are found in spite of typing errors, after what is typed right, and only by those who see them`()
        async throws
    {
        try await withApp { _, client in
            let (ana, ben) = try await client.signUp("ana", "ben", friends: true)
            let ramen = try await ben.drop("Ramen Midori")
            let named = try await ana.drop("Raman", at: 10, 20, ["audience": "private"])
            func found(_ text: String, _ user: Person) async throws -> [[String?]] {
                let answer = try await user.get("/v1/places/search?kind=pin&q=\(text)", expect: .ok)
                return (answer.json["items"]?.elements ?? []).map { [$0["id"]?.text, $0["match"]?.text] }
            }
            let fuzzy = [ramen.id.description, "fuzzy"]
            // One error from four letters on, two from eight; from the start of any word.
            for text in ["rmaen", "ramenn", "rramen+midor", "ramenmidoir", "xamen+midori", "rmaen+midoir", "idori"] {
                #expect(try await found(text, ana).contains(fuzzy), "\(text)")
            }
            for text in ["rxm", "rxmxn", "rmaxn", "rmaex+midoix", "dori"] {
                #expect(try await !found(text, ana).contains(fuzzy), "\(text)")
            }
            #expect(try await found("raman", ana) == [[named.id.description, "exact"], fuzzy])
            #expect(try await found("raman", ben) == [fuzzy])
            try await ben.send("PATCH", "/v1/pins/\(ramen.id)", ["audience": "private"], expect: .ok)
            for text in ["rmaen", "ramenn", "rmaen+midoir"] {
                #expect(try await !found(text, ana).contains(fuzzy), "\(text)")
                #expect(try await found(text, ben).contains(fuzzy), "\(text)")
            }
        }
    }

    @Test func `what changes is found at once, of an owner with many pins too`() async throws {
        try await withApp { _, client in
            let (ana, ben) = try await client.signUp("ana", "ben", friends: true)
            func found(_ text: String) async throws -> [String] {
                try await ana.get("/v1/places/search?kind=pin&q=\(text)", expect: .ok).ids
            }
            for number in 0..<3 {
                let pins = (0..<200).map {
                    JSON.object(["latitude": 1, "longitude": 1, "name": .string("Spot \(number) \($0)")])
                }
                try await ben.post("/v1/pins/batch", ["pins": .array(pins)], expect: .ok)
            }
            #expect(try await found("spot").count == 50)
            let pin = try await ben.drop("Zebra")
            #expect(try await found("zebra") == [pin.id.description])
            try await ben.send("PATCH", "/v1/pins/\(pin.id)", ["name": "Giraffe"], expect: .ok)
            #expect(try await found("zebra") == [])
            #expect(try await found("gira") == [pin.id.description])
            try await ben.send("PATCH", "/v1/pins/\(pin.id)", ["audience": "private"], expect: .ok)
            #expect(try await found("gira") == [])
            try await ben.send("PATCH", "/v1/pins/\(pin.id)", ["audience": "friends"], expect: .ok)
            #expect(try await found("gira") == [pin.id.description])
            try await ben.send("DELETE", "/v1/pins/\(pin.id)", expect: .noContent)
            #expect(try await found("gira") == [])
            // More changes than are told one by one.
            for number in 0..<130 { try await ben.drop("Lynx \(number)") }
            #expect(try await found("lynx").count == 50)
            let last = try await ana.get("/v1/places/search?kind=pin&q=lynx+129", expect: .ok)
            let matches = (last.json["items"]?.elements ?? []).map { $0["match"]?.text }
            #expect(matches.first == "exact" && matches.dropFirst().allSatisfy { $0 == "fuzzy" })
            try await ben.send("DELETE", "/v1/friends/\(ana.id)", expect: .noContent)
            #expect(try await found("lynx") == [])
        }
    }

    @Test func `names of many friends are read in parts, and then all are found`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            for number in 0..<35 {
                let friend = try await client.signUp("friend\(number)")
                try await friend.befriend(ana)
                try await friend.drop("Spot \(number)")
            }
            let folding = PlaceFolding.alone
            let memory = PinNamesMemory()
            let words = folding.words("spot".unicodeScalars).words
            var wholes: [Bool] = []
            while wholes.last != true, wholes.count < 10 {
                wholes.append(
                    try app.database.read {
                        try VisiblePins(of: ana.id, in: $0, app.app.planner)
                            .readNames(folding, into: memory, limit: 1)
                    })
            }
            #expect(wholes == [false, false, false, true], "ten owners at a time, and the viewer is one")
            let named = try app.database.read {
                try VisiblePins(of: ana.id, in: $0, app.app.planner)
                    .named(words, folding, memory, limit: 100, points: { _, _, _ in 0 })
            }
            #expect(named.isWhole && named.pins.count == 35)
        }
    }

    /// Or whoever fills a search up with pins of their own could measure what others hide from them.
    @Test func `pins that others keep to themselves take nothing from a search`() async throws {
        let folding = PlaceFolding.alone
        let origin = Coordinate(latitudeE7: 0, longitudeE7: 0)
        let rows = (1...20).map { number in
            OwnerPinNames.Row(id: Int64(number), coordinate: origin, audience: number == 20 ? 1 : 0, name: "Grimoire")
        }
        let names = OwnerPinNames(of: 1, rows, folding)
        var found: [Int] = []
        var budget = 1
        names.forEachMatch(
            folding.words("grim".unicodeScalars).words, budget: &budget, where: { names.pins[$0].audience == 1 }
        ) { index, _ in found.append(index) }
        let misspelling = try #require(PlaceNames.Misspelling(Array("grimoirr".utf8)))
        budget = 1
        names.forEachCorrection(misspelling, budget: &budget, where: { names.pins[$0].audience == 1 }) { index, _ in
            found.append(index)
        }
        #expect(found == [19, 19])

        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            for number in 0..<25 {
                let friend = try await client.signUp("friend\(number)")
                try await friend.befriend(ana)
                try await friend.drop("Spot \(number)", at: 1, 1, ["audience": number < 24 ? "private" : "friends"])
            }
            let isWhole = try app.database.read {
                try VisiblePins(of: ana.id, in: $0, app.app.planner)
                    .readNames(folding, into: PinNamesMemory(), limit: 1)
            }
            #expect(isWhole, "only the last one's pin counts")
        }
    }

    @Test func `names of scripts without spaces are found by what is inside`() async throws {
        try await withApp { _, client in
            let ana = try await client.signUp("ana")
            let pins = [
                try await ana.drop("東京ラーメン"), try await ana.drop("東京Bar"), try await ana.drop("Bar東京"),
                try await ana.drop("Shin กรุงเทพCafé"),
            ].map(\.id.description)
            for (text, found) in [
                ("東京", [0, 1, 2]), ("ラーメン", [0]), ("京", [0, 1, 2]), ("らーめん", [0]), ("京ら", [0]), ("bar", [1, 2]),
                ("ar", []), ("京b", [1]), ("bar 東", [1, 2]), ("r東", []), ("cafe", [3]), ("เทพ", [3]), ("พc shi", [3]),
            ] {
                let query = text.utf8.map { "%" + String($0, radix: 16, uppercase: true) }.joined()
                let ids = try await ana.get("/v1/places/search?kind=pin&q=\(query)", expect: .ok).ids
                #expect(Set(ids) == Set(found.map { pins[$0] }), "\(text)")
            }
        }
    }
}
