import CSQLite

/// One statement that is run again and again with other values: the text is looked up, and checked, once.
package struct PreparedStatement {
    let connection: Connection
    let statement: Statement

    /// Runs it and hands each row to `body` until that returns false. It cannot be run again from within `body`.
    ///
    /// - Throws: `DatabaseError`, or what `body` throws.
    package func forEach(_ values: [SQLValue], _ body: (Row) throws -> Bool) throws {
        defer { statement.reset() }
        try statement.bind(values)
        let row = Row(statement: statement.handle)
        while try connection.step(statement) {
            guard try body(row) else { return }
        }
    }

    /// Runs it and returns how many rows it changed itself, without those of triggers and cascades.
    ///
    /// - Throws: `DatabaseError`.
    @discardableResult
    package func run(_ values: [SQLValue]) throws -> Int {
        let before = sqlite3_total_changes64(connection.handle)
        try forEach(values) { _ in true }
        return sqlite3_total_changes64(connection.handle) == before ? 0 : Int(sqlite3_changes64(connection.handle))
    }
}

extension Transaction {
    /// Prepares a statement with `?` for each value and hands it to `body`, after which it cannot be used.
    ///
    /// - Throws: `DatabaseError`, or what `body` throws.
    package func prepare<T>(_ text: StaticString, _ body: (PreparedStatement) throws -> T) throws -> T {
        try connection.prepared(text.description, body)
    }
}
