import Foundation
import Geo
import Storage

@testable import PinfoldServer

/// MBTiles files of tests, and the bundled one.
struct MapFile {
    /// Where `tiles/world.mbtiles` is.
    static let world = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "tiles/world.mbtiles").path

    let folder: String
    var path: String { folder + "/map.mbtiles" }

    /// Writes a file of tiles, with rows counted from the north, and metadata; nil leaves out a table.
    init(_ tiles: [(tile: TileCoordinate, bytes: [UInt8])]?, metadata: [(name: String, value: String)]? = []) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "pinfold-map-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        var migrations: [Migration] = []
        if tiles != nil {
            migrations.append(
                Migration(
                    name: "tiles",
                    sql: """
                        CREATE TABLE tiles (
                            zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB)
                        """))
        }
        if metadata != nil {
            migrations.append(Migration(name: "metadata", sql: "CREATE TABLE metadata (name TEXT, value TEXT)"))
        }
        let database = try DatabasePool(
            DatabasePool.Configuration(path: path, clock: { 0 }), migrations: migrations)
        try database.write { write in
            for (tile, bytes) in tiles ?? [] {
                let row = (1 << tile.zoom) - 1 - tile.y
                try write.run("INSERT INTO tiles VALUES (\(tile.zoom), \(tile.x), \(row), \(bytes))")
            }
            for (name, value) in metadata ?? [] { try write.run("INSERT INTO metadata VALUES (\(name), \(value))") }
        }
        database.close()
    }

    func remove() {
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// A vector tile with one point in a layer `place`, not compressed.
    static func tile(named name: String) -> [UInt8] {
        func field(_ number: UInt8, _ bytes: [UInt8]) -> [UInt8] { [number << 3 | 2, UInt8(bytes.count)] + bytes }
        let feature = field(2, [0, 0]) + [0x18, 1] + field(4, [9, 100, 100])
        let layer =
            [0x78, 2] + field(1, Array("place".utf8)) + field(2, feature) + field(3, Array("name".utf8))
            + field(4, field(1, Array(name.utf8)))
        return field(3, layer)
    }
}
