import HTTP
import SocialModel

/// The texts of a landmark as they are searched: folded, in words.
///
/// In a script that puts no spaces between words a word may begin at each letter.
enum LandmarkFolding {
    /// How texts are folded.
    static let folding = PlaceFolding.alone
    /// The words of one landmark that are searched; those behind them are not.
    static let wordLimit = 2_000

    /// A name in one word, as it is found; one that has neither letters nor digits as it is.
    static func form(of name: String) -> [UInt8] {
        let words = folding.words(name.unicodeScalars).words
        return words.isEmpty ? [UInt8](name.utf8) : words.bytes
    }

    /// Hands out what a word that is looked for may be the beginning of; the same one perhaps more than once.
    static func forEachBeginning(of texts: [String], _ body: (ArraySlice<UInt8>) -> Void) {
        var left = wordLimit
        for text in texts {
            let words = folding.words(text.unicodeScalars).words
            forEachBeginning(in: words, ofAtLeast: 1, &left, body)
            if let parted = parted(text) { forEachBeginning(in: parted, ofAtLeast: partLength, &left, body) }
        }
    }

    /// - Parameters:
    ///   - least: bytes of a word that counts.
    ///   - left: how many beginnings more there may be.
    static func forEachBeginning(
        in words: PlaceFolding.Words, ofAtLeast least: Int, _ left: inout Int, _ body: (ArraySlice<UInt8>) -> Void
    ) {
        for index in 0..<words.count where words[index].count >= least {
            guard left > 0 else { return }
            left -= 1
            let word = words[index]
            body(word)
            // Only what is beyond ASCII can be of such a script.
            guard word.contains(where: { $0 >= 0x80 }) else { continue }
            for begin in innerBeginnings(of: word) {
                guard left > 0 else { return }
                left -= 1
                body(word[begin...])
            }
        }
    }

    /// The words of a text as if an apostrophe ended a word, as in d’Orsay; nil if there is none in it. Of these words,
    /// those of `partLength` bytes count.
    static func parted(_ text: String) -> PlaceFolding.Words? {
        // The last bytes of all that is one.
        guard text.utf8.contains(where: { $0 == 0x27 || $0 == 0x99 || $0 == 0xBC }) else { return nil }
        let isApostrophe: (Unicode.Scalar) -> Bool = { $0 == "'" || $0 == "\u{2019}" || $0 == "\u{2BC}" }
        guard text.unicodeScalars.contains(where: isApostrophe) else { return nil }
        return folding.words(text.unicodeScalars.lazy.map { isApostrophe($0) ? " " : $0 }).words
    }

    static let partLength = 3

    /// Where in a word, behind its start, another one may begin.
    static func innerBeginnings(of word: ArraySlice<UInt8>) -> [Int] {
        var beginnings: [Int] = []
        var isBehind = false
        for index in word.indices where word[index] & 0xC0 != 0x80 {
            let isUnspaced = PlaceNames.scalar(word[index...]).map { SearchWords.isUnspaced($0.value) } ?? false
            if index > word.startIndex, isBehind || isUnspaced { beginnings.append(index) }
            isBehind = isUnspaced
        }
        return beginnings
    }

    /// The names by language of a JSON object.
    static func names(_ json: String?) -> [(language: String, name: String)] {
        guard let json, case .object(let members)? = try? JSONValue(parsing: Array(json.utf8)) else { return [] }
        return members.compactMap { member in
            if case .string(let name) = member.value { (member.name, name) } else { nil }
        }
    }
}

extension LandmarkWords {
    /// Whether the texts of a landmark have each of the words.
    func areIn(_ landmark: PublishedLandmark) -> Bool {
        let words = LandmarkFolding.folding.words(text.unicodeScalars).words
        var missing = (0..<words.count).map { [UInt8](words[$0]) }
        LandmarkFolding.forEachBeginning(of: landmark.searchedTexts) { beginning in
            missing.removeAll { beginning.starts(with: $0) }
        }
        return missing.isEmpty
    }
}

extension PublishedLandmark {
    /// What `q` looks for words in.
    var searchedTexts: [String] {
        [name] + LandmarkFolding.names(names).map(\.name) + [description, address].compactMap { $0 }
    }
}
