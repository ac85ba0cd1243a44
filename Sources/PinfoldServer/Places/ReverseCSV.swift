import Foundation
import Geo

/// Adds the names of positions to the rows of a CSV text (RFC 4180) while it is read.
package struct ReverseCSV {
    /// A text that cannot be read to its end.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// The columns that are added.
    static let columns = ["country_code", "country", "admin1", "admin2", "locality", "label", "timezone"]
    /// The longest row, in bytes.
    static let rowLimit = 1 << 20
    private static let pieceSize = 1 << 20

    private let geocoder: ReverseGeocoder
    private let language: LanguageNames?
    /// Where the coordinates are, how many columns there are, and what stands between them; nil before the header.
    private var header: (latitude: Int, longitude: Int, count: Int, delimiter: UInt8)?
    /// The line that the next row begins in.
    private var line = 1
    /// How many rows were read, the header not counted, and how many of them have no position.
    package private(set) var rows = 0
    package private(set) var badRows = 0

    /// - Parameter language: the language of names, where they are known in it.
    package init(_ geocoder: ReverseGeocoder, in language: LanguageNames? = nil) {
        self.geocoder = geocoder
        self.language = language
    }

    /// Reads to the end.
    ///
    /// - Parameters:
    ///   - read: the next piece of at most so many bytes; an empty one at the end.
    ///   - write: takes the next rows. Rows come in order; a row without a position keeps its place with empty columns.
    ///   - report: takes a line for each such row.
    ///   - progress: called now and then with the number of rows.
    /// - Throws: `Failure`, or what a closure throws.
    package mutating func run(
        read: (Int) throws -> [UInt8], write: ([UInt8]) throws -> Void, report: (String) -> Void,
        progress: (Int) -> Void
    ) throws {
        var text: [UInt8] = []
        var isFirst = true
        while true {
            let piece = try read(Self.pieceSize)
            text += piece
            if isFirst {
                guard piece.isEmpty || text.count >= 3 else { continue }
                if text.starts(with: [0xEF, 0xBB, 0xBF]) { text.removeFirst(3) }
                isFirst = false
            }
            let used = try take(text, isEnd: piece.isEmpty, write: write, report: report)
            text.removeFirst(used)
            guard text.count <= Self.rowLimit else {
                throw Failure(description: "line \(line): the row is longer than 1 MiB; is a quote not closed?")
            }
            progress(rows)
            if piece.isEmpty { break }
        }
        if header == nil { throw Failure(description: "the file is empty; its first row must name the columns") }
    }

    private struct Row {
        let bytes: Range<Int>
        let line: Int
        let fields: [String?]
    }

    /// Takes the rows that are whole and returns how many bytes they had.
    private mutating func take(
        _ text: [UInt8], isEnd: Bool, write: ([UInt8]) throws -> Void, report: (String) -> Void
    ) throws -> Int {
        if header == nil {
            guard isEnd || text.count > Self.rowLimit || text.contains(where: { $0 == 0x0A || $0 == 0x0D }) else {
                return 0
            }
            guard !text.isEmpty else { return 0 }
        }
        let delimiter = header?.delimiter ?? CSVRecords.delimiter(of: text)
        var records = CSVRecords(text, delimiter: delimiter)
        var found: [Row] = []
        var used = 0
        while let fields = records.next() {
            // A row that reaches the end may go on in the next piece, and so may a CR LF.
            guard isEnd || records.at < text.count else { break }
            found.append(Row(bytes: used..<records.at, line: line, fields: fields))
            line += Self.lines(text[used..<records.at])
            used = records.at
        }
        if header == nil, let first = found.first {
            let header = try Self.header(first.fields, delimiter)
            self.header = header
            found.removeFirst()
            try write(text[Self.withoutEnd(first.bytes, text)] + Self.row(Self.columns, header.delimiter))
        }
        guard let header else { return used }
        let rows = found
        let pieces = ReverseGeocoder.concurrently(rows.count) { [geocoder, language] range in
            var output: [UInt8] = []
            var problems: [String] = []
            for row in rows[range] {
                output += text[Self.withoutEnd(row.bytes, text)]
                let isBlank = row.fields.count == 1 && row.fields[0] == nil
                for _ in row.fields.count..<max(header.count, row.fields.count) { output.append(header.delimiter) }
                switch Self.position(row.fields, header) {
                case .success(let position):
                    output += Self.row(Self.values(geocoder.reverse(position, in: language)), header.delimiter)
                case .failure(let problem):
                    if !isBlank { problems.append("line \(row.line): \(problem.description)") }
                    output += Self.row(Self.columns.map { _ in nil }, header.delimiter)
                }
            }
            return (output: output, problems: problems)
        }
        for piece in pieces {
            try write(piece.output)
            piece.problems.forEach(report)
            badRows += piece.problems.count
        }
        self.rows += rows.count
        return used
    }

    // MARK: Reading

    private static func header(
        _ fields: [String?], _ delimiter: UInt8
    ) throws -> (latitude: Int, longitude: Int, count: Int, delimiter: UInt8) {
        let names = fields.map { ImportedField(header: $0 ?? "") }
        guard let latitude = names.firstIndex(of: .latitude), let longitude = names.firstIndex(of: .longitude) else {
            throw Failure(description: "the first row must name the columns, among them lat and lon")
        }
        return (latitude, longitude, fields.count, delimiter)
    }

    private static func position(
        _ fields: [String?], _ header: (latitude: Int, longitude: Int, count: Int, delimiter: UInt8)
    ) -> Result<Coordinate, Failure> {
        func degrees(_ column: Int, _ limit: Double) -> Double? {
            guard column < fields.count, var text = fields[column]?.trimmingSpace else { return nil }
            if header.delimiter != UInt8(ascii: ",") { text = text.replacing(",", with: ".") }
            return Double(decimal: text).flatMap { abs($0) <= limit ? $0 : nil }
        }
        guard fields.count <= header.count else {
            return .failure(Failure(description: "has \(fields.count) columns, the header \(header.count)"))
        }
        guard let latitude = degrees(header.latitude, 90) else {
            return .failure(Failure(description: "the latitude must be -90 to 90"))
        }
        guard let longitude = degrees(header.longitude, 180),
            let position = Coordinate(latitude: latitude, longitude: longitude)
        else { return .failure(Failure(description: "the longitude must be -180 to 180")) }
        return .success(position)
    }

    /// How many line ends there are: LF, CR LF or CR.
    private static func lines(_ bytes: ArraySlice<UInt8>) -> Int {
        var count = 0
        var previous: UInt8 = 0
        for byte in bytes {
            if byte == 0x0D || byte == 0x0A && previous != 0x0D { count += 1 }
            previous = byte
        }
        return count
    }

    private static func withoutEnd(_ range: Range<Int>, _ text: [UInt8]) -> Range<Int> {
        var end = range.upperBound
        if end > range.lowerBound, text[end - 1] == 0x0A { end -= 1 }
        if end > range.lowerBound, text[end - 1] == 0x0D { end -= 1 }
        return range.lowerBound..<end
    }

    // MARK: Writing

    private static func values(_ result: ReverseResult) -> [String?] {
        [
            result.countryCode, result.country, result.admin1, result.admin2, result.locality, result.label,
            result.timezone,
        ]
    }

    /// The columns behind those of a row, and the row's end.
    private static func row(_ values: [String?], _ delimiter: UInt8) -> [UInt8] {
        var bytes: [UInt8] = []
        for value in values {
            bytes.append(delimiter)
            guard let value else { continue }
            let isPlain = value.utf8.allSatisfy { $0 != delimiter && $0 != 0x22 && $0 != 0x0A && $0 != 0x0D }
            if isPlain {
                bytes += value.utf8
            } else {
                bytes.append(0x22)
                for byte in value.utf8 { bytes += byte == 0x22 ? [0x22, 0x22] : [byte] }
                bytes.append(0x22)
            }
        }
        bytes.append(0x0A)
        return bytes
    }
}
