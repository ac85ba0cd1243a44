import Foundation
import Geo

/// One row of the gazetteer, valid only inside the closure that it was handed to.
struct GazetteerRow {
    private let bytes: UnsafeRawBufferPointer
    private let source: String
    /// Where each column ends. No table has more than 13.
    private let ends: [Int]

    /// - Parameter source: what messages call the file that the row is of.
    init(_ bytes: UnsafeRawBufferPointer, of source: String) {
        self.bytes = bytes
        self.source = source
        var ends: [Int] = []
        ends.reserveCapacity(14)
        if let base = bytes.baseAddress {
            var start = 0
            while let tab = memchr(base + start, 0x09, bytes.count - start) {
                let end = UnsafeRawPointer(tab) - base
                ends.append(end)
                start = end + 1
            }
        }
        ends.append(bytes.count)
        self.ends = ends
    }

    /// The number of columns, the name of the table included.
    var count: Int { ends.count }

    /// The bytes of a column, the table's name being column 0.
    func column(_ index: Int) -> UnsafeRawBufferPointer {
        let start = index == 0 ? 0 : ends[index - 1] + 1
        return UnsafeRawBufferPointer(rebasing: bytes[start..<ends[index]])
    }

    /// Whether a column is exactly `text`.
    func equals(_ index: Int, _ text: StaticString) -> Bool {
        let column = column(index)
        guard column.count == text.utf8CodeUnitCount, let base = column.baseAddress else { return false }
        return memcmp(base, text.utf8Start, column.count) == 0
    }

    /// The text of a column.
    ///
    /// - Throws: `GazetteerError` for invalid UTF-8.
    func text(_ index: Int) throws -> String {
        guard let text = String(validating: column(index), as: UTF8.self) else { throw bad("a text is not UTF-8") }
        return text
    }

    /// The text of a column, nil if it is empty.
    func optionalText(_ index: Int) throws -> String? {
        column(index).isEmpty ? nil : try text(index)
    }

    /// A whole number that is not negative.
    func integer(_ index: Int) throws -> Int {
        let column = column(index)
        guard !column.isEmpty, column.count < 18 else { throw bad("a number is missing") }
        var value = 0
        for byte in column {
            guard byte >= 0x30, byte <= 0x39 else { throw bad("a number is not one") }
            value = value * 10 + Int(byte - 0x30)
        }
        return value
    }

    /// A whole number, nil if the column is empty.
    func optionalInteger(_ index: Int) throws -> Int? {
        column(index).isEmpty ? nil : try integer(index)
    }

    /// An id of up to 19 digits.
    func identifier(_ index: Int) throws -> Int64 {
        guard let id = Int64(try text(index)), id > 0 else { throw bad("an id is none") }
        return id
    }

    /// Whether a row of the places is of a place that people live in, or may be.
    var isPopulated: Bool {
        guard count > 7 else { return true }
        let code = column(7)
        return code.isEmpty || code.starts(with: "PPL".utf8) || equals(7, "STLMT")
    }

    /// The position in two columns of decimal degrees.
    func coordinate(_ latitude: Int, _ longitude: Int) throws -> Coordinate {
        let (latitude, longitude) = (try degrees(latitude), try degrees(longitude))
        guard abs(latitude) <= 900_000_000, abs(longitude) <= 1_800_000_000 else { throw bad("a position is not one") }
        return Coordinate(latitudeE7: Int32(latitude), longitudeE7: Int32(longitude))
    }

    /// Decimal degrees in units of 1e-7, by whole numbers: the text has at most 7 decimals.
    private func degrees(_ index: Int) throws -> Int {
        var value = 0
        var decimals: Int?
        var isNegative = false
        for (position, byte) in column(index).enumerated() {
            switch byte {
            case UInt8(ascii: "-") where position == 0: isNegative = true
            case UInt8(ascii: ".") where decimals == nil: decimals = 0
            case 0x30...0x39 where (decimals ?? 0) < 7 && value < 1_000_000_000_000:
                value = value * 10 + Int(byte - 0x30)
                decimals = decimals.map { $0 + 1 }
            default: throw bad("a position is not a number of degrees")
            }
        }
        for _ in (decimals ?? 0)..<7 { value *= 10 }
        return isNegative ? -value : value
    }

    /// An error that says which row is at fault.
    func bad(_ reason: String) -> GazetteerError {
        let start = String(decoding: bytes.prefix(60), as: UTF8.self).replacing("\t", with: " ")
        return GazetteerError("\(source) is damaged: \(reason), in the row \"\(start)\"")
    }
}
