import Geo
import HTTP
import SocialModel

/// Writes XML 1.0 to bytes. Characters that XML cannot hold, which are control characters and U+FFFE and U+FFFF, become
/// U+FFFD.
struct XMLWriter {
    private var bytes: [UInt8] = []

    /// Adds markup as it stands.
    mutating func markup(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Adds an element with a text; nothing for nil.
    mutating func element(_ name: StaticString, _ text: String?) {
        guard let text else { return }
        markup("<")
        markup(name)
        markup(">")
        self.text(text)
        markup("</")
        markup(name)
        markup(">")
    }

    /// Adds text, escaped for an element or a quoted attribute.
    mutating func text(_ text: String) {
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x26: markup("&amp;")
            case 0x3C: markup("&lt;")
            case 0x3E: markup("&gt;")
            case 0x22: markup("&quot;")
            // A reader makes a line feed of a carriage return that stands for itself (XML 1.0, 2.11).
            case 0x0D: markup("&#13;")
            case 0x09, 0x0A, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF:
                bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            default: bytes.append(contentsOf: UTF8.encodedReplacementCharacter)
            }
        }
    }

    /// Hands over what has been written so far, and goes on behind it.
    mutating func drain(_ body: ([UInt8]) throws -> Void) rethrows {
        try body(bytes)
        bytes.removeAll(keepingCapacity: true)
    }
}

extension Timestamp {
    /// As RFC 3339 in UTC with milliseconds.
    var text: String {
        var json = JSONWriter(capacity: 32)
        json.time(milliseconds)
        return String(decoding: json.bytes.dropFirst().dropLast(), as: UTF8.self)
    }
}

extension Coordinate {
    /// Degrees with seven decimals, all that a coordinate has: `-93.1022000`.
    var latitudeText: String { Self.text(latitudeE7) }
    var longitudeText: String { Self.text(longitudeE7) }

    private static func text(_ e7: Int32) -> String {
        let (whole, part) = e7.magnitude.quotientAndRemainder(dividingBy: 10_000_000)
        let digits = String(part)
        return "\(e7 < 0 ? "-" : "")\(whole).\(String(repeating: "0", count: 7 - digits.utf8.count))\(digits)"
    }
}
