/// One record of a text with delimiters (RFC 4180): where its fields are.
struct DelimitedRecord {
    struct Field {
        var start: Int
        var end: Int
        /// It stood in quotation marks, which are left out here; doubled ones are still doubled.
        var isQuoted = false
        var hasDoubledQuotes = false
    }

    enum Outcome {
        case whole
        /// The bytes end within it; whether within quotation marks.
        case cut(isQuoted: Bool)
    }

    private static let quote = UInt8(ascii: "\"")

    private(set) var fields: [Field] = []
    /// Where the next record begins.
    private(set) var next = 0
    /// How many lines it took.
    private(set) var lines = 1
    private(set) var isASCII = true
    private(set) var hasNUL = false
    /// Something stands behind a closing quotation mark.
    private(set) var isMisquoted = false

    /// Whether it is an empty line.
    var isBlank: Bool { fields.count == 1 && fields[0].start == fields[0].end && !fields[0].isQuoted }

    /// Splits the record that begins at `start`.
    ///
    /// - Parameters:
    ///   - isLast: nothing follows the bytes up to `end`.
    ///   - limit: how many fields are kept; more are counted as one.
    mutating func split(
        _ bytes: UnsafePointer<UInt8>, from start: Int, to end: Int, isLast: Bool, delimiter: UInt8
    ) -> Outcome {
        fields.removeAll(keepingCapacity: true)
        lines = 1
        isMisquoted = false
        var all: UInt8 = 0
        var hasNUL = false
        var at = start
        fields: while true {
            var field = Field(start: at, end: at)
            if at < end, bytes[at] == Self.quote {
                field.isQuoted = true
                at += 1
                field.start = at
                quoted: while true {
                    guard at < end else { return .cut(isQuoted: true) }
                    let byte = bytes[at]
                    all |= byte
                    if byte == Self.quote {
                        guard at + 1 < end else {
                            if !isLast { return .cut(isQuoted: true) }
                            field.end = at
                            at += 1
                            break quoted
                        }
                        guard bytes[at + 1] == Self.quote else {
                            field.end = at
                            at += 1
                            break quoted
                        }
                        field.hasDoubledQuotes = true
                        at += 1
                    } else if byte < 0x0E {
                        if byte == 0 { hasNUL = true }
                        if byte == 0x0A || byte == 0x0D && !(at + 1 < end && bytes[at + 1] == 0x0A) { lines += 1 }
                    }
                    at += 1
                }
                // Blanks may follow.
                while at < end, bytes[at] == 0x20 { at += 1 }
                if at < end, bytes[at] != delimiter, bytes[at] != 0x0A, bytes[at] != 0x0D {
                    isMisquoted = true
                    field.start -= 1
                    field.isQuoted = false
                }
            }
            if !field.isQuoted {
                while at < end {
                    let byte = bytes[at]
                    if byte == delimiter { break }
                    if byte < 0x0E {
                        if byte == 0x0A || byte == 0x0D { break }
                        if byte == 0 { hasNUL = true }
                    }
                    all |= byte
                    at += 1
                }
                field.end = at
            }
            fields.append(field)
            guard at < end else {
                guard isLast else { return .cut(isQuoted: false) }
                next = at
                break fields
            }
            let byte = bytes[at]
            at += 1
            guard byte != delimiter else { continue }
            if byte == 0x0D {
                guard at < end || isLast else { return .cut(isQuoted: false) }
                if at < end, bytes[at] == 0x0A { at += 1 }
            }
            next = at
            break
        }
        isASCII = all < 0x80
        self.hasNUL = hasNUL
        return .whole
    }
}
