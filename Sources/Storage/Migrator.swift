import CSQLite

/// Brings the schema of one database up to date, on the writer, before anything else uses it.
struct Migrator {
    let connection: Connection
    let migrations: [Migration]
    /// The database as its owner named it, for errors.
    let path: String
    let clock: () -> Int64

    /// Which migrations are still to run. Changes nothing.
    ///
    /// - Throws: `DatabaseOpenError` for a database of a newer version, of another program, or with a migration whose
    ///   text was edited; `DatabaseError`.
    func pending() throws -> ArraySlice<Migration> {
        let tables = try connection.controlValue("SELECT count(*) FROM sqlite_master") ?? 0
        guard tables > 0 else { return migrations[...] }
        let own = "SELECT count(*) FROM sqlite_master WHERE name IN ('migration', 'identifierFloor')"
        guard try connection.controlValue(own) == 2 else {
            throw DatabaseOpenError(.notADatabase, "\(path) is an SQLite database of another program")
        }
        let applied = try connection.reading {
            try $0.rows("SELECT name, fingerprint FROM migration ORDER BY position") {
                (name: $0.text(0), fingerprint: $0.int64(1))
            }
        }
        let known = Set(migrations.map(\.name))
        if let unknown = applied.first(where: { !known.contains($0.name) }) {
            throw DatabaseOpenError(
                .newerVersion, "the database \(path) was written by a newer version (migration \(unknown.name))")
        }
        for (migration, applied) in zip(migrations, applied) {
            guard migration.name == applied.name, migration.fingerprint == applied.fingerprint else {
                throw DatabaseOpenError(
                    .editedMigration,
                    "migration \(applied.name) of the database \(path) is not the one that this version has")
            }
        }
        return migrations[applied.count...]
    }

    /// Runs `pending`, each in one transaction, and before the first one of a new database the tables that every
    /// database here has: SpatiaLite's metadata (with WGS 84 and its UTM zones alone, which takes a tenth of the time
    /// and size of all of EPSG), `migration` and `identifierFloor`.
    ///
    /// - Throws: `DatabaseOpenError`; the failed migration has left nothing.
    func run(_ pending: ArraySlice<Migration>) throws {
        if try connection.controlValue("SELECT count(*) FROM sqlite_master") == 0 {
            try step("the first tables") {
                try connection.run(script: Self.foundation)
            }
        }
        for migration in pending {
            try step("migration \(migration.name)") {
                try connection.run(script: migration.sql)
                let broken = try connection.controlValue("SELECT count(*) FROM pragma_foreign_key_check") ?? 0
                guard broken == 0 else {
                    throw DatabaseError(
                        code: SQLITE_CONSTRAINT, message: "\(broken) rows refer to rows that are not there",
                        sql: "PRAGMA foreign_key_check")
                }
                _ = try connection.run(
                    """
                    INSERT INTO migration (name, fingerprint, appliedAt)
                    VALUES (\(migration.name), \(migration.fingerprint), \(clock()))
                    """)
            }
        }
    }

    private func step(_ name: String, _ body: () throws -> Void) throws {
        do {
            try connection.control("BEGIN IMMEDIATE")
            do {
                try body()
                try connection.control("COMMIT")
            } catch {
                if !connection.isIdle { try connection.control("ROLLBACK") }
                throw error
            }
        } catch let error as DatabaseError {
            throw DatabaseOpenError(
                .migrationFailed, "\(name) of the database \(path) failed: \(error.message)", underlying: error)
        }
    }

    private static let foundation = """
        SELECT InitSpatialMetaData(0, 'WGS84');
        CREATE TABLE migration (
            position INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            fingerprint INTEGER NOT NULL,
            appliedAt INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE identifierFloor (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            value INTEGER NOT NULL
        ) STRICT;
        INSERT INTO identifierFloor (id, value) VALUES (1, 0);
        """
}
