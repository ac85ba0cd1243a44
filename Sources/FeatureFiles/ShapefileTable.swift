import Foundation

/// The .dbf of a shapefile: dBASE III and its successors (https://www.dbase.com/Knowledgebase/INT/db7_file_fmt.htm has the
/// last), records of a fixed length.
final class ShapefileTable {
    let names: [String]
    let count: Int
    private(set) var warnings: [String] = []

    private let source: any ByteStream
    private let fields: [Field]
    private let recordLength: Int
    private let encoding: Encoding
    private var read = 0

    private struct Field {
        let kind: UInt8
        let start: Int
        let length: Int
    }

    private enum Encoding {
        case utf8
        case other(EncodingConverter)
    }

    /// - Parameter characters: what the .cpg says; nil without one.
    /// - Throws: `FeatureFileFault`.
    init(_ source: any ByteStream, _ characters: String?) throws {
        self.source = source
        let header = try source.bytes(32)
        guard header.count == 32 else { throw Self.damaged }
        let headerLength = Int(header[8]) | Int(header[9]) << 8
        recordLength = Int(header[10]) | Int(header[11]) << 8
        count = Int(header[4]) | Int(header[5]) << 8 | Int(header[6]) << 16 | Int(header[7]) << 24
        guard headerLength >= 33, recordLength >= 1 else { throw Self.damaged }
        let rest = try source.bytes(headerLength - 32)
        guard rest.count == headerLength - 32 else { throw Self.damaged }
        (encoding, warnings) = Self.encoding(characters, language: header[29])

        var fields: [Field] = []
        var names: [String] = []
        var start = 1
        var offset = 0
        while offset + 32 <= rest.count, rest[offset] != 0x0D {
            let kind = rest[offset + 11]
            // Texts longer than 255 have the high byte where others have decimals.
            let length = Int(rest[offset + 16]) | (kind == UInt8(ascii: "C") ? Int(rest[offset + 17]) << 8 : 0)
            guard start + length <= recordLength else { throw Self.damaged }
            fields.append(Field(kind: kind, start: start, length: length))
            let bytes = rest[offset..<offset + 11].prefix { $0 != 0 }
            let name = Self.text(bytes, encoding) ?? ""
            names.append(Self.distinct(name.isEmpty ? "field\(names.count + 1)" : name, names))
            start += length
            offset += 32
        }
        (self.fields, self.names) = (fields, names)
        if fields.contains(where: { [UInt8(ascii: "M"), UInt8(ascii: "G"), UInt8(ascii: "P")].contains($0.kind) }) {
            warnings.append("long texts in a file of their own (memo fields) are not read")
        }
    }

    private static let damaged = FeatureFileFault("holds a .dbf that is damaged or ends too early")

    private static func distinct(_ name: String, _ names: [String]) -> String {
        guard names.contains(name) else { return name }
        var number = 2
        while names.contains("\(name)_\(number)") { number += 1 }
        return "\(name)_\(number)"
    }

    /// The next record; nil behind the last.
    ///
    /// - Throws: `FeatureFileFault`.
    func next() throws -> (values: [Feature.Value], isDeleted: Bool)? {
        guard read < count else { return nil }
        let record = try source.bytes(recordLength)
        guard record.count == recordLength else { throw Self.damaged }
        read += 1
        return (fields.map { value($0, record) }, record[0] == UInt8(ascii: "*"))
    }

    private func value(_ field: Field, _ record: [UInt8]) -> Feature.Value {
        let bytes = record[field.start..<field.start + field.length]
        switch field.kind {
        case UInt8(ascii: "N"), UInt8(ascii: "F"):
            return Self.trimmed(bytes).map { Self.number(String(decoding: $0, as: UTF8.self)) } ?? .null
        case UInt8(ascii: "L"):
            switch bytes.first.map({ $0 | 0x20 }) {
            case UInt8(ascii: "t"), UInt8(ascii: "y"): return .json("true")
            case UInt8(ascii: "f"), UInt8(ascii: "n"): return .json("false")
            default: return .null
            }
        case UInt8(ascii: "D"):
            guard bytes.count == 8, bytes.allSatisfy({ (0x30...0x39).contains($0) }),
                bytes.contains(where: { $0 != 0x30 })
            else { return .null }
            let digits = Array(String(decoding: bytes, as: UTF8.self))
            return .text("\(String(digits[..<4]))-\(String(digits[4..<6]))-\(String(digits[6...]))")
        case UInt8(ascii: "I") where bytes.count == 4:
            return .json("\(Int32(bitPattern: UInt32(Self.bits(bytes))))")
        case UInt8(ascii: "O") where bytes.count == 8, UInt8(ascii: "B") where bytes.count == 8:
            let number = Double(bitPattern: Self.bits(bytes))
            return number.isFinite ? .json("\(number)") : .null
        case UInt8(ascii: "C"): return Self.text(bytes, encoding).map { .text($0) } ?? .null
        default: return .null
        }
    }

    private static func bits(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// As JSON has it. `****` stands for a number that had no room.
    private static func number(_ text: String) -> Feature.Value {
        if let integer = Int64(text) { return .json("\(integer)") }
        guard let number = CoordinateList.number(Array(text.utf8)[...]) else { return .null }
        return .json("\(number)")
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let start = bytes.drop { $0 <= 0x20 }
        guard let end = start.lastIndex(where: { $0 > 0x20 }) else { return nil }
        return start[...end]
    }

    // MARK: Texts

    private static func text(_ bytes: ArraySlice<UInt8>, _ encoding: Encoding) -> String? {
        // Filled up with spaces, or with zeros.
        guard let bytes = trimmed(bytes.prefix { $0 != 0 }) else { return nil }
        switch encoding {
        case .other(let transcoder): return String(decoding: transcoder.utf8(of: bytes, isLast: true), as: UTF8.self)
        case .utf8:
            if let text = String(validating: bytes, as: UTF8.self) { return text }
            // Cut within a character by the length of the field.
            for cut in 1...3 where bytes.count > cut {
                if let text = String(validating: bytes.dropLast(cut), as: UTF8.self), bytes.count >= 8 { return text }
            }
            return EncodingConverter("latin1").map { String(decoding: $0.utf8(of: bytes, isLast: true), as: UTF8.self) }
        }
    }

    /// By the .cpg, else by the language byte of the header, else UTF-8 where it is that, and Latin-1.
    private static func encoding(_ characters: String?, language: UInt8) -> (Encoding, [String]) {
        let name = characters.map { $0.prefix { $0 >= " " }.trimmingCharacters(in: .whitespaces) } ?? ""
        if !name.isEmpty {
            if EncodingConverter.isUTF8(name) { return (.utf8, []) }
            let driver = name.uppercased().hasPrefix("LDID/") ? UInt8(name.dropFirst(5)) : nil
            if let page = driver.flatMap({ pages[$0] }), let transcoder = EncodingConverter(page) {
                return (.other(transcoder), [])
            }
            if let transcoder = EncodingConverter(name) { return (.other(transcoder), []) }
            return (
                .utf8, ["the .cpg names an encoding that is not read (\(name.prefix(40))): UTF-8 or Latin-1 was read"]
            )
        }
        // 0x57 is whatever the writer's machine had, and what many programs write beside UTF-8.
        if language != 0x57, let page = pages[language], let transcoder = EncodingConverter(page) {
            return (.other(transcoder), [])
        }
        return (.utf8, [])
    }

    /// The code pages of the language byte (ESRI and dBASE use one list).
    private static let pages: [UInt8: String] = [
        0x01: "437", 0x02: "850", 0x03: "1252", 0x04: "10000", 0x08: "865", 0x09: "437", 0x0A: "850", 0x0B: "437",
        0x0D: "437", 0x0E: "850", 0x0F: "437", 0x10: "850", 0x11: "437", 0x12: "850", 0x13: "932", 0x14: "850",
        0x15: "437", 0x16: "850", 0x17: "865", 0x18: "437", 0x19: "437", 0x1A: "850", 0x1B: "437", 0x1C: "863",
        0x1D: "850", 0x1F: "852", 0x22: "852", 0x23: "852", 0x24: "860", 0x25: "850", 0x26: "866", 0x37: "850",
        0x40: "852", 0x4D: "936", 0x4E: "949", 0x4F: "950", 0x50: "874", 0x57: "1252", 0x58: "1252", 0x59: "1252",
        0x64: "852", 0x65: "866", 0x66: "865", 0x67: "861", 0x6A: "737", 0x6B: "857", 0x6C: "863", 0x78: "950",
        0x79: "949", 0x7A: "936", 0x7B: "932", 0x7C: "874", 0x86: "737", 0x87: "852", 0x88: "857", 0xC8: "1250",
        0xC9: "1251", 0xCA: "1254", 0xCB: "1253", 0xCC: "1257",
    ]
}
