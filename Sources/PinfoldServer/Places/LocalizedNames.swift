import Foundation
import Storage
import Synchronization

/// Names of countries, divisions and places by language: from `data/place-names.tsv.zst`, which is in `places.db`, and
/// from Debian's iso-codes where that is installed. What is asked for is read once and kept, to a bound.
package final class LocalizedNames: Sendable {
    /// How many languages are kept. Most take 200 KB, English 1 MB.
    static let languageLimit = 32

    /// Where names are read from.
    struct Source: Sendable {
        /// The languages that have bundled names, as tags.
        let languages: Set<String>
        /// The bundled names of a language, with GeoNames's ids and in their order.
        let names: @Sendable (_ language: String) throws -> [(id: Int64, name: String)]
        /// Countries and divisions of the gazetteer.
        let areas: Areas
    }

    /// What the gazetteer tells of countries and divisions.
    struct Areas: Sendable {
        let countries: [(code: String, id: Int64?)]
        /// The countries' codes by id.
        let codes: [Int64: String]
        /// The divisions that have ids, in their order.
        let divisions: [(id: Int64, number: Int64)]
        /// The divisions that ISO 3166-2 has.
        let codedDivisions: [(number: Int64, isoCode: String)]
        /// The gazetteer's own names of divisions by number.
        let divisionNames: [Int64: String]

        init(
            countries: [(code: String, id: Int64?)] = [],
            divisions: [(number: Int, id: Int64?, isoCode: String?, name: String)] = []
        ) {
            self.countries = countries
            let known = countries.compactMap { country in country.id.map { ($0, country.code) } }
            codes = Dictionary(known) { first, _ in first }
            self.divisions = divisions.compactMap { division in division.id.map { ($0, Int64(division.number)) } }
                .sorted { $0.0 < $1.0 }
            codedDivisions = divisions.compactMap { division in division.isoCode.map { (Int64(division.number), $0) } }
            divisionNames = Dictionary(divisions.map { (Int64($0.number), $0.name) }) { first, _ in first }
        }
    }

    private struct Cache {
        var languages: [String: (names: LanguageNames, used: UInt64)] = [:]
        var clock: UInt64 = 0
    }

    private let load: @Sendable () throws -> Source
    private let share: String
    private let cache = Mutex(Cache())
    private let sources = Mutex<(source: Source, iso: ISONames)?>(nil)

    /// - Parameters:
    ///   - share: the folder in which Debian installs iso-codes.
    ///   - load: called when a language is asked for the first time.
    init(share: String = "/usr/share", load: @escaping @Sendable () throws -> Source) {
        self.share = share
        self.load = load
    }

    /// The names in a language: some milliseconds at first, then at once. A language of which nothing is known has
    /// none.
    ///
    /// - Throws: what `load` and the source throw.
    package func names(in tag: LanguageTag) throws -> LanguageNames {
        let (source, iso) = try opened()
        let tags = tag.fallbacks.filter { source.languages.contains($0.text) || iso.hasNames(in: $0) }
        let key = ([tag.language, tag.script?.code ?? ""] + tags.map(\.text)).joined(separator: " ")
        if let found = cached(key) { return found }
        guard !tags.isEmpty else {
            return LanguageNames(tag, countries: [:], divisions: [], places: [])
        }
        // Read outside of the lock: two threads may do it at once, and nobody else waits.
        let names = try read(tag, tags, source, iso)
        keep(names, as: key)
        return names
    }

    private func opened() throws -> (Source, ISONames) {
        try sources.withLock { sources in
            if let sources { return sources }
            let opened = (source: try load(), iso: ISONames(share: share))
            sources = opened
            return opened
        }
    }

    private func read(
        _ tag: LanguageTag, _ tags: [LanguageTag], _ source: Source, _ iso: ISONames
    ) throws -> LanguageNames {
        var places: [(Int64, String)] = []
        var countries: [String: String] = [:]
        var divisions: [(Int64, String)] = []
        /// People say Maine, not State of Maine.
        func add(_ division: Int64, _ name: String) {
            let own = source.areas.divisionNames[division] ?? ""
            let addsWords = !own.isEmpty && " \(name) ".contains(" \(own) ")
            divisions.append((division, addsWords ? own : name))
        }
        let translations = tags.compactMap(iso.names(in:))
        func first(_ name: (ISONames.Translations) -> String?) -> String? {
            for translation in translations {
                if let name = name(translation) { return name }
            }
            return nil
        }
        for (code, _) in source.areas.countries {
            if let name = first({ $0.everyday(country: code) }) { countries[code] = name }
        }
        for division in source.areas.codedDivisions {
            if let name = first({ $0.subdivision(division.isoCode) }) { add(division.number, name) }
        }
        for tag in tags where source.languages.contains(tag.text) {
            let names = try source.names(tag.text)
            places += names
            // Both are in the order of the ids.
            var next = source.areas.divisions[...]
            for (id, name) in names {
                if let code = source.areas.codes[id], countries[code] == nil { countries[code] = name }
                next = next.drop { $0.id < id }
                if let division = next.first, division.id == id { add(division.number, name) }
            }
        }
        for (code, _) in source.areas.countries where countries[code] == nil {
            countries[code] = first { $0.any(country: code) }
        }
        return LanguageNames(tag, countries: countries, divisions: divisions, places: places)
    }

    private func cached(_ key: String) -> LanguageNames? {
        cache.withLock { cache in
            cache.clock += 1
            cache.languages[key]?.used = cache.clock
            return cache.languages[key]?.names
        }
    }

    private func keep(_ names: LanguageNames, as key: String) {
        cache.withLock { cache in
            cache.languages[key] = (names, cache.clock)
            while cache.languages.count > Self.languageLimit,
                let oldest = cache.languages.min(by: { $0.value.used < $1.value.used })
            {
                cache.languages[oldest.key] = nil
            }
        }
    }
}

// MARK: Sources

extension LocalizedNames {
    /// Names out of `places.db`.
    convenience init(database: DatabasePool, share: String = "/usr/share") {
        self.init(share: share) {
            try database.read { read in
                Source(
                    languages: Set(try read.rows("SELECT DISTINCT language FROM localName") { $0.text(0) }),
                    names: { language in
                        try database.read { read in
                            try read.rows("SELECT id, name FROM localName WHERE language = \(language) ORDER BY id") {
                                ($0.int64(0), $0.text(1))
                            }
                        }
                    },
                    areas: Areas(
                        countries: try read.rows("SELECT code, id FROM country") { ($0.text(0), $0.optionalInt64(1)) },
                        divisions: try read.rows("SELECT number, id, isoCode, name FROM division") {
                            ($0.int(0), $0.optionalInt64(1), $0.optionalText(2), $0.text(3))
                        }))
            }
        }
    }

    /// Names out of the bundled files, which are read for each language: for a command beside a server that has
    /// `places.db` open.
    package convenience init(bundle: String, share: String = "/usr/share") {
        self.init(share: share) {
            var countries: [(code: String, id: Int64?)] = []
            var divisions: [(number: Int, id: Int64?, isoCode: String?, name: String)] = []
            try GazetteerFile(path: bundle).forEachRow(progress: { _ in }) { row in
                if row.equals(0, "country") {
                    countries.append((try row.text(1), try row.optionalInteger(2).map(Int64.init)))
                } else if row.equals(0, "division") {
                    divisions.append(
                        (
                            try row.integer(1), try row.optionalInteger(7).map(Int64.init), try row.optionalText(6),
                            try row.text(8)
                        ))
                }
            }
            let file = PlaceNamesFile(beside: bundle)
            var languages: Set<String> = []
            try file?.forEachName { language, _, _ in languages.insert(language) }
            return Source(
                languages: languages,
                names: { language in
                    var names: [(id: Int64, name: String)] = []
                    try file?.forEachName { other, id, name in
                        if other == language { names.append((id, name)) }
                    }
                    return names
                },
                areas: Areas(countries: countries, divisions: divisions))
        }
    }
}
