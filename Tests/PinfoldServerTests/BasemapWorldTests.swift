import Geo
import HTTP
import Storage
import Testing

@testable import PinfoldServer

/// The bundled map: what its tiles hold, held against what is known of the world.
@Suite struct BasemapWorldTests {
    private let file: TileFile

    init() throws {
        file = try TileFile(path: MapFile.world)
    }

    private func decoded(_ tile: TileCoordinate) throws -> DecodedTile? {
        guard let bytes = try file.bytes(of: tile) else { return nil }
        return try DecodedTile(try #require(Gunzip.inflate(bytes, limit: 4 << 20), "\(tile)"))
    }

    private func tile(_ latitude: Double, _ longitude: Double, zoom: Int) throws -> (TileCoordinate, Coordinate) {
        let coordinate = try #require(Coordinate(latitude: latitude, longitude: longitude))
        return (try #require(TileCoordinate(holding: coordinate, zoom: zoom)), coordinate)
    }

    @Test func `every tile is within the grid, and each is there once`() throws {
        let database = try GuestDatabase(path: MapFile.world, valueLimit: 1 << 20)
        let (all, outside, zooms) = try database.read { read in
            (
                try read.rows("SELECT count(*) FROM tiles") { $0.int(0) },
                try read.rows(
                    """
                    SELECT count(*) FROM tiles WHERE zoom_level NOT BETWEEN 0 AND 6
                        OR tile_column NOT BETWEEN 0 AND (1 << zoom_level) - 1
                        OR tile_row NOT BETWEEN 0 AND (1 << zoom_level) - 1
                        OR length(tile_data) > 400000
                    """
                ) { $0.int(0) },
                try read.rows("SELECT DISTINCT zoom_level FROM tiles ORDER BY 1") { $0.int(0) }
            )
        }
        #expect(outside == [0])
        #expect(zooms == Array(0...6) && file.metadata.zooms == 0...6)
        #expect(try #require(all.first) > 4000)
        #expect(throws: (any Error).self) {
            try database.read { try $0.forEach("DELETE FROM tiles") { _ in true } }
        }
    }

    @Test func `tiles are sound, and have what the metadata say`() throws {
        var random = SplitMix64(seed: 5)
        let some = (0..<90).map { index in
            let zoom = index < 5 ? index : 3 + index % 4
            return TileCoordinate(zoom: zoom, x: random.int(0..<1 << zoom), y: random.int(0..<1 << zoom))
        }
        var seen: Set<String> = []
        let known = Dictionary(uniqueKeysWithValues: file.metadata.layers.map { ($0.id, Set($0.fields.map(\.name))) })
        for tile in some.compactMap({ $0 }) {
            for layer in try decoded(tile)?.layers ?? [] {
                let name = try #require(layer.name)
                seen.insert(name)
                #expect(layer.extent == 4096)
                let keys = try #require(known[name], "\(name)")
                #expect(keys.isSuperset(of: layer.keys), "\(tile) \(name) \(Set(layer.keys).subtracting(keys))")
                for feature in layer.features {
                    if feature.kind == .point {
                        let tile = 0...4096
                        #expect(tile.contains(feature.x) && tile.contains(feature.y), "\(name) \(feature)")
                    }
                    // No further than the buffer.
                    let reach = -65...4161
                    let beyond = feature.parts.joined().first { !reach.contains($0.x) || !reach.contains($0.y) }
                    #expect(beyond == nil, "\(tile) \(name)")
                    if feature.kind == .polygon {
                        #expect(Self.area(feature.parts[0]) > 0, "\(tile): an outer ring comes first")
                    }
                }
            }
        }
        #expect(seen == Set(known.keys))
    }

    @Test func `land is land and sea is sea`() throws {
        let places: [(latitude: Double, longitude: Double, isWater: Bool)] = [
            (44.95, -93.1, false), (52.23, 21.0, false), (-1.29, 36.82, false), (35.68, 139.6, false),
            (-33.0, 147.0, false), (64.0, 100.0, false), (72.0, -40.0, false), (-80.0, 90.0, false),
            (67.0, 179.0, false), (66.5, -178.5, false), (-17.8, 178.0, false), (-23.5, 133.0, false),
            (0.0, -30.0, true), (40.0, -40.0, true), (-40.0, 90.0, true), (0.0, 179.9, true), (0.0, -179.9, true),
            (85.0, 0.0, true), (-60.0, 180 - 0.01, true), (35.0, 18.0, true), (43.0, 34.0, true), (58.0, 20.0, true),
            (25.0, -90.0, true), (56.0, 3.0, true), (47.7, -87.6, true), (-1.0, 33.0, true), (41.8, 50.6, true),
        ]
        for zoom in [1, 3, 4, 6] {
            for (latitude, longitude, isWater) in places {
                let (tile, coordinate) = try tile(latitude, longitude, zoom: zoom)
                let position = tile.position(of: coordinate, extent: 4096)
                let found = try decoded(tile).map { Self.isWater($0, position.x, position.y) } ?? false
                #expect(found == isWater, "\(latitude) \(longitude) at \(zoom)")
            }
        }
    }

    @Test func `neighbours say the same where they meet, at the antimeridian too`() throws {
        var random = SplitMix64(seed: 11)
        var (asked, differ) = (0, 0)
        for index in 0..<70 {
            let zoom = 3 + index % 4
            let last = (1 << zoom) - 1
            let (x, y) = (index < 20 ? last : random.int(0..<last), random.int(0..<last + 1))
            guard let west = TileCoordinate(zoom: zoom, x: x, y: y),
                let east = TileCoordinate(zoom: zoom, x: x == last ? 0 : x + 1, y: y)
            else { continue }
            let (left, right) = (try decoded(west), try decoded(east))
            for _ in 0..<40 {
                let (offset, row) = (random.int(-50..<50), random.int(0..<4096))
                asked += 1
                let here = left.map { Self.isWater($0, 4096 + offset, row) } ?? false
                let there = right.map { Self.isWater($0, offset, row) } ?? false
                if here != there { differ += 1 }
            }
        }
        #expect(asked > 2000)
        // Rounding moves a coast by a unit.
        #expect(differ * 300 <= asked, "\(differ) of \(asked)")
    }

    @Test func `rows are the right way up, and places have names in every language`() throws {
        let places: [(latitude: Double, longitude: Double, name: String, names: [String: String])] = [
            (44.944, -93.093, "Saint Paul", [:]), (44.98, -93.264, "Minneapolis", [:]),
            (52.23, 21.012, "Warsaw", ["pl": "Warszawa", "es": "Varsovia", "de": "Warschau"]),
            (51.509, -0.126, "London", ["es": "Londres", "pl": "Londyn"]),
            (-33.868, 151.207, "Sydney", ["es": "Sídney"]),
            (-54.8, -68.3, "Ushuaia", [:]),
        ]
        for (latitude, longitude, name, names) in places {
            let (tile, coordinate) = try tile(latitude, longitude, zoom: 6)
            let features = try #require(decoded(tile)?.layers.first { $0.name == "place" }).features
            let place = try #require(features.first { $0.text("name") == name }, "\(name)")
            let position = tile.position(of: coordinate, extent: 4096)
            #expect(abs(place.x - position.x) < 150 && abs(place.y - position.y) < 150, "\(name)")
            for (language, expected) in names { #expect(place.text("name:\(language)") == expected) }
        }
        let world = try #require(decoded(try tile(50, 10, zoom: 3).0)?.layers.first { $0.name == "place" })
        let poland = try #require(world.features.first { $0.text("iso_a2") == "PL" })
        #expect(poland.text("class") == "country" && poland.text("name") == "Poland")
        #expect(poland.text("name:es") == "Polonia" && poland.text("name:pl") == "Polska")
        #expect(poland.properties.keys.count { $0.hasPrefix("name:") } >= 20)
        let sea = try #require(decoded(try tile(35, 18, zoom: 4).0)?.layers.first { $0.name == "water_name" })
        let mediterranean = try #require(sea.features.first { $0.text("name") == "Mediterranean Sea" })
        #expect(mediterranean.text("name:pl") == "Morze Śródziemne" && mediterranean.text("class") == "sea")
    }

    @Test func `borders are where they are, and some are disputed`() throws {
        let world = try #require(decoded(try tile(50, 10, zoom: 4).0)?.layers.first { $0.name == "boundary" })
        #expect(world.features.contains { $0.properties["admin_level"] == .unsigned(2) })
        let america = try #require(decoded(try tile(45, -93, zoom: 4).0)?.layers.first { $0.name == "boundary" })
        #expect(america.features.contains { $0.properties["admin_level"] == .unsigned(4) })
        let kashmir = try #require(decoded(try tile(34.5, 76, zoom: 6).0)?.layers.first { $0.name == "boundary" })
        #expect(kashmir.features.contains { $0.properties["disputed"] == .unsigned(1) })
        #expect(!world.features.contains { $0.properties["disputed"] == .unsigned(1) && $0.kind != .line })
    }

    @Test func `the attribution names the sources`() throws {
        let attribution = try #require(file.metadata.attribution)
        #expect(attribution.contains("Natural Earth") && attribution.contains("GeoNames"))
        #expect(AttributionMarkup(attribution).html == attribution || attribution.contains("rel="))
    }

    /// Twice the area of a ring, positive where it runs clockwise with y growing downwards.
    private static func area(_ ring: [DecodedTile.Position]) -> Int {
        ring.indices.reduce(0) { sum, index in
            let (a, b) = (ring[index], ring[(index + 1) % ring.count])
            return sum + a.x * b.y - b.x * a.y
        }
    }

    /// Whether a position is in some polygon of water: the even-odd rule over all rings of each.
    private static func isWater(_ tile: DecodedTile, _ x: Int, _ y: Int) -> Bool {
        let water = tile.layers.first { $0.name == "water" }?.features ?? []
        let (px, py) = (Double(x) + 0.25, Double(y) + 0.25)
        return water.contains { feature in
            var isInside = false
            for ring in feature.parts {
                for index in ring.indices {
                    let (a, b) = (ring[index], ring[(index + 1) % ring.count])
                    guard (Double(a.y) > py) != (Double(b.y) > py) else { continue }
                    let t = (py - Double(a.y)) / Double(b.y - a.y)
                    if px < Double(a.x) + t * Double(b.x - a.x) { isInside.toggle() }
                }
            }
            return isInside
        }
    }
}
