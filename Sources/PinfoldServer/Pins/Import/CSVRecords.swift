/// The records of a CSV text (RFC 4180), one after the other; lines may end in LF, CR LF or CR.
///
/// Leniently: a quote within a field that is not quoted is a quote, and what follows a closing quote belongs to the
/// field. A quote that is never closed takes the rest, in linear time. Fields beyond `fieldLimit` are passed over, so that a
/// file of delimiters does not take many times its size.
struct CSVRecords: Sequence, IteratorProtocol {
    /// The most fields that a record has.
    static let fieldLimit = 1000

    private let text: [UInt8]
    private let delimiter: UInt8
    /// Where the next record begins.
    private(set) var at = 0

    init(_ text: [UInt8], delimiter: UInt8) {
        self.text = text
        self.delimiter = delimiter
    }

    /// The delimiter among `,` `;` and tab that the line at `start` has most of, outside of quotes.
    static func delimiter(of text: [UInt8], at start: Int = 0) -> UInt8 {
        let candidates = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
        var counts = [0, 0, 0]
        var isQuoted = false
        for byte in text[start...] {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if isQuoted { continue }
            if byte == 0x0A || byte == 0x0D { break }
            if let index = candidates.firstIndex(of: byte) { counts[index] += 1 }
        }
        let most = counts.max() ?? 0
        return candidates[counts.firstIndex(of: most) ?? 0]
    }

    /// The fields of the next record, nil for nothing between delimiters; an empty line is a record of one such field.
    mutating func next() -> [String?]? {
        guard at < text.count else { return nil }
        var fields: [String?] = []
        while true {
            let field = field()
            if fields.count < Self.fieldLimit { fields.append(field) }
            guard at < text.count else { return fields }
            let byte = text[at]
            at += 1
            if byte == delimiter { continue }
            if byte == 0x0D, at < text.count, text[at] == 0x0A { at += 1 }
            return fields
        }
    }

    private func isEnd(_ byte: UInt8) -> Bool { byte == delimiter || byte == 0x0A || byte == 0x0D }

    private mutating func field() -> String? {
        guard at < text.count, text[at] == UInt8(ascii: "\"") else {
            let start = at
            while at < text.count, !isEnd(text[at]) { at += 1 }
            return start == at ? nil : String(decoding: text[start..<at], as: UTF8.self)
        }
        var bytes: [UInt8] = []
        at += 1
        while at < text.count {
            let byte = text[at]
            at += 1
            if byte != UInt8(ascii: "\"") {
                bytes.append(byte)
            } else if at < text.count, text[at] == UInt8(ascii: "\"") {
                bytes.append(byte)
                at += 1
            } else {
                break
            }
        }
        while at < text.count, !isEnd(text[at]) {
            bytes.append(text[at])
            at += 1
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
