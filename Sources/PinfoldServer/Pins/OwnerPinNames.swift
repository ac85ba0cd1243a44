import Foundation
import Geo

/// The names of one owner's pins as one snapshot has them, ready to be searched by the beginnings of their words. Never
/// changed once made.
final class OwnerPinNames: Sendable {
    struct Row {
        let id: Int64
        let coordinate: Coordinate
        /// 0 is private, 1 for friends, else a circle.
        let audience: Int64
        let name: String
    }

    struct Pin {
        let id: Int64
        let coordinate: Coordinate
        let audience: Int64
        /// See `PlaceNames.Misspelling.letters(of:)`.
        fileprivate let letters: UInt64
    }

    private struct Word {
        /// Its first bytes.
        let head: UInt64
        let pin: UInt32
    }

    let ownerId: Int64
    let pins: [Pin]
    /// The folded names; a space stands before each word, a line feed ends a name.
    private let text: [UInt8]
    /// Where the name of each pin begins.
    private let starts: [UInt32]
    /// In the order of their heads.
    private let words: [Word]

    /// The most pins of one owner that are searched; the latest of more.
    static let limit = 50_000

    /// - Parameter rows: the latest last.
    init(of ownerId: Int64, _ rows: some Collection<Row>, _ folding: PlaceFolding) {
        self.ownerId = ownerId
        var (pins, text, starts, words): ([Pin], [UInt8], [UInt32], [Word]) = ([], [], [], [])
        for row in rows.suffix(Self.limit) {
            starts.append(UInt32(text.count))
            let folded = folding.words(row.name.unicodeScalars).words
            for word in 0..<folded.count {
                text.append(UInt8(ascii: " "))
                text += folded[word]
                for begin in Self.beginnings(of: folded[word]) {
                    words.append(Word(head: Self.head(folded[word].dropFirst(begin)), pin: UInt32(pins.count)))
                }
            }
            // Spaces do not matter: all of a name is a word too.
            if folded.count > 1 {
                words.append(Word(head: Self.head(folded.bytes[...]), pin: UInt32(pins.count)))
            }
            text.append(UInt8(ascii: "\n"))
            let letters = PlaceNames.Misspelling.letters(
                of: String(decoding: folded.bytes, as: UTF8.self).unicodeScalars)
            pins.append(Pin(id: row.id, coordinate: row.coordinate, audience: row.audience, letters: letters))
        }
        self.pins = pins
        self.text = text
        self.starts = starts
        self.words = words.sorted { $0.head < $1.head }
    }

    /// About what it takes of memory.
    var bytes: Int { 200 + pins.count * 36 + text.count + words.count * 16 }

    /// Where in a word of a name a word may begin: at its start, and in a script that puts no spaces between words at each
    /// letter and behind each.
    private static func beginnings(of word: ArraySlice<UInt8>) -> [Int] {
        // Only what is beyond ASCII can be such a letter.
        guard word.contains(where: { $0 >= 0x80 }) else { return [0] }
        var beginnings: [Int] = []
        var isBehind = true
        for index in word.indices where word[index] & 0xC0 != 0x80 {
            let isUnspaced = PlaceNames.scalar(word[index...]).map { SearchWords.isUnspaced($0.value) } ?? false
            if isBehind || isUnspaced { beginnings.append(index - word.startIndex) }
            isBehind = isUnspaced
        }
        return beginnings
    }

    private static func head(_ word: ArraySlice<UInt8>) -> UInt64 {
        var head: UInt64 = 0
        for byte in word.prefix(8) { head = head << 8 | UInt64(byte) }
        return head << UInt64(8 * (8 - min(8, word.count)))
    }

    /// How a name has the words that are looked for.
    enum Match: Equatable {
        /// It is they, or begins with them.
        case whole, beginning
        /// Each of them begins one of its words.
        case words
        /// It, or what follows one of its words' start, begins with them but for one or two errors.
        case misspelt(errors: Int, isWhole: Bool)
    }

    /// Hands out the pins of whose names each of the words begins a word.
    ///
    /// - Parameters:
    ///   - budget: how many names may be looked at; those that were are taken off.
    ///   - isOffered: whether a pin is there for whoever searches. Others take nothing off, or what is found would tell of
    ///     them.
    func forEachMatch(
        _ wanted: PlaceFolding.Words, budget: inout Int, where isOffered: (Int) -> Bool, _ body: (Int, Match) -> Void
    ) {
        guard !words.isEmpty, let longest = (0..<wanted.count).max(by: { wanted[$0].count < wanted[$1].count }) else {
            return
        }
        let parts = Array(Set((0..<wanted.count).map { [UInt8](wanted[$0]) })).sorted { $0.count > $1.count }
        var seen: Set<UInt32> = []
        // The longest word is the one that the fewest names have; where a name has no spaces it is all of them.
        for word in [wanted[longest], wanted.bytes[...]].prefix(wanted.count > 1 ? 2 : 1) {
            let least = Self.head(word)
            let most = word.count >= 8 ? least : least | (1 << UInt64(8 * (8 - word.count)) - 1)
            var (low, high) = (0, words.count)
            while low < high {
                let middle = (low + high) / 2
                if words[middle].head < least { low = middle + 1 } else { high = middle }
            }
            while low < words.count, words[low].head <= most, budget > 0 {
                let candidate = words[low]
                low += 1
                guard isOffered(Int(candidate.pin)) else { continue }
                budget -= 1
                // The head may be of another word, and there may be more to be found than it.
                guard seen.insert(candidate.pin).inserted,
                    let match = match(Int(candidate.pin), wanted.bytes, parts)
                else { continue }
                body(Int(candidate.pin), match)
            }
        }
    }

    /// Hands out the pins whose names begin with a text but for errors, from some word on.
    ///
    /// - Parameters: as above.
    func forEachCorrection(
        _ wanted: PlaceNames.Misspelling, budget: inout Int, where isOffered: (Int) -> Bool,
        _ body: (Int, Match) -> Void
    ) {
        text.withUnsafeBufferPointer { text in
            for pin in pins.indices {
                guard budget > 0 else { return }
                guard isOffered(pin) else { continue }
                budget -= 1
                guard (wanted.letters & ~pins[pin].letters).nonzeroBitCount <= wanted.errors else { continue }
                let end = (pin + 1 < starts.count ? Int(starts[pin + 1]) : text.count) - 1
                var best: (errors: Int, isWhole: Bool)?
                for start in Int(starts[pin])..<end where text[start] == UInt8(ascii: " ") {
                    // Looking closely costs as much as passing over ten names.
                    budget -= 10
                    guard let found = wanted.correction(of: text[start..<end]) else { continue }
                    // A name that ends as the text does is the text only if it begins so too.
                    let isWhole = found.isWhole && start == Int(starts[pin])
                    if best.map({ found.errors < $0.errors }) ?? true { best = (found.errors, isWhole) }
                }
                if let best { body(pin, .misspelt(errors: best.errors, isWhole: best.isWhole)) }
            }
        }
    }

    /// - Parameter parts: the words of `wanted`, each once.
    private func match(_ pin: Int, _ wanted: [UInt8], _ parts: [[UInt8]]) -> Match? {
        text.withUnsafeBufferPointer { text in
            let start = Int(starts[pin])
            // Without the line feed.
            let end = (pin + 1 < starts.count ? Int(starts[pin + 1]) : text.count) - 1
            let space = UInt8(ascii: " ")
            var (at, done) = (start, 0)
            while at < end, text[at] == space || done < wanted.count && text[at] == wanted[done] {
                done += text[at] == space ? 0 : 1
                at += 1
            }
            if done == wanted.count { return at == end ? .whole : .beginning }
            for part in parts {
                var isBehind = false
                var isThere = false
                var at = start
                while at < end, !isThere {
                    let byte = text[at]
                    if byte == space {
                        isBehind = true
                    } else if byte & 0xC0 != 0x80 {
                        let isUnspaced =
                            byte >= 0x80
                            && PlaceNames.scalar(text[at..<end]).map { SearchWords.isUnspaced($0.value) } ?? false
                        isThere = (isBehind || isUnspaced) && text[at..<end].starts(with: part)
                        isBehind = isUnspaced
                    }
                    at += 1
                }
                guard isThere else { return nil }
            }
            return .words
        }
    }
}
