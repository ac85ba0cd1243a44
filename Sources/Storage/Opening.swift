import CSQLite

/// The start of a pool: looks before it touches, so that a file that is refused stays as it was.
struct Opening {
    let configuration: DatabasePool.Configuration
    let migrations: [Migration]
    let file: DatabaseFile

    /// How long another process's lock is waited for.
    private static let lockMilliseconds = 300

    private var shown: String { configuration.path }

    /// The writer's connection, ready for its first transaction, and the last identifier stored.
    ///
    /// - Throws: `DatabaseOpenError`.
    func run() throws -> sending (Connection, Int64) {
        do {
            let connection = try Connection(
                path: file.path, role: .writer, guardedTables: [], functions: configuration.functions,
                busyMilliseconds: Self.lockMilliseconds, statements: configuration.statements)
            let migrator = Migrator(
                connection: connection, migrations: migrations, path: shown, clock: configuration.clock)
            let pending = try check(connection, migrator)
            try prepare(connection, migrator, pending)
            let floor = try connection.controlValue("SELECT value FROM identifierFloor WHERE id = 1")
            guard let floor else {
                throw DatabaseOpenError(.corrupt, "the database \(shown) is damaged: its identifiers have no floor")
            }
            sqlite3_busy_timeout(connection.handle, Int32(clamping: configuration.busyMilliseconds))
            connection.onPrepare = configuration.onPrepare
            return (connection, floor)
        } catch {
            file.removeEmptyLog()
            throw (error as? DatabaseError).map(describe) ?? error
        }
    }

    /// Reads only.
    private func check(_ connection: Connection, _ migrator: Migrator) throws -> ArraySlice<Migration> {
        let pending = try migrator.pending()
        if file.existed, let finding = try connection.quickCheck(milliseconds: configuration.checkMilliseconds) {
            let line = finding.split(separator: "\n").last.map(String.init) ?? finding
            throw DatabaseOpenError(.corrupt, "the database \(shown) is damaged: \(line)")
        }
        if sqlite3_db_readonly(connection.handle, "main") == 1 {
            throw DatabaseOpenError(.readOnly, "the database \(shown) is read-only")
        }
        // In WAL mode a process that writes is met only by one that wants to.
        try connection.control("BEGIN IMMEDIATE")
        try connection.control("ROLLBACK")
        return pending
    }

    private func prepare(_ connection: Connection, _ migrator: Migrator, _ pending: ArraySlice<Migration>) throws {
        try connection.control("PRAGMA journal_mode = WAL")
        if let pages = configuration.maximumPages {
            try connection.control("PRAGMA max_page_count = \(pages)")
        }
        try connection.tune(cacheKiB: configuration.writerCacheKiB, mmapBytes: configuration.mmapBytes)
        if !pending.isEmpty {
            // Tables are rebuilt with their references broken for a moment; the migrator checks them before COMMIT.
            try connection.control("PRAGMA foreign_keys = OFF")
            // The checkpoint after the last one flushes them all, and a crash before it loses whole migrations only.
            try connection.control("PRAGMA synchronous = NORMAL")
            try migrator.run(pending)
            try connection.control("PRAGMA wal_checkpoint(TRUNCATE)")
            try connection.control("PRAGMA foreign_keys = ON")
        }
        try connection.control("PRAGMA synchronous = FULL")
    }

    private func describe(_ error: DatabaseError) -> DatabaseOpenError {
        switch error.primaryCode {
        case SQLITE_BUSY, SQLITE_LOCKED:
            DatabaseOpenError(.locked, "the database \(shown) is locked by another process", underlying: error)
        case SQLITE_NOTADB:
            DatabaseOpenError(.notADatabase, "\(shown) is not a database", underlying: error)
        case SQLITE_CORRUPT:
            DatabaseOpenError(.corrupt, "the database \(shown) is damaged: \(error.message)", underlying: error)
        case SQLITE_READONLY, SQLITE_PERM:
            DatabaseOpenError(.readOnly, "the database \(shown) is read-only", underlying: error)
        default:
            DatabaseOpenError(.system, "the database \(shown) cannot be opened: \(error.message)", underlying: error)
        }
    }
}
