import Foundation
import HTTP

/// Names of countries and subdivisions by ISO 3166, from Debian's package iso-codes where it is installed.
struct ISONames: Sendable {
    /// English names by code, which the catalogues are asked for.
    private let countries: [String: (name: String, common: String?)]
    private let subdivisions: [String: String]
    private let locales: String
    /// The locales that have names of countries or subdivisions: `pt_BR`, `sr@latin`.
    private let known: Set<String>

    /// Reads the English tables. Nothing is there if the package is not: then names come from elsewhere.
    ///
    /// - Parameter share: the folder of `iso-codes` and `locale`.
    init(share: String = "/usr/share") {
        func table(_ part: String) -> [[String: String]] {
            let url = URL(fileURLWithPath: "\(share)/iso-codes/json/iso_\(part).json")
            guard let data = try? Data(contentsOf: url), let json = try? JSONValue(parsing: [UInt8](data)),
                case .object(let members) = json,
                case .array(let rows)? = members.first(where: { $0.name == part })?.value
            else { return [] }
            return rows.compactMap { row in
                guard case .object(let members) = row else { return nil }
                var texts: [String: String] = [:]
                for member in members {
                    if case .string(let text) = member.value { texts[member.name] = text }
                }
                return texts
            }
        }
        var countries: [String: (name: String, common: String?)] = [:]
        for row in table("3166-1") {
            if let code = row["alpha_2"], let name = row["name"] { countries[code] = (name, row["common_name"]) }
        }
        var subdivisions: [String: String] = [:]
        for row in table("3166-2") {
            if let code = row["code"], let name = row["name"] { subdivisions[code] = name }
        }
        self.countries = countries
        self.subdivisions = subdivisions
        locales = share + "/locale"
        let folders = countries.isEmpty ? [] : (try? FileManager.default.contentsOfDirectory(atPath: locales)) ?? []
        known = Set(folders.filter { [locales] in access("\(locales)/\($0)/LC_MESSAGES/iso_3166-1.mo", R_OK) == 0 })
    }

    func hasNames(in tag: LanguageTag) -> Bool { locale(of: tag) != nil }

    /// The names in one language; nil if it has none.
    func names(in tag: LanguageTag) -> Translations? {
        guard let locale = locale(of: tag) else { return nil }
        func catalogue(_ part: String) -> MessageCatalogue? {
            MessageCatalogue(path: "\(locales)/\(locale)/LC_MESSAGES/iso_\(part).mo")
        }
        return Translations(
            names: self, script: tag.script ?? Script(of: tag.language), countries: catalogue("3166-1"),
            subdivisions: catalogue("3166-2"))
    }

    /// Only folders that were listed are opened, so no tag leads anywhere else.
    private func locale(of tag: LanguageTag) -> String? {
        let modifier: String? =
            switch tag.script {
            case .latn: "latin"
            case .cyrl: "cyrillic"
            default: nil
            }
        let name: String? =
            if tag.script != nil {
                modifier.map { "\(tag.language)@\($0)" }
            } else {
                tag.region.map { "\(tag.language)_\($0)" } ?? tag.language
            }
        return name.flatMap { known.contains($0) ? $0 : nil }
    }

    /// The names in one language.
    struct Translations {
        fileprivate let names: ISONames
        fileprivate let script: Script
        fileprivate let countries, subdivisions: MessageCatalogue?

        /// The everyday name of a country by its code, nil if only an official one is known: one with what it is after
        /// a comma or in brackets.
        func everyday(country code: String) -> String? {
            guard let country = names.countries[code] else { return nil }
            if let common = country.common, let name = translation(common, countries) { return name }
            return translation(country.name, countries).flatMap {
                $0.contains(where: { ",،、(（".contains($0) }) ? nil : $0
            }
        }

        /// A name of a country by its code, such as it is.
        func any(country code: String) -> String? {
            names.countries[code].flatMap { translation($0.name, countries) }
        }

        /// The name of a subdivision by its code: `US-MN`.
        func subdivision(_ code: String) -> String? {
            names.subdivisions[code].flatMap { translation($0, subdivisions) }
        }

        /// A name in Latin letters, in a language that has others, is one that nobody has translated.
        private func translation(_ name: String, _ catalogue: MessageCatalogue?) -> String? {
            guard let found = catalogue?[name] else { return nil }
            return script != .latn && Script(ofName: found) == .latn ? nil : found
        }
    }
}
