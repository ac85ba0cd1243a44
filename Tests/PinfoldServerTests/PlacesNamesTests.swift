import Foundation
import Testing

@testable import PinfoldServer

/// Catalogues of GNU gettext, made as `msgfmt` makes them.
enum Catalogue {
    static func bytes(_ messages: [String: String], isBigEndian: Bool = false) -> [UInt8] {
        let sorted = messages.map { ([UInt8]($0.utf8), [UInt8]($1.utf8)) }.sorted {
            $0.0.lexicographicallyPrecedes($1.0)
        }
        var texts: [UInt8] = []
        func word(_ value: Int) -> [UInt8] {
            let value = UInt32(value)
            return withUnsafeBytes(of: isBigEndian ? value.bigEndian : value.littleEndian) { [UInt8]($0) }
        }
        let start = 28 + 16 * sorted.count
        func table(_ parts: [[UInt8]]) -> [UInt8] {
            parts.flatMap { part in
                defer { texts += part + [0] }
                return word(part.count) + word(start + texts.count)
            }
        }
        let ids = table(sorted.map(\.0))
        let translations = table(sorted.map(\.1))
        let header =
            word(0x9504_12DE) + word(0) + word(sorted.count) + word(28) + word(28 + 8 * sorted.count) + word(0)
            + word(0)
        return header + ids + translations + texts
    }
}

@Suite struct PlacesNamesTests {
    @Test(arguments: [
        ("de", ["de"]), ("DE-at", ["de-AT", "de"]), ("pt-BR", ["pt-BR", "pt"]), ("zh-Hant", ["zh-TW", "zh-HK", "zh"]),
        ("zh-TW", ["zh-TW", "zh-HK", "zh"]), ("zh-HK", ["zh-HK", "zh-TW", "zh"]), ("zh", ["zh-CN", "zh-SG", "zh"]),
        ("zh-Hans-SG", ["zh-SG", "zh-CN", "zh"]), ("zh-yue", ["yue", "zh-HK", "zh"]), ("sr", ["sr"]),
        ("sr-Latn-RS", ["sr-Latn"]), ("sr-Cyrl", ["sr"]), ("sh", ["sr-Latn"]), ("no", ["nb", "nn"]), ("iw", ["he"]),
        ("de-Latn-AT-1901", ["de-AT", "de"]), ("es-419", ["es-419", "es"]), ("en-x-twain", ["en"]),
    ])
    func `a language falls back to what its readers can read`(tag: String, fallbacks: [String]) throws {
        #expect(try #require(LanguageTag(tag)).fallbacks.map(\.text) == fallbacks)
    }

    @Test(arguments: ["", "-", "de-", "-de", "d_e", "de--at", "123", "abcdefghi", "de/../x", "дe", "../de", "de\u{0}"])
    func `what is no language tag is refused`(text: String) {
        #expect(LanguageTag(text) == nil)
        #expect(LanguageTag(String(repeating: "a-", count: 40)) == nil)
    }

    // MARK: Catalogues

    @Test(arguments: [false, true])
    func `a catalogue gives every message, in either byte order`(isBigEndian: Bool) throws {
        var messages = ["": "Content-Type: text/plain; charset=UTF-8\n", "empty": "", "plural\u{0}plurals": "a\u{0}b"]
        for number in 0..<200 { messages["message \(number * 7919 % 1000)"] = "Übersetzung \(number)" }
        let catalogue = try #require(MessageCatalogue(Catalogue.bytes(messages, isBigEndian: isBigEndian)))
        for (id, text) in messages where !id.isEmpty && id != "empty" && !id.contains("\u{0}") {
            #expect(catalogue[id] == text)
        }
        #expect(catalogue["empty"] == nil)
        #expect(catalogue["plural"] == "a")
        #expect(catalogue["message"] == nil)
        #expect(catalogue["zzz"] == nil)
    }

    @Test func `no bytes of a catalogue lead out of it`() throws {
        let whole = Catalogue.bytes(["Germany": "Deutschland", "France": "Frankreich", "Chad": "Tschad"])
        for length in 0..<whole.count { _ = MessageCatalogue([UInt8](whole[..<length]))?["Germany"] }
        var generator = SystemRandomNumberGenerator()
        var opened = 0
        for _ in 0..<20_000 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                bytes[Int.random(in: 4..<bytes.count, using: &generator)] =
                    [0, 1, 0x7F, 0x80, 0xFF, UInt8.random(in: 0...255, using: &generator)]
                    .randomElement(using: &generator) ?? 0
            }
            guard let catalogue = MessageCatalogue(bytes) else { continue }
            opened += 1
            for id in ["Germany", "France", "Chad", "", "Zaire"] {
                if let text = catalogue[id] { #expect(text.utf8.count < bytes.count) }
            }
        }
        #expect(opened > 1_000)
        #expect(MessageCatalogue(path: "/") == nil)
        #expect(MessageCatalogue(path: "/nowhere.mo") == nil)
    }

    // MARK: Names

    /// A folder like /usr/share with two countries, two subdivisions and some locales.
    private func withShare(_ body: (String) throws -> Void) throws {
        let share = try BundledGazetteer.temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: share) }
        func write(_ path: String, _ bytes: some Collection<UInt8>) throws {
            let url = URL(fileURLWithPath: share + "/" + path)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(bytes).write(to: url)
        }
        try write(
            "iso-codes/json/iso_3166-1.json",
            """
            {"3166-1": [
              {"alpha_2": "XT", "alpha_3": "XTT", "name": "Testland, Republic of", "common_name": "Testland"},
              {"alpha_2": "XU", "alpha_3": "XUU", "name": "Usland, Isles of"}]}
            """.utf8)
        try write(
            "iso-codes/json/iso_3166-2.json", #"{"3166-2": [{"code": "XT-1", "name": "Here", "type": "Place"}]}"#.utf8)
        func locale(_ name: String, _ countries: [String: String], _ subdivisions: [String: String]) throws {
            try write("locale/\(name)/LC_MESSAGES/iso_3166-1.mo", Catalogue.bytes(countries))
            try write("locale/\(name)/LC_MESSAGES/iso_3166-2.mo", Catalogue.bytes(subdivisions))
        }
        try locale(
            "pt", ["Testland": "Testelândia", "Usland, Isles of": "Uslândia, Ilhas de"], ["Here": "Aqui"])
        try locale("pt_BR", ["Testland": "Testolândia"], [:])
        try locale("sr", ["Testland": "Тестланд"], ["Here": "Here"])
        try locale("sr@latin", ["Testland": "Testlend"], [:])
        try write("locale/xx/LC_MESSAGES/iso_3166-1.mo", [0xDE, 0x12, 4, 0x95] + [UInt8](repeating: 0xFF, count: 60))
        try body(share)
    }

    private func localized(_ share: String) -> LocalizedNames {
        LocalizedNames(share: share) {
            LocalizedNames.Source(
                languages: ["pt", "fr"],
                names: { language in
                    language == "pt"
                        ? [(2, "Meio"), (8, "Aqui mesmo"), (9, "Testelândia velha"), (10, "Uslândia"), (11, "Lá")]
                        : [(2, "Milieu"), (9, "Testlande"), (11, "Province de There")]
                },
                areas: LocalizedNames.Areas(
                    countries: [("XT", 9), ("XU", 10), ("XV", nil)],
                    divisions: [(1, 8, "XT-1", "Here"), (2, 11, nil, "There"), (3, nil, nil, "Elsewhere")]))
        }
    }

    private func names(_ names: LocalizedNames, _ tag: String) throws -> LanguageNames {
        try names.names(in: try #require(LanguageTag(tag)))
    }

    @Test func `names come from iso-codes, then the bundle, and from kin of the language`() throws {
        try withShare { share in
            let localized = localized(share)
            let brazilian = try names(localized, "pt-BR")
            #expect(brazilian.country("XT") == "Testolândia")
            // An everyday name in the bundle is better than an official one.
            #expect(brazilian.country("XU") == "Uslândia")
            #expect(brazilian.country("XV") == nil)
            #expect((1...4).map { brazilian.division($0) } == ["Aqui", "Lá", nil, nil])
            #expect(brazilian.place(2) == "Meio")
            #expect(brazilian.place(3) == nil)
            #expect(brazilian.place(1 << 40) == nil)
            #expect(brazilian.place(-1) == nil)
            #expect(try names(localized, "pt").country("XT") == "Testelândia")
            #expect(try names(localized, "fr").country("XT") == "Testlande")
            #expect(try names(localized, "fr").division(1) == nil)
            #expect(try names(localized, "fr").division(2) == "There", "it only adds words to the main name")
            #expect(try names(localized, "sr").country("XT") == "Тестланд")
            // Not translated, in Latin letters.
            #expect(try names(localized, "sr").division(1) == nil)
            #expect(try names(localized, "sr-Latn").country("XT") == "Testlend")
            #expect(try names(localized, "sr").place(1, alternates: ["Место"], country: "XT") == "Место")
            #expect(try names(localized, "sr-Latn").place(1, alternates: ["Место"], country: "XT") == nil)
            #expect(try names(localized, "sr-Cyrl").place(1, alternates: ["Место"], country: "XT") == "Место")
            for unknown in ["xx", "qq", "sr-Arab", "iso-codes"] {
                #expect(try names(localized, unknown).country("XT") == nil)
            }
        }
    }

    @Test func `without iso-codes the bundle remains`() throws {
        let names = try names(localized("/nowhere"), "pt-BR")
        #expect(names.country("XT") == "Testelândia velha")
        #expect(names.division(1) == "Aqui mesmo")
    }

    @Test func `a language is read once, and not more are kept than the limit`() throws {
        let letters = "abcdefghijklmnopqrstuvwxyz".map(String.init)
        let languages = ["q", "v"].flatMap { first in letters.prefix(20).map { first + $0 } }
        let reads = Progress()
        let localized = LocalizedNames(share: "/nowhere") {
            LocalizedNames.Source(
                languages: Set(languages),
                names: { language in
                    reads.note(1)
                    return [(1, language)]
                }, areas: LocalizedNames.Areas())
        }
        for _ in 0..<3 {
            #expect(try names(localized, languages[0]).place(1) == languages[0])
            #expect(try names(localized, languages[0] + "-US-x-1").place(1) == languages[0])
        }
        #expect(reads.finished == 1)
        for language in languages {
            #expect(try names(localized, language).place(1) == language)
            #expect(try names(localized, languages[0]).place(1) == languages[0])
        }
        // The first stayed, being used all the time; the second is long gone.
        #expect(reads.finished == 40)
        _ = try names(localized, languages[1])
        #expect(reads.finished == 41)
    }

    @Test(arguments: [
        ("Köln", "Latn"), ("Αθήνα", "Grek"), ("Москва-2", "Cyrl"), ("東京", "Hani"), ("東京タワー", "Jpan"),
        ("ソウル", "Kana"), ("서울", "Hang"), ("القاهرة", "Arab"), ("ʻĀina", "Latn"), ("กรุงเทพฯ", "Thai"),
    ])
    func `the script of a name is that of all its letters`(name: String, code: String) {
        #expect(Script(ofName: name)?.code == code)
        #expect(Script(ofName: "1-2 (3)") == nil)
        #expect(Script(ofName: "Tokyo 東京") == nil)
    }

    @Test func `a script decides only where it leaves no doubt`() {
        func choice(_ language: String, _ names: [String], _ country: String = "") -> String? {
            ScriptChoice(language: language).name(among: names, country: country)
        }
        let kyiv = ["Kiev", "Киев", "Київ", "Кијев", "Кыйыў", "キエフ", "基輔", "基辅", "키예프", "Κίεβο"]
        #expect(choice("uk", kyiv) == "Київ")
        #expect(choice("el", kyiv) == "Κίεβο")
        #expect(choice("ko", kyiv) == "키예프")
        #expect(choice("ja", kyiv) == "キエフ")
        #expect(choice("zh", kyiv) == nil)
        #expect(choice("bg", kyiv) == "Киев")
        #expect(choice("ru", ["Киев", "Киево"]) == nil)
        #expect(choice("de", kyiv) == nil)
        #expect(choice("ce", ["Киев"]) == nil)
        #expect(choice("ja", ["塩尻市"], "JP") == "塩尻市")
        #expect(choice("ja", ["安阳"], "CN") == nil)
        #expect(choice("zh", ["安阳"], "CN") == "安阳")
        #expect(choice("fa", ["تهران", "طهران", "تېھران"]) == nil)
    }

    @Test func `the bundle knows the world's cities in many languages`() async throws {
        let gazetteer = try await BundledGazetteer.loaded
        func label(_ id: Int64, _ tag: String) throws -> String? {
            try gazetteer.place(id, in: LanguageTag(tag))?.label
        }
        #expect(try label(2_886_242, "de")?.hasPrefix("Köln, ") == true)
        #expect(try label(2_886_242, "de")?.hasSuffix(", Deutschland") == true)
        #expect(try label(2_886_242, "en")?.hasPrefix("Cologne, ") == true)
        #expect(try label(2_886_242, "en")?.hasSuffix(", Germany") == true)
        #expect(try label(2_886_242, "fr-CA")?.hasSuffix(", Allemagne") == true)
        #expect(try label(524_901, "ru")?.hasPrefix("Москва") == true)
        #expect(try label(5_045_360, "tlh") == "Saint Paul, Minnesota, United States")
        #expect(try label(5_045_360, "en-GB") == "Saint Paul, Minnesota, United States")

        let cologne = try #require(try gazetteer.place(2_886_242))
        let names = Dictionary(uniqueKeysWithValues: cologne.names.map { ($0.tag, $0.names) })
        #expect(names["en"] == ["Cologne"])
        #expect(names["ru"] == ["Кёльн"])
        #expect(names["und-Latn"]?.first == "Köln")
        #expect(names.keys.allSatisfy { $0 == "und" || LanguageTag($0) != nil })

        // So do positions and searches.
        let german = try gazetteer.names(in: LanguageTag("de"))
        let point = try #require(cologne.coordinate)
        #expect(gazetteer.reverse(point, in: german).country == "Deutschland")
        #expect(gazetteer.reverse(point, in: try gazetteer.names(in: LanguageTag("fr"))).locality == "Cologne")
        let found = gazetteer.search.items("Koeln", near: nil, limit: 1, in: german).map {
            String(decoding: $0, as: UTF8.self)
        }
        #expect(found.first?.contains("Deutschland\"") == true, "\(found)")
        let english = gazetteer.search.items(
            "Köln", near: nil, limit: 1, in: try gazetteer.names(in: LanguageTag("en-US")))
        #expect(english.first.map { String(decoding: $0, as: UTF8.self) }?.contains("\"matchedName\":\"Köln\"") == true)

        // A place's parents are places too.
        for parent in cologne.parents {
            let id = try #require(parent.id)
            let place = try #require(try gazetteer.place(id, in: LanguageTag("fr")))
            #expect(place.mainName == parent.name)
            #expect(place.coordinate == nil && place.parents.last?.code ?? "DE" == "DE")
        }
        #expect(try gazetteer.place(2_921_044, in: LanguageTag("fr"))?.label == "Allemagne")
    }
}
