/// Finds where values stand in a JSON text without reading them, so that a long list is read one value at a time and a
/// faulty value is the fault of its row alone.
///
/// It matches quotes and brackets; whether a value is good JSON is for `JSONValue` to say. It takes linear time and no
/// memory, however deep the text is nested.
struct JSONScanner {
    private let text: [UInt8]
    private(set) var at: Int
    private let end: Int

    init(_ text: [UInt8], in range: Range<Int>? = nil) {
        self.text = text
        at = range?.lowerBound ?? 0
        end = range?.upperBound ?? text.count
    }

    /// The byte that comes next; nil at the end.
    var next: UInt8? { at < end ? text[at] : nil }

    /// Passes white space, and the record separators of RFC 8142.
    mutating func skipSpace() {
        while let next, next == 0x20 || next == 0x0A || next == 0x0D || next == 0x09 || next == 0x1E { at += 1 }
    }

    /// Passes one value.
    ///
    /// - Throws: `ImportFault` if there is none, or it does not end.
    mutating func value() throws -> Range<Int> {
        skipSpace()
        let start = at
        switch next {
        case UInt8(ascii: "\"")?: try string()
        case UInt8(ascii: "{")?, UInt8(ascii: "[")?: try bracketed()
        default:
            while let next, next > 0x20, next != UInt8(ascii: ","), next != UInt8(ascii: "]"), next != UInt8(ascii: "}")
            { at += 1 }
            guard at > start else { throw fault() }
        }
        return start..<at
    }

    /// Hands each member of an object to `body`, with its name as it is written and where its value stands.
    ///
    /// - Throws: `ImportFault` if it is no object, or what `body` throws.
    mutating func members(_ body: (String, Range<Int>) throws -> Void) throws {
        try list(UInt8(ascii: "{"), UInt8(ascii: "}")) { scanner in
            guard scanner.next == UInt8(ascii: "\"") else { throw scanner.fault() }
            let start = scanner.at + 1
            try scanner.string()
            let name = String(decoding: scanner.text[start..<min(scanner.at - 1, start + 80)], as: UTF8.self)
            scanner.skipSpace()
            guard scanner.take(UInt8(ascii: ":")) else { throw scanner.fault() }
            try body(name, try scanner.value())
        }
    }

    /// Hands each element of an array to `body`.
    ///
    /// - Throws: `ImportFault` if it is no array, or what `body` throws.
    mutating func elements(_ body: (Range<Int>) throws -> Void) throws {
        try list(UInt8(ascii: "["), UInt8(ascii: "]")) { try body(try $0.value()) }
    }

    /// Where the first element of an array stands; nil if it has none.
    mutating func firstElement() -> Range<Int>? {
        skipSpace()
        guard take(UInt8(ascii: "[")) else { return nil }
        skipSpace()
        return next == UInt8(ascii: "]") ? nil : try? value()
    }

    private mutating func list(
        _ open: UInt8, _ close: UInt8, _ item: (inout JSONScanner) throws -> Void
    ) throws {
        skipSpace()
        guard take(open) else { throw fault() }
        skipSpace()
        if take(close) { return }
        while true {
            skipSpace()
            try item(&self)
            skipSpace()
            if take(UInt8(ascii: ",")) { continue }
            guard take(close) else { throw fault() }
            return
        }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        at += 1
        return true
    }

    private mutating func string() throws {
        at += 1
        while let next {
            at += next == UInt8(ascii: "\\") ? 2 : 1
            if next == UInt8(ascii: "\""), at <= end { return }
        }
        at = end
        throw fault()
    }

    private mutating func bracketed() throws {
        var depth = 0
        while let next {
            switch next {
            case UInt8(ascii: "\""):
                try string()
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
            at += 1
            if depth == 0 { return }
        }
        throw fault()
    }

    /// What is wrong here.
    func fault() -> ImportFault {
        ImportFault(at < end ? "is not JSON (at byte \(at))" : "ends too early: it is not whole JSON")
    }
}
