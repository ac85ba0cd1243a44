import Foundation
import Geo
import SocialModel
import Testing

@testable import PinfoldServer

@Suite struct LandmarkMapTests {
    /// A tile's layer; none for an empty tile or one without it.
    private func features(_ answer: Answer, _ layer: String) throws -> [DecodedTile.Feature] {
        if answer.status == .noContent { return [] }
        return try DecodedTile(answer.response.body).layers.first { $0.name == layer }?.features ?? []
    }

    private struct Shown: Hashable {
        let count: Int
        let id: String?
        let category: String
    }

    /// The clusters of a tile by brute force: those alone in a cell by themselves.
    private func expected(_ world: LandmarkWorld, _ tile: TileCoordinate, _ accepts: (LandmarkWorld.Current) -> Bool)
        -> [Shown]
    {
        let inside = world.current.filter { accepts($0) && tile.contains($0.content.coordinate) }
        func shown(_ group: [LandmarkWorld.Current]) -> Shown {
            let most = Landmark.Category.allCases.max { a, b in
                let (first, second) = (
                    group.count { $0.content.category == a }, group.count { $0.content.category == b }
                )
                // Of several the first, which `max` would take last.
                return first != second ? first < second : a.code > b.code
            }
            return Shown(
                count: group.count, id: group.count == 1 ? "\(group[0].id)" : nil, category: most?.rawValue ?? "")
        }
        if tile.zoom >= 14 { return inside.map { shown([$0]) } }
        return Dictionary(grouping: inside) { ModelCluster.cell($0.content.coordinate, level: tile.zoom + 3) }.values
            .map(shown)
    }

    @Test(arguments: 31...34)
    func `tiles have what brute force draws`(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        var world = LandmarkWorld(datasets: 2, landmarks: 150, &random)
        try await withApp { app, client in
            try await world.store(in: app.database)
            // Low zooms are counted by the names where they are there, and by the index where they are not.
            if seed.isMultiple(of: 2) {
                app.app.landmarkNames.refresh()
                await app.app.landmarkNames.refreshed()
            }
            for round in 0..<40 {
                // What was kept of the tiles must go with the state.
                if round == 20 {
                    world.datasets[0].state = world.datasets[0].versions
                    let state = world.datasets[0].state
                    try await app.database.write {
                        try $0.run("UPDATE dataset SET state = \(state), updatedAt = updatedAt + 1 WHERE id = 1")
                    }
                }
                let zoom = random.pick([0, 0, 1, 3, 8, 12, 14, 16, 22])
                let centre = random.pick(random.pick(world.landmarks).contents).coordinate
                guard let tile = TileCoordinate(holding: centre, zoom: zoom) else { continue }
                let one = random.chance(30) ? random.pick(world.datasets) : nil
                let category = random.chance(30) ? random.pick(Landmark.Category.allCases) : nil
                var path = "/v1/tiles/landmarks/\(tile).mvt?v=x"
                if let one { path += "&dataset=\(one.id)" }
                if let category { path += "&category=\(category.rawValue)" }
                func accepts(_ landmark: LandmarkWorld.Current) -> Bool {
                    one.map { landmark.dataset == $0.id } ?? true
                        && category.map { landmark.content.category == $0 } ?? true
                }
                let answer = try await client.get(path)
                let points = try features(answer, "landmarks").map {
                    Shown(
                        count: Int($0.unsigned("point_count") ?? 1), id: $0.text("id"),
                        category: $0.text("category") ?? "")
                }
                let wanted = expected(world, tile, accepts)
                #expect(points.count == wanted.count && Set(points) == Set(wanted), "\(path)")
                try check(try features(answer, "landmark_shapes"), world.current.filter(accepts), tile, path)
            }
        }
    }

    /// Each area that is large enough and in the tile is drawn, as large as it is; what is not is not drawn.
    private func check(
        _ shapes: [DecodedTile.Feature], _ landmarks: [LandmarkWorld.Current], _ tile: TileCoordinate, _ path: String
    ) throws {
        let side = 3_600_000_000 / Double(1 << tile.zoom)
        let box = tile.boundingBox
        let drawn = Dictionary(shapes.map { ($0.text("id") ?? "", $0) }) { first, _ in first }
        #expect(drawn.count == shapes.count)
        for landmark in landmarks {
            guard case .rectangles(let all)? = landmark.content.shape, all.count == 1 else { continue }
            let feature = drawn["\(landmark.id)"]
            let (width, height) = (Double(all[0].east - all[0].west), Double(all[0].north - all[0].south))
            let margin = Int64(side / 20)
            let isAway =
                all[0].west > Int64(box.east) + margin || all[0].east < Int64(box.west) - margin
                || all[0].south > Int64(box.north) + margin || all[0].north < Int64(box.south) - margin
            if isAway || max(width, height) < side / 70 {
                #expect(feature == nil, "\(path) \(landmark.id)")
                continue
            }
            // Its corners, in units of the tile, cut off at the edges.
            func units(_ longitude: Int64, _ latitude: Int64) -> (x: Double, y: Double) {
                let radians = max(-85.0511287, min(85.0511287, Double(latitude) / 1e7)) * .pi / 180
                let scale = Double(1 << tile.zoom)
                return (
                    ((Double(longitude) / 1e7 + 180) / 360 * scale - Double(tile.x)) * 4096,
                    ((1 - log(tan(radians) + 1 / cos(radians)) / .pi) / 2 * scale - Double(tile.y)) * 4096
                )
            }
            let (corner, other) = (units(all[0].west, all[0].north), units(all[0].east, all[0].south))
            let (x0, x1) = (max(corner.x, -64), min(other.x, 4160))
            let (y0, y1) = (max(corner.y, -64), min(other.y, 4160))
            guard x1 - x0 > 2, y1 - y0 > 2, max(width, height) > side / 60 else { continue }
            let ring = try #require(feature?.parts.first, "\(path) \(landmark.id)")
            #expect(feature?.kind == .polygon && feature?.parts.count == 1)
            var area = 0
            for (a, b) in zip(ring, ring.dropFirst() + ring.prefix(1)) { area += a.x * b.y - b.x * a.y }
            let expected = 2 * (x1 - x0) * (y1 - y0)
            #expect(abs(Double(area) - expected) <= 4 * (x1 - x0 + y1 - y0) + 8, "\(path) \(landmark.id)")
            #expect(ring.allSatisfy { (-64...4160).contains($0.x) && (-64...4160).contains($0.y) })
        }
    }

    @Test func `the TileJSON says what the tiles are and whose`() async throws {
        try await withApp { app, client in
            let empty = try await client.get("/v1/tiles/landmarks.json", expect: .ok)
            #expect(empty.json["bounds"] == nil && empty.json["attribution"] == nil)
            try await client.get("/v1/tiles/landmarks/0/0/0.mvt", expect: .noContent)
            var random = SplitMix64(seed: 3)
            let world = LandmarkWorld(datasets: 2, landmarks: 30, &random)
            try await world.store(in: app.database)
            let json = try await client.get("/v1/tiles/landmarks.json?dataset=set-1", expect: .ok).json
            #expect(json["tilejson"]?.text == "3.0.0" && json["attribution"]?.text == "© 2")
            #expect(json["vector_layers"]?.elements.compactMap { $0["id"]?.text } == ["landmarks", "landmark_shapes"])
            let address = try #require(json["tiles"]?.elements.first?.text)
            #expect(address.hasPrefix("/v1/tiles/landmarks/{z}/{x}/{y}.mvt?dataset=set-1&v="))
            let tile = address.replacing(#/\{.\}/#, with: "0")
            let answer = try await client.get(tile, expect: .ok)
            #expect(answer.header("Cache-Control") == "public, max-age=86400" && answer.etag != nil)
            for path in ["0/1/0.mvt", "23/0/0.mvt", "0/0/0.mvt?category=none", "0/0/0.mvt?x=1"] {
                try await client.get("/v1/tiles/landmarks/\(path)", expect: .badRequest)
            }
        }
    }
}
