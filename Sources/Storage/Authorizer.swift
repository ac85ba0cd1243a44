import CSQLite

/// What one connection's statements may do, as asked by SQLite while it compiles them.
///
/// Statements are compiled again after a change of the schema, and virtual tables and SpatiaLite's functions compile
/// statements of their own while an outer one runs. So the permission is set anew before each step of a statement, not
/// only when it is prepared.
final class Authorizer {
    /// What the statement that is prepared or running may do.
    var permission = Statement.Permission()
    /// True while a statement of the caller is prepared, not one that SQLite or SpatiaLite needs for itself.
    var isPreparing = false

    private let bits: [String: UInt64]
    private let guardsReads: Bool

    /// - Parameter guardedTables: at most 64, in any case.
    init(guardedTables: Set<String>, guardsReads: Bool) {
        precondition(guardedTables.count <= 64, "a grant has a bit for each guarded table")
        var bits: [String: UInt64] = [:]
        for (index, table) in guardedTables.sorted().enumerated() {
            bits[table.lowercased()] = 1 << UInt64(index)
        }
        self.bits = bits
        self.guardsReads = guardsReads
    }

    /// The bits of the tables that `grant` names; names that are not guarded have none.
    func mask(_ grant: Grant?) -> UInt64 {
        guard guardsReads, let grant else { return 0 }
        return grant.tables.reduce(0) { $0 | (bits[$1.lowercased()] ?? 0) }
    }

    func allows(_ action: Int32, _ first: UnsafePointer<CChar>?, _ second: UnsafePointer<CChar>?) -> Bool {
        if permission.isTrusted { return true }
        switch action {
        case SQLITE_READ:
            guard guardsReads, !bits.isEmpty, let first, let bit = bits[String(cString: first).lowercased()] else {
                return true
            }
            return permission.granted & bit != 0
        case SQLITE_ATTACH, SQLITE_DETACH:
            return false
        case SQLITE_TRANSACTION, SQLITE_SAVEPOINT:
            return !isPreparing
        case SQLITE_PRAGMA:
            guard isPreparing || guardsReads else { return true }
            guard let first else { return false }
            return Self.harmlessPragmas.contains(String(cString: first).lowercased())
        default:
            // Writes on a reader are left to `PRAGMA query_only`: an R*Tree compiles its writes when it is opened.
            return true
        }
    }

    /// The pragmas that tell of the schema and change nothing.
    private static let harmlessPragmas: Set<String> = [
        "table_info", "table_xinfo", "table_list", "index_list", "index_info", "index_xinfo", "foreign_key_list",
        "database_list", "page_count", "page_size", "freelist_count", "data_version", "compile_options",
        "foreign_key_check", "function_list", "collation_list", "encoding",
    ]

    /// Makes this the authorizer of `handle`, which must not outlive it.
    func install(on handle: OpaquePointer?) {
        sqlite3_set_authorizer(
            handle,
            { context, action, first, second, _, _ in
                guard let context else { return SQLITE_DENY }
                let authorizer = Unmanaged<Authorizer>.fromOpaque(context).takeUnretainedValue()
                return authorizer.allows(action, first, second) ? SQLITE_OK : SQLITE_DENY
            }, Unmanaged.passUnretained(self).toOpaque())
    }
}
