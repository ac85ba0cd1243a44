import Foundation

/// A value of a parameter or a column of a COPY, as PostgreSQL's binary format has it.
enum PostgresValue {
    case null
    case integer(Int64)
    case small(Int16)
    case double(Double)
    case text(String)
    case bytes([UInt8])
    /// `bigint[]`
    case integers([Int64])
    /// `float8[]`
    case doubles([Double])

    /// Nil for NULL.
    var bytes: [UInt8]? {
        switch self {
        case .null: nil
        case .integer(let value): Self.bigEndian(value)
        case .small(let value): Self.bigEndian(value)
        case .double(let value): Self.bigEndian(value.bitPattern)
        case .text(let text): Array(text.utf8)
        case .bytes(let bytes): bytes
        case .integers(let values): Self.array(of: 20, values)
        case .doubles(let values): Self.array(of: 701, values.map(\.bitPattern))
        }
    }

    static func bigEndian(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.bigEndian) { Array($0) }
    }

    /// One dimension, no NULLs, of a type by its number (`pg_type.oid`), from index 1; each element with its length.
    private static func array(of type: Int32, _ values: [some FixedWidthInteger]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(20 + 12 * values.count)
        for word in [1, 0, type, Int32(values.count), 1] { bytes += bigEndian(word) }
        for value in values {
            bytes += [0, 0, 0, 8]
            withUnsafeBytes(of: value.bigEndian) { bytes += $0 }
        }
        return bytes
    }
}

/// A failure of PostgreSQL, in its words.
struct PostgresError: Error {
    let message: String

    /// The statement took longer than `statement_timeout`.
    var isTimeout: Bool { message.contains("statement timeout") }
}

/// A connection to PostgreSQL through libpq, which is loaded when it is wanted: the program does without it otherwise.
/// It is used by one thread at a time.
final class PostgresConnection {
    private let library: LibPQ
    private let handle: OpaquePointer

    /// - Parameter target: libpq's connection string.
    /// - Throws: `CommandFailure` without libpq, `PostgresError`.
    init(_ target: String) throws {
        library = try LibPQ()
        guard let handle = library.connect(target) else { throw PostgresError(message: "out of memory") }
        self.handle = handle
        // From here on `deinit` finishes it.
        guard library.status(handle) == 0 else { throw failure() }
    }

    deinit { library.finish(handle) }

    /// Runs statements without parameters.
    @discardableResult
    func run(_ sql: String) throws -> PostgresRows {
        try rows(library.execute(handle, sql), sql)
    }

    func prepare(_ name: String, _ sql: String) throws {
        _ = try rows(library.prepare(handle, name, sql, 0, nil), sql)
    }

    /// Runs a prepared statement; values and rows are in binary format, all rows are fetched.
    func run(_ name: String, _ values: [[UInt8]?]) throws -> PostgresRows {
        let count = values.count
        let lengths = values.map { Int32($0?.count ?? 0) }
        let formats = [Int32](repeating: 1, count: count)
        // The arrays are kept from moving while libpq reads them.
        func withPointers(
            _ index: Int, _ pointers: [UnsafePointer<CChar>?]
        ) -> OpaquePointer? {
            guard index < count else {
                return library.executePrepared(handle, name, Int32(count), pointers, lengths, formats, 1)
            }
            guard let value = values[index] else { return withPointers(index + 1, pointers + [nil]) }
            return value.withUnsafeBytes { bytes in
                // An empty array has no address, which would be NULL.
                let start = bytes.baseAddress.map { $0.assumingMemoryBound(to: CChar.self) }
                return withPointers(index + 1, pointers + [start])
            }
        }
        return try rows(withPointers(0, []), name)
    }

    /// Copies rows into a table; `next` appends a row at a time to the buffer until it returns false.
    func copy(into table: String, _ next: (inout [UInt8]) -> Bool) throws {
        _ = try rows(library.execute(handle, "COPY \(table) FROM STDIN (FORMAT binary)"), table)
        // The signature, and no flags (PostgreSQL's documentation, COPY, "Binary Format").
        var buffer = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0] + [UInt8](repeating: 0, count: 8)
        var hasMore = true
        while hasMore {
            hasMore = next(&buffer)
            if !hasMore { buffer += [0xFF, 0xFF] }
            guard !hasMore || buffer.count > 1 << 16 else { continue }
            let sent = buffer.withUnsafeBytes { bytes in
                library.putCopyData(
                    handle, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count))
            }
            guard sent == 1 else { throw failure() }
            buffer.removeAll(keepingCapacity: true)
        }
        guard library.putCopyEnd(handle, nil) == 1 else { throw failure() }
        while let result = library.nextResult(handle) { _ = try rows(result, table) }
    }

    private func rows(_ result: OpaquePointer?, _ what: String) throws -> PostgresRows {
        let rows = PostgresRows(library: library, result: result)
        // 1 is a command, 2 rows, 4 the start of a COPY.
        guard let result, [1, 2, 4].contains(library.resultStatus(result)) else {
            throw PostgresError(message: "\(String(cString: library.errorMessage(handle)))in: \(what)")
        }
        return rows
    }

    private func failure() -> PostgresError { PostgresError(message: String(cString: library.errorMessage(handle))) }
}

/// What a statement has answered.
final class PostgresRows {
    private let library: LibPQ
    private let result: OpaquePointer?

    fileprivate init(library: LibPQ, result: OpaquePointer?) {
        self.library = library
        self.result = result
    }

    deinit { library.clear(result) }

    var count: Int { Int(library.rowCount(result)) }

    /// A `bigint` in binary format, or 0 for NULL.
    func integer(_ row: Int, _ column: Int) -> Int64 {
        guard !isNull(row, column), let bytes = library.value(result, Int32(row), Int32(column)) else { return 0 }
        return Int64(bigEndian: UnsafeRawPointer(bytes).loadUnaligned(as: Int64.self))
    }

    /// A `float8` in binary format, or 0 for NULL.
    func double(_ row: Int, _ column: Int) -> Double {
        Double(bitPattern: UInt64(bitPattern: integer(row, column)))
    }

    /// A value in text format.
    func text(_ row: Int, _ column: Int) -> String {
        library.value(result, Int32(row), Int32(column)).map { String(cString: $0) } ?? ""
    }

    func isNull(_ row: Int, _ column: Int) -> Bool { library.isNull(result, Int32(row), Int32(column)) != 0 }
}

/// The functions of libpq that are used here (PostgreSQL's documentation, "libpq — C Library").
private struct LibPQ {
    typealias Text = UnsafePointer<CChar>
    let connect: @convention(c) (Text) -> OpaquePointer?
    let finish: @convention(c) (OpaquePointer?) -> Void
    let status: @convention(c) (OpaquePointer?) -> Int32
    let errorMessage: @convention(c) (OpaquePointer?) -> Text
    let execute: @convention(c) (OpaquePointer?, Text) -> OpaquePointer?
    let prepare: @convention(c) (OpaquePointer?, Text, Text, Int32, UnsafePointer<UInt32>?) -> OpaquePointer?
    let executePrepared:
        @convention(c) (
            OpaquePointer?, Text, Int32, UnsafePointer<Text?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?, Int32
        ) -> OpaquePointer?
    let resultStatus: @convention(c) (OpaquePointer?) -> Int32
    let rowCount: @convention(c) (OpaquePointer?) -> Int32
    let value: @convention(c) (OpaquePointer?, Int32, Int32) -> Text?
    let isNull: @convention(c) (OpaquePointer?, Int32, Int32) -> Int32
    let clear: @convention(c) (OpaquePointer?) -> Void
    let putCopyData: @convention(c) (OpaquePointer?, Text?, Int32) -> Int32
    let putCopyEnd: @convention(c) (OpaquePointer?, Text?) -> Int32
    let nextResult: @convention(c) (OpaquePointer?) -> OpaquePointer?

    /// - Throws: `CommandFailure`.
    init() throws {
        guard let library = dlopen("libpq.so.5", RTLD_NOW) else {
            throw CommandFailure("libpq5 is not found; `make bench` installs what the benchmarks need")
        }
        /// `F` is the type that libpq's header declares the function with.
        func function<F>(_ name: String, _: F.Type = F.self) throws -> F {
            guard let symbol = dlsym(library, name) else { throw CommandFailure("libpq has no \(name)") }
            return unsafeBitCast(symbol, to: F.self)
        }
        connect = try function("PQconnectdb")
        finish = try function("PQfinish")
        status = try function("PQstatus")
        errorMessage = try function("PQerrorMessage")
        execute = try function("PQexec")
        prepare = try function("PQprepare")
        executePrepared = try function("PQexecPrepared")
        resultStatus = try function("PQresultStatus")
        rowCount = try function("PQntuples")
        value = try function("PQgetvalue")
        isNull = try function("PQgetisnull")
        clear = try function("PQclear")
        putCopyData = try function("PQputCopyData")
        putCopyEnd = try function("PQputCopyEnd")
        nextResult = try function("PQgetResult")
    }
}
