import Foundation

/// How a text was spelled: folding takes no notice of marks, so of names that are the same without them those that have
/// the text's own come first.
struct PlaceSpelling {
    private let text: String
    /// Folding has changed more than case.
    private let hasMarks: Bool

    /// A name with the same letters, and one that has the text's marks too.
    private static let same = 200
    private static let sameMarks = 1000

    init(_ text: String, _ forms: PlaceForms) {
        // Normalizing is slow, and ASCII is normal.
        guard text.utf8.contains(where: { $0 >= 0x80 }) else {
            self.text = text.lowercased()
            hasMarks = false
            return
        }
        self.text = text.lowercased().precomposedStringWithCanonicalMapping
        hasMarks =
            !self.text.unicodeScalars.lazy.filter { !$0.properties.isWhitespace }.map(String.init).joined().utf8
            .elementsEqual(forms.words.bytes)
    }

    /// The points for a place that was found.
    ///
    /// - Parameter alternate: which alternate name matched; nil for the main name.
    func bonus(_ match: PlaceSelection.Match, _ place: Int, _ alternate: Int?, _ index: PlaceIndex) -> Int {
        guard hasMarks else {
            return match == .exact && alternate == nil && isSame(index.nameBytes(of: place)) ? Self.same : 0
        }
        let name = alternate.map { index.alternateName($0, of: place) } ?? index.name(of: place)
        guard let name = name?.lowercased(), name.hasPrefix(text) else { return 0 }
        return Self.sameMarks + (name.utf8.count == text.utf8.count ? Self.same : 0)
    }

    private func isSame(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        name.count == text.utf8.count
            && zip(name, text.utf8).allSatisfy { $0 == $1 || (0x41...0x5A).contains($0) && $0 | 0x20 == $1 }
    }
}
