import Foundation
import WebDriver

/// The web client's texts in one language, as its own file has them: tests find things by what people read.
struct Words: Sendable {
    static let languages = ["en", "es", "pl"]

    /// By `section.key`. A text for each plural category, or one for all under the empty name.
    let entries: [String: [String: String]]

    init(_ language: String) throws {
        let file = Checkout.client.appending(path: "languages/\(language).json")
        let sections = try JSONDecoder().decode(JSON.self, from: Data(contentsOf: file)).members
        var entries: [String: [String: String]] = [:]
        for (section, texts) in sections {
            for (key, entry) in texts.members {
                let forms = entry.text.map { ["": $0] } ?? entry.members.compactMapValues(\.text)
                entries["\(section).\(key)"] = forms
            }
        }
        self.entries = entries
    }

    /// The text of a key, `{name}` replaced by a value. `form` is a plural category.
    ///
    /// - Throws: `WebDriverError` for a key that is not there.
    func callAsFunction(_ key: String, _ values: [String: String] = [:], form: String = "") throws -> String {
        guard let text = entries[key]?[form] else { throw WebDriverError("there is no text \(key) \(form)") }
        return values.reduce(text) { $0.replacing("{\($1.key)}", with: $1.value) }
    }
}
