/// A language that names are asked in, as a tag of BCP 47: `en`, `pt-BR`, `zh-Hant`.
package struct LanguageTag: Sendable, Hashable {
    /// ISO 639, in small letters, `he` for the old `iw`.
    let language: String
    /// ISO 15924 (`Latn`), if it is given.
    let script: Script?
    /// ISO 3166-1 or UN M.49, in capitals, if it is given.
    let region: String?

    /// Nil unless `text` has the form of a tag: subtags of up to 8 letters and digits between hyphens, the first of
    /// letters (BCP 47, 2.1, without its registry). Variants and extensions are not looked at.
    package init?(_ text: String) {
        func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }
        func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
        guard text.utf8.count <= 64 else { return nil }
        let subtags = text.split(separator: "-", omittingEmptySubsequences: false)
        guard let first = subtags.first, first.utf8.allSatisfy(isLetter),
            subtags.allSatisfy({
                (1...8).contains($0.utf8.count) && $0.utf8.allSatisfy { isLetter($0) || isDigit($0) }
            })
        else { return nil }
        var rest = subtags.dropFirst()
        // Extended language subtags, such as the second of zh-yue, are languages of their own.
        var language = first.lowercased()
        while let next = rest.first, next.utf8.count == 3, next.utf8.allSatisfy(isLetter) {
            language = next.lowercased()
            rest = rest.dropFirst()
        }
        var script: Script?
        if let next = rest.first, next.utf8.count == 4, next.utf8.allSatisfy(isLetter) {
            script = Script(code: next.lowercased())
            rest = rest.dropFirst()
        }
        var region: String?
        if let next = rest.first,
            next.utf8.count == 2 && next.utf8.allSatisfy(isLetter)
                || next.utf8.count == 3 && next.utf8.allSatisfy(isDigit)
        {
            region = next.uppercased()
        }
        let newer = Self.newer[language]
        self.language = newer?.language ?? language
        self.script = script ?? newer?.script
        self.region = region
    }

    private init(language: String, region: String? = nil, script: Script? = nil) {
        self.language = language
        self.region = region
        self.script = script
    }

    /// `he`, `pt-BR`, `sr-Latn`.
    package var text: String {
        ([language, script?.code, region].compactMap(\.self)).joined(separator: "-")
    }

    /// The languages whose names do, best first: with the region, without it, then kin that is read as well. None is
    /// in another script than the one asked for; Chinese alone may be, rather than none.
    var fallbacks: [LanguageTag] {
        var tags: [LanguageTag] = []
        func add(_ tag: LanguageTag) { if !tags.contains(tag) { tags.append(tag) } }
        let usual = Script(of: language)
        if language == "zh" {
            let isTraditional = script == .hant || script == nil && ["TW", "HK", "MO"].contains(region)
            if let region { add(LanguageTag(language: "zh", region: region)) }
            for region in isTraditional ? ["TW", "HK"] : ["CN", "SG"] {
                add(LanguageTag(language: "zh", region: region))
            }
            add(LanguageTag(language: "zh"))
            return tags
        }
        if let script, script != usual {
            add(LanguageTag(language: language, script: script))
            return tags
        }
        if let region { add(LanguageTag(language: language, region: region)) }
        add(LanguageTag(language: language))
        for kin in Self.kin[language] ?? [] { add(kin) }
        return tags
    }

    /// Tags that newer ones replace (the registry's Preferred-Value).
    private static let newer: [String: (language: String, script: Script?)] = [
        "iw": ("he", nil), "in": ("id", nil), "ji": ("yi", nil), "mo": ("ro", nil), "tl": ("fil", nil),
        "cmn": ("zh", nil), "sh": ("sr", .latn), "no": ("nb", nil),
    ]

    /// Languages written alike, where one has few names.
    private static let kin = [
        "nb": [LanguageTag(language: "nn")], "nn": [LanguageTag(language: "nb")], "fil": [LanguageTag(language: "tl")],
        "yue": [LanguageTag(language: "zh", region: "HK"), LanguageTag(language: "zh")],
    ]
}
