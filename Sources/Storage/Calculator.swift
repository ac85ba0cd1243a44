/// A connection to no file, for what SQLite and SpatiaLite can calculate. It is used by one thread at a time.
package final class Calculator {
    private let connection: Connection

    /// - Throws: `DatabaseError`.
    package init() throws {
        connection = try Connection(
            path: ":memory:", role: .writer, guardedTables: [], functions: [], busyMilliseconds: 0, statements: 16)
    }

    /// The first row of a query.
    ///
    /// - Throws: `DatabaseError`, or what `map` throws.
    package func row<T>(_ sql: SQL, _ map: (Row) throws -> T) throws -> T? {
        try connection.reading { try $0.row(sql, map) }
    }
}
