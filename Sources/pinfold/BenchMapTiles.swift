import Foundation
import Geo
import PinfoldServer

/// A tile of clusters that a viewer looks at: eight by eight cells, each with how many pins it has and their mean rating.
struct MapTile: Sendable {
    let name: String
    let zoom: Int

    static let all = [MapTile(name: "cluster tile, world", zoom: 0), MapTile(name: "cluster tile, city", zoom: 11)]

    /// One about where the viewer is.
    func tile(_ viewer: BenchWorld.Viewer, _ random: inout BenchRandom) -> TileCoordinate? {
        TileCoordinate(holding: MapList.near(viewer, 5, &random), zoom: zoom)
    }

    func goal(friends: Int) -> Figure.Goal { .ratioAtMost(friends < 500 ? 1 : 0.4) }
}

/// The cells of a tile, row by row from north-west.
struct MapCells {
    static let side = PinReader.cellsPerTile

    /// Least longitudes of the columns, and one above the last.
    let wests: [Int32]
    /// One above the greatest latitudes of the rows, from north, and below the last one.
    let tops: [Int32]

    init(of tile: TileCoordinate) {
        let grid = MercatorGrid(level: tile.zoom + 3)
        wests = (0...Self.side).map { grid.west(ofColumn: tile.x * Self.side + $0) }
        tops = (0...Self.side).map { grid.top(ofRow: tile.y * Self.side + $0) }
    }

    /// Nil outside of the tile.
    @inline(__always)
    func cell(longitude: Int32, latitude: Int32) -> Int? {
        guard longitude >= wests[0], longitude < wests[Self.side], latitude < tops[0], latitude >= tops[Self.side]
        else { return nil }
        var (column, row) = (0, 0)
        while longitude >= wests[column + 1] { column += 1 }
        while latitude < tops[row + 1] { row += 1 }
        return row * Self.side + column
    }
}

/// What one cell comes to.
struct MapCell: Equatable {
    var count: Int64 = 0
    /// Of the ratings there are, in thousandths, rounded; nil if there are none.
    var meanRating: Int64?

    init(count: Int64, meanRating: Double?) {
        self.count = count
        self.meanRating = meanRating.map { Int64(($0 * 1000).rounded()) }
    }
}

extension PinArrays {
    /// The cells as `viewer` may see them.
    func cells(_ cells: MapCells, for viewer: Int32) -> [MapCell] {
        var sums = [SIMD4<Int64>](repeating: .zero, count: MapCells.side * MapCells.side)
        forEachVisible(to: viewer) { longitude, latitude, rating in
            guard let cell = cells.cell(longitude: longitude, latitude: latitude) else { return }
            sums[cell] &+= SIMD4(1, Int64(rating), rating > 0 ? 1 : 0, 0)
        }
        return sums.map { sum in
            MapCell(count: sum[0], meanRating: sum[2] > 0 ? Double(sum[1]) / Double(sum[2]) : nil)
        }
    }
}

extension MapSides {
    func measure(_ kind: MapTile, friends: Int) throws -> Result {
        let viewers = world.viewers.filter { $0.friends == friends && abs($0.latitude) < 85 }
        var random = BenchRandom(seed: UInt64(friends))
        let queries = (0..<(bench.samples ?? 2_000)).compactMap { index in
            let viewer = viewers[index % viewers.count]
            return kind.tile(viewer, &random).map { (viewer: viewer.person, tile: $0) }
        }
        let plan = try bestPlan(postgres.tilePlans, queries.prefix(2 * viewers.count)) { query, plan in
            _ = try postgres.cells(query.tile, for: query.viewer, by: plan)
        }
        for (viewer, tile) in queries.prefix(2 * viewers.count) { _ = try pinfold.tile(tile, for: viewer) }
        var result = Result()
        result.plan = plan.description
        for (index, (viewer, tile)) in queries.enumerated() {
            var begin = Clock.monotonic()
            let expected = arrays.cells(MapCells(of: tile), for: viewer)
            result.arrays.append((Clock.monotonic() - begin) * 1000)
            begin = Clock.monotonic()
            let bytes = try pinfold.tile(tile, for: viewer)
            result.pinfold.append((Clock.monotonic() - begin) * 1000)
            begin = Clock.monotonic()
            let cells = try postgres.cells(tile, for: viewer, by: plan)
            result.postgres.append((Clock.monotonic() - begin) * 1000)
            result.mismatches.lists += 1
            // Clusters come first, by cell; then the pins that are alone.
            let clusters = expected.filter { $0.count > 1 }
            let shown = BenchVectorTile.clusters(bytes)
            let alone = expected.reduce(0) { $0 + ($1.count == 1 ? 1 : 0) }
            if shown.clusters != clusters || shown.pins != alone { result.mismatches.pinfold += 1 }
            if cells != expected { result.mismatches.postgres += 1 }
            if index == 0 || index % 500 == 499 { bench.say("\(kind.name), \(friends) friends: \(index + 1)") }
        }
        bench.say(result.summary(kind.name, friends: friends))
        return result
    }
}

/// As little of a vector tile (Mapbox Vector Tile Specification 2.1) as tells what its features stand for.
enum BenchVectorTile {
    /// The features with a `point_count`, and how many have none.
    static func clusters(_ bytes: [UInt8]) -> (clusters: [MapCell], pins: Int) {
        var (clusters, pins): ([MapCell], Int) = ([], 0)
        forEachField(bytes[...]) { field, _, layer in
            guard field == 3 else { return }
            var (keys, values, features): ([String], [UInt64], [[UInt64]]) = ([], [], [])
            forEachField(layer) { field, _, content in
                switch field {
                case 2: forEachField(content) { field, _, tags in if field == 2 { features.append(varints(tags)) } }
                case 3: keys.append(String(decoding: content, as: UTF8.self))
                // A value is one field; that of a text is not asked for here.
                case 4: forEachField(content) { _, number, _ in values.append(number) }
                default: break
                }
            }
            for tags in features {
                var properties: [String: UInt64] = [:]
                for pair in stride(from: 0, to: tags.count - 1, by: 2) {
                    properties[keys[Int(tags[pair])]] = values[Int(tags[pair + 1])]
                }
                if let count = properties["point_count"] {
                    clusters.append(
                        MapCell(
                            count: Int64(count),
                            meanRating: properties["mean_rating"].map(Double.init(bitPattern:))))
                } else {
                    pins += 1
                }
            }
        }
        return (clusters, pins)
    }

    private static func varints(_ bytes: ArraySlice<UInt8>) -> [UInt64] {
        var (rest, numbers) = (bytes, [UInt64]())
        while !rest.isEmpty { numbers.append(varint(&rest)) }
        return numbers
    }

    private static func varint(_ bytes: inout ArraySlice<UInt8>) -> UInt64 {
        var (value, shift): (UInt64, UInt64) = (0, 0)
        while let byte = bytes.popFirst() {
            value |= UInt64(byte & 0x7F) << shift
            shift += 7
            if byte < 0x80 { break }
        }
        return value
    }

    /// Each field's number with its value: a whole number, the bits of a double, or bytes (Protocol Buffers,
    /// "Encoding").
    private static func forEachField(
        _ bytes: ArraySlice<UInt8>, _ body: (UInt64, UInt64, ArraySlice<UInt8>) -> Void
    ) {
        var rest = bytes
        while !rest.isEmpty {
            let tag = varint(&rest)
            switch tag & 7 {
            case 0: body(tag >> 3, varint(&rest), [])
            case 2:
                let length = Int(varint(&rest))
                body(tag >> 3, 0, rest.prefix(length))
                rest = rest.dropFirst(length)
            default:
                // Little-endian, of 8 bytes or of 4.
                let number = rest.prefix(tag & 7 == 1 ? 8 : 4)
                body(tag >> 3, number.reversed().reduce(0) { $0 << 8 | UInt64($1) }, [])
                rest = rest.dropFirst(number.count)
            }
        }
    }
}
