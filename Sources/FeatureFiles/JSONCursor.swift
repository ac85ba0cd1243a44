/// Why JSON cannot be read on.
enum JSONFault: Error {
    /// The bytes end within a value: more may follow.
    case ends
    /// What stands there is no JSON: goes behind the place.
    case syntax(at: Int, String)
    /// It is JSON, but not what its place asks for: the field and what is wrong with it.
    case wrong(String, String)
}

/// Reads JSON (RFC 8259) from bytes in UTF-8, from front to back.
struct JSONCursor {
    static let maxDepth = 100

    let bytes: UnsafePointer<UInt8>
    var index: Int
    let end: Int

    /// The bytes of a string between its quotation marks.
    struct Text {
        var start: Int
        var end: Int
        var hasEscapes = false
        var isASCII = true
    }

    /// The next byte that is no white space, which then stands at `index`.
    @inline(__always)
    mutating func peek() throws(JSONFault) -> UInt8 {
        while index < end {
            let byte = bytes[index]
            if byte > 0x20 { return byte }
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else {
                throw .syntax(at: index, "a control character stands where a value is due")
            }
            index += 1
        }
        throw .ends
    }

    /// Steps over `byte`, which must be next.
    @inline(__always)
    mutating func expect(_ byte: UInt8) throws(JSONFault) {
        guard try peek() == byte else { throw unexpected(byte) }
        index += 1
    }

    /// Steps over `byte` if it is next.
    @inline(__always)
    mutating func take(_ byte: UInt8) throws(JSONFault) -> Bool {
        guard try peek() == byte else { return false }
        index += 1
        return true
    }

    private func unexpected(_ byte: UInt8) -> JSONFault {
        .syntax(at: index, "“\(Character(Unicode.Scalar(byte)))” is missing")
    }

    /// After a member or element: whether another follows; `close` ends them.
    @inline(__always)
    mutating func hasNext(before close: UInt8) throws(JSONFault) -> Bool {
        let byte = try peek()
        guard byte == UInt8(ascii: ",") || byte == close else { throw unexpected(close) }
        index += 1
        return byte != close
    }

    /// A string, quotation marks and all.
    mutating func text() throws(JSONFault) -> Text {
        try expect(UInt8(ascii: "\""))
        var text = Text(start: index, end: index)
        var at = index
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highs: UInt64 = 0x8080_8080_8080_8080
        while true {
            // Eight at a time while none of them is a quotation mark, a backslash, a control character or beyond ASCII.
            while at + 8 <= end {
                let word = UnsafeRawPointer(bytes + at).loadUnaligned(as: UInt64.self).littleEndian
                let quote = word ^ (ones &* 0x22)
                let slash = word ^ (ones &* 0x5C)
                let found =
                    ((quote &- ones) & ~quote | (slash &- ones) & ~slash | (word &- ones &* 0x20) & ~word | word)
                    & highs
                if found != 0 {
                    at += found.trailingZeroBitCount >> 3
                    break
                }
                at += 8
            }
            guard at < end else { throw .ends }
            let byte = bytes[at]
            if byte == UInt8(ascii: "\"") {
                text.end = at
                index = at + 1
                return text
            }
            if byte >= 0x80 {
                text.isASCII = false
                at += 1
                while at < end, bytes[at] >= 0x80 { at += 1 }
            } else if byte == UInt8(ascii: "\\") {
                text.hasEscapes = true
                try checkEscape(&at)
            } else if byte < 0x20 {
                throw .syntax(at: at, "a control character stands in a string")
            } else {
                at += 1
            }
        }
    }

    private func checkEscape(_ at: inout Int) throws(JSONFault) {
        guard at + 1 < end else { throw .ends }
        switch bytes[at + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            at += 2
        case UInt8(ascii: "u"):
            guard at + 5 < end else { throw .ends }
            guard unit(at + 2) != nil else { throw .syntax(at: at, "a string has a bad escape") }
            at += 6
        default: throw .syntax(at: at, "a string has a bad escape")
        }
    }

    /// Four hexadecimal digits.
    private func unit(_ at: Int) -> UInt16? {
        var value: UInt16 = 0
        for index in at..<at + 4 {
            guard let digit = hexadecimalDigit(bytes[index]) else { return nil }
            value = value << 4 | UInt16(digit)
        }
        return value
    }

    /// What the string says.
    @inline(__always)
    func string(_ text: Text) throws(JSONFault) -> String {
        let raw = UnsafeBufferPointer(start: bytes + text.start, count: text.end - text.start)
        if text.isASCII && !text.hasEscapes { return String(decoding: raw, as: UTF8.self) }
        return try slowString(text, raw)
    }

    private func slowString(_ text: Text, _ raw: UnsafeBufferPointer<UInt8>) throws(JSONFault) -> String {
        guard text.hasEscapes else {
            guard let string = String(validating: raw, as: UTF8.self) else {
                throw .syntax(at: text.start, "a string is not UTF-8")
            }
            return string
        }
        var plain: [UInt8] = []
        plain.reserveCapacity(raw.count)
        var at = text.start
        while at < text.end {
            let byte = bytes[at]
            guard byte == UInt8(ascii: "\\") else {
                plain.append(byte)
                at += 1
                continue
            }
            at += 2
            switch bytes[at - 1] {
            case UInt8(ascii: "b"): plain.append(8)
            case UInt8(ascii: "f"): plain.append(12)
            case UInt8(ascii: "n"): plain.append(10)
            case UInt8(ascii: "r"): plain.append(13)
            case UInt8(ascii: "t"): plain.append(9)
            case UInt8(ascii: "u"):
                // `checkEscape` has seen its digits, as those of each other in the string.
                let first = unit(at) ?? 0xFFFD
                at += 4
                var units = [first]
                if UTF16.isLeadSurrogate(first), at + 5 < text.end, bytes[at] == UInt8(ascii: "\\"),
                    bytes[at + 1] == UInt8(ascii: "u"), let second = unit(at + 2), UTF16.isTrailSurrogate(second)
                {
                    units.append(second)
                    at += 6
                } else if UTF16.isLeadSurrogate(first) || UTF16.isTrailSurrogate(first) {
                    throw .syntax(at: at, "a string has half a surrogate pair")
                }
                plain.append(contentsOf: String(decoding: units, as: UTF16.self).utf8)
            default: plain.append(bytes[at - 1])
            }
        }
        guard let string = String(validating: plain, as: UTF8.self) else {
            throw .syntax(at: text.start, "a string is not UTF-8")
        }
        return string
    }

    /// A number that is finite.
    @inline(__always)
    mutating func number() throws(JSONFault) -> Double {
        _ = try peek()
        var at = index
        guard let value = DecimalText.number(bytes, &at, end: end), value.isFinite else {
            throw badNumber()
        }
        // It may go on.
        guard at < end else { throw .ends }
        index = at
        return value
    }

    private func badNumber() -> JSONFault {
        let rest = UnsafeBufferPointer(start: bytes + index, count: min(20, end - index))
        guard rest.count == 20 || rest.contains(where: { $0 == 0x2C || $0 == 0x5D || $0 == 0x7D }) else { return .ends }
        let word = String(
            decoding: rest.prefix { $0 != 0x2C && $0 != 0x5D && $0 != 0x7D && $0 > 0x20 }, as: UTF8.self)
        return .syntax(at: index, "“\(word)” is no finite number")
    }

    /// Steps over a value of any kind, which is checked to be JSON.
    mutating func skip(depth: Int = 0) throws(JSONFault) {
        switch try peek() {
        case UInt8(ascii: "\""):
            let text = try text()
            if !text.isASCII {
                let raw = UnsafeBufferPointer(start: bytes + text.start, count: text.end - text.start)
                guard validate(raw) else { throw .syntax(at: text.start, "a string is not UTF-8") }
            }
        case UInt8(ascii: "{"):
            guard depth < Self.maxDepth else { throw tooDeep }
            index += 1
            if try take(UInt8(ascii: "}")) { return }
            repeat {
                _ = try text()
                try expect(UInt8(ascii: ":"))
                try skip(depth: depth + 1)
            } while try hasNext(before: UInt8(ascii: "}"))
        case UInt8(ascii: "["):
            guard depth < Self.maxDepth else { throw tooDeep }
            index += 1
            if try take(UInt8(ascii: "]")) { return }
            repeat {
                try skip(depth: depth + 1)
            } while try hasNext(before: UInt8(ascii: "]"))
        case UInt8(ascii: "t"): try word("true")
        case UInt8(ascii: "f"): try word("false")
        case UInt8(ascii: "n"): try word("null")
        default:
            var at = index
            guard DecimalText.number(bytes, &at, end: end) != nil else { throw badNumber() }
            guard at < end else { throw .ends }
            index = at
        }
    }

    private func validate(_ raw: UnsafeBufferPointer<UInt8>) -> Bool { String(validating: raw, as: UTF8.self) != nil }

    private var tooDeep: JSONFault { .syntax(at: index, "it is nested more than \(Self.maxDepth) deep") }

    /// Steps over `true`, `false` or `null`.
    mutating func word(_ word: StaticString) throws(JSONFault) {
        for offset in 0..<word.utf8CodeUnitCount {
            guard index + offset < end else { throw .ends }
            guard bytes[index + offset] == word.utf8Start[offset] else { throw badNumber() }
        }
        index += word.utf8CodeUnitCount
    }

    /// Whether the bytes of a string are these.
    @inline(__always)
    func equal(_ text: Text, _ word: StaticString) -> Bool {
        text.end - text.start == word.utf8CodeUnitCount
            && (0..<word.utf8CodeUnitCount).allSatisfy { bytes[text.start + $0] == word.utf8Start[$0] }
    }

    /// Steps over a value by its brackets and quotation marks alone, whatever is wrong within.
    ///
    /// - Returns: False if its end is not there.
    mutating func leap() -> Bool {
        var depth = 0
        var at = index
        while at < end {
            switch bytes[at] {
            case UInt8(ascii: "\""):
                at += 1
                while at < end, bytes[at] != UInt8(ascii: "\"") { at += bytes[at] == UInt8(ascii: "\\") ? 2 : 1 }
                guard at < end else { return false }
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ",") where depth == 0:
                index = at
                return true
            default: break
            }
            // The bracket that ends what the value stands in is not its own.
            if depth < 0 {
                index = at
                return true
            }
            at += 1
            if depth == 0, bytes[at - 1] == UInt8(ascii: "}") {
                index = at
                return true
            }
        }
        return false
    }
}

/// The value of a hexadecimal digit.
func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
}
