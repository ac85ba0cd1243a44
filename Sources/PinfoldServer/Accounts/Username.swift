import Foundation
import HTTP

/// Names of accounts: 3–30 letters, marks, digits, `_`, `.` in any script, kept in NFKC.
enum Username {
    static let length = 3...30

    /// Reads and normalises a username from a body.
    static var reader: FieldReader<JSONValue, String> {
        FieldReader { json in
            guard case .string(let text) = json else { return .failure(FieldProblem("must be text")) }
            guard text.unicodeScalars.count <= 200 else { return .failure(tooLong) }
            let name = text.precomposedStringWithCompatibilityMapping
            guard name.unicodeScalars.allSatisfy(isAllowed) else {
                return .failure(FieldProblem("may have letters, marks, digits, _ and . only"))
            }
            guard length.contains(name.unicodeScalars.count) else { return .failure(tooLong) }
            guard let first = name.unicodeScalars.first, !first.properties.generalCategory.isMark else {
                return .failure(FieldProblem("must not start with a combining mark"))
            }
            return .success(name)
        }
    }

    private static var tooLong: FieldProblem {
        FieldProblem("must be \(length.lowerBound) to \(length.upperBound) characters")
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        if scalar == "_" || scalar == "." { return true }
        if scalar.properties.isDefaultIgnorableCodePoint { return false }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber:
            return true
        case let category: return category.isMark
        }
    }

    /// The form in which names are unique and looked up: NFKC, full case folding, NFKC.
    static func folded(_ name: String) -> String {
        let folded = name.precomposedStringWithCompatibilityMapping.folding(options: .caseInsensitive, locale: nil)
        guard folded.unicodeScalars.contains(where: \.properties.changesWhenCaseFolded) else {
            return folded.precomposedStringWithCompatibilityMapping
        }
        // Foundation leaves some letters as they are that Unicode folds: Cherokee, variants of Cyrillic letters, those
        // that came with the last versions of Unicode.
        return folded.unicodeScalars.map(simplyFolded).joined().precomposedStringWithCompatibilityMapping
    }

    /// A letter of those that Foundation does not fold. Only Cherokee folds to upper case (Unicode, 5.18).
    private static func simplyFolded(_ scalar: Unicode.Scalar) -> String {
        guard scalar.properties.changesWhenCaseFolded else { return String(scalar) }
        let upper = scalar.properties.uppercaseMapping
        let lower = upper.unicodeScalars.map(\.properties.lowercaseMapping).joined()
        return lower == String(scalar) ? upper : lower
    }

    /// The form in which names and texts are searched: folded further, without accents, in NFKC.
    static func searchFolded(_ text: String) -> String {
        var plain = ""
        let decomposed = folded(text).folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
        for scalar in decomposed.precomposedStringWithCompatibilityMapping.unicodeScalars {
            switch scalar {
            // Letters whose stroke or ligature is no combining mark, so that no normalisation takes it off.
            case "ł": plain += "l"
            case "ø": plain += "o"
            case "đ", "ð": plain += "d"
            case "ħ": plain += "h"
            case "ı": plain += "i"
            case "ŧ": plain += "t"
            case "æ": plain += "ae"
            case "œ": plain += "oe"
            case "þ": plain += "th"
            default: plain.unicodeScalars.append(scalar)
            }
        }
        return plain
    }
}

extension Unicode.GeneralCategory {
    fileprivate var isMark: Bool {
        self == .nonspacingMark || self == .spacingMark || self == .enclosingMark
    }
}

/// E-mail addresses, as far as they can be checked without sending one.
enum EmailAddress {
    static var reader: FieldReader<JSONValue, String> {
        FieldReader { json in
            guard case .string(let text) = json else { return .failure(FieldProblem("must be text")) }
            guard text.utf8.count <= 254 else { return .failure(FieldProblem("must be at most 254 bytes")) }
            let domain = text.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
            guard isPlain(text), domain.contains(".") else {
                return .failure(FieldProblem("must be an e-mail address"))
            }
            return .success(text)
        }
    }

    /// Whether `text` has the form `local@domain`, without what would end an address or mean something else in one.
    static func isPlain(_ text: String) -> Bool {
        // RFC 5321, 4.5.3.1: 64 octets, "@", and 254 in all within a path.
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard text.utf8.count <= 254, parts.count == 2, !parts[0].isEmpty, parts[0].utf8.count <= 64 else {
            return false
        }
        guard parts[1].split(separator: ".", omittingEmptySubsequences: false).allSatisfy({ !$0.isEmpty }) else {
            return false
        }
        return text.unicodeScalars.allSatisfy { scalar in
            !scalar.properties.isWhitespace && scalar.properties.generalCategory != .control
                && scalar.properties.generalCategory != .format && !"<>()[],;:\\\"".unicodeScalars.contains(scalar)
        }
    }

    /// The form in which addresses are unique and looked up.
    static func folded(_ address: String) -> String { Username.folded(address) }
}
