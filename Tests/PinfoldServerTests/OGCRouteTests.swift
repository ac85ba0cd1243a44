import Geo
import SocialModel
import Testing

@testable import PinfoldServer

/// `/ogc` through the router; GDAL's driver reads it in the end-to-end tests.
@Suite struct OGCRouteTests {
    /// Follows the links, which begin with the public URL.
    private func features(_ client: Client, _ path: String, token: String? = nil) async throws -> [JSON] {
        var features: [JSON] = []
        var next: String? = path
        while let target = next {
            let page = try await client.send("GET", target, token: token, expect: .ok)
            let items = page.json["features"]?.elements ?? []
            #expect(page.json["numberReturned"]?.number == Double(items.count))
            features += items
            let link = page.json["links"]?.elements.first { $0["rel"]?.text == "next" }?["href"]?.text
            #expect(link?.hasPrefix("http://127.0.0.1:8080/ogc/") != false)
            next = link.map { String($0.dropFirst("http://127.0.0.1:8080".count)) }
        }
        return features
    }

    private func ids(_ features: [JSON]) -> [String] { features.compactMap { $0["id"]?.text } }

    @Test(arguments: 21...23)
    func `a collection has what brute force finds, by box, time, category and name`(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let world = LandmarkWorld(datasets: 3, landmarks: 80, &random)
        try await withApp { app, client in
            try await world.store(in: app.database)
            for dataset in world.datasets {
                let path = "/ogc/collections/\(dataset.name ?? "")/items?limit=\(random.int(1..<40))"
                let all = try await features(client, path)
                #expect(ids(all) == world.ids(in: nil) { $0.dataset == dataset.id })
                let first = try await client.get(path, expect: .ok)
                #expect(first.json["numberMatched"]?.number == Double(all.count))
                let box = try #require(
                    BoundingBox(west: -94, south: -90, east: random.pick([-93.09, 170]), north: 44.905))
                let heights = "\(box)".split(separator: ",")
                let six = (heights[0...1] + ["-5"] + heights[2...3] + ["1e3"]).joined(separator: ",")
                let inBox = world.ids(in: box) { $0.dataset == dataset.id }
                #expect(ids(try await features(client, path + "&bbox=\(box)")) == inBox)
                #expect(ids(try await features(client, path + "&bbox=\(six)")) == inBox)
                let early = TestClock.start + 1000
                for (text, accepts) in [
                    ("..%2F2025-11-29T12:00:01Z", { $0 <= early }), ("2025-11-29T12:00:01Z%2F..", { $0 >= early }),
                    ("2025-11-29T12:00:01Z", { $0 == early }), ("%2F2025-11-29T12:00:01Z", { $0 <= early }),
                    ("2025-11-29T12:00:01Z%2F2025-11-29T12:00:02Z", { (early...(early + 1000)).contains($0) }),
                ] as [(String, (Int64) -> Bool)] {
                    let found = ids(try await features(client, path + "&datetime=\(text)"))
                    #expect(
                        found == world.ids(in: nil) { $0.dataset == dataset.id && accepts($0.content.updatedAt) },
                        "\(text)")
                }
                let parks = ids(try await features(client, path + "&category=park&category=food"))
                #expect(
                    parks
                        == world.ids(in: nil) {
                            $0.dataset == dataset.id && [.park, .food].contains($0.content.category)
                        })
                let como = ids(try await features(client, path + "&name=Como"))
                #expect(como == world.ids(in: nil) { $0.dataset == dataset.id && $0.content.name == "Como" })
                for id in ids(all).prefix(3) {
                    try await client.get("/ogc/collections/\(dataset.id)/items/\(id)", expect: .ok)
                    for other in world.datasets where other.id != dataset.id {
                        try await client.get("/ogc/collections/\(other.id)/items/\(id)", expect: .notFound)
                    }
                }
            }
        }
    }

    @Test func `pins are a collection for whoever sees them`() async throws {
        try await withApp { app, client in
            let (ana, ben) = try await client.signUp("ana", "ben", friends: true)
            let cyn = try await client.signUp("cyn")
            var theirs: [String] = []
            for index in 0..<7 {
                app.clock.advance(.seconds(1))
                theirs.append(
                    try await ben.drop("Ramen \(index)", at: 10, Double(index), ["category": "food"]).id.description)
            }
            try await ben.drop("Secret", at: 10, 3, ["audience": "private"])
            let path = "/ogc/collections/pins/items?limit=3"
            #expect(Set(ids(try await features(client, path, token: ana.token))) == Set(theirs))
            #expect(ids(try await features(client, path, token: cyn.token)) == [])
            #expect(ids(try await features(client, path + "&name=Ramen+3", token: ana.token)) == [theirs[3]])
            #expect(
                ids(try await features(client, path + "&bbox=1.5,9,3.5,11", token: ana.token)) == [
                    theirs[3], theirs[2],
                ])
            // Made at 12:00:01 and so on.
            let time = "&datetime=2025-11-29T12:00:03Z%2F2025-11-29T12:00:05Z"
            #expect(
                ids(try await features(client, path + time, token: ana.token)) == [theirs[4], theirs[3], theirs[2]])
            try await ana.get("/ogc/collections/pins/items/\(theirs[0])", expect: .ok)
            try await cyn.get("/ogc/collections/pins/items/\(theirs[0])", expect: .notFound)
            let own = try await ana.get("/ogc/collections", expect: .ok)
            #expect(own.json["collections"]?.elements.map { $0["id"]?.text } == ["pins"])
            #expect(own.header("Cache-Control") == "private, no-cache")
            // Without a token there is no such collection; with a bad one a program asks for a better.
            for path in [
                "/ogc/collections/pins", "/ogc/collections/pins/items", "/ogc/collections/pins/items/\(theirs[0])",
            ] {
                try await client.get(path, expect: .notFound)
            }
            #expect(try await client.get("/ogc/collections", expect: .ok).json["collections"]?.elements == [])
            let bad = try await client.get("/ogc", headers: [("Authorization", "Basic YTpi")], expect: .unauthorized)
            #expect(bad.response.headers.contains { $0.name == "WWW-Authenticate" && $0.value.hasPrefix("Basic ") })
        }
    }

    @Test func `what the standard asks for is there, and what is not known is refused`() async throws {
        try await withApp { _, client in
            let landing = try await client.get("/ogc?f=json", expect: .ok)
            let relations = landing.json["links"]?.elements.compactMap { $0["rel"]?.text } ?? []
            #expect(Set(relations).isSuperset(of: ["service-desc", "conformance", "data"]))
            let api = try await client.get("/ogc/api", expect: .ok)
            #expect(api.header("Content-Type") == "application/vnd.oai.openapi+json;version=3.0")
            #expect(api.json["openapi"]?.text == "3.0.3")
            #expect(try await client.get("/ogc/conformance", expect: .ok).json["conformsTo"]?.elements.count == 3)
            for query in [
                "limit=0", "limit=x", "bbox=1,2,3", "bbox=1,2,3,4,5,x", "datetime=today", "datetime=..%2F..",
                "datetime=2026-01-01T00:00:00Z%2F2025-01-01T00:00:00Z", "color=red", "f=html", "cursor=",
            ] { try await client.get("/ogc/collections/none/items?\(query)", expect: .badRequest) }
            try await client.get("/ogc/collections/none/items?limit=100000", expect: .notFound)
            for path in ["/ogc", "/ogc/conformance", "/ogc/api", "/ogc/collections"] {
                let plain = try await client.get(path, expect: .ok)
                #expect(try await client.get(path + "/?f=json", expect: .ok).text == plain.text, "\(path)/")
                try await client.get(path + "//", expect: .notFound)
            }
            try await client.get("/v1/datasets/", expect: .notFound)
            for path in ["/ogc?x=1", "/ogc/collections?limit=5", "/ogc/conformance?f=xml"] {
                try await client.get(path, expect: .badRequest)
            }
        }
    }
}
