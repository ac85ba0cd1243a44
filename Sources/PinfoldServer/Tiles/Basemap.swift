import Foundation

/// The map beneath the pins: a file of tiles that this server hands out, or tiles of another server.
package struct Basemap: Sendable {
    enum Source: Sendable {
        case file(TileFile)
        case address(TileAddress)
    }

    let source: Source

    /// - Parameter location: the path of an MBTiles file, an `http` or `https` template of tiles with `{z}`, `{x}` and
    ///   `{y}`, or the URL of a TileJSON description.
    /// - Throws: `BasemapError`, with one line to show.
    package init(_ location: String) throws {
        let isURL = location.lowercased().hasPrefix("http://") || location.lowercased().hasPrefix("https://")
        source = isURL ? .address(try TileAddress(location)) : .file(try TileFile(path: location))
    }

    /// The other server that clients ask for tiles, as a Content-Security-Policy names it; nil if it is this one.
    package var origin: String? {
        if case .address(let address) = source { address.origin } else { nil }
    }
}
