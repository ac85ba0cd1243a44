/// Finds a name of a language among names whose languages are not told, by script and letters alone, and none where
/// that leaves a doubt.
struct ScriptChoice {
    let language: String

    /// - Parameter country: ISO 3166-1 of the country that the place lies in.
    func name(among names: some Sequence<String>, country: String?) -> String? {
        let script = Script(of: language)
        guard script != .latn, !Self.minor.contains(language) else { return nil }
        switch script {
        case .jpan: return japanese(names, country)
        case .hani:
            let found = names.filter { Script(ofName: $0) == .hani }
            return found.count == 1 ? found[0] : nil
        default: break
        }
        var found = names.filter { Script(ofName: $0) == script }
        guard let letters = Self.letters[language] else {
            // The script is the language's own: all of them are its names.
            return found.first
        }
        found.removeAll { $0.unicodeScalars.contains { letters.foreign.contains($0) } }
        if found.count > 1 {
            found.removeAll { !$0.unicodeScalars.contains { letters.own.contains($0) } }
        }
        return found.count == 1 ? found[0] : nil
    }

    /// Kana is Japanese; without it, characters are in Japan alone.
    private func japanese(_ names: some Sequence<String>, _ country: String?) -> String? {
        let kana = names.filter { [.jpan, .kana].contains(Script(ofName: $0)) }
        if country == "JP" {
            let hani = names.filter { Script(ofName: $0) == .hani }
            if hani.count == 1 { return hani[0] }
        }
        return kana.first
    }

    /// What tells the languages of a shared script apart.
    private struct Letters {
        /// Letters that the language does not have.
        let foreign: Set<Unicode.Scalar>
        /// Letters that of the large languages only this one has.
        let own: Set<Unicode.Scalar>

        init(foreign: String, own: String = "") {
            self.foreign = Set((foreign + foreign.uppercased()).unicodeScalars)
            self.own = Set((own + own.uppercased()).unicodeScalars)
        }
    }

    private static let cyrillic = "абвгґдѓђеёєжзѕиіїйјкќлљмнњопрстћуўфхцчџшщъыьэюяәғқңөұүһҳҷӣӯҡҙҫӑӗҫӳѣ"

    /// Languages that share their script. One that is not here is the only large one in its script.
    private static let letters: [String: Letters] = {
        func cyrillic(_ alphabet: String, own: String = "") -> Letters {
            let letters = Set(alphabet)
            return Letters(foreign: String(Self.cyrillic.filter { !letters.contains($0) }), own: own)
        }
        let russian = "абвгдеёжзийклмнопрстуфхцчшщъыьэюя"
        let arabic = "پچژگکیںٹڈڑہھےۀۆێڵڕۇۈڭىەۋ"
        return [
            "ru": cyrillic(russian, own: "ё"),
            "uk": cyrillic("абвгґдеєжзиіїйклмнопрстуфхцчшщьюя", own: "ґєї"),
            "be": cyrillic("абвгдеёжзійклмнопрстуўфхцчшыьэюя", own: "ў"),
            "bg": cyrillic("абвгдежзийклмнопрстуфхцчшщъьюя"),
            "sr": cyrillic("абвгдђежзијклљмнњопрстћуфхцчџш", own: "ђћ"),
            "mk": cyrillic("абвгдѓежзѕијклљмнњопрстќуфхцчџш", own: "ѓќѕ"),
            "kk": cyrillic(russian + "әғқңөұүһі", own: "ұ"),
            "ky": cyrillic(russian + "ңөү"),
            "mn": cyrillic(russian + "өү"),
            "tg": cyrillic("абвгғдеёжзиӣйкқлмнопрстуӯфхҳчҷшъэюя", own: "ӣӯҳҷ"),
            "ar": Letters(foreign: arabic.replacing("ى", with: ""), own: "ةأإ"),
            "fa": Letters(foreign: "يكىةںٹڈڑہھےۀۆێڵڕۇۈڭەۋ", own: "پچژگ"),
            "ur": Letters(foreign: "يكىةۆێڵڕۇۈڭەۋ", own: "ںٹڈڑہھے"),
            "hi": Letters(foreign: "ळ"),
            "mr": Letters(foreign: "", own: "ळ"),
            "ne": Letters(foreign: "ळ"),
            "bn": Letters(foreign: "ৰৱ"),
            "as": Letters(foreign: "র", own: "ৰৱ"),
        ]
    }()

    /// Languages that others of their script outnumber: a name in the script is hardly ever theirs.
    private static let minor = Set(
        "ab ba ce cv mhr os sah tt udm azb ckb ks ps sd ug doi kok mai raj sa yi ti tig gez dz tcy shn lzh yue"
            .split(separator: " ").map(String.init))
}
