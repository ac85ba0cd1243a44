/// The forms in which a name is kept and looked for: folded, without spaces.
struct PlaceForms {
    let words: PlaceFolding.Words
    /// With ö as oe; nil where that makes no difference.
    private let spelled: PlaceFolding.Words?

    /// - Parameter limit: letters beyond so many are left out.
    init(_ name: String, _ folding: PlaceFolding, limit: Int = .max) {
        let scalars = name.utf8.count <= limit ? name.unicodeScalars[...] : name.unicodeScalars.prefix(limit)
        let folded = folding.words(scalars)
        words = folded.words
        spelled = folded.hasSpelling ? folding.words(scalars, spelled: true).words : nil
    }

    /// All forms of the whole name, the plain one first.
    var all: [[UInt8]] { forms(0..<words.count) }

    /// All forms of some of the words.
    func forms(_ range: Range<Int>) -> [[UInt8]] {
        var forms = [[UInt8](words[range])]
        func add(_ form: [UInt8]) {
            if !forms.contains(form) { forms.append(form) }
        }
        if let full = Self.unabbreviated(words, range) { add(full) }
        // The words are the same ones: spelling changes letters only.
        if let spelled, spelled.count == words.count {
            add([UInt8](spelled[range]))
            if let full = Self.unabbreviated(spelled, range) { add(full) }
        }
        return forms
    }

    /// With abbreviations, and other languages' words for them, in full; nil if there are none.
    private static func unabbreviated(_ words: PlaceFolding.Words, _ range: Range<Int>) -> [UInt8]? {
        guard range.contains(where: { full(words[$0]) != nil }) else { return nil }
        return range.flatMap { full(words[$0]) ?? words[$0] }
    }

    /// What a word is the abbreviation of; nil if it is none. Each word of each name is asked.
    private static func full(_ word: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard word.count <= 5 else { return nil }
        return abbreviations.first { $0.short.elementsEqual(word) }?.full
    }

    private static let abbreviations: [(short: [UInt8], full: ArraySlice<UInt8>)] = [
        ("st", "saint"), ("sankt", "saint"), ("ste", "sainte"), ("ft", "fort"), ("mt", "mount"),
    ].map { ([UInt8]($0.utf8), ArraySlice($1.utf8)) }
}
