import CSQLite

/// A function that the statements, indexes and triggers of a database may call. A program that opens the file without it
/// can read the tables that need it, and cannot write them.
package struct SQLFunction: Sendable {
    package let name: String
    fileprivate let arguments: Int32
    fileprivate let body: @Sendable (Int64, Int64) -> Int64

    /// Of two integers. An index on it holds what it returned when the row was written, so what it returns for two numbers
    /// must never change.
    package init(name: String, _ body: @escaping @Sendable (Int64, Int64) -> Int64) {
        self.name = name
        self.body = body
        arguments = 2
    }

    /// Of nothing, and another value at each call: for triggers.
    package init(name: String, reading value: @escaping @Sendable () -> Int64) {
        self.name = name
        body = { _, _ in value() }
        arguments = 0
    }
}

extension Connection {
    /// Makes `function` known to the statements of this connection. NULL for an argument gives NULL.
    ///
    /// - Throws: `DatabaseError`.
    func add(_ function: SQLFunction) throws {
        let box = Unmanaged.passRetained(FunctionBox(function))
        let kind = SQLITE_UTF8 | SQLITE_INNOCUOUS | (function.arguments > 0 ? SQLITE_DETERMINISTIC : 0)
        // SQLite releases the box itself, also when it refuses the function.
        let result = sqlite3_create_function_v2(
            handle, function.name, function.arguments, kind, box.toOpaque(),
            { context, count, values in
                guard let box = sqlite3_user_data(context) else { return }
                let function = Unmanaged<FunctionBox>.fromOpaque(box).takeUnretainedValue().function
                guard count == 2, let values else { return sqlite3_result_int64(context, function.body(0, 0)) }
                let isNull = (0..<2).contains { sqlite3_value_type(values[$0]) == SQLITE_NULL }
                if isNull { return sqlite3_result_null(context) }
                sqlite3_result_int64(
                    context, function.body(sqlite3_value_int64(values[0]), sqlite3_value_int64(values[1])))
            }, nil, nil, { box in if let box { Unmanaged<FunctionBox>.fromOpaque(box).release() } })
        guard result == SQLITE_OK else { throw DatabaseError(of: handle, sql: function.name) }
    }
}

private final class FunctionBox {
    let function: SQLFunction

    init(_ function: SQLFunction) {
        self.function = function
    }
}
