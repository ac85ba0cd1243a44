import Foundation
import Testing

@testable import PinfoldServer

@Suite struct PlaceFoldingTests {
    private static let folding = PlaceFolding.alone

    private func folded(_ name: String) -> String {
        String(decoding: PlaceForms(name, Self.folding).words.bytes, as: UTF8.self)
    }

    private func forms(_ name: String) -> [String] {
        PlaceForms(name, Self.folding).all.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(arguments: [
        ("São Paulo", "saopaulo"), ("SAINT-ÉTIENNE", "saintetienne"), ("Xi’an", "xian"), ("King's Lynn", "kingslynn"),
        ("Łódź", "lodz"), ("Straße", "strasse"), ("İstanbul", "istanbul"), ("Diyarbakır", "diyarbakir"),
        ("Tromsø", "tromso"), ("Đà Nẵng", "danang"), ("Ｔｏｋｙｏ", "tokyo"), ("Reykjavík", "reykjavik"),
        ("Ærø", "aero"), ("トウキョウ", "とうきょう"), ("Київ", "киів"), ("ΑΘΉΝΑΣ", "αθηνασ"), ("القاهرة", "القاهره"),
        ("יְרוּשָׁלַיִם", "ירושלים"), ("दिल्ली", "दिल्ली"), ("東京", "東京"), ("Nukuʻalofa", "nukualofa"),
        ("😀", ""), ("\u{202E}abc\u{0}d", "abcd"), ("**(Paris)**", "paris"),
    ])
    func `letters of one sound are one`(name: String, expected: String) {
        #expect(folded(name) == expected)
    }

    @Test func `a syllable of Korean that is half typed begins the whole one`() {
        #expect(folded("부산").utf8.starts(with: folded("부").utf8))
        #expect(folded("부산").utf8.starts(with: folded("부사").utf8))
    }

    @Test func `umlauts have two spellings, and abbreviations are written out`() {
        #expect(forms("Köln") == ["koln", "koeln"])
        #expect(forms("Ko\u{308}ln") == ["koln", "koeln"])
        #expect(forms("Malmö") == ["malmo", "malmoe"])
        #expect(forms("St. Pölten") == ["stpolten", "saintpolten", "stpoelten", "saintpoelten"])
        #expect(forms("Sankt Gallen") == ["sanktgallen", "saintgallen"])
        #expect(forms("Mt Pleasant") == ["mtpleasant", "mountpleasant"])
        #expect(forms("Paris") == ["paris"])
    }

    @Test func `folding twice is folding once, and what comes out is text`() {
        var generator = SplitMix64(seed: 1)
        for _ in 0..<3000 {
            var text = ""
            for _ in 0..<generator.int(0..<9) {
                let limit = generator.pick([0x80, 0x250, 0x600, 0x3100, 0x10000, 0x110000] as [UInt32])
                if let scalar = Unicode.Scalar(UInt32(generator.int(0..<Int(limit)))) {
                    text.unicodeScalars.append(scalar)
                }
            }
            for form in PlaceForms(text, Self.folding).all {
                guard let once = String(validating: form, as: UTF8.self) else {
                    Issue.record("\(text.debugDescription) becomes no text")
                    continue
                }
                #expect(folded(once) == once, "\(text.debugDescription)")
            }
        }
    }
}
