import Foundation
import Geo
import Storage
import Synchronization

/// Builds `places.db` from the bundled gazetteer.
///
/// The database is made under a name of its own beside its place and renamed when it is whole: whatever stops the
/// loading, there is never a half of it.
struct GazetteerLoader {
    let bundle: GazetteerFile
    let path: String
    let clock: @Sendable () -> Int64

    /// What a database made of the bundled file by this version of the code has in `source`.
    ///
    /// - Throws: `GazetteerError` if a bundled file is missing or none.
    func version() throws -> String {
        let borders = GazetteerFile.borders(beside: bundle.path)
        return try [bundle, borders.zones, borders.divisions].map { try $0.version() }.joined(separator: "/")
            + "/\(ReverseGeocoder.form)"
    }

    /// Builds the database, replacing one that is there, which nobody must have open.
    ///
    /// - Parameter progress: called with the part that is done, 0 to 1, some eighty times.
    /// - Throws: `GazetteerError` if the bundled file is missing or damaged, `DatabaseOpenError`, `DatabaseError`.
    func load(progress: @escaping @Sendable (Double) -> Void) throws {
        let version = try version()
        removeLeftovers()
        let partial = "\(path).\(getpid()).partial"
        defer { Self.removeDatabase(partial) }
        let database = try DatabasePool(
            DatabasePool.Configuration(path: partial, clock: clock), migrations: GazetteerSchema.migrations)
        do {
            let bundle = bundle
            try database.write { write in
                try Self.fill(write, from: bundle, progress: progress)
                try write.run("INSERT INTO source (version) VALUES (\(version))")
            }
            database.close()
        } catch {
            database.close()
            throw error
        }
        // The log of a database that is replaced must not be taken for one of the new database.
        unlink(path + "-wal")
        unlink(path + "-shm")
        guard rename(partial, path) == 0 else {
            throw GazetteerError("the gazetteer cannot be stored as \(path): \(String(cString: strerror(errno)))")
        }
        progress(1)
    }

    private static func fill(
        _ write: WriteTransaction, from bundle: GazetteerFile, progress: (Double) -> Void
    ) throws {
        var builder = try ReverseGeocoderBuilder(beside: bundle.path)
        try bundle.forEachRow(progress: { progress($0 * 0.9) }) { row in
            try builder.add(row)
            try insert(row, write)
        }
        for (part, content) in try builder.finish().blobs {
            try write.run("INSERT INTO geocoderPart (part, content) VALUES (\(part), \(content))")
        }
    }

    /// Stores a row that the builder has accepted.
    private static func insert(_ row: GazetteerRow, _ write: WriteTransaction) throws {
        if row.equals(0, "place") {
            let point = try row.coordinate(4, 5)
            try write.run(
                """
                INSERT INTO place VALUES (
                    \(row.integer(1)), \(row.text(2)), \(row.optionalText(3)), \(point.latitudeE7),
                    \(point.longitudeE7), \(row.integer(6)), \(row.optionalText(7)), \(row.text(8)),
                    \(row.optionalInteger(9)), \(row.optionalInteger(10)), \(row.text(11)), \(row.optionalText(12)))
                """)
        } else if row.equals(0, "division") {
            try write.run(
                """
                INSERT INTO division VALUES (
                    \(row.integer(1)), \(row.integer(2)), \(row.optionalInteger(3)), \(row.text(4)), \(row.text(5)),
                    \(row.optionalText(6)), \(row.optionalInteger(7)), \(row.text(8)), \(row.optionalText(9)))
                """)
        } else {
            try write.run(
                """
                INSERT INTO country VALUES (
                    \(row.text(1)), \(row.optionalInteger(2)), \(row.text(3)), \(row.optionalText(4)))
                """)
        }
    }

    /// Removes what loads that were killed left behind: a process that is gone will not go on.
    private func removeLeftovers() {
        let url = URL(fileURLWithPath: path)
        let folder = url.deletingLastPathComponent().path
        let prefix = url.lastPathComponent + "."
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where name.hasPrefix(prefix) {
            let rest = name.dropFirst(prefix.count).split(separator: ".", maxSplits: 1)
            guard rest.count == 2, rest[1].hasPrefix("partial"), let process = pid_t(rest[0]) else { continue }
            if process == getpid() || kill(process, 0) != 0 && errno == ESRCH {
                unlink("\(folder)/\(name)")
            }
        }
    }

    private static func removeDatabase(_ path: String) {
        for suffix in ["", "-wal", "-shm", "-journal", ".lock"] { unlink(path + suffix) }
    }
}
