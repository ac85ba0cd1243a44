import HTTP

/// Texts of a source as landmarks have them.
enum LandmarkText {
    /// Without control characters, but line feeds and tabs, and without white space around it; nil if nothing is left.
    @inline(__always)
    static func cleaned(_ text: String) -> String? {
        var text = text
        let isClean = text.withUTF8 { bytes in
            guard let first = bytes.first, let last = bytes.last, first > 0x20, last > 0x20, last < 0x80 else {
                return false
            }
            for byte in bytes where byte < 0x20 || byte >= 0x7F { return false }
            return true
        }
        return isClean ? text : slowlyCleaned(text)
    }

    private static func slowlyCleaned(_ text: String) -> String? {
        var kept = String.UnicodeScalarView()
        var wasReturn = false
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x0D: kept.append("\n")
            case 0x0A where wasReturn: break
            case 0x09, 0x0A, 0x20..<0x7F: kept.append(scalar)
            case ..<0xA0, 0xFEFF, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069: break
            default: kept.append(scalar)
            }
            wasReturn = scalar.value == 0x0D
        }
        let trimmed = String(kept).trimmingSpace
        return trimmed.isEmpty ? nil : trimmed
    }

    /// Nil if it has more characters than that, as SQLite counts them, or too many marks on one of them.
    @inline(__always)
    static func fitted(_ text: String, to limit: Int) -> String? {
        guard text.utf8.count <= limit || text.unicodeScalars.count <= limit else { return nil }
        return text.isStreamSafe ? text : nil
    }

    /// With blanks for line feeds.
    static func oneLine(_ text: String) -> String {
        var text = text
        guard text.withUTF8({ $0.contains { $0 < 0x20 } }) else { return text }
        return text.split { $0 == "\n" || $0 == "\t" || $0 == " " }.joined(separator: " ")
    }

    static let addressRule = "must be an address that begins with http:// or https://"

    /// An address of the web, with its scheme; nil for anything else.
    static func webAddress(_ text: String) -> String? {
        var text = text
        let isAddress = text.withUTF8 { bytes in
            func begins(with word: StaticString) -> Bool {
                bytes.count > word.utf8CodeUnitCount
                    && (0..<word.utf8CodeUnitCount).allSatisfy { index in
                        let isCapital = (0x41...0x5A).contains(bytes[index])
                        return bytes[index] | (isCapital ? 0x20 : 0) == word.utf8Start[index]
                    }
            }
            guard bytes.count <= 2000 else { return false }
            let start = begins(with: "https://") ? 8 : begins(with: "http://") ? 7 : 0
            guard start > 0 else { return false }
            var isHost = true
            for index in start..<bytes.count {
                switch bytes[index] {
                case ...0x20, 0x22, 0x3C, 0x3E, 0x5C, 0x5E, 0x60, 0x7B...0x7D, 0x7F: return false
                // The name of a host is not empty, and nobody's name and password stand before it.
                case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"):
                    if index == start { return false }
                    isHost = false
                case UInt8(ascii: "@"): if isHost { return false }
                default: break
                }
            }
            return true
        }
        return isAddress && text.isStreamSafe && cleaned(text) == text ? text : nil
    }

    /// `https://en.wikipedia.org/wiki/Saint_Paul` from `en:Saint Paul`; nil for anything else.
    static func wikipediaAddress(_ text: String) -> String? {
        if let address = webAddress(text) { return address }
        guard text.utf8.count <= 300, let colon = text.firstIndex(of: ":") else { return nil }
        let language = text[..<colon]
        let title = text[colon...].dropFirst()
        guard (2...12).contains(language.utf8.count), !title.isEmpty,
            language.utf8.allSatisfy({ (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || $0 == UInt8(ascii: "-") }
            )
        else { return nil }
        var path = ""
        for byte in title.replacing(" ", with: "_").utf8 {
            let isPlain =
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || "-_.~(),".utf8.contains(byte)
            if isPlain {
                path.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                path += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return "https://\(language).wikipedia.org/wiki/\(path)"
    }

    /// An address on one line, the number of the house before the street where that is the custom.
    static func address(
        number: String?, street: String?, postcode: String?, city: String?, state: String?, country: String?
    ) -> String? {
        let code = country?.uppercased()
        let isNumberFirst = code.map { numberFirst.contains($0) } ?? (state != nil)
        let line = [isNumberFirst ? number : street, isNumberFirst ? street : number].compactMap { $0 }
        // `Saint Paul, Minnesota 55102`, or `10115 Berlin`.
        let town =
            isNumberFirst
            ? [city, [state, postcode].compactMap { $0 }.joined(separator: " ")].compactMap { $0 }.filter {
                !$0.isEmpty
            }
            .joined(separator: ", ")
            : [[postcode, city].compactMap { $0 }.joined(separator: " "), state ?? ""].filter { !$0.isEmpty }
                .joined(separator: ", ")
        let whole = [line.joined(separator: " "), town, country ?? ""].filter { !$0.isEmpty }.joined(separator: ", ")
        return fitted(whole, to: 500)
    }

    private static let numberFirst: Set<String> = [
        "US", "CA", "GB", "IE", "FR", "AU", "NZ", "IN", "ZA", "LU", "MY", "SG", "PH", "TH", "IL", "UNITED STATES",
        "USA",
        "CANADA", "UNITED KINGDOM", "IRELAND", "FRANCE", "AUSTRALIA", "NEW ZEALAND", "INDIA",
    ]

    // MARK: JSON

    /// A text as a JSON string.
    @inline(__always)
    static func writeJSON(_ text: String, to bytes: inout [UInt8]) {
        var text = text
        bytes.append(UInt8(ascii: "\""))
        text.withUTF8 { utf8 in
            if utf8.contains(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }) {
                for byte in utf8 { writeEscaped(byte, to: &bytes) }
            } else {
                bytes.append(contentsOf: utf8)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func writeEscaped(_ byte: UInt8, to bytes: inout [UInt8]) {
        switch byte {
        case 0x22, 0x5C: bytes += [UInt8(ascii: "\\"), byte]
        case 0x0A: bytes += "\\n".utf8
        case 0x09: bytes += "\\t".utf8
        case ..<0x20: bytes += "\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8
        default: bytes.append(byte)
        }
    }

    /// JSON without the white space between its parts.
    static func writeCompact(_ json: String, to bytes: inout [UInt8]) {
        var isInString = false
        var isEscaped = false
        for byte in json.utf8 {
            if isInString {
                isInString = isEscaped || byte != UInt8(ascii: "\"")
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
            } else if byte == UInt8(ascii: "\"") {
                isInString = true
            } else if byte <= 0x20 {
                continue
            }
            bytes.append(byte)
        }
    }
}
