import Foundation

/// How names are compared: without case, marks, punctuation and width, letters of one sound as one.
///
/// Compatibility decomposition (NFKD), lower case, then without the marks of Latin, Greek, Cyrillic, Hebrew and Arabic;
/// ß is ss, ł l, ø o, katakana is hiragana. It is a table, made once and kept with the index: normalizing a name by
/// Foundation costs more than searching for it.
final class PlaceFolding: Sendable {
    /// Of each 256 scalars the number of their page.
    private let pages: MappedArray<UInt16>
    /// Of each scalar of a page what it becomes: `asIs`, `separator`, `dropped`, or a place in `texts` and a length in
    /// the low 5 bits.
    private let entries: MappedArray<UInt32>
    private let texts: MappedArray<UInt8>

    private static let asIs: UInt32 = 0
    private static let separator: UInt32 = 1
    private static let dropped: UInt32 = 2
    /// U+0308, which German writes as an e where it must.
    private static let diaeresis: UInt32 = 3
    private static let firstText: UInt32 = 32

    init(_ parts: MappedParts) {
        pages = parts.array("fold.pages")
        entries = parts.array("fold.entries")
        texts = parts.array("fold.texts")
    }

    /// A folded name.
    struct Words {
        /// UTF-8, the words without anything between them.
        fileprivate(set) var bytes: [UInt8] = []
        /// Where each word ends.
        fileprivate(set) var ends: [Int] = []

        var count: Int { ends.count }
        var isEmpty: Bool { ends.isEmpty }

        subscript(index: Int) -> ArraySlice<UInt8> { bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]] }

        /// The words of a range, joined.
        subscript(range: Range<Int>) -> ArraySlice<UInt8> {
            guard !range.isEmpty else { return [] }
            return bytes[(range.lowerBound == 0 ? 0 : ends[range.lowerBound - 1])..<ends[range.upperBound - 1]]
        }

        /// The first letter of each word, of two and more.
        var initials: [UInt8] {
            guard count > 1 else { return [] }
            return (0..<count).flatMap { word in
                let letter = self[word].prefix(PlaceNames.scalar(self[word])?.length ?? 0)
                return [UInt8](letter)
            }
        }

        fileprivate mutating func endWord() {
            if bytes.count > (ends.last ?? 0) { ends.append(bytes.count) }
        }
    }

    /// Folds a name.
    ///
    /// - Parameter spelled: with German ä, ö, ü (and ø, å) spelled as ae, oe, ue (oe, aa); the same as without where there are none.
    /// - Returns: the words, and whether there was anything that could be spelled.
    func words(_ name: some Sequence<Unicode.Scalar>, spelled: Bool = false) -> (words: Words, hasSpelling: Bool) {
        var words = Words()
        // Of most names, at once.
        words.bytes.reserveCapacity(48)
        words.ends.reserveCapacity(8)
        var hasSpelling = false
        for scalar in name {
            let value = scalar.value
            if value < 0x80 {
                let lower = value | 0x20
                if lower >= 0x61 && lower <= 0x7A {
                    words.bytes.append(UInt8(truncatingIfNeeded: lower))
                } else if value >= 0x30 && value <= 0x39 {
                    words.bytes.append(UInt8(truncatingIfNeeded: value))
                } else if value != 0x27 && value != 0x60 {
                    words.endWord()
                }
                continue
            }
            if value >= 0xAC00 && value < 0xAC00 + 11172 {
                Self.appendJamo(of: value - 0xAC00, to: &words.bytes)
                continue
            }
            switch scalar {
            case "ø", "Ø", "œ", "Œ", "å", "Å", "ö", "Ö", "ä", "Ä", "ü", "Ü":
                hasSpelling = true
                if spelled {
                    words.bytes.append(contentsOf: Self.spelling(of: scalar).utf8)
                    continue
                }
            default: break
            }
            let page = pages[Int(value >> 8)] ?? 0
            let entry = entries[Int(page) << 8 | Int(value & 0xFF)] ?? Self.asIs
            switch entry {
            case Self.asIs: words.bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            case Self.separator: words.endWord()
            case Self.dropped: break
            case Self.diaeresis:
                guard let last = words.bytes.last, last == 0x61 || last == 0x6F || last == 0x75 else { break }
                hasSpelling = true
                if spelled { words.bytes.append(0x65) }
            default:
                let start = Int(entry >> 5)
                words.bytes.append(contentsOf: texts.slice(start..<(start + Int(entry & 31))))
            }
        }
        words.endWord()
        return (words, hasSpelling)
    }

    private static func spelling(of scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "ø", "Ø", "œ", "Œ", "ö", "Ö": "oe"
        case "å", "Å": "aa"
        case "ä", "Ä": "ae"
        default: "ue"
        }
    }

    /// A Hangul syllable as its letters (Unicode Standard, 3.12), so that a syllable that is half typed is a prefix.
    private static func appendJamo(of index: UInt32, to bytes: inout [UInt8]) {
        func append(_ value: UInt32) {
            bytes.append(UInt8(truncatingIfNeeded: 0xE0 | value >> 12))
            bytes.append(UInt8(truncatingIfNeeded: 0x80 | value >> 6 & 0x3F))
            bytes.append(UInt8(truncatingIfNeeded: 0x80 | value & 0x3F))
        }
        append(0x1100 + index / 588)
        append(0x1161 + index % 588 / 28)
        if index % 28 > 0 { append(0x11A7 + index % 28) }
    }
}

// MARK: Making the table

extension PlaceFolding {
    /// The table as parts.
    static let parts = makeParts()

    /// For a server without a gazetteer, which has the table else.
    static let alone = PlaceFolding(MappedParts(parts))

    private static func makeParts() -> [(name: String, content: [UInt8])] {
        var pages = [UInt16](repeating: 0, count: 0x1100)
        // Page 0 is of scalars that stay as they are.
        var entries = [UInt32](repeating: asIs, count: 256)
        var texts = [UInt8](repeating: 0, count: Int(firstText))
        // Of the planes only the first two have letters with a case or another form; Han and Hangul are as they are.
        for page in 0..<0x200 where !(0x34..<0x9F).contains(page) && !(0xAC..<0xD8).contains(page) {
            if (0xE0..<0xF9).contains(page) || (0x120..<0x1A0).contains(page) && page != 0x168 { continue }
            var own = [UInt32](repeating: asIs, count: 256)
            for low in 0..<256 {
                guard let scalar = Unicode.Scalar(UInt32(page << 8 | low)) else { continue }
                let folded = fold(scalar)
                switch folded {
                case .some(let text) where text == String(scalar): break
                case .some(let text) where text.utf8.count < 32:
                    own[low] = UInt32(texts.count) << 5 | UInt32(text.utf8.count)
                    texts += text.utf8
                case .some: own[low] = dropped
                case nil: own[low] = scalar.value == 0x308 ? diaeresis : isDropped(scalar) ? dropped : separator
                }
            }
            guard own.contains(where: { $0 != asIs }) else { continue }
            pages[page] = UInt16(entries.count / 256)
            entries += own
        }
        return [("fold.pages", pages.memory), ("fold.entries", entries.memory), ("fold.texts", texts)]
    }

    /// What a scalar becomes; nil if nothing.
    private static func fold(_ scalar: Unicode.Scalar) -> String? {
        if let text = replacements[scalar] { return text }
        var result = String.UnicodeScalarView()
        let parts = String(scalar).decomposedStringWithCompatibilityMapping.unicodeScalars
        for part in parts.flatMap({ $0.properties.lowercaseMapping.unicodeScalars }) {
            for last in String(part).decomposedStringWithCompatibilityMapping.unicodeScalars {
                if let text = replacements[last] {
                    result.append(contentsOf: text.unicodeScalars)
                } else if isLetter(last) && !isDropped(last) {
                    // Katakana as hiragana.
                    let isKatakana = (0x30A1...0x30F6).contains(last.value)
                    result.append(isKatakana ? Unicode.Scalar(last.value - 0x60) ?? last : last)
                }
            }
        }
        return result.isEmpty ? nil : String(result)
    }

    /// Letters that decompose into nothing simpler, and those of Arabic that differ by habit.
    private static let replacements: [Unicode.Scalar: String] = [
        "ß": "ss", "ẞ": "ss", "ł": "l", "Ł": "l", "ø": "o", "Ø": "o", "đ": "d", "Đ": "d", "ð": "d", "Ð": "d",
        "ı": "i", "æ": "ae", "Æ": "ae", "œ": "oe", "Œ": "oe", "þ": "th", "Þ": "th", "ħ": "h", "Ħ": "h", "ŧ": "t",
        "Ŧ": "t", "ə": "e", "Ə": "e", "ɛ": "e", "Ɛ": "e", "ɔ": "o", "Ɔ": "o", "ŋ": "n", "Ŋ": "n", "ƙ": "k", "Ƙ": "k",
        "ɓ": "b", "Ɓ": "b", "ɗ": "d", "Ɗ": "d", "ƴ": "y", "Ƴ": "y", "ɨ": "i", "ʉ": "u", "ς": "σ", "ى": "ي", "ة": "ه",
        "ک": "ك", "ی": "ي", "ہ": "ه", "ھ": "ه", "ә": "e", "ӏ": "i",
    ]

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .otherLetter, .decimalNumber, .letterNumber,
            .otherNumber, .nonspacingMark, .spacingMark:
            true
        // The prolonged sound mark of kana; other modifier letters stand for apostrophes.
        case .modifierLetter: (0x3005...0x30FF).contains(scalar.value)
        default: false
        }
    }

    /// What is left out without ending a word: apostrophes, marks that change no letter, what is invisible.
    private static func isDropped(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0300...0x036F, 0x0483...0x0489, 0x0591...0x05C7, 0x0610...0x061A, 0x064B...0x065F, 0x0670,
            0x06D6...0x06ED, 0x093C, 0x09BC, 0x0A3C, 0x0ABC, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF,
            0xFE20...0xFE2F, 0x0640, 0x2018, 0x2019, 0x201B, 0x2032, 0x00B4, 0x05F3, 0x05F4, 0xFF07:
            return true
        default: break
        }
        switch scalar.properties.generalCategory {
        case .format, .modifierSymbol, .enclosingMark: return true
        case .modifierLetter: return !(0x3005...0x30FF).contains(scalar.value)
        default: return scalar.properties.isVariationSelector
        }
    }
}
