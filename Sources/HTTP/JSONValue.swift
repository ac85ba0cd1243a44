/// A JSON text (RFC 8259), read strictly: what two readers could read differently is refused.
///
/// Refused besides bad grammar: duplicate member names, nesting deeper than 32, invalid UTF-8, escapes of lone
/// surrogates, text that is not stream-safe, anything behind the value. Numbers beyond a double's range become infinite;
/// the reader of a field says so. Strings are equal when their bytes are.
package enum JSONValue: Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([Member])

    package struct Member: Sendable, Equatable {
        package let name: String
        package let value: JSONValue

        package static func == (a: Member, b: Member) -> Bool {
            a.name.utf8.elementsEqual(b.name.utf8) && a.value == b.value
        }
    }

    /// Why a text is not accepted, and at which byte.
    package struct Fault: Error, Sendable {
        package let message: String
        package let offset: Int
    }

    package static let maximumDepth = 32

    /// - Throws: `Fault`.
    package init(parsing bytes: [UInt8]) throws {
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw Fault(message: "is not valid UTF-8", offset: 0)
        }
        self = try bytes.withUnsafeBufferPointer { buffer in
            var parser = JSONParser(buffer)
            return try parser.parse()
        }
    }
}

extension JSONValue: Equatable {
    package static func == (a: JSONValue, b: JSONValue) -> Bool {
        switch (a, b) {
        case (.null, .null): true
        case (.bool(let a), .bool(let b)): a == b
        case (.number(let a), .number(let b)): a == b
        case (.string(let a), .string(let b)): a.utf8.elementsEqual(b.utf8)
        case (.array(let a), .array(let b)): a == b
        case (.object(let a), .object(let b)): a == b || sorted(a) == sorted(b)
        default: false
        }
    }

    /// The order of members says nothing (RFC 8259, 4), and none is there twice.
    private static func sorted(_ members: [Member]) -> [Member] {
        members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }
}

/// A recursive-descent reader over valid UTF-8.
private struct JSONParser {
    private let text: UnsafeBufferPointer<UInt8>
    private var at = 0
    private var depth = 0

    init(_ text: UnsafeBufferPointer<UInt8>) {
        self.text = text
    }

    mutating func parse() throws -> JSONValue {
        skipSpace()
        let value = try value()
        skipSpace()
        guard at == text.count else { throw fault("has something behind its end") }
        return value
    }

    private func fault(_ message: String) -> JSONValue.Fault { JSONValue.Fault(message: message, offset: at) }

    private var next: UInt8? { at < text.count ? text[at] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { at += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        at += 1
        return true
    }

    private mutating func value() throws -> JSONValue {
        guard let next else { throw fault("ends too early") }
        switch next {
        case UInt8(ascii: "{"): return try nested { try $0.object() }
        case UInt8(ascii: "["): return try nested { try $0.array() }
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
        default: throw fault("is not JSON")
        }
    }

    private mutating func nested(_ read: (inout JSONParser) throws -> JSONValue) throws -> JSONValue {
        depth += 1
        guard depth <= JSONValue.maximumDepth else {
            throw fault("is nested deeper than \(JSONValue.maximumDepth)")
        }
        at += 1
        let value = try read(&self)
        depth -= 1
        return value
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws -> JSONValue {
        for offset in 0..<word.utf8CodeUnitCount {
            guard take(word.utf8Start[offset]) else { throw fault("is not JSON") }
        }
        return value
    }

    private mutating func object() throws -> JSONValue {
        var members: [JSONValue.Member] = []
        var names: Set<[UInt8]> = []
        skipSpace()
        if take(UInt8(ascii: "}")) { return .object([]) }
        while true {
            guard next == UInt8(ascii: "\"") else { throw fault("needs a member name") }
            let name = try string()
            guard names.insert(Array(name.utf8)).inserted else {
                throw fault("has the member \"\(shortened(name))\" twice")
            }
            skipSpace()
            guard take(UInt8(ascii: ":")) else { throw fault("needs a colon") }
            skipSpace()
            members.append(JSONValue.Member(name: name, value: try value()))
            skipSpace()
            if take(UInt8(ascii: ",")) {
                skipSpace()
                continue
            }
            guard take(UInt8(ascii: "}")) else { throw fault("needs a comma or a closing brace") }
            return .object(members)
        }
    }

    private mutating func array() throws -> JSONValue {
        var elements: [JSONValue] = []
        skipSpace()
        if take(UInt8(ascii: "]")) { return .array([]) }
        while true {
            elements.append(try value())
            skipSpace()
            if take(UInt8(ascii: ",")) {
                skipSpace()
                continue
            }
            guard take(UInt8(ascii: "]")) else { throw fault("needs a comma or a closing bracket") }
            return .array(elements)
        }
    }

    private mutating func digits() -> Int {
        let start = at
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { at += 1 }
        return at - start
    }

    private mutating func number() throws -> Double {
        let start = at
        _ = take(UInt8(ascii: "-"))
        if !take(UInt8(ascii: "0")), digits() == 0 { throw fault("has a bad number") }
        if take(UInt8(ascii: ".")), digits() == 0 { throw fault("has a bad number") }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            at += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { at += 1 }
            if digits() == 0 { throw fault("has a bad number") }
        }
        let literal = String(decoding: text[start..<at], as: UTF8.self)
        guard let value = Double(literal) else { throw fault("has a bad number") }
        return value
    }

    private mutating func string() throws -> String {
        let string = try rawString()
        guard string.isStreamSafe else {
            throw fault("has more than \(String.streamSafeMarks) combining marks in a row")
        }
        return string
    }

    private mutating func rawString() throws -> String {
        at += 1
        let start = at
        while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 { at += 1 }
        if take(UInt8(ascii: "\"")) { return String(decoding: text[start..<at - 1], as: UTF8.self) }
        var unescaped = Array(text[start..<at])
        while let byte = next {
            at += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: unescaped, as: UTF8.self)
            case UInt8(ascii: "\\"): try escape(into: &unescaped)
            case ..<0x20: throw fault("has a bare control character in a string")
            default: unescaped.append(byte)
            }
        }
        throw fault("ends within a string")
    }

    private mutating func escape(into bytes: inout [UInt8]) throws {
        guard let byte = next else { throw fault("ends within a string") }
        at += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): bytes.append(byte)
        case UInt8(ascii: "b"): bytes.append(0x08)
        case UInt8(ascii: "f"): bytes.append(0x0C)
        case UInt8(ascii: "n"): bytes.append(0x0A)
        case UInt8(ascii: "r"): bytes.append(0x0D)
        case UInt8(ascii: "t"): bytes.append(0x09)
        case UInt8(ascii: "u"):
            var unit = try hexadecimal()
            if (0xD800..<0xDC00).contains(unit) {
                guard take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else { throw fault("has a lone surrogate") }
                let low = try hexadecimal()
                guard (0xDC00..<0xE000).contains(low) else { throw fault("has a lone surrogate") }
                unit = 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)
            }
            guard let scalar = Unicode.Scalar(unit) else { throw fault("has a lone surrogate") }
            bytes.append(contentsOf: UTF8.encode(scalar)!)  // every scalar has a UTF-8 form
        default: throw fault("has an unknown escape")
        }
    }

    private mutating func hexadecimal() throws -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw fault("has a bad \\u escape")
            }
            value = value << 4 | UInt32(digit)
            at += 1
        }
        return value
    }
}
