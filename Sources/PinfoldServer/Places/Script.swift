/// A writing system that names of places come in, as far as they must be told apart.
enum Script: String, Sendable, CaseIterable {
    case latn, grek, cyrl, armn, hebr, arab, syrc, thaa, deva, beng, guru, gujr, orya, taml, telu, knda, mlym, sinh
    case thai, laoo, tibt, mymr, geor, hang, ethi, khmr, mong, hani, kana
    /// Chinese characters of one of the two forms, which only tags tell apart.
    case hans, hant
    /// Chinese characters together with kana.
    case jpan
    /// Any other.
    case zyyy

    /// ISO 15924: `Latn`.
    var code: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }

    /// The script of a tag, in small letters.
    init(code: String) { self = Script(rawValue: code) ?? .zyyy }

    /// The script that a language is mostly written in.
    init(of language: String) { self = Self.usual[language] ?? .latn }

    /// The script of all letters of a name, nil if they are of several or if there is none.
    init?(ofName name: some StringProtocol) {
        var found: Script?
        for scalar in name.unicodeScalars {
            guard let script = Script(of: scalar), script != found else { continue }
            switch (found, script) {
            case (nil, _): found = script
            case (.hani, .kana), (.kana, .hani): found = .jpan
            case (.jpan, .hani), (.jpan, .kana): break
            default: return nil
            }
        }
        guard let found else { return nil }
        self = found
    }

    /// The script of a letter; nil for what all scripts share. By blocks, of which those of more than one script have
    /// no other in names.
    init?(of scalar: Unicode.Scalar) {
        let value = scalar.value
        switch value {
        case ..<0x80:
            guard (0x41...0x5A).contains(value & ~0x20) else { return nil }
            self = .latn
        case 0xAA, 0xBA, 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x24F, 0x1E00...0x1EFF, 0x2C60...0x2C7F, 0xA720...0xA7FF:
            self = .latn
        // Modifier letters such as the ʻokina, and combining marks, stand in any script.
        case ..<0x370: return nil
        case 0x370...0x3FF, 0x1F00...0x1FFF: self = .grek
        case 0x400...0x52F, 0x1C80...0x1C8F, 0x2DE0...0x2DFF, 0xA640...0xA69F: self = .cyrl
        case 0x531...0x58F: self = .armn
        case 0x591...0x5FF: self = .hebr
        case 0x600...0x6FF, 0x750...0x77F, 0x8A0...0x8FF, 0xFB50...0xFDFF, 0xFE70...0xFEFF: self = .arab
        case 0x700...0x74F: self = .syrc
        case 0x780...0x7BF: self = .thaa
        case 0x900...0xDFF:
            let indic: [Script] = [.deva, .beng, .guru, .gujr, .orya, .taml, .telu, .knda, .mlym, .sinh]
            self = indic[Int(value - 0x900) / 0x80]
        case 0xE00...0xE7F: self = .thai
        case 0xE80...0xEFF: self = .laoo
        case 0xF00...0xFFF: self = .tibt
        case 0x1000...0x109F, 0xAA60...0xAA7F: self = .mymr
        case 0x10A0...0x10FF, 0x1C90...0x1CBF, 0x2D00...0x2D2F: self = .geor
        case 0x1100...0x11FF, 0x3130...0x318F, 0xA960...0xA97F, 0xAC00...0xD7FF: self = .hang
        case 0x1200...0x139F, 0x2D80...0x2DDF: self = .ethi
        case 0x1780...0x17FF: self = .khmr
        case 0x1800...0x18AF: self = .mong
        case 0x3005...0x3007, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF: self = .hani
        // The middle dot and the long vowel mark stand in it with kana.
        case 0x3041...0x30FF, 0x31F0...0x31FF, 0xFF66...0xFF9F: self = .kana
        case 0x2000...0x2BFF, 0x3000...0x303F, 0xFE00...0xFE6F, 0xFF00...0xFF65: return nil
        default:
            guard scalar.properties.isAlphabetic else { return nil }
            self = .zyyy
        }
    }

    private static let usual: [String: Script] = {
        let languages: [(Script, String)] = [
            (.grek, "el"), (.cyrl, "ab ba be bg ce cv kk ky mhr mk mn os ru sah sr tg tt udm uk"), (.armn, "hy"),
            (.hebr, "he yi"), (.arab, "ar azb ckb fa ks ps sd ug ur"), (.syrc, "syr"), (.thaa, "dv"),
            (.deva, "doi hi kok mai mr ne raj sa"), (.beng, "as bn"), (.guru, "pa"), (.gujr, "gu"), (.orya, "or"),
            (.taml, "ta"), (.telu, "te"), (.knda, "kn tcy"), (.mlym, "ml"), (.sinh, "si"), (.thai, "th"),
            (.laoo, "lo"), (.tibt, "bo dz"), (.mymr, "my shn"), (.geor, "ka"), (.hang, "ko"),
            (.ethi, "am gez ti tig"), (.khmr, "km"), (.hani, "lzh yue zh"), (.jpan, "ja"),
        ]
        var usual: [String: Script] = [:]
        for (script, codes) in languages {
            for code in codes.split(separator: " ") { usual[String(code)] = script }
        }
        return usual
    }()
}
