/// Writes JSON (RFC 8259) straight to bytes: no intermediate tree, no allocation but the buffer's growth.
///
/// The caller keeps the grammar: a value where a value may stand, `key` before each member. Commas are the writer's.
package struct JSONWriter: Sendable {
    package private(set) var bytes: [UInt8]
    private var needsComma = false

    package init(capacity: Int = 512) {
        bytes = []
        bytes.reserveCapacity(capacity)
    }

    // MARK: Structure

    package mutating func object(_ members: (inout JSONWriter) throws -> Void) rethrows {
        beginObject()
        try members(&self)
        endObject()
    }

    package mutating func array(_ elements: (inout JSONWriter) throws -> Void) rethrows {
        beginArray()
        try elements(&self)
        endArray()
    }

    package mutating func beginObject() { open(UInt8(ascii: "{")) }
    package mutating func endObject() { close(UInt8(ascii: "}")) }
    package mutating func beginArray() { open(UInt8(ascii: "[")) }
    package mutating func endArray() { close(UInt8(ascii: "]")) }

    /// A member's name; `name` must need no escaping.
    package mutating func key(_ name: StaticString) {
        comma()
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// A member's name with its quotes and colon, `"name":`, which is copied at once.
    package mutating func key(quoted name: StaticString) {
        comma()
        bytes.append(contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        needsComma = false
    }

    /// A member's name that is known only at run time.
    package mutating func key(escaping name: String) {
        string(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    // MARK: Values

    package mutating func null() { literal("null") }

    package mutating func bool(_ value: Bool) { literal(value ? "true" : "false") }

    package mutating func integer(_ value: Int64) {
        comma()
        appendDigits(value)
        needsComma = true
    }

    /// The shortest decimal that reads back as `value`; JSON has no NaN and no infinity, so those become `null`.
    package mutating func number(_ value: Double) {
        guard value.isFinite else { return null() }
        comma()
        if value == value.rounded(), abs(value) < 1e15 {
            appendDigits(Int64(value))
        } else {
            bytes.append(contentsOf: value.description.utf8)
        }
        needsComma = true
    }

    /// A decimal with `value`, not negative, counted in thousandths: `1500` is `1.5`, `2000` is `2`.
    package mutating func thousandths(_ value: Int64) {
        comma()
        appendDigits(value / 1000)
        var rest = UInt64(max(value, 0)) % 1000
        if rest > 0 { bytes.append(UInt8(ascii: ".")) }
        while rest > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest / 100))
            rest = rest % 100 * 10
        }
        needsComma = true
    }

    /// A decimal with `value` counted in 1e-7, as coordinates are kept: `481234567` is `48.1234567`, `480000000` is `48`.
    package mutating func e7(_ value: Int32) {
        comma()
        needsComma = true
        let magnitude = value.magnitude
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        appendDigits(Int64(magnitude / 10_000_000))
        var fraction = magnitude % 10_000_000
        guard fraction > 0 else { return }
        bytes.append(UInt8(ascii: "."))
        var unit: UInt32 = 1_000_000
        while fraction > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(fraction / unit))
            fraction %= unit
            unit /= 10
        }
    }

    package mutating func string(_ value: String) {
        var value = value
        value.withUTF8 { string(utf8: $0) }
    }

    /// An id as the API sends it: decimal digits in a string.
    package mutating func decimalString(_ value: Int64) {
        comma()
        bytes.append(UInt8(ascii: "\""))
        appendDigits(value)
        bytes.append(UInt8(ascii: "\""))
        needsComma = true
    }

    /// A string of valid UTF-8, quoted and escaped.
    package mutating func string(utf8 text: UnsafeBufferPointer<UInt8>) {
        beginString()
        piece(utf8: text)
        endString()
    }

    /// Begins a string that is written as some calls of `piece`, and then `endString`.
    package mutating func beginString() {
        comma()
        bytes.append(UInt8(ascii: "\""))
    }

    /// A piece of a string, valid UTF-8, escaped.
    package mutating func piece(utf8 text: UnsafeBufferPointer<UInt8>) {
        if Self.isPlain(text) { return bytes.append(contentsOf: text) }
        var start = 0
        var index = 0
        while index < text.count {
            // Eight bytes at once while none of them needs it.
            if index + 8 <= text.count,
                !Self.needsEscape(UnsafeRawBufferPointer(text).loadUnaligned(fromByteOffset: index, as: UInt64.self))
            {
                index += 8
                continue
            }
            let byte = text[index]
            if byte < 0x20 || byte == 0x22 || byte == 0x5C {
                bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<index]))
                escape(byte)
                start = index + 1
            }
            index += 1
        }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
    }

    package mutating func endString() {
        bytes.append(UInt8(ascii: "\""))
        needsComma = true
    }

    /// `milliseconds` since 1970 as RFC 3339 in UTC: `"2026-11-29T12:00:00.000Z"`.
    package mutating func time(_ milliseconds: Int64) {
        comma()
        let time = CivilTime(milliseconds: milliseconds)
        let template: StaticString = "\"0000-00-00T00:00:00.000Z\""
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: template.utf8CodeUnitCount) { text in
            _ = text.initialize(fromContentsOf: UnsafeBufferPointer(start: template.utf8Start, count: text.count))
            Self.putDigits(time.year, before: 5, in: text)
            Self.putDigits(time.month, before: 8, in: text)
            Self.putDigits(time.day, before: 11, in: text)
            Self.putDigits(time.hour, before: 14, in: text)
            Self.putDigits(time.minute, before: 17, in: text)
            Self.putDigits(time.second, before: 20, in: text)
            Self.putDigits(time.millisecond, before: 24, in: text)
            bytes.append(contentsOf: text)
        }
        needsComma = true
    }

    /// A value that is JSON already.
    package mutating func raw(_ json: [UInt8]) {
        comma()
        bytes.append(contentsOf: json)
        needsComma = true
    }

    // MARK: Bytes

    /// Hands over what has been written so far and goes on behind it: a long document need not be in memory.
    package mutating func drain(_ body: ([UInt8]) throws -> Void) rethrows {
        try body(bytes)
        bytes.removeAll(keepingCapacity: true)
    }

    private mutating func comma() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
    }

    private mutating func open(_ bracket: UInt8) {
        comma()
        bytes.append(bracket)
        needsComma = false
    }

    private mutating func close(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }

    private mutating func literal(_ text: StaticString) {
        comma()
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
        needsComma = true
    }

    /// Whether no byte needs an escape; false also for some texts in which none does.
    private static func isPlain(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        let memory = UnsafeRawBufferPointer(text)
        guard text.count >= 8 else { return text.allSatisfy { $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C } }
        // Eight bytes at once, the last eight whatever of them was looked at before.
        for index in stride(from: 0, to: text.count - 8, by: 8)
        where needsEscape(memory.loadUnaligned(fromByteOffset: index, as: UInt64.self)) { return false }
        return !needsEscape(memory.loadUnaligned(fromByteOffset: text.count - 8, as: UInt64.self))
    }

    /// Whether any of eight bytes is below 0x20, a quote or a backslash (S. E. Anderson, Bit Twiddling Hacks, "Determine if a
    /// word has a byte less than n"). Where one is, bytes above it may be taken for one too, which does no harm.
    @inline(__always)
    private static func needsEscape(_ word: UInt64) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        func hasLess(_ word: UInt64, _ limit: UInt64) -> UInt64 { (word &- ones &* limit) & ~word }
        let found = hasLess(word, 0x20) | hasLess(word ^ ones &* 0x22, 1) | hasLess(word ^ ones &* 0x5C, 1)
        return found & (ones &* 0x80) != 0
    }

    private mutating func escape(_ byte: UInt8) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        case 0x22, 0x5C: bytes.append(byte)
        default:
            let digits: StaticString = "0123456789abcdef"
            bytes.append(contentsOf: [UInt8(ascii: "u"), UInt8(ascii: "0"), UInt8(ascii: "0")])
            bytes.append(digits.utf8Start[Int(byte >> 4)])
            bytes.append(digits.utf8Start[Int(byte & 15)])
        }
    }

    private mutating func appendDigits(_ value: Int64) {
        // A sign and the 19 digits of the greatest magnitude, from the right.
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { text in
            var magnitude = value.magnitude
            var start = text.count
            repeat {
                start -= 1
                text.initializeElement(at: start, to: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: magnitude % 10))
                magnitude /= 10
            } while magnitude > 0
            if value < 0 {
                start -= 1
                text.initializeElement(at: start, to: UInt8(ascii: "-"))
            }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
        }
    }

    /// Writes `value` over the zeros that end before `end`.
    private static func putDigits(_ value: Int, before end: Int, in text: UnsafeMutableBufferPointer<UInt8>) {
        var (rest, index) = (value, end)
        while rest > 0 {
            index -= 1
            text[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
    }
}
