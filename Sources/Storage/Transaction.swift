/// A snapshot of the database that can be queried: what reads and writes have in common.
package protocol Transaction {
    /// The connection that it runs on, for this target's use.
    var connection: Connection { get }
}

extension Transaction {
    /// Hands each row to `body` until it returns false. Queries may be nested.
    ///
    /// - Throws: `DatabaseError`, or what `body` throws.
    package func forEach(_ sql: SQL, grant: Grant? = nil, _ body: (Row) throws -> Bool) throws {
        try connection.forEach(sql, grant: grant, body)
    }

    /// The integers of all rows of a `SELECT gather(a, b, …) FROM …`, row after row; NULL is 0. They are gone when `body`
    /// returns. A row costs two thirds of what `forEach` takes for it.
    package func gather<T>(
        _ sql: SQL, grant: Grant? = nil, _ body: (UnsafeBufferPointer<Int64>) throws -> T
    ) throws -> T? {
        try row(sql, grant: grant) { row in
            try row.withBytes(0) { bytes in try body(bytes.assumingMemoryBound(to: Int64.self)) }
        }
    }

    /// All rows, each as `map` makes it.
    @inlinable
    package func rows<T>(_ sql: SQL, grant: Grant? = nil, _ map: (Row) throws -> T) throws -> [T] {
        var result: [T] = []
        try forEach(sql, grant: grant) {
            result.append(try map($0))
            return true
        }
        return result
    }

    /// The first row as `map` makes it, or nil when there is none.
    @inlinable
    package func row<T>(_ sql: SQL, grant: Grant? = nil, _ map: (Row) throws -> T) throws -> T? {
        var result: T?
        try forEach(sql, grant: grant) {
            result = try map($0)
            return false
        }
        return result
    }

    /// Whether there is any row.
    package func exists(_ sql: SQL, grant: Grant? = nil) throws -> Bool {
        var found = false
        try forEach(sql, grant: grant) { _ in
            found = true
            return false
        }
        return found
    }
}

/// A read: all its queries see the one state that the first of them found. It ends with the closure it was handed to.
package struct ReadTransaction: Transaction {
    package let connection: Connection
}

/// A write on the one writer. It ends with the closure it was handed to, and is stored when its completion says so.
package struct WriteTransaction: Transaction {
    package let connection: Connection
    /// Milliseconds since 1970 by the pool's clock, the same throughout this write.
    package let now: Int64
    let identifiers: IdentifierSource

    /// Runs one statement and returns how many rows it changed itself, without those of triggers and cascades.
    ///
    /// - Throws: `DatabaseError`.
    @discardableResult
    package func run(_ sql: SQL) throws -> Int {
        try connection.run(sql)
    }

    /// A new identifier, above each one that was ever stored: the milliseconds of `now` and 20 bits of count, or one
    /// above the last where the clock has not moved on.
    package func newIdentifier() -> Int64 {
        identifiers.next(at: now)
    }
}
