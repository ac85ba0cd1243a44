import Foundation
import Geo
import Storage

/// The loaded gazetteer: names for positions, and places by id.
package struct Gazetteer: Sendable {
    /// Reverse geocoding, without the database.
    package let geocoder: ReverseGeocoder
    private let database: DatabasePool

    /// Opens `places.db` at `path`, building it first if it is not there or was made of another bundled file; a
    /// damaged one is built anew.
    ///
    /// - Parameters:
    ///   - bundle: the path of `gazetteer.tsv.zst`; the files of borders lie beside it.
    ///   - progress: called with the part that is loaded, 0 to 1, if it must be built (some seconds).
    /// - Throws: `GazetteerError` or `DatabaseOpenError`, each with one line to show; `DatabaseError`.
    package init(
        path: String, bundle: String, clock: @escaping @Sendable () -> Int64,
        progress: @escaping @Sendable (Double) -> Void = { _ in }
    ) throws {
        let loader = GazetteerLoader(bundle: GazetteerFile(path: bundle), path: path, clock: clock)
        let version = try loader.version()
        if let current = try Self.open(path, version: version, clock: clock) {
            self = current
            return
        }
        try loader.load(progress: progress)
        guard let loaded = try Self.open(path, version: version, clock: clock) else {
            throw GazetteerError("the gazetteer \(path) was replaced while it was loaded")
        }
        self = loaded
    }

    private init(geocoder: ReverseGeocoder, database: DatabasePool) {
        self.geocoder = geocoder
        self.database = database
    }

    /// The names at a position, in microseconds.
    package func reverse(_ coordinate: Coordinate) -> ReverseResult {
        geocoder.reverse(coordinate)
    }

    /// The place with GeoNames's id, or nil.
    ///
    /// - Throws: `DatabaseError`.
    package func place(_ id: Int64) throws -> Place? {
        try database.read { try Place.find(id, in: $0) }
    }

    /// Closes the database, after the last use.
    package func close() {
        database.close()
    }

    /// Nil if there is no database, or one that must be built anew.
    private static func open(
        _ path: String, version: String, clock: @escaping @Sendable () -> Int64
    ) throws -> Gazetteer? {
        guard access(path, F_OK) == 0 else { return nil }
        var configuration = DatabasePool.Configuration(path: path, clock: clock)
        configuration.writerCacheKiB = 64
        configuration.readerCacheKiB = 256
        // The arrays are read once and rows seldom: mapped pages would only add to what is resident.
        configuration.mmapBytes = 0
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
            let geocoder = try database.read { read -> ReverseGeocoder? in
                guard try read.row("SELECT version FROM source", { $0.text(0) }) == version else { return nil }
                return try ReverseGeocoder(blobs: { part, use in
                    let found: Void? = try read.row("SELECT content FROM geocoderPart WHERE part = \(part)") {
                        try $0.withBytes(0, use)
                    }
                    guard found != nil else { throw GazetteerError("the index of places is damaged") }
                })
            }
            if let geocoder { return Gazetteer(geocoder: geocoder, database: database) }
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
    package init(bundle: String) throws {
        var builder = try ReverseGeocoderBuilder(beside: bundle)
        try GazetteerFile(path: bundle).forEachRow(progress: { _ in }) { try builder.add($0) }
        self = try builder.finish()
    }
}
