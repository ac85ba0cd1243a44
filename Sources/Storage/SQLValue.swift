/// One value as SQLite stores it.
package enum SQLValue: Sendable, Hashable {
    case null
    case integer(Int64)
    /// Must be finite to be bound: SQLite would store NaN as NULL and compare infinities in ways nobody asked for.
    case real(Double)
    /// May hold NUL characters.
    case text(String)
    case blob([UInt8])
    /// For `memberOf`; anywhere else it reads as NULL.
    case set(IntegerSet)
    /// For `containsAll`; anywhere else it reads as NULL.
    case pattern(TextPattern)
}

/// What may be interpolated into `SQL`. An `Optional` of it may be too, and binds NULL for `nil`.
package protocol SQLValueConvertible {
    var sqlValue: SQLValue { get }
}

extension SQLValue: SQLValueConvertible {
    package var sqlValue: SQLValue { self }
}

extension Int64: SQLValueConvertible {
    package var sqlValue: SQLValue { .integer(self) }
}

extension Int: SQLValueConvertible {
    package var sqlValue: SQLValue { .integer(Int64(self)) }
}

extension Int32: SQLValueConvertible {
    package var sqlValue: SQLValue { .integer(Int64(self)) }
}

extension Double: SQLValueConvertible {
    package var sqlValue: SQLValue { .real(self) }
}

extension String: SQLValueConvertible {
    package var sqlValue: SQLValue { .text(self) }
}

/// 1 and 0, the integers that SQL's truth is in SQLite.
extension Bool: SQLValueConvertible {
    package var sqlValue: SQLValue { .integer(self ? 1 : 0) }
}

extension [UInt8]: SQLValueConvertible {
    package var sqlValue: SQLValue { .blob(self) }
}
