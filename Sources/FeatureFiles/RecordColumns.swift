/// The columns of formats that name the values in each record, gathered as they come.
///
/// There are at most `most`. What a record has beyond them goes together into one JSON object in the column `tags`.
final class RecordColumns {
    static let most = 1000
    private static let longestName = 255
    static let restName = "tags"

    private var indices: [String: Int] = [:]
    private let file: FeatureFile

    init(_ file: FeatureFile, _ names: [String]) {
        self.file = file
        for name in names { _ = index(of: name) }
    }

    /// Nil if there is no room for another.
    func index(of name: String) -> Int? {
        if let index = indices[name] { return index }
        // The last one is kept free for the rest.
        let isRoom = file.columns.count < Self.most - 1 && !name.isEmpty && name.utf8.count <= Self.longestName
        guard isRoom || name == Self.restName else { return nil }
        indices[name] = file.columns.count
        file.columns.append(name)
        return file.columns.count - 1
    }
}

/// The values of one record in the making.
struct RecordValues {
    /// The most bytes that the values of a record take together.
    private static let mostBytes = 4 << 20

    private(set) var values: [Feature.Value] = []
    private var rest: [(name: String, value: String)] = []
    private var bytes = 0
    /// There was more than is kept.
    private(set) var isTooLarge = false

    /// Sets a value, unless it is empty or the column has one.
    mutating func set(_ name: String, _ value: String, _ columns: RecordColumns) {
        guard !value.isEmpty else { return }
        guard let index = columns.index(of: name) else {
            guard !name.isEmpty, count(name, value) else { return }
            rest.append((name, value))
            return
        }
        set(index, value)
    }

    mutating func set(_ index: Int, _ value: String) {
        guard !value.isEmpty, count("", value) else { return }
        if values.count <= index { values.append(contentsOf: repeatElement(.null, count: index + 1 - values.count)) }
        if case .null = values[index] { values[index] = .text(value) }
    }

    private mutating func count(_ name: String, _ value: String) -> Bool {
        bytes += name.utf8.count + value.utf8.count
        if bytes > Self.mostBytes { isTooLarge = true }
        return !isTooLarge
    }

    /// The values by the columns, with what had no column of its own.
    mutating func finished(_ columns: RecordColumns) -> [Feature.Value] {
        guard !rest.isEmpty, let index = columns.index(of: RecordColumns.restName) else { return values }
        if values.count <= index { values.append(contentsOf: repeatElement(.null, count: index + 1 - values.count)) }
        if case .text(let own) = values[index] { rest.append((RecordColumns.restName, own)) }
        values[index] = .json(JSONText.object(rest))
        return values
    }
}

/// Writes JSON (RFC 8259).
enum JSONText {
    static func object(_ members: [(name: String, value: String)]) -> String {
        var text: [UInt8] = [UInt8(ascii: "{")]
        for (index, member) in members.enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            append(member.name, to: &text)
            text.append(UInt8(ascii: ":"))
            append(member.value, to: &text)
        }
        text.append(UInt8(ascii: "}"))
        return String(decoding: text, as: UTF8.self)
    }

    private static func append(_ string: String, to text: inout [UInt8]) {
        let digits = Array("0123456789abcdef".utf8)
        text.append(UInt8(ascii: "\""))
        for byte in string.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                text.append(UInt8(ascii: "\\"))
                text.append(byte)
            case 0..<0x20:
                text.append(contentsOf: "\\u00".utf8)
                text.append(digits[Int(byte >> 4)])
                text.append(digits[Int(byte & 15)])
            default: text.append(byte)
            }
        }
        text.append(UInt8(ascii: "\""))
    }
}
