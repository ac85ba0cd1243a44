import CSQLite

/// One prepared statement of one connection.
final class Statement {
    /// What it was prepared under. Statements of one text and different permissions are different statements.
    struct Permission: Hashable {
        /// The guarded tables that it may read, as bits of the connection's authorizer.
        var granted: UInt64 = 0
        /// It is the pool's own and may do anything.
        var isTrusted = false
    }

    let handle: OpaquePointer
    let text: String
    let permission: Permission
    /// It is being stepped through, so the same text needs a second statement.
    var isInUse = false
    /// When the cache last handed it out, in the cache's own count.
    var lastUse: UInt64 = 0

    init(handle: OpaquePointer, text: String, permission: Permission) {
        self.handle = handle
        self.text = text
        self.permission = permission
    }

    deinit {
        sqlite3_finalize(handle)
    }

    /// Binds all values.
    ///
    /// - Throws: `DatabaseError` for a number that is not finite, a value that is too large, or a wrong count.
    func bind(_ values: [SQLValue]) throws {
        guard Int(sqlite3_bind_parameter_count(handle)) == values.count else {
            throw DatabaseError(
                code: SQLITE_RANGE, message: "the statement takes another number of values than \(values.count)",
                sql: text)
        }
        var index: Int32 = 0
        for value in values {
            index += 1
            let result =
                switch value {
                case .null: sqlite3_bind_null(handle, index)
                case .integer(let integer): sqlite3_bind_int64(handle, index, integer)
                case .real(let real):
                    if real.isFinite {
                        sqlite3_bind_double(handle, index, real)
                    } else {
                        throw DatabaseError(
                            code: SQLITE_MISMATCH, message: "value \(index) is not a finite number", sql: text)
                    }
                case .text(var string):
                    string.withUTF8 { bytes in
                        bytes.withMemoryRebound(to: CChar.self) {
                            // A nil pointer would bind NULL, and an empty buffer may have one.
                            csqlite_bind_text(handle, index, $0.baseAddress ?? Self.empty, UInt64($0.count))
                        }
                    }
                case .blob(let bytes):
                    if bytes.isEmpty {
                        sqlite3_bind_zeroblob(handle, index, 0)
                    } else {
                        bytes.withUnsafeBytes {
                            csqlite_bind_blob(handle, index, $0.baseAddress, UInt64($0.count))
                        }
                    }
                // The caller holds the values, and so the set, until the statement is reset.
                case .set(let set): csqlite_bind_integer_set(handle, index, set.table)
                case .pattern(let pattern): csqlite_bind_text_pattern(handle, index, pattern.table)
                }
            guard result == SQLITE_OK else { throw DatabaseError(of: sqlite3_db_handle(handle), sql: text) }
        }
    }

    /// Ends the run: the locks and the copies of the values go.
    func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    // Never written or freed: one byte that stands for the text of no bytes.
    nonisolated(unsafe) private static let empty: UnsafePointer<CChar> = {
        let byte = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
        byte.initialize(to: 0)
        return UnsafePointer(byte)
    }()
}
