import Foundation
import HTTP

/// What texts of foreign files are turned into before they are a pin's.
enum ImportedText {
    /// `text` without NUL and spaces at its ends, cut to `limit` Unicode scalars if it is longer; nil if nothing of it is
    /// visible. An exact one keeps its spaces.
    static func fitted(_ text: String, to limit: Int, isExact: Bool) -> (text: String, isCut: Bool)? {
        let (kept, isCut) = cut(isExact ? text : text.trimmingSpace, to: limit)
        guard case .success = FieldReader<String, String>.text(1...limit).read(kept) else { return nil }
        return (kept, isCut)
    }

    /// `text` without NUL, and if it is longer than `limit` Unicode scalars so much of its beginning as leaves room for
    /// an ellipsis, without parting what is read as one character.
    static func cut(_ text: String, to limit: Int) -> (text: String, isCut: Bool) {
        var text = text
        if text.utf8.contains(0) { text.unicodeScalars.removeAll { $0 == "\0" } }
        guard text.utf8.count > limit, text.unicodeScalars.count > limit else { return (text, false) }
        let scalars = text.unicodeScalars
        var end = scalars.index(scalars.startIndex, offsetBy: limit - 1)
        // A character that is longer than this is not worth keeping whole.
        for _ in 0..<40 where end > scalars.startIndex && isJoined(scalars, at: end) {
            end = scalars.index(before: end)
        }
        return (String(scalars[..<end]) + "…", true)
    }

    private static func isJoined(_ scalars: String.UnicodeScalarView, at index: String.Index) -> Bool {
        let (before, after) = (scalars[scalars.index(before: index)], scalars[index])
        return after.properties.isGraphemeExtend || after.value == 0x200D || before.value == 0x200D
    }

    /// The visible ones of `texts`, each once, a line each; nil if there are none.
    static func joined(_ texts: [String]) -> String? {
        var seen: Set<[UInt8]> = []
        let lines = texts.map(\.trimmingSpace).filter { !$0.isEmpty && seen.insert(Array($0.utf8)).inserted }
        return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }

    /// Milliseconds since 1970 of the forms that files have: RFC 3339, the same without a zone (which is UTC then) or
    /// with a space, a date alone.
    static func milliseconds(_ text: String) -> Int64? {
        var bytes = Array(text.trimmingSpace.utf8)
        guard (10...40).contains(bytes.count) else { return nil }
        if bytes.count == 10 { bytes += Array("T00:00:00Z".utf8) }
        if bytes[10] == UInt8(ascii: " ") { bytes[10] = UInt8(ascii: "T") }
        let isTime = bytes.dropFirst(11).allSatisfy {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".")
        }
        if isTime { bytes.append(UInt8(ascii: "Z")) }
        return CivilTime.milliseconds(parsing: String(decoding: bytes, as: UTF8.self))
    }
}

extension String {
    /// Without the white space at both ends.
    var trimmingSpace: String {
        let scalars = unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return String(scalars[first...last])
    }
}
