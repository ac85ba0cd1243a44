import Geo
import SocialModel
import Storage
import Testing

@testable import PinfoldServer

@Suite struct LandmarkTests {
    /// Boxes small and large, over the antimeridian and at the poles.
    private static func box(_ world: LandmarkWorld, _ random: inout SplitMix64) -> BoundingBox? {
        let centre =
            world.landmarks.isEmpty || random.chance(30)
            ? LandmarkWorld.coordinate(&random) : random.pick(random.pick(world.landmarks).contents).coordinate
        let reach = random.pick([0, 0.002, 0.01, 1, 30, 120])
        func wrapped(_ degrees: Double) -> Double {
            degrees > 180 ? degrees - 360 : degrees < -180 ? degrees + 360 : degrees
        }
        if random.chance(10) { return .world }
        return BoundingBox(
            west: wrapped(centre.longitude - reach), south: max(-90, centre.latitude - reach / 2),
            east: wrapped(centre.longitude + reach * Double(random.int(0..<2))),
            north: min(90, centre.latitude + reach / 2))
    }

    @Test(arguments: 1...6)
    func `lists are those of brute force, page by page`(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let world = LandmarkWorld(datasets: 3, landmarks: 120, &random)
        try await withApp { app, client in
            try await world.store(in: app.database)
            app.app.landmarkNames.refresh()
            await app.app.landmarkNames.refreshed()
            for _ in 0..<60 {
                var (filters, accepts) = ("", [(LandmarkWorld.Current) -> Bool]())
                if random.chance(30) {
                    let chosen = random.pick(world.datasets)
                    filters += "&dataset=\(random.chance(50) ? chosen.name ?? "" : "\(chosen.id)")"
                    accepts.append { $0.dataset == chosen.id }
                }
                if random.chance(30) {
                    let chosen = (0..<random.int(1..<6)).map { _ in random.pick(Landmark.Category.allCases) }
                    filters += chosen.map { "&category=\($0.rawValue)" }.joined()
                    accepts.append { chosen.contains($0.content.category) }
                }
                if random.chance(30) {
                    let (text, words) = random.pick([
                        ("como", ["como"]), ("sta+ca", ["sta", "ca"]), ("elan", ["elan"]), ("タワー", ["タワー"]),
                        ("京", ["京"]),
                        ("LAKE", ["lake"]), ("o", ["o"]), ("zz", ["zz"]),
                    ])
                    filters += "&q=\(text)"
                    accepts.append { landmark in words.allSatisfy { landmark.content.hasWord(beginning: $0) } }
                }
                func isIn(_ landmark: LandmarkWorld.Current) -> Bool { accepts.allSatisfy { $0(landmark) } }
                let (path, expected): (String, [String])
                switch random.int(0..<4) {
                case 0: (path, expected) = ("f=json", world.ids(in: nil, where: isIn))
                case 1:
                    let point = LandmarkWorld.coordinate(&random)
                    let radius: Double? = random.chance(50) ? random.pick([0.0, 500, 20_000, 5_000_000]) : nil
                    path = "near=\(point)" + (radius.map { "&radius=\($0)" } ?? "")
                    expected = world.ids(near: point, radius: radius, where: isIn)
                default:
                    guard let box = Self.box(world, &random) else { continue }
                    (path, expected) = ("bbox=\(box)", world.ids(in: box, where: isIn))
                }
                let found = try await client.all("/v1/landmarks?\(path)\(filters)", limit: random.pick([3, 20, 500]))
                #expect(found == expected, "\(path)\(filters)")
            }
            // Rows of other states never show.
            let shown = Set(world.current.map(\.id))
            for landmark in world.landmarks {
                let answer = try await client.get("/v1/landmarks/\(landmark.id)")
                #expect((answer.status == .ok) == shown.contains(landmark.id))
                #expect(answer.status == .ok || answer.status == .notFound)
            }
        }
    }

    @Test func `a landmark is shown with its geometry, and its ETag saves sending it again`() async throws {
        try await withApp { app, client in
            var random = SplitMix64(seed: 7)
            var world = LandmarkWorld(datasets: 1, landmarks: 0, &random)
            world.datasets[0].state = 1
            world.landmarks = [
                LandmarkWorld.Known(
                    id: 5, dataset: 1, key: "capitol",
                    contents: [
                        LandmarkWorld.Content(
                            number: 5, states: 1..<2,
                            coordinate: try #require(Coordinate(latitude: 44.955, longitude: -93.102)),
                            shape: .rectangles([(-931_030_000, 449_540_000, -931_010_000, 449_560_000)]),
                            category: .monument, name: "Capitol", updatedAt: TestClock.start)
                    ])
            ]
            try await world.store(in: app.database)
            let one = try await client.get("/v1/landmarks/5", expect: .ok)
            #expect(one.json["geometry"]?["type"]?.text == "MultiPolygon")
            #expect(one.json["category"]?.text == "monument" && one.json["datasetId"]?.text == "1")
            #expect(one.header("Cache-Control")?.hasPrefix("public") == true)
            let tag = try #require(one.etag)
            #expect(!tag.hasPrefix("W/"))
            let list = try await client.get("/v1/landmarks", expect: .ok)
            #expect(list.json["items"]?.elements.first?["geometry"] == nil)
            #expect(list.json["attributions"]?.elements.first?["licence"]?.text == "CC0")
            let shapes = try await client.get("/v1/landmarks?geometry=true", expect: .ok)
            #expect(shapes.json["items"]?.elements.first?["geometry"]?["type"]?.text == "MultiPolygon")
            let geo = try await client.get("/v1/landmarks?f=geojson&geometry=false", expect: .ok)
            #expect(geo.header("Content-Type") == "application/geo+json")
            #expect(geo.json["features"]?.elements.first?["geometry"]?["type"]?.text == "Point")
            for path in [
                "?bbox=1,2,3,4&near=1,2", "?radius=5", "?category=none", "?q=.", "?color=red",
            ] {
                try await client.get("/v1/landmarks\(path)", expect: .badRequest)
            }
            try await client.get("/v1/landmarks/6", expect: .notFound)
            let dataset = try await client.get("/v1/datasets/set-0", expect: .ok)
            #expect(dataset.json["count"] == 1 && dataset.json["attribution"]?.text == "© 1")
            #expect(try await client.get("/v1/datasets/1", expect: .ok).text == dataset.text)
            #expect(try await client.get("/v1/datasets", expect: .ok).json["items"]?.elements.count == 1)
            try await client.get("/v1/datasets/other", expect: .notFound)
        }
    }

    /// As an import writes and then flips, between two pages.
    @Test(arguments: [nil, "near=44.9,-93.1", "bbox=-180,-90,180,90", "q=o"] as [String?])
    func `what stays is shown once while states flip`(query: String?) async throws {
        var random = SplitMix64(seed: 11)
        var world = LandmarkWorld(datasets: 2, landmarks: 200, &random)
        for index in world.datasets.indices { world.datasets[index].state = 1 }
        try await withApp { app, client in
            try await world.store(in: app.database)
            app.app.landmarkNames.refresh()
            await app.app.landmarkNames.refreshed()
            var seen: [String] = []
            // Rows that are the same in all the states that pass.
            var stays = Set(world.current.map(\.content.number))
            var cursor: String?
            repeat {
                var path = "/v1/landmarks?limit=7"
                if let query { path += "&\(query)" }
                if let cursor { path += "&cursor=\(cursor)" }
                let page = try await client.get(path, expect: .ok)
                seen += page.ids
                cursor = page.next
                let chosen = random.int(0..<world.datasets.count)
                let state = Int64(random.int(1..<Int(world.datasets[chosen].versions) + 1))
                world.datasets[chosen].state = state
                let id = world.datasets[chosen].id
                try await app.database.write { try $0.run("UPDATE dataset SET state = \(state) WHERE id = \(id)") }
                stays.formIntersection(world.current.map(\.content.number))
            } while cursor != nil
            let all = world.current.filter { stays.contains($0.content.number) }
            let wanted = query == "q=o" ? all.filter { $0.content.hasWord(beginning: "o") } : all
            for landmark in wanted { #expect(seen.count { $0 == "\(landmark.id)" } == 1) }
        }
    }
}

extension LandmarkWorld.Content {
    /// Whether a word of its texts begins so; where no spaces are, anything may be a word.
    func hasWord(beginning word: String) -> Bool {
        let text = (name + " " + (description ?? "")).lowercased().replacing("é", with: "e").replacing("-", with: " ")
        guard word.allSatisfy(\.isASCII) else { return text.contains(word) }
        return text.split(separator: " ").contains { $0.hasPrefix(word) }
    }
}

extension Client {
    /// The ids of all pages of a public list, whose path has a query.
    func all(_ path: String, limit: Int) async throws -> [String] {
        var ids: [String] = []
        var cursor: String?
        repeat {
            let page = try await get("\(path)&limit=\(limit)" + (cursor.map { "&cursor=\($0)" } ?? ""), expect: .ok)
            #expect(page.ids.count <= limit && (page.next == nil || page.ids.count == limit))
            ids += page.ids
            cursor = page.next
        } while cursor != nil
        return ids
    }
}
