/// The text of a piece of HTML, as descriptions in KML and GPX are written.
enum PlainText {
    /// `html` without its tags, line breaks and paragraphs as lines, character references decoded. Text that has neither
    /// tags nor references stays as it is.
    static func ofHTML(_ html: String) -> String {
        let text = Array(html.utf8)
        guard text.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) else { return html }
        var plain: [UInt8] = []
        plain.reserveCapacity(text.count)
        var index = 0
        while index < text.count {
            if text[index] == UInt8(ascii: "<"), let end = tagEnd(text, index) {
                let name = tagName(text, index)
                if name == "script" || name == "style", text[index + 1] != UInt8(ascii: "/") {
                    index = text.range(of: Array("</\(name)".utf8), from: end)?.lowerBound ?? text.count
                    continue
                }
                if breaking.contains(name), plain.last != newline { plain.append(newline) }
                index = end
            } else if text[index] == UInt8(ascii: "&"), let (scalar, end) = reference(text, index) {
                plain.append(contentsOf: Array(String(scalar).utf8))
                index = end
            } else {
                plain.append(text[index])
                index += 1
            }
        }
        return String(decoding: plain, as: UTF8.self).trimmingSpace
    }

    private static let newline = UInt8(ascii: "\n")
    private static let breaking: Set<String> = [
        "br", "p", "div", "li", "tr", "h1", "h2", "h3", "h4", "table", "ul", "ol",
    ]

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    /// Behind the `>` of a tag or comment that begins at `start`; nil if it is no tag, such as the sign in `1 < 2`. The
    /// next `<` ends the search, so that text full of them is read in linear time.
    private static func tagEnd(_ text: [UInt8], _ start: Int) -> Int? {
        guard start + 1 < text.count else { return nil }
        let second = text[start + 1]
        guard isLetter(second) || second == UInt8(ascii: "/") || second == UInt8(ascii: "!") else { return nil }
        let end = text[(start + 1)...].firstIndex { $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "<") }
        guard let end, text[end] == UInt8(ascii: ">") else { return nil }
        return end + 1
    }

    private static func tagName(_ text: [UInt8], _ start: Int) -> String {
        let name = text[(start + 1)...].drop { $0 == UInt8(ascii: "/") }.prefix(10)
            .prefix { isLetter($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return String(decoding: name, as: UTF8.self).lowercased()
    }

    private static let named: [String: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "ndash": "–", "mdash": "—",
        "hellip": "…", "eacute": "é", "egrave": "è", "agrave": "à", "uuml": "ü", "ouml": "ö", "auml": "ä", "szlig": "ß",
    ]

    /// The scalar of a character reference, and where it ends.
    private static func reference(_ text: [UInt8], _ start: Int) -> (Unicode.Scalar, Int)? {
        let body = text[(start + 1)...].prefix(12).prefix { $0 != UInt8(ascii: ";") }
        guard body.endIndex < text.count, text[body.endIndex] == UInt8(ascii: ";") else { return nil }
        let name = String(decoding: body, as: UTF8.self)
        let scalar: Unicode.Scalar? =
            if name.hasPrefix("#x") || name.hasPrefix("#X") {
                UInt32(name.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init)
            } else if name.hasPrefix("#") {
                UInt32(name.dropFirst()).flatMap(Unicode.Scalar.init)
            } else {
                named[name]
            }
        return scalar.map { ($0, body.endIndex + 1) }
    }
}
