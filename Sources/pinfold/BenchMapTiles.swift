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
        wests = (0...Self.side).map { grid.longitudesE7(ofColumn: tile.x * Self.side + min($0, Self.side - 1)) }
            .enumerated().map { $0.offset == Self.side ? $0.element.upperBound : $0.element.lowerBound }
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

extension PinArrays {
    /// How many pins each cell has that `viewer` may see.
    func counts(_ cells: MapCells, for viewer: Int32) -> [Int64] {
        var counts = [Int64](repeating: 0, count: MapCells.side * MapCells.side)
        var ratings = counts
        forEachVisible(to: viewer) { longitude, latitude, rating in
            guard let cell = cells.cell(longitude: longitude, latitude: latitude) else { return }
            counts[cell] += 1
            ratings[cell] += Int64(rating)
        }
        // The ratings are summed for the time it takes; the counts are compared.
        return ratings.isEmpty ? [] : counts
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
            _ = try postgres.counts(query.tile, for: query.viewer, by: plan)
        }
        for (viewer, tile) in queries.prefix(2 * viewers.count) { _ = try pinfold.tile(tile, for: viewer) }
        var result = Result()
        result.plan = plan.description
        for (index, (viewer, tile)) in queries.enumerated() {
            var begin = Clock.monotonic()
            let expected = arrays.counts(MapCells(of: tile), for: viewer)
            result.arrays.append((Clock.monotonic() - begin) * 1000)
            begin = Clock.monotonic()
            let bytes = try pinfold.tile(tile, for: viewer)
            result.pinfold.append((Clock.monotonic() - begin) * 1000)
            begin = Clock.monotonic()
            let counts = try postgres.counts(tile, for: viewer, by: plan)
            result.postgres.append((Clock.monotonic() - begin) * 1000)
            result.mismatches.lists += 1
            // Clusters come first, by cell; then the pins that are alone.
            let shown = BenchVectorTile.counts(bytes)
            if shown != expected.filter({ $0 > 1 }) + expected.filter({ $0 == 1 }) { result.mismatches.pinfold += 1 }
            if counts != expected { result.mismatches.postgres += 1 }
            if index == 0 || index % 500 == 499 { bench.say("\(kind.name), \(friends) friends: \(index + 1)") }
        }
        bench.say(result.summary(kind.name, friends: friends))
        return result
    }
}

/// As little of a vector tile (Mapbox Vector Tile Specification 2.1) as tells how many pins each feature stands for.
enum BenchVectorTile {
    /// By feature: its `point_count`, or 1.
    static func counts(_ bytes: [UInt8]) -> [Int64] {
        var counts: [Int64] = []
        forEachField(bytes[...]) { field, _, layer in
            guard field == 3 else { return }
            var (keys, values, features): ([String], [UInt64], [[UInt64]]) = ([], [], [])
            forEachField(layer) { field, _, content in
                switch field {
                case 2:
                    forEachField(content) { field, _, tags in
                        if field == 2 { features.append(varints(tags)) }
                    }
                case 3: keys.append(String(decoding: content, as: UTF8.self))
                case 4:
                    var value: UInt64 = 0
                    forEachField(content) { field, number, _ in if field == 5 { value = number } }
                    values.append(value)
                default: break
                }
            }
            for tags in features {
                var count: Int64 = 1
                for pair in stride(from: 0, to: tags.count - 1, by: 2) where keys[Int(tags[pair])] == "point_count" {
                    count = Int64(values[Int(tags[pair + 1])])
                }
                counts.append(count)
            }
        }
        return counts
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

    /// Each field's number with its value: a whole number, or bytes (Protocol Buffers, "Encoding").
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
                let length = tag & 7 == 1 ? 8 : 4
                rest = rest.dropFirst(length)
            }
        }
    }
}
