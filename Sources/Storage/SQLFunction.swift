import CSQLite

/// A function of two integers that the statements and the indexes of a database may call.
///
/// An index on it holds what it returned when the row was written, so what it returns for two numbers must never
/// change. A program that opens the file without it can read the table, and cannot write it.
package struct SQLFunction: Sendable {
    package let name: String
    fileprivate let body: @Sendable (Int64, Int64) -> Int64

    package init(name: String, _ body: @escaping @Sendable (Int64, Int64) -> Int64) {
        self.name = name
        self.body = body
    }
}

extension Connection {
    /// Makes `function` known to the statements of this connection. NULL for an argument gives NULL.
    ///
    /// - Throws: `DatabaseError`.
    func add(_ function: SQLFunction) throws {
        let box = Unmanaged.passRetained(FunctionBox(function.body))
        // SQLite releases the box itself, also when it refuses the function.
        let result = sqlite3_create_function_v2(
            handle, function.name, 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, box.toOpaque(),
            { context, _, values in
                guard let values, let box = sqlite3_user_data(context) else { return }
                let function = Unmanaged<FunctionBox>.fromOpaque(box).takeUnretainedValue()
                let isNull = (0..<2).contains { sqlite3_value_type(values[$0]) == SQLITE_NULL }
                if isNull { return sqlite3_result_null(context) }
                sqlite3_result_int64(
                    context, function.body(sqlite3_value_int64(values[0]), sqlite3_value_int64(values[1])))
            }, nil, nil, { box in if let box { Unmanaged<FunctionBox>.fromOpaque(box).release() } })
        guard result == SQLITE_OK else { throw DatabaseError(of: handle, sql: function.name) }
    }
}

private final class FunctionBox {
    let body: @Sendable (Int64, Int64) -> Int64

    init(_ body: @escaping @Sendable (Int64, Int64) -> Int64) {
        self.body = body
    }
}
