import CSQLite

/// One connection to the database, SpatiaLite included. It is used by one thread at a time.
///
/// A transaction hands it out; code outside this target has no use for it but to pass it on.
package final class Connection {
    enum Role {
        case writer
        case reader
        /// Of a file that another program wrote: neither its contents nor its schema are trusted.
        case guest
    }

    let handle: OpaquePointer
    /// Told of the text of each statement that a caller has prepared.
    var onPrepare: (@Sendable (String) -> Void)?
    private let authorizer: Authorizer
    private var cache: StatementCache
    private var spatial: UnsafeMutableRawPointer?

    /// Opens `path` without touching the file's contents.
    ///
    /// - Throws: `DatabaseError`.
    init(
        path: String, role: Role, guardedTables: Set<String>, functions: [SQLFunction], busyMilliseconds: Int,
        statements: Int
    ) throws {
        csqlite_initialize()
        var opened: OpaquePointer?
        let access =
            switch role {
            case .writer: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            case .reader: SQLITE_OPEN_READWRITE
            case .guest: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
            }
        let flags = access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE
        let result = sqlite3_open_v2(path, &opened, flags | SQLITE_OPEN_EXRESCODE, nil)
        guard let opened, result == SQLITE_OK else {
            let error = DatabaseError(of: opened, sql: "")
            sqlite3_close_v2(opened)
            throw error
        }
        handle = opened
        authorizer = Authorizer(guardedTables: guardedTables, guardsReads: role != .writer)
        cache = StatementCache(capacity: statements)
        // A view of a guest's may call any function there is, so it has SQLite's own alone.
        guard role != .guest else {
            authorizer.install(on: opened)
            return
        }
        spatial = csqlite_spatial_open(opened)
        for function in functions { try add(function) }
        guard csqlite_add_functions(opened) == SQLITE_OK else { throw DatabaseError(of: opened, sql: "memberOf") }
        authorizer.install(on: opened)
        sqlite3_busy_timeout(opened, Int32(clamping: busyMilliseconds))
        // Two connections that checkpoint at the same instant can corrupt the file (the WAL-reset bug, up to SQLite
        // 3.51.2), so the writer alone does it, when it says so.
        csqlite_set_checkpoint_on_close(opened, 0)
        try control("PRAGMA wal_autocheckpoint = 0")
    }

    deinit {
        cache.removeAll()
        sqlite3_close_v2(handle)
        if let spatial { csqlite_spatial_close(spatial) }
    }

    /// No transaction is open, whether none was begun or an error ended it.
    var isIdle: Bool { sqlite3_get_autocommit(handle) != 0 }

    /// Runs one statement of the pool's own (a pragma, the start or end of a transaction), its rows ignored.
    func control(_ text: String) throws {
        let statement = try cached(text, Statement.Permission(isTrusted: true))
        defer { release(statement) }
        while try step(statement) {}
    }

    /// The first column of the first row of a statement of the pool's own.
    func controlValue(_ text: String) throws -> Int64? {
        try controlRow(text) { $0.int64(0) }
    }

    /// As `controlValue`, for a text.
    func controlText(_ text: String) throws -> String? {
        try controlRow(text) { $0.text(0) }
    }

    private func controlRow<T>(_ text: String, _ value: (Row) -> T) throws -> T? {
        let statement = try cached(text, Statement.Permission(isTrusted: true))
        defer { release(statement) }
        return try step(statement) ? value(Row(statement: statement.handle)) : nil
    }

    /// Hands each row to `body` until it returns false.
    func forEach(_ sql: SQL, grant: Grant?, _ body: (Row) throws -> Bool) throws {
        try forEach(sql, Statement.Permission(granted: authorizer.mask(grant)), body)
    }

    private func forEach(_ sql: SQL, _ permission: Statement.Permission, _ body: (Row) throws -> Bool) throws {
        try requireTransaction(sql)
        let statement = try cached(sql.text, permission)
        defer { release(statement) }
        try statement.bind(sql.values)
        let row = Row(statement: statement.handle)
        while try step(statement) {
            guard try body(row) else { return }
        }
    }

    /// Runs a statement that changes rows and returns how many it changed itself, without triggers and cascades.
    func run(_ sql: SQL) throws -> Int {
        let before = sqlite3_total_changes64(handle)
        try forEach(sql, grant: nil) { _ in true }
        // A statement that is no INSERT, UPDATE or DELETE leaves the count of the one before it.
        return sqlite3_total_changes64(handle) == before ? 0 : Int(sqlite3_changes64(handle))
    }

    /// Hands a statement to `body` that it may run as often as it likes.
    func prepared<T>(_ text: String, _ body: (PreparedStatement) throws -> T) throws -> T {
        try requireTransaction(SQL(stringLiteral: text))
        let statement = try cached(text, Statement.Permission())
        defer { release(statement) }
        return try body(PreparedStatement(connection: self, statement: statement))
    }

    /// Runs every statement of `script`; a row whose first column is 0 means failure.
    func run(script: String) throws {
        let trusted = Statement.Permission(isTrusted: true)
        try script.withCString { start in
            var next: UnsafePointer<CChar>? = start
            while let current = next, current.pointee != 0 {
                var prepared: OpaquePointer?
                var tail: UnsafePointer<CChar>?
                authorizer.permission = trusted
                guard sqlite3_prepare_v3(handle, current, -1, 0, &prepared, &tail) == SQLITE_OK else {
                    throw DatabaseError(of: handle, sql: String(cString: current))
                }
                next = tail
                guard let prepared else { continue }
                let statement = Statement(
                    handle: prepared, text: String(cString: sqlite3_sql(prepared)), permission: trusted)
                while try step(statement) {
                    let row = Row(statement: prepared)
                    if !row.isNull(0), row.int64(0) == 0 {
                        throw DatabaseError(code: SQLITE_ERROR, message: "the call returned 0", sql: statement.text)
                    }
                }
                try requireTransaction(SQL(stringLiteral: statement.text))
            }
        }
    }

    /// After an error that ended the transaction, further statements would each commit on their own.
    private func requireTransaction(_ sql: SQL) throws {
        if isIdle {
            throw DatabaseError(
                code: SQLITE_ABORT, message: "the transaction was ended by an earlier error", sql: sql.text)
        }
    }

    private func cached(_ text: String, _ permission: Statement.Permission) throws -> Statement {
        if let statement = cache.statement(text, permission) {
            statement.isInUse = true
            return statement
        }
        let statement = try prepare(text, permission)
        statement.isInUse = true
        cache.insert(statement)
        return statement
    }

    private func prepare(_ text: String, _ permission: Statement.Permission) throws -> Statement {
        if let onPrepare, !permission.isTrusted { onPrepare(text) }
        authorizer.permission = permission
        authorizer.isPreparing = true
        defer { authorizer.isPreparing = false }
        var prepared: OpaquePointer?
        var text = text
        let trailing = text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { bytes -> Bool in
                var tail: UnsafePointer<CChar>?
                sqlite3_prepare_v3(
                    handle, bytes.baseAddress, Int32(clamping: bytes.count), UInt32(SQLITE_PREPARE_PERSISTENT),
                    &prepared, &tail)
                guard let tail, let start = bytes.baseAddress else { return false }
                return bytes[(tail - start)...].contains { ![0x20, 0x09, 0x0a, 0x0d].contains($0) }
            }
        }
        guard let prepared else {
            guard sqlite3_errcode(handle) == SQLITE_OK else { throw DatabaseError(of: handle, sql: text) }
            throw DatabaseError(code: SQLITE_MISUSE, message: "there is no statement in the text", sql: text)
        }
        let statement = Statement(handle: prepared, text: text, permission: permission)
        if trailing {
            throw DatabaseError(code: SQLITE_MISUSE, message: "there is more than one statement in the text", sql: text)
        }
        return statement
    }

    /// Whether there is a row.
    func step(_ statement: Statement) throws -> Bool {
        authorizer.permission = statement.permission
        switch sqlite3_step(statement.handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw DatabaseError(of: handle, sql: statement.text)
        }
    }

    private func release(_ statement: Statement) {
        statement.reset()
        statement.isInUse = false
    }
}
