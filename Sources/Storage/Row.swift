import CSQLite

/// The current row of a query, valid only inside the closure that it was handed to.
///
/// Columns are numbered from 0. A value of another type is converted as SQLite does it; NULL reads as 0, `""` or `[]`
/// where the accessor is not an optional one.
package struct Row {
    let statement: OpaquePointer

    package func int64(_ column: Int) -> Int64 {
        sqlite3_column_int64(statement, Int32(truncatingIfNeeded: column))
    }

    package func int(_ column: Int) -> Int {
        Int(int64(column))
    }

    package func double(_ column: Int) -> Double {
        sqlite3_column_double(statement, Int32(truncatingIfNeeded: column))
    }

    package func bool(_ column: Int) -> Bool {
        int64(column) != 0
    }

    package func text(_ column: Int) -> String {
        withUTF8(column) { String(decoding: $0, as: UTF8.self) }
    }

    package func blob(_ column: Int) -> [UInt8] {
        withBytes(column) { [UInt8]($0) }
    }

    package func isNull(_ column: Int) -> Bool {
        sqlite3_column_type(statement, Int32(truncatingIfNeeded: column)) == SQLITE_NULL
    }

    /// The storage classes of SQLite (https://www.sqlite.org/datatype3.html).
    package enum Kind: Sendable {
        case null, integer, real, text, blob
    }

    /// What the value is as it is stored. To be asked before an accessor that may convert it.
    package func kind(_ column: Int) -> Kind {
        switch sqlite3_column_type(statement, Int32(truncatingIfNeeded: column)) {
        case SQLITE_INTEGER: .integer
        case SQLITE_FLOAT: .real
        case SQLITE_TEXT: .text
        case SQLITE_BLOB: .blob
        default: .null
        }
    }

    package func optionalInt64(_ column: Int) -> Int64? {
        isNull(column) ? nil : int64(column)
    }

    package func optionalInt(_ column: Int) -> Int? {
        isNull(column) ? nil : int(column)
    }

    package func optionalDouble(_ column: Int) -> Double? {
        isNull(column) ? nil : double(column)
    }

    package func optionalText(_ column: Int) -> String? {
        isNull(column) ? nil : text(column)
    }

    package func optionalBlob(_ column: Int) -> [UInt8]? {
        isNull(column) ? nil : blob(column)
    }

    /// Hands out the bytes of a text without a copy; they are gone when `body` returns.
    package func withUTF8<R>(_ column: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> R) rethrows -> R {
        let index = Int32(truncatingIfNeeded: column)
        // The length is asked after the text, since asking for the text may convert it.
        let bytes = sqlite3_column_text(statement, index)
        return try body(UnsafeBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(statement, index))))
    }

    /// Hands out the bytes of a blob without a copy; they are gone when `body` returns.
    package func withBytes<R>(_ column: Int, _ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        let index = Int32(truncatingIfNeeded: column)
        let bytes = sqlite3_column_blob(statement, index)
        return try body(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(statement, index))))
    }
}
