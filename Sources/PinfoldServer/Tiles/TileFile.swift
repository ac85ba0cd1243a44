import Geo
import HTTP
import Storage

/// A file of map tiles, MBTiles 1.3 (https://github.com/mapbox/mbtiles-spec): vector tiles or images.
package final class TileFile: Sendable {
    /// What the tiles are.
    enum Content: Sendable, Equatable {
        /// Mapbox Vector Tiles.
        case vector
        /// Images of a media type.
        case image(String)

        /// By the first bytes of a tile; nil for something else.
        init?(tile: [UInt8]) {
            // A vector tile begins with its first layer.
            if Gunzip.isGzip(tile) || tile.first == 0x1A {
                self = .vector
            } else if tile.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
                self = .image("image/png")
            } else if tile.starts(with: [0xFF, 0xD8, 0xFF]) {
                self = .image("image/jpeg")
            } else if tile.starts(with: "RIFF".utf8), tile.dropFirst(8).starts(with: "WEBP".utf8) {
                self = .image("image/webp")
            } else {
                return nil
            }
        }
    }

    let content: Content
    let metadata: TileMetadata
    /// Another one for another map, so that caches do not mix them.
    let version: String
    private let database: GuestDatabase

    /// The most bytes of a tile, or of a row of the metadata.
    private static let valueLimit = 16 << 20

    /// Opens the file and looks at one of its tiles.
    ///
    /// - Throws: `BasemapError`.
    init(path: String) throws {
        func fault(_ message: String) -> BasemapError { BasemapError("the map \(path) \(message)") }
        do {
            database = try GuestDatabase(path: path, valueLimit: Self.valueLimit)
        } catch let error as DatabaseError {
            throw fault("cannot be opened: \(error.message)")
        }
        do {
            (content, metadata, version) = try database.read { read in
                let sample: [UInt8]?
                do {
                    sample = try read.row(
                        """
                        SELECT tile_data, zoom_level, tile_column, tile_row FROM tiles WHERE length(tile_data) > 0
                        """
                    ) { $0.blob(0) }
                } catch let error as DatabaseError where error.message.hasPrefix("no such") {
                    throw fault("is no MBTiles file: it has no table of tiles")
                }
                guard let sample else { throw fault("has no tiles") }
                guard let content = Content(tile: sample) else {
                    throw fault("has tiles that are neither vector tiles nor PNG, JPEG or WebP images")
                }
                let metadata = try TileMetadata(of: read)
                return (content, metadata, metadata.digest(with: sample))
            }
        } catch let error as DatabaseError {
            throw fault("cannot be read: \(error.message)")
        }
    }

    /// The bytes of a tile as they are stored; nil where there is none.
    ///
    /// - Throws: `DatabaseError`.
    func bytes(of tile: TileCoordinate) throws -> [UInt8]? {
        // Rows are counted from the south (TMS).
        let row = (1 << tile.zoom) - 1 - tile.y
        return try database.read { read in
            try read.row(
                """
                SELECT tile_data FROM tiles
                WHERE zoom_level = \(tile.zoom) AND tile_column = \(tile.x) AND tile_row = \(row)
                """
            ) { $0.blob(0) }
        }
    }
}

/// Why a basemap cannot be used: one line for whoever starts the server.
package struct BasemapError: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}
