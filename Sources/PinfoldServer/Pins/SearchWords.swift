/// Text search in the pins of a list: each word asked for must begin a word of the text, whatever case and accents.
enum SearchWords {
    /// The words of a text, folded.
    static func split(_ text: String) -> [String] {
        Username.searchFolded(text).unicodeScalars
            .split(whereSeparator: isSeparator)
            .map { String(String.UnicodeScalarView($0)) }
    }

    /// Whether `text` has all of `words`, which are folded.
    static func have(_ text: String, _ words: [String]) -> Bool {
        let present = split(text)
        return words.allSatisfy { word in
            present.contains { isUnspaced(word) ? $0.contains(word) : $0.hasPrefix(word) }
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

    /// Symbols, emoji among them, are words or part of one.
    private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .spaceSeparator, .lineSeparator, .paragraphSeparator, .control, .format, .connectorPunctuation,
            .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation, .finalPunctuation,
            .otherPunctuation:
            true
        default: false
        }
    }
}
