import Foundation
import Geo
import Storage

/// The loaded gazetteer: names for positions, and places by id.
package final class Gazetteer: Sendable {
    /// Reverse geocoding, without the database.
    package let geocoder: ReverseGeocoder
    /// Names by language.
    package let names: LocalizedNames
    /// Search by name, without the database.
    package let search: PlaceSearch
    private let database: DatabasePool
    /// Whether there are addresses, for which each look-up reads the database.
    let hasAddresses: Bool
    /// What it was made of, and how it is made anew.
    let version: String
    let loader: GazetteerLoader

    /// Opens `places.db` at `path`, building it first if it is not there or was made of another bundled file; a
    /// damaged one is built anew.
    ///
    /// - Parameters:
    ///   - bundle: the path of `gazetteer.tsv.zst`; the files of borders lie beside it.
    ///   - progress: called with the part that is loaded, 0 to 1, if it must be built (some seconds).
    /// - Throws: `GazetteerError` or `DatabaseOpenError`, each with one line to show; `DatabaseError`.
    package convenience init(
        path: String, bundle: String, clock: @escaping @Sendable () -> Int64,
        progress: @escaping @Sendable (Double) -> Void = { _ in }
    ) throws {
        let loader = GazetteerLoader(bundle: GazetteerFile(path: bundle), path: path, clock: clock)
        let version = try loader.version()
        var opened = try Self.open(loader, version: version)
        if opened == nil {
            try loader.load(progress: progress)
            opened = try Self.open(loader, version: version)
        }
        guard let opened else { throw GazetteerError("the gazetteer \(path) was replaced while it was loaded") }
        try self.init(opened)
    }

    /// What a gazetteer is made of.
    struct Opened {
        let geocoder: ReverseGeocoder
        let search: PlaceSearch
        let database: DatabasePool
        let loader: GazetteerLoader
        let version: String
    }

    init(_ opened: Opened) throws {
        geocoder = opened.geocoder
        search = opened.search
        database = opened.database
        loader = opened.loader
        version = opened.version
        hasAddresses = try database.read(Address.any)
        names = LocalizedNames(database: database)
    }

    /// The names at a position, in microseconds.
    ///
    /// - Parameter language: the language of names, where they are known in it.
    package func reverse(_ coordinate: Coordinate, in language: LanguageNames? = nil) -> ReverseResult {
        let result = geocoder.reverse(coordinate, in: language)
        return address(near: coordinate).map(result.at) ?? result
    }

    /// The address of an added gazetteer that is nearest to a position; without any it costs nothing. A database that is
    /// being replaced has none for a moment.
    func address(near coordinate: Coordinate) -> Address? {
        guard hasAddresses else { return nil }
        return try? database.read { try Address.nearest(to: coordinate, in: $0) }
    }

    /// The streets and addresses of added gazetteers that a text names, the best first; without any it costs nothing. A
    /// database that is being replaced has none for a moment.
    func streets(_ text: String, bias: PlaceBias, limit: Int) -> [StreetSearch.Result] {
        guard hasAddresses else { return [] }
        let found = try? database.read { read in
            var streets = StreetSearch(text, geocoder, search.index.folding, bias: bias, in: read)
            return try streets.results(limit: limit)
        }
        return found ?? []
    }

    /// The place, division or country with GeoNames's id, or the address or street of an added gazetteer, or nil.
    ///
    /// - Parameter language: the language of its names and of what it lies in, where they are known.
    /// - Throws: `DatabaseError`.
    package func place(_ id: Int64, in language: LanguageTag? = nil) throws -> Place? {
        let found = try database.read { read in
            func town(at coordinate: Coordinate) throws -> Place? {
                try geocoder.reverse(coordinate).placeID.flatMap { try Place.find($0, in: read) }
            }
            switch id {
            case AddressRows.firstID...:
                return try Address.find(id, in: read).map { Place($0, in: try town(at: $0.coordinate)) }
            case Street.firstID...:
                return try Street.find(id, in: read).map { Place($0, in: try town(at: $0.coordinate)) }
            default: return try Place.find(id, in: read)
            }
        }
        guard let place = found else { return nil }
        return try names(in: language).map(place.named) ?? place
    }

    /// The names in a language, nil for none.
    ///
    /// - Throws: `DatabaseError`.
    package func names(in language: LanguageTag?) throws -> LanguageNames? {
        try language.map { try names.names(in: $0) }
    }

    /// Closes the database, after the last use.
    package func close() {
        database.close()
    }

    /// Nil if there is no database, or one that must be built anew.
    static func open(_ loader: GazetteerLoader, version: String) throws -> Opened? {
        guard access(loader.path, F_OK) == 0, let parts = MappedParts.open(loader.indexPath, version: version) else {
            return nil
        }
        var configuration = DatabasePool.Configuration(path: loader.path, clock: loader.clock)
        configuration.writerCacheKiB = 64
        configuration.readerCacheKiB = 256
        // Rows are read seldom: mapped pages would only add to what is resident.
        configuration.mmapBytes = 0
        // What is damaged here can be made again at any time, so the start need not wait for a long search.
        configuration.checkMilliseconds = 2
        let database: DatabasePool
        do {
            database = try DatabasePool(configuration, migrations: GazetteerSchema.migrations)
        } catch let error as DatabaseOpenError {
            // The file holds nothing of its own, so one that cannot be used is simply made again.
            let reasons: [DatabaseOpenError.Reason] = [.notADatabase, .corrupt, .newerVersion, .editedMigration]
            guard reasons.contains(error.reason) else { throw error }
            return nil
        }
        do {
            let stored = try database.read { try $0.row("SELECT version FROM source", { $0.text(0) }) }
            if stored == version {
                return try Opened(
                    geocoder: ReverseGeocoder(parts), search: PlaceSearch(index: PlaceIndex(parts)), database: database,
                    loader: loader, version: version)
            }
        } catch is GazetteerError {
            // As above.
        } catch {
            database.close()
            throw error
        }
        database.close()
        return nil
    }
}

extension ReverseGeocoder {
    /// Reads the bundled files without any database, in a second of a release build: for a command beside a server that has
    /// `places.db` open.
    ///
    /// - Throws: `GazetteerError` if a file is missing or damaged.
    package convenience init(bundle: String) throws {
        let file = GazetteerFile(path: bundle)
        // What is told of faulty files begins with the one that was named.
        try file.check()
        var builder = try ReverseGeocoderBuilder(beside: bundle)
        try file.forEachRow(progress: { _ in }) { try builder.add($0) }
        try self.init(MappedParts(builder.parts()))
    }
}
