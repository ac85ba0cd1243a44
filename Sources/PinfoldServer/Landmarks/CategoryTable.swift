import Foundation
import SocialModel

/// What the categories of other sources are here: `data/landmarks/categories.tsv`.
///
/// A line is a key, a value and a category, with tabs between them. The key is a tag of OpenStreetMap or the name of a
/// column, `*` for words wherever they stand; the value is `*` for any other value of the key. A line with `#` is a remark.
package struct CategoryTable: Sendable {
    /// By key, then value, both folded.
    private var values: [String: [String: Landmark.Category]] = [:]
    /// The keys but `*`, the surest first.
    private(set) var keys: [String] = []

    /// Names the contents.
    private(set) var version = ""

    static let any = "*"

    /// A table without lines.
    package init() {}

    /// Reads a table.
    ///
    /// - Throws: `CategoryTableError`.
    package init(path: String) throws {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw CategoryTableError("the table of categories \(path) cannot be read")
        }
        try self.init(text: text)
    }

    /// - Throws: `CategoryTableError`.
    init(text: String) throws {
        version = base64URL(blake2b(Array(text.utf8), count: 16))
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            guard !line.isEmpty, !line.hasPrefix("#") else { continue }
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard fields.count == 3, let category = Landmark.Category(rawValue: fields[2]), !fields[0].isEmpty,
                !fields[1].isEmpty
            else {
                throw CategoryTableError("line \(index + 1) of the table of categories is no key, value and category")
            }
            let key = fields[0].lowercased()
            if values[key] == nil, key != Self.any { keys.append(key) }
            values[key, default: [:]][fields[1] == Self.any ? Self.any : Self.phrase(fields[1])] = category
        }
    }

    /// The category of a tag's value.
    func category(ofTag key: String, value: String) -> Landmark.Category? {
        guard let values = values[key] else { return nil }
        let phrase = Self.phrase(value)
        // Tags may have several values: `museum;gallery`.
        let first = value.firstIndex(of: ";").map { Self.phrase(String(value[..<$0])) }
        if let known = values[phrase] ?? first.flatMap({ values[$0] }) { return known }
        return phrase == "no" || phrase.isEmpty ? nil : values[Self.any]
    }

    /// The category that words tell: one of ours, or what the table says of all of them, of the first or of the last that
    /// it knows.
    func category(ofWords text: String) -> Landmark.Category? {
        let phrase = Self.phrase(String(text.prefix(200)))
        if let ours = Landmark.Category(rawValue: phrase) { return ours }
        guard let known = values[Self.any] else { return nil }
        if let category = known[phrase] { return category }
        let words = phrase.split(separator: " ").map(String.init)
        guard words.count > 1 else { return nil }
        // The thing itself stands first in Spanish, Polish and French, last in English and German.
        for word in [words[0]] + words.reversed() {
            if let category = known[word] ?? Landmark.Category(rawValue: word) { return category }
        }
        return nil
    }

    /// Words without case, marks and what stands between them: `place_of_worship` becomes `place of worship`.
    static func phrase(_ text: String) -> String {
        text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
            .replacingOccurrences(of: "ł", with: "l").replacingOccurrences(of: "ß", with: "ss")
            .split { !($0.isLetter || $0.isNumber) }.joined(separator: " ")
    }
}

package struct CategoryTableError: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}
