/// Text search in the pins of a list: each word asked for must begin a word of the text, whatever case and accents.
enum SearchWords {
    /// The words of a text, folded.
    static func split(_ text: String) -> [String] {
        Username.searchFolded(text).unicodeScalars
            .split { scalar in
                !scalar.properties.isAlphabetic && scalar.properties.numericType == nil && !isMark(scalar)
            }
            .map { String(String.UnicodeScalarView($0)) }
    }

    /// What a text is asked for: its words or, when it has none (an emoji, a percent sign), itself, folded.
    static func asked(_ text: String) -> [String] {
        let words = split(text)
        return words.isEmpty ? [Username.searchFolded(text)] : words
    }

    /// Whether `text` has all of `words`, as `asked` gives them.
    static func have(_ text: String, _ words: [String]) -> Bool {
        let present = split(text)
        return words.allSatisfy { word in
            if split(word).isEmpty { return Username.searchFolded(text).contains(word) }
            return present.contains { isUnspaced(word) ? $0.contains(word) : $0.hasPrefix(word) }
        }
    }

    /// Whether a word is of a script that puts no spaces between words: Thai to Khmer, kana, Han.
    private static func isUnspaced(_ word: String) -> Bool {
        guard let first = word.unicodeScalars.first?.value else { return false }
        return (0x0E00...0x0EFF).contains(first) || (0x1000...0x109F).contains(first)
            || (0x1780...0x17FF).contains(first) || (0x3040...0x30FF).contains(first)
            || (0x3400...0x9FFF).contains(first) || (0xF900...0xFAFF).contains(first)
            || (0x20000...0x3FFFF).contains(first)
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: false
        }
    }
}
