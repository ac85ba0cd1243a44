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
        try loader.sources.forEachRow(progress: { _ in }) { try builder.add($0) }
        try PlaceNamesFile(beside: bundle)?.forEachName { _, id, name in builder.addName(name, of: id) }
        index = try PlaceIndex(MappedParts(builder.parts()))
    }

    /// The answers as the API writes them, each for itself.
    package func items(
        _ text: String, near point: Coordinate?, limit: Int, in names: LanguageNames? = nil
    ) -> [[UInt8]] {
        results(text, bias: PlaceBias(point: point), limit: limit).map { result in
            var json = JSONWriter()
            PlaceSearchItem(result, of: index, near: point, in: names).write(to: &json)
            return json.bytes
        }
    }

    /// The ids of the answers.
    package func ids(_ text: String, limit: Int) -> [Int64] {
        results(text, limit: limit).map { result in
            switch result.subject {
            case .place(let place): index.id(of: place)
            case .area(let area): index.shownArea(area)?.id ?? 0
            }
        }
    }

    // MARK: For measuring

    /// How many places there are.
    package var count: Int { index.count }

    /// The id and name of a place by its number, 0 to `count`.
    package func place(_ number: Int) -> (id: Int64, name: String) { (index.id(of: number), index.name(of: number)) }

    /// 0 if unknown.
    package func population(_ number: Int) -> Int { index.population(of: number) }

    package func alternateNames(_ number: Int) -> [String] { index.alternateNames(of: number) }

    /// The places with most people.
    package func largest(_ limit: Int) -> [(id: Int64, name: String)] {
        (0..<count).sorted { (population($0), $1) > (population($1), $0) }.prefix(limit).map(place)
    }
}
