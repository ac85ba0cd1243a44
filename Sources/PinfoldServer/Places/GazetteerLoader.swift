import Foundation
import Geo
import Storage
import Synchronization

/// Builds `places.db` from the bundled gazetteer and those that an admin has added, and beside it `places.index`, the
/// arrays in which positions and names are looked up.
///
/// The database is made under a name of its own beside its place and renamed when it is whole: whatever stops the
/// loading, there is never a half of it.
struct GazetteerLoader {
    let bundle: GazetteerFile
    let path: String
    /// Where the index is that belongs to the database at `path`.
    var indexPath: String { Self.indexPath(of: path) }
    let clock: @Sendable () -> Int64

    var sources: GazetteerSources {
        GazetteerSources(bundle: bundle, added: AddedGazetteers(beside: path).files)
    }

    /// What a database made of these files by this version of the code has in `source`.
    ///
    /// - Throws: `GazetteerError` if a bundled file is missing or none.
    func version() throws -> String {
        let borders = GazetteerFile.borders(beside: bundle.path)
        let names = try PlaceNamesFile(beside: bundle.path)?.version() ?? ""
        let files = try [sources.version(), borders.zones.version(), borders.divisions.version(), names]
        let all = files.joined(separator: "/") + "/\(ReverseGeocoder.form)/\(PlaceIndex.form)"
        // Of one length, however many gazetteers were added: the index has no room for more.
        return base64URL(blake2b([UInt8](all.utf8)))
    }

    /// Builds the database, replacing one that is there, which nobody must have open.
    ///
    /// - Parameter progress: called with the part that is done, 0 to 1, some eighty times.
    /// - Throws: `GazetteerError` if the bundled file is missing or damaged, `DatabaseOpenError`, `DatabaseError`.
    func load(progress: @escaping @Sendable (Double) -> Void) throws {
        defer { removePartial() }
        try build(progress: progress)
        try install()
        removeReplaced()
        progress(1)
    }

    /// The database and the index, which are replaced together.
    private var files: [String] { [path, indexPath] }
    private func partial(_ path: String) -> String { "\(path).\(getpid()).partial" }
    private func replaced(_ path: String) -> String { "\(path).\(getpid()).partial-replaced" }

    /// Builds both beside their places, so that those that are there may be in use.
    func build(progress: @escaping @Sendable (Double) -> Void) throws {
        let version = try version()
        try bundle.check()
        removeLeftovers()
        let database = try DatabasePool(
            DatabasePool.Configuration(path: partial(path), clock: clock), migrations: GazetteerSchema.migrations)
        do {
            let (bundle, sources, indexPath) = (bundle, sources, partial(indexPath))
            try database.write { write in
                let names = PlaceNamesFile(beside: bundle.path)
                let parts = try Self.fill(write, from: sources, names, progress: progress)
                try MappedParts.write(parts, version: version, to: indexPath)
                var streets = Street.Writer(.alone)
                try sources.forEachAddress { try Address.insert($0, &streets, write) }
                try Street.indexNumbers(write)
                try names?.fill(write)
                try write.run("INSERT INTO source (version) VALUES (\(version))")
            }
            database.close()
        } catch {
            database.close()
            removePartial()
            throw error
        }
    }

    /// Puts what was built in its place, where nobody must have a database open. What was there is kept, until
    /// `removeReplaced` or `restore`.
    ///
    /// - Throws: `GazetteerError`; all is then as it was.
    func install() throws {
        do {
            for file in files {
                guard rename(file, replaced(file)) == 0 || errno == ENOENT else { throw unstored(file) }
            }
            removeLog()
            for file in files {
                guard rename(partial(file), file) == 0 else { throw unstored(file) }
            }
        } catch {
            restore()
            throw error
        }
    }

    private func unstored(_ file: String) -> GazetteerError {
        GazetteerError("the gazetteer cannot be stored as \(file): \(String(cString: strerror(errno)))")
    }

    /// Puts what `install` has replaced back in its place.
    func restore() {
        if access(replaced(path), F_OK) == 0 { removeLog() }
        for file in files { rename(replaced(file), file) }
        removePartial()
    }

    /// The log of a database that is replaced must not be taken for one of the next database.
    private func removeLog() {
        unlink(path + "-wal")
        unlink(path + "-shm")
    }

    /// Removes what `install` has replaced.
    func removeReplaced() {
        for file in files { unlink(replaced(file)) }
    }

    private func removePartial() {
        for file in files { Self.removeDatabase(partial(file)) }
    }

    /// - Returns: what is kept outside the database.
    private static func fill(
        _ write: WriteTransaction, from sources: GazetteerSources, _ names: PlaceNamesFile?,
        progress: (Double) -> Void
    ) throws -> [(name: String, content: [UInt8])] {
        var builder = try ReverseGeocoderBuilder(beside: sources.bundle.path)
        var index = PlaceIndexBuilder()
        try sources.forEachRow(progress: { progress($0 * 0.7) }) { row in
            // A lake is a place to find, and nobody's town.
            if !row.equals(0, "place") || row.isPopulated { try builder.add(row) }
            try index.add(row)
            try insert(row, write)
        }
        try names?.forEachName { _, id, name in index.addName(name, of: id) }
        return try builder.parts(numbers: index.numbers) + index.parts()
    }

    /// Beside the database: `places.index` for `places.db`.
    static func indexPath(of database: String) -> String {
        URL(fileURLWithPath: database).deletingPathExtension().appendingPathExtension("index").path
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
        for file in files { removeLeftovers(of: file) }
    }

    private func removeLeftovers(of path: String) {
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
