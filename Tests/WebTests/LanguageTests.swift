import Foundation
import Testing

@Suite struct LanguageTests {
    /// The plural categories of whole and broken numbers (CLDR 48, plurals).
    private static let categories: [String: Set<String>] = [
        "en": ["one", "other"], "es": ["one", "many", "other"], "pl": ["one", "few", "many", "other"],
    ]

    @Test func `the languages that can be chosen are those that have a file`() throws {
        let files = try FileManager.default.contentsOfDirectory(
            atPath: Checkout.client.appending(path: "languages").path)
        #expect(Set(files) == Set(Words.languages.map { "\($0).json" }))
        let module = try String(contentsOf: Checkout.client.appending(path: "shell/language.js"), encoding: .utf8)
        for language in Words.languages { #expect(module.contains("code: \"\(language)\"")) }
    }

    @Test(arguments: ["es", "pl"]) func `a translation has each text of the English one and no other`(
        language: String
    ) throws {
        let english = Set(try Words("en").entries.keys)
        let others = Set(try Words(language).entries.keys)
        #expect(english.subtracting(others).sorted() == [], "missing in \(language)")
        #expect(others.subtracting(english).sorted() == [], "in \(language) alone")
    }

    @Test(arguments: Words.languages) func `a text that counts has a form for each plural category`(
        language: String
    ) throws {
        let english = try Words("en").entries
        let categories = try #require(Self.categories[language])
        for (key, forms) in try Words(language).entries {
            if forms.keys.contains("") {
                #expect(english[key]?.keys.contains("") == true, "\(key) counts in English")
            } else {
                #expect(Set(forms.keys) == categories, "\(key) in \(language)")
            }
        }
    }

    @Test(arguments: ["es", "pl"]) func `a translation names the same values as the English text`(
        language: String
    ) throws {
        let english = try Words("en").entries
        for (key, forms) in try Words(language).entries {
            let due = Set((english[key] ?? [:]).values.flatMap(values))
            for text in forms.values {
                #expect(!text.isEmpty, "\(key) is empty in \(language)")
                // “One pin” may do without its number.
                let found = values(text)
                #expect(found.isSubset(of: due) && found.union(["count"]).isSuperset(of: due), "\(key): \(text)")
            }
        }
    }

    @Test func `each text that the client asks for is there, and none is there for nothing`() throws {
        let keys = Set(try Words("en").entries.keys)
        var sources = ""
        let files = FileManager.default.enumerator(atPath: Checkout.client.path)
        while let path = files?.nextObject() as? String {
            guard path.hasSuffix(".js") else { continue }
            sources += try String(contentsOf: Checkout.client.appending(path: path), encoding: .utf8)
        }
        let literal = /["`]((?:shell|map|friends|profile|admin)\.[A-Za-z][A-Za-z0-9.]*)(["`]|\$\{)/
        var whole: Set<String> = []
        var beginnings: Set<String> = []
        for match in sources.matches(of: literal) {
            if match.2 == "${" { beginnings.insert(String(match.1)) } else { whole.insert(String(match.1)) }
        }
        let asked = whole.filter { key in !key.hasSuffix(".js") && !key.hasSuffix(".css") }
        #expect(asked.count > 100)
        #expect(asked.subtracting(keys).sorted() == [], "asked for, but not there")
        let unused = keys.subtracting(whole).filter { key in !beginnings.contains { key.hasPrefix($0) } }
        #expect(unused.sorted() == [], "there, but never asked for")
    }

    private func values(_ text: String) -> Set<String> {
        Set(text.matches(of: /\{(\w+)\}/).map { String($0.1) })
    }
}
