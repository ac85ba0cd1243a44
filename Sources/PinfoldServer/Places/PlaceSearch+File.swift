import Geo
import HTTP

extension PlaceSearch {
    /// Searches without a server, which may be running: by the index in a data folder, else by one that is made in memory, in
    /// a few seconds.
    ///
    /// - Parameters:
    ///   - database: where a server's `places.db` would be.
    ///   - bundle: the path of `gazetteer.tsv.zst`.
    /// - Throws: `GazetteerError`.
    package init(database: String, bundle: String) throws {
        let file = GazetteerFile(path: bundle)
        let loader = GazetteerLoader(bundle: file, path: database, clock: { 0 })
        if let parts = MappedParts.open(loader.indexPath, version: try loader.version()) {
            index = try PlaceIndex(parts)
            return
        }
        var builder = PlaceIndexBuilder()
        try file.forEachRow(progress: { _ in }) { try builder.add($0) }
        index = try PlaceIndex(MappedParts(builder.parts()))
    }

    /// The answers as the API writes them, each for itself.
    package func items(_ text: String, near point: Coordinate?, limit: Int) -> [[UInt8]] {
        results(text, bias: PlaceBias(point: point), limit: limit).map { result in
            var json = JSONWriter()
            PlaceSearchItem(result, of: index, near: point).write(to: &json)
            return json.bytes
        }
    }
}
