import Geo
import HTTP
import SocialModel
import Testing

@testable import PinfoldServer

/// Tiles and clusters against brute force.
@Suite struct PinMapTests {
    /// A viewer with friends and strangers and their pins, as the service and as the test know them.
    private struct World {
        let ana: Person
        let friends: Set<Int64>
        let pins: [ModelPin]
        var owners: [Int64] { [ana.id.rawValue] + friends.sorted() + [11, 12] }

        init(_ app: TestApp, _ client: Client, _ make: (_ owners: [Int64]) -> [ModelPin]) async throws {
            let ana = try await client.signUp("ana")
            let friends = Set<Int64>(1...10)
            let pins = make([ana.id.rawValue] + friends.sorted() + [11, 12])
            try await app.database.write { write in
                try ModelPin.insertPeople(1...12, in: write)
                try ModelPin.insertFriends(friends, of: ana.id.rawValue, in: write)
                try ModelPin.insert(pins, in: write)
            }
            self.ana = ana
            self.friends = friends
            self.pins = pins
        }

        init(_ app: TestApp, _ client: Client, random count: Int, using generator: inout SplitMix64) async throws {
            var source = generator
            let now = app.clock.now
            try await self.init(app, client) { owners in
                (0..<count).map { number in
                    .random(
                        id: TestClock.start << 20 | Int64(number), owner: source.pick(owners), now: now, using: &source)
                }
            }
            generator = source
        }

        /// The visible pins that a query finds, whatever its area.
        func visible(_ query: ModelQuery = ModelQuery()) -> [ModelPin] {
            var query = query
            (query.area, query.sort) = (.everywhere, nil)
            let ids = Set(query.answer(pins, viewer: ana.id.rawValue, friends: friends))
            return pins.filter { ids.contains($0.id) }
        }

        /// Every tile of a zoom that any pin, visible or not, lies in.
        func tiles(zoom: Int) -> Set<TileCoordinate> {
            Set(pins.compactMap { TileCoordinate(holding: $0.coordinate, zoom: zoom) })
        }

        func features(_ tile: TileCoordinate, _ filters: String = "") async throws -> [DecodedTile.Feature] {
            try await ana.get("/v1/tiles/pins/\(tile).mvt?\(filters)").pinFeatures()
        }

        func clusters(_ box: String, zoom: Int, _ filters: String = "") async throws -> (items: [JSON], zoom: Int) {
            let answer = try await ana.get("/v1/pins/clusters?bbox=\(box)&zoom=\(zoom)&\(filters)", expect: .ok)
            #expect(answer.json["next"] == .null)
            return (answer.json["items"]?.elements ?? [], Int(answer.json["zoom"]?.number ?? -1))
        }
    }

    /// The filters of a random query as a query text; area and order left out.
    private func randomFilters(_ world: World, using generator: inout SplitMix64) -> ModelQuery {
        var query = ModelQuery.random(owners: world.owners, now: TestClock.start, using: &generator)
        (query.area, query.sort) = (.everywhere, nil)
        return query
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `the tiles of a zoom show each visible pin once, in the clusters of brute force`(seed: UInt64) async throws {
        try await withApp { app, client in
            var generator = SplitMix64(seed: seed)
            let world = try await World(app, client, random: 300, using: &generator)
            for zoom in [0, 1, 2, generator.int(3..<8), generator.int(8..<13), 13, 14, generator.int(15..<22), 22] {
                let query = generator.chance(50) ? ModelQuery() : randomFilters(world, using: &generator)
                let visible = world.visible(query).filter(ModelCluster.isOnTiles)
                var shown: [Shown] = []
                for tile in world.tiles(zoom: zoom) {
                    let features = try await world.features(tile, query.description)
                    shown += features.map(Shown.init)
                    for feature in features {
                        #expect((0..<4096).contains(feature.x) && (0..<4096).contains(feature.y))
                    }
                    if zoom < 14 { #expect(features.count <= 64) }
                }
                let expected =
                    zoom < 14
                    ? ModelCluster.all(visible, zoom: zoom) : visible.map { ModelCluster(zoom: zoom, pins: [$0]) }
                #expect(tally(shown) == tally(expected.map { Shown($0) }), "seed \(seed), zoom \(zoom), \(query)")
                #expect(shown.reduce(0) { $0 + $1.count } == visible.count)
            }
        }
    }

    @Test func `features stand where the formulas put them, with the pin's own fields`() async throws {
        try await withApp { app, client in
            var generator = SplitMix64(seed: 17)
            let world = try await World(app, client, random: 200, using: &generator)
            let visible = world.visible().filter(ModelCluster.isOnTiles)
            for zoom in [0, 3, 9, 13, 15, 19, 22] {
                for tile in world.tiles(zoom: zoom) {
                    var expected = visible.filter { tile.contains($0.coordinate) }.map {
                        ModelCluster(zoom: zoom, pins: [$0])
                    }
                    if zoom < 14 { expected = ModelCluster.all(expected.flatMap(\.pins), zoom: zoom) }
                    for feature in try await world.features(tile) {
                        let shown = Shown(feature)
                        // The square has 2^31 units a side, the tile 2^12; at zoom 22 eight of its units are one.
                        let step = max(1, Double(1 << zoom) * 4096 / 2_147_483_648)
                        let index = try #require(
                            expected.firstIndex { cluster in
                                let place = ModelCluster.place(cluster.coordinate)
                                let x = (place.x * Double(1 << zoom) - Double(tile.x)) * 4096
                                let y = (place.y * Double(1 << zoom) - Double(tile.y)) * 4096
                                return Shown(cluster) == shown && abs(Double(feature.x) - x) <= step + 0.01
                                    && abs(Double(feature.y) - y) <= step + 0.01
                            }, "\(tile) \(shown)")
                        let cluster = expected.remove(at: index)
                        guard let pin = cluster.pins.first, cluster.pins.count == 1 else {
                            #expect(
                                Set(feature.properties.keys).subtracting(["mean_rating"])
                                    == ["point_count", "expansion_zoom", "category"])
                            #expect(feature.id == nil)
                            continue
                        }
                        #expect(
                            Set(feature.properties.keys).subtracting(["rating"])
                                == ["id", "name", "category", "owner_id"])
                        #expect(feature.id == UInt64(pin.id) && feature.text("name") == pin.words[0].written)
                        #expect(feature.text("owner_id") == "\(pin.owner)")
                        #expect(feature.unsigned("rating") == pin.rating.map { UInt64($0) })
                    }
                    #expect(expected.isEmpty)
                }
            }
        }
    }

    @Test(arguments: [4, 5, 6] as [UInt64])
    func `clusters as JSON are those of brute force whose point lies in the box`(seed: UInt64) async throws {
        try await withApp { app, client in
            var generator = SplitMix64(seed: seed)
            let world = try await World(app, client, random: 300, using: &generator)
            for _ in 0..<40 {
                let zoom = generator.pick([0, 1, 2, 3, 5, 8, 11, 13, 14, 18, 22])
                let query = generator.chance(50) ? ModelQuery() : randomFilters(world, using: &generator)
                let box = try BoundingBox(parsing: randomBox(using: &generator))
                let visible = world.visible(query)
                let clusters =
                    zoom < 14
                    ? ModelCluster.all(visible, zoom: zoom) : visible.map { ModelCluster(zoom: zoom, pins: [$0]) }
                let expected = clusters.filter { box.contains($0.coordinate) }
                let found = try await world.clusters("\(box)", zoom: zoom, query.description)
                #expect(found.zoom == zoom)
                let context = "seed \(seed), \(box), zoom \(zoom), \(query)"
                #expect(tally(found.items.map(Shown.init)) == tally(expected.map { Shown($0) }), "\(context)")
                let places = found.items.map { [$0["latitude"]?.number, $0["longitude"]?.number] }
                #expect(
                    Set(places) == Set(expected.map { [$0.coordinate.latitude, $0.coordinate.longitude] }),
                    "\(context)")
                for item in found.items {
                    let id = item["pin"]?["id"]?.text
                    #expect((item["kind"] == "pin") == (id != nil) && (item["kind"] == "cluster") == (id == nil))
                }
            }
        }
    }

    private func randomBox(using generator: inout SplitMix64) -> String {
        switch generator.int(0..<6) {
        case 0: return "-180,-90,180,90"
        case 1: return generator.pick(["170,-10,-170,10", "180,-90,-90,90", "90,-90,180,90", "1,-90,-1,90", "1,0,0,5"])
        case 2: return "-93.2,44.9,-93.0,45"
        default:
            let (a, b) = (Double(generator.int(-180..<181)) / 2, Double(generator.int(-180..<181)) / 2)
            let (west, east) = (Double(generator.int(-360..<361)) / 2, Double(generator.int(-360..<361)) / 2)
            return "\(west),\(min(a, b)),\(east),\(max(a, b))"
        }
    }

    @Test(arguments: [0, 4, 9, 13, 16]) func `clusters as JSON are what the tiles have`(zoom: Int) async throws {
        try await withApp { app, client in
            var generator = SplitMix64(seed: 40)
            let world = try await World(app, client) { owners in
                (0..<200).map { number in
                    var pin = ModelPin.random(
                        id: TestClock.start << 20 | Int64(number), owner: generator.pick(owners), now: TestClock.start,
                        using: &generator)
                    // Beyond the tiles they would differ.
                    if !ModelCluster.isOnTiles(pin) { pin.coordinate = Coordinate(latitudeE7: 0, longitudeE7: 0) }
                    return pin
                }
            }
            var shown: [Shown] = []
            for tile in world.tiles(zoom: zoom) { shown += try await world.features(tile).map(Shown.init) }
            let items = try await world.clusters("-180,-90,180,90", zoom: zoom).items
            #expect(tally(items.map(Shown.init)) == tally(shown) && !shown.isEmpty)
            // The pin is the one of lists, whole.
            for item in items {
                guard let pin = item["pin"], let id = pin["id"]?.text else { continue }
                #expect(try await world.ana.get("/v1/pins/\(id)", expect: .ok).json == pin)
            }
        }
    }

    @Test func `a tile of more than 10,000 pins is clustered at any zoom`() async throws {
        try await withApp { app, client in
            let tile = try #require(TileCoordinate(holding: Coordinate(parsing: "10,20"), zoom: 15))
            let box = tile.boundingBox
            var generator = SplitMix64(seed: 50)
            let world = try await World(app, client) { owners in
                (0..<10_001).map { number in
                    var pin = ModelPin.random(
                        id: TestClock.start << 20 | Int64(number), owner: 1, now: TestClock.start, using: &generator)
                    pin.isPrivate = false
                    pin.createdAt = TestClock.start - (number == 10_000 ? 1 : 0)
                    pin.coordinate = Coordinate(
                        latitudeE7: .random(in: box.south...box.north, using: &generator),
                        longitudeE7: .random(in: box.west...box.east, using: &generator))
                    return pin
                }
            }
            let clustered = try await world.features(tile)
            let expected = ModelCluster.all(world.visible(), zoom: 15)
            #expect(tally(clustered.map(Shown.init)) == tally(expected.map { Shown($0, lastZoom: 22) }))
            let each = try await world.features(tile, "since=\(JSON(timestamp: TestClock.start).text ?? "")")
            #expect(each.count == 10_000 && each.allSatisfy { $0.id != nil })
            #expect(each.compactMap(\.id) == each.compactMap(\.id).sorted())
        }
    }

    @Test func `clusters of too many items are those of the nearest zoom that has few enough`() async throws {
        try await withApp { app, client in
            var generator = SplitMix64(seed: 60)
            let world = try await World(app, client) { owners in
                (0..<11_000).map { number in
                    var pin = ModelPin.random(
                        id: TestClock.start << 20 | Int64(number), owner: number < 5_000 ? 1 : 2, now: TestClock.start,
                        using: &generator)
                    pin.isPrivate = false
                    pin.coordinate = Coordinate(
                        latitudeE7: .random(in: -900_000_000...900_000_000, using: &generator),
                        longitudeE7: .random(in: -1_800_000_000..<1_800_000_000, using: &generator))
                    return pin
                }
            }
            for (text, zoom) in [
                ("-180,-90,180,90", 22), ("-180,-90,180,90", 4), ("100,-80,-100,80", 9), ("-120,-80,119,85", 6),
            ] {
                let box = try BoundingBox(parsing: text)
                func shown(_ zoom: Int) -> [ModelCluster] {
                    let clusters =
                        zoom < 14
                        ? ModelCluster.all(world.pins, zoom: zoom)
                        : world.pins.map { ModelCluster(zoom: zoom, pins: [$0]) }
                    return clusters.filter { box.contains($0.coordinate) }
                }
                let found = try await world.clusters(text, zoom: zoom)
                let best = try #require((0...zoom).last { shown($0).count <= 5_000 })
                #expect(found.zoom == best, "\(text) \(zoom)")
                #expect(tally(found.items.map(Shown.init)) == tally(shown(best).map { Shown($0) }), "\(text) \(zoom)")
            }
            // Exactly so many are not too many.
            let exact = try await world.clusters("-180,-90,180,90", zoom: 14, "owner=1")
            #expect(exact.zoom == 14 && exact.items.count == 5_000)
        }
    }

    @Test func `clusters of pins with long texts are those of a lower zoom`() async throws {
        try await withApp { app, client in
            var generator = SplitMix64(seed: 70)
            let world = try await World(app, client) { owners in
                (0..<105).map { number in
                    var pin = ModelPin.random(
                        id: TestClock.start << 20 | Int64(number), owner: 1, now: TestClock.start, using: &generator)
                    pin.isPrivate = false
                    pin.coordinate = Coordinate(latitudeE7: 0, longitudeE7: Int32(number) * 10_000_000)
                    return pin
                }
            }
            let long = String(repeating: "🍜", count: 10_000)
            try await app.database.write { write in _ = try write.run("UPDATE pin SET comment = \(long)") }
            // Each pin is alone in its cell at zoom 6, and 40 kB long; at zoom 3 the cells are 5.6 degrees wide.
            for (zoom, answered) in [(0, 0), (3, 3), (6, 3), (13, 3), (14, 3), (22, 3)] {
                let found = try await world.clusters("-180,-90,180,90", zoom: zoom)
                #expect(found.zoom == answered, "\(zoom)")
                let expected = ModelCluster.all(world.pins, zoom: found.zoom)
                #expect(tally(found.items.map(Shown.init)) == tally(expected.map { Shown($0) }), "\(zoom)")
            }
            // A part of them is not too long.
            let part = try await world.clusters("-180,-90,99.5,90", zoom: 14)
            #expect(part.items.count == 100 && part.zoom == 14)
        }
    }

    @Test func `pins that are one point stay together, and ties go to the first category`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            for (category, rating) in [("other", 5), ("nature", 2), ("nature", 4), ("other", 1)] {
                try await ana.drop(
                    "Here", at: 10, 20, ["category": .string(category), "rating": .number(Double(rating))])
            }
            for _ in 0..<2 { try await ana.drop("Pole", at: 89, 20) }
            let tile = try await ana.get("/v1/tiles/pins/0/0/0.mvt", expect: .ok).pinFeatures()
            #expect(
                tile.map(\.properties) == [
                    [
                        "point_count": .unsigned(4), "expansion_zoom": .unsigned(14), "mean_rating": .double(3),
                        "category": .string(Array("nature".utf8)),
                    ]
                ])
            let found = try await ana.get("/v1/pins/clusters?bbox=-180,-90,180,90&zoom=0", expect: .ok)
            #expect(
                found.json["items"]?.elements.last == [
                    "kind": "cluster", "latitude": 10, "longitude": 20, "count": 4, "expansionZoom": 14,
                    "meanRating": 3, "category": "nature",
                ])
            #expect(
                found.json["items"]?.elements.first == [
                    "kind": "cluster", "latitude": 89, "longitude": 20, "count": 2, "expansionZoom": 14,
                    "meanRating": nil, "category": "other",
                ])
            #expect(found.json["items"]?.elements.count == 2)
        }
    }
}
