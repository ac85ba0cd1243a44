import SocialModel
import Storage

/// Text search in the pins of a list: each word asked for must begin a word of the text, whatever case and accents.
///
/// Texts are searched in their *word form*: folded, each word with a space before it (` state capitol`). Folding is slow,
/// so each pin keeps its word form, and the index by owner has it, so that a search reads the words of visible pins and of
/// no others.
package enum SearchWords {
    /// The words of a text, folded.
    static func split(_ text: String) -> [String] {
        Username.searchFolded(text).unicodeScalars
            .split(whereSeparator: isSeparator)
            .map { String(String.UnicodeScalarView($0)) }
    }

    /// The word form of a pin's texts.
    package static func form(of pin: Pin) -> String {
        form(of: [pin.name, pin.comment, pin.address].compactMap { $0 })
    }

    /// The word form of texts.
    static func form(of texts: [String]) -> String {
        var form: [UInt8] = []
        for text in texts {
            guard appendForm(ofASCII: text, to: &form) else {
                return texts.flatMap(split).map { " " + $0 }.joined()
            }
        }
        return String(decoding: form, as: UTF8.self)
    }

    /// The words of a query, ready to be looked for in word forms.
    struct Pattern: Sendable {
        let description: String
        let pattern: TextPattern

        /// A word has a space before it, unless its script puts none between words: then it may begin anywhere.
        init(_ words: [String]) {
            let needles = words.map { isUnspaced($0) ? $0 : " " + $0 }
            description = needles.joined(separator: "|")
            pattern = TextPattern(needles)
        }
    }

    /// Adds the word form of an ASCII text; false if it is not ASCII.
    private static func appendForm(ofASCII text: String, to form: inout [UInt8]) -> Bool {
        form.append(UInt8(ascii: " "))
        for byte in text.utf8 {
            guard byte < 0x80 else { return false }
            form.append(asciiForms[Int(byte)])
        }
        return true
    }

    /// For each ASCII byte what stands for it in a word form: letters in lower case, a space for separators.
    private static let asciiForms: [UInt8] = (0..<128).map { byte in
        let scalar = Unicode.Scalar(UInt8(byte))
        if isSeparator(scalar) { return UInt8(ascii: " ") }
        return ("A"..."Z").contains(scalar) ? UInt8(byte) | 0x20 : UInt8(byte)
    }

    /// Whether a word is of a script that puts no spaces between words: Thai to Khmer, kana, Han.
    private static func isUnspaced(_ word: String) -> Bool {
        word.unicodeScalars.first.map { isUnspaced($0.value) } ?? false
    }

    /// Whether the script of a letter puts no spaces between words.
    static func isUnspaced(_ first: UInt32) -> Bool {
        (0x0E00...0x0EFF).contains(first) || (0x1000...0x109F).contains(first)
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
