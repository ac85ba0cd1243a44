import CSQLite

/// An SQLite file that another program wrote, to read from: nothing beside it is made, so that its folder may be one that
/// cannot be written, and no lock is taken. It must not be written while it is open; to replace it, move another one into
/// its place and open that.
package final class GuestDatabase: Sendable {
    private let readers: ReaderPool

    /// Opens the file and reads its schema.
    ///
    /// - Parameters:
    ///   - readers: the most reads that run at once; more wait.
    ///   - valueLimit: the most bytes of a row or of a value in it.
    /// - Throws: `DatabaseError`, also where a later read would meet what is no SQLite database.
    package init(path: String, readers limit: Int = 8, valueLimit: Int) throws {
        // Immutable: no look at a log or at locks (https://www.sqlite.org/c3ref/open.html).
        let uri = "file:" + Self.escaped(path) + "?mode=ro&immutable=1"
        readers = ReaderPool(limit: limit) {
            let connection = try Connection(
                path: uri, role: .guest, guardedTables: [], functions: [], busyMilliseconds: 0, statements: 16)
            sqlite3_limit(connection.handle, SQLITE_LIMIT_LENGTH, Int32(clamping: valueLimit))
            // A file that is cut short while it is mapped would end the process.
            try connection.tune(cacheKiB: 2048, mmapBytes: 0)
            try connection.control("PRAGMA query_only = ON")
            try connection.control("PRAGMA trusted_schema = OFF")
            try connection.control("PRAGMA cell_size_check = ON")
            return connection
        }
        _ = try read { try $0.row("SELECT count(*) FROM sqlite_schema") { $0.int(0) } }
    }

    /// Runs `body` on the calling thread. Waits while all readers are in use, so it must not be called from within
    /// another read, nor on Swift's cooperative threads.
    ///
    /// - Throws: `DatabaseError`, or what `body` throws.
    package func read<T>(_ body: (ReadTransaction) throws -> T) throws -> T {
        try readers.read(body)
    }

    /// What has a meaning of its own in a URI, and what is not ASCII, as `%` and two digits (RFC 3986, 2.1).
    private static func escaped(_ path: String) -> String {
        let digits = Array("0123456789ABCDEF")
        return path.utf8.reduce(into: "") { text, byte in
            let isPlain =
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "/-._~".utf8.contains(byte)
            if isPlain {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
            }
        }
    }
}
