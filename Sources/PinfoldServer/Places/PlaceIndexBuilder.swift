import Foundation
import Geo

/// Gathers the rows of the gazetteer into the parts of a `PlaceIndex`.
struct PlaceIndexBuilder {
    private struct Entry {
        let id: UInt32
        let point: Coordinate
        let population: UInt32
        let admin1: UInt16
        let admin2: UInt16
        let country: UInt16
        let feature: UInt8
        let importance: UInt16
        let name: Range<Int>
        let asciiName: Range<Int>
        let alternates: Range<Int>
    }

    private var entries: [Entry] = []
    private var texts: [UInt8] = []
    private var countries: [String: UInt16] = [:]
    private var countryCodes: [[UInt8]] = []
    private var features: [String: UInt8] = [:]
    private var featureCodes: [[UInt8]] = [[]]
    private var areas: [Area] = []
    private var countryNumbers: [UInt32: Int] = [:]

    private struct Area {
        let name: [UInt8]
        /// Names as usual as the name itself.
        var everydayNames: [[UInt8]] = []
        var alternates: [[UInt8]]
        /// Count only when written in full.
        let codes: [[UInt8]]
        let id: UInt32
        /// 0 for countries, else the order of the division.
        let level: UInt8
        let country: UInt16
        var population = 0
        /// The sum of its places' directions from the Earth's centre, each as long as the place has people.
        var centre = (x: 0.0, y: 0.0, z: 0.0)

        /// Where its people live; nil if nobody is known to.
        var point: Coordinate? {
            let (x, y, z) = centre
            guard population > 0, x * x + y * y + z * z > 0 else { return nil }
            return Coordinate(
                latitude: atan2(z, (x * x + y * y).squareRoot()) * 180 / .pi, longitude: atan2(y, x) * 180 / .pi)
        }

        mutating func add(_ people: Int, at point: Coordinate) {
            let (latitude, longitude) = (point.latitude * .pi / 180, point.longitude * .pi / 180)
            population += people
            centre.x += Double(people) * cos(latitude) * cos(longitude)
            centre.y += Double(people) * cos(latitude) * sin(longitude)
            centre.z += Double(people) * sin(latitude)
        }
    }

    /// Takes one row of any table, which the reverse geocoder's builder has accepted; countries come first.
    ///
    /// - Throws: `GazetteerError`.
    mutating func add(_ row: GazetteerRow) throws {
        if row.equals(0, "place") {
            try addPlace(row)
        } else if row.equals(0, "division") {
            try addDivision(row)
        } else {
            try addCountry(row)
        }
    }

    private mutating func addCountry(_ row: GazetteerRow) throws {
        let code = try row.text(1)
        countries[code] = UInt16(countryCodes.count)
        countryCodes.append([UInt8](row.column(1)))
        let id = UInt32(clamping: try row.optionalInteger(2) ?? 0)
        if id > 0 { countryNumbers[id] = areas.count }
        areas.append(
            Area(
                name: [UInt8](row.column(3)),
                everydayNames: (Self.everydayNames[code] ?? []).map { [UInt8]($0.utf8) },
                alternates: Self.split(row.column(4)).filter { $0.count > 3 },
                codes: [[UInt8](row.column(1))] + Self.split(row.column(4)).filter { $0.count <= 3 },
                id: id, level: 0, country: UInt16(countryCodes.count - 1)))
    }

    /// Takes a name in some language, after all rows; those of countries are found by it.
    mutating func addName(_ name: String, of id: Int64) {
        guard let id = UInt32(exactly: id), let country = countryNumbers[id] else { return }
        // Three Latin letters are more often a code of something else: KY is not the United Kingdom.
        guard name.unicodeScalars.count > 3 || name.utf8.count > 4 else { return }
        areas[country].alternates.append([UInt8](name.utf8))
    }

    private mutating func addDivision(_ row: GazetteerRow) throws {
        let country = try row.text(4)
        var codes: [[UInt8]] = []
        // US-MN, and GeoNames's own code where there is no other: US.MN.
        for column in [6, 5] {
            let code = try row.text(column)
            if try row.integer(2) == 1, Self.countriesWithCodes.contains(country), code.count > 3 {
                let own = code.utf8.dropFirst(3)
                if own.count <= 3, own.allSatisfy({ $0 >= 0x41 && $0 <= 0x5A }) { codes.append([UInt8](own)) }
            }
        }
        areas.append(
            Area(
                name: [UInt8](row.column(8)), alternates: Self.split(row.column(9)), codes: Array(Set(codes)),
                id: UInt32(clamping: try row.optionalInteger(7) ?? 0), level: UInt8(clamping: try row.integer(2)),
                country: countries[country] ?? 0))
    }

    private mutating func addPlace(_ row: GazetteerRow) throws {
        func keep(_ column: Int) -> Range<Int> {
            let start = texts.count
            texts.append(contentsOf: row.column(column))
            return start..<texts.count
        }
        let code = try row.text(7)
        if features[code] == nil, features.count < 250, !code.isEmpty {
            features[code] = UInt8(featureCodes.count)
            featureCodes.append([UInt8](code.utf8))
        }
        let population = try row.integer(6)
        let alternates = row.column(12).isEmpty ? 0 : row.column(12).count { $0 == UInt8(ascii: "|") } + 1
        let (country, admin1, admin2) = (
            countries[try row.text(8)] ?? 0, try row.optionalInteger(9) ?? 0, try row.optionalInteger(10) ?? 0
        )
        let parents = [admin1, admin2].filter { $0 > 0 }.map { countryCodes.count + $0 - 1 } + [Int(country)]
        let point = try row.coordinate(4, 5)
        for area in parents where area < areas.count { areas[area].add(population, at: point) }
        entries.append(
            Entry(
                id: UInt32(truncatingIfNeeded: try row.integer(1)), point: point,
                population: UInt32(clamping: population), admin1: UInt16(clamping: admin1),
                admin2: UInt16(clamping: admin2), country: country, feature: features[code] ?? 0,
                importance: Self.importance(population, code, alternates), name: keep(2), asciiName: keep(3),
                alternates: keep(12)))
    }

    /// How likely it is that a place is meant, in thousandths of a power of ten of people: its population, more for seats of
    /// government, less for parts of a place, a little more with each name that somebody gave it.
    private static func importance(_ population: Int, _ feature: String, _ alternates: Int) -> UInt16 {
        let (least, bonus) =
            switch feature {
            case "PPLC": (4000, 400)
            case "PPLA": (3500, 200)
            case "PPLA2": (2900, 50)
            case "PPLA3": (2600, 0)
            case "PPLX": (2000, -500)
            case "PPLH", "PPLQ", "PPLW": (1500, -800)
            default: (2300, 0)
            }
        let people = population > 0 ? Int(log10(Double(population)) * 1000) : 0
        return UInt16(max(0, max(people, least) + bonus + Int(log10(Double(1 + alternates)) * 250)))
    }

    // MARK: Parts

    /// The places from the most important.
    private var order: [Int] {
        entries.indices.sorted { a, b in
            let (a, b) = (entries[a], entries[b])
            return (a.importance, a.population, b.id) > (b.importance, b.population, a.id)
        }
    }

    /// The number of each place by its id.
    var numbers: [UInt32: UInt32] {
        Dictionary(order.enumerated().map { (entries[$1].id, UInt32($0)) }) { first, _ in first }
    }

    /// The parts of the index.
    ///
    /// - Throws: `GazetteerError` if there were no places, or too many.
    func parts() throws -> [(name: String, content: [UInt8])] {
        guard !entries.isEmpty else { throw GazetteerError("the gazetteer has no places") }
        guard entries.count <= PlaceNames.Posting.placeLimit else {
            throw GazetteerError("the gazetteer has more places than can be searched")
        }
        let foldingParts = PlaceFolding.parts
        let folding = PlaceFolding(MappedParts(foldingParts))
        let sorted = order.map { entries[$0] }
        var names = PlaceNamesBuilder()
        var alternates: [[UInt8]] = []
        alternates.reserveCapacity(sorted.count)
        for (place, entry) in sorted.enumerated() {
            alternates.append(addNames(of: entry, as: place, folding, to: &names))
        }
        var parts = foldingParts
        parts += names.parts("names", importances: sorted.map(\.importance))
        parts += areaParts(folding)
        parts += [
            ("place.ids", sorted.map(\.id).memory),
            ("place.points", sorted.flatMap { [$0.point.latitudeE7, $0.point.longitudeE7] }.memory),
            ("place.populations", sorted.map(\.population).memory),
            ("place.parents", sorted.flatMap { [$0.admin1, $0.admin2, $0.country] }.memory),
            ("place.features", sorted.map(\.feature)),
        ]
        parts += MappedTexts.parts("place.texts", sorted.lazy.map { texts[$0.name] })
        parts += MappedTexts.parts("place.alternates", alternates)
        parts += MappedTexts.parts("country.codes", countryCodes)
        parts += MappedTexts.parts("feature.codes", featureCodes)
        parts += cellParts(sorted)
        return parts
    }

    /// Adds all names of a place.
    ///
    /// - Returns: the alternate names that are kept, joined as in the gazetteer.
    private func addNames(
        of entry: Entry, as place: Int, _ folding: PlaceFolding, to names: inout PlaceNamesBuilder
    ) -> [UInt8] {
        // Of each form the number of the alternate name that has it.
        var known: [[UInt8]: Int] = [:]
        func add(_ form: [UInt8], _ kind: PlaceNames.Posting.Kind, _ alternate: Int) -> Bool {
            guard !form.isEmpty, known[form] == nil else { return false }
            known[form] = alternate
            names.add(form, PlaceNames.Posting(place: place, kind: kind, alternate: alternate))
            return true
        }
        let name = String(decoding: texts[entry.name], as: UTF8.self)
        for text in [name, String(decoding: texts[entry.asciiName], as: UTF8.self)] {
            for form in PlaceForms(text, folding).all { _ = add(form, .primary, PlaceNames.Posting.unnumbered) }
        }
        let words = folding.words(name.unicodeScalars).words
        let initials = words.initials
        var kept: [ArraySlice<UInt8>] = []
        for alternate in texts[entry.alternates].split(separator: UInt8(ascii: "|")) {
            var isNew = false
            let forms = PlaceForms(String(decoding: alternate, as: UTF8.self), folding).all
            for form in forms where add(form, form == initials ? .initials : .alternate, kept.count) { isNew = true }
            if isNew {
                kept.append(alternate)
            } else if let number = known[forms[0]], number < kept.count, kept[number].count < alternate.count {
                // Of names that are the same but for marks the one with marks is shown.
                kept[number] = alternate
            }
        }
        if entry.importance >= Self.importanceOfInnerNames {
            for start in words.ends.indices.dropFirst() where words[start].count > 2 {
                _ = add([UInt8](words[start..<words.count]), .inner, PlaceNames.Posting.unnumbered)
            }
        }
        return [UInt8](kept.joined(separator: [UInt8(ascii: "|")]))
    }

    /// From about ten thousand people on a place is found by later words of its name.
    private static let importanceOfInnerNames = 4200

    private func areaParts(_ folding: PlaceFolding) -> [(name: String, content: [UInt8])] {
        var names = PlaceNamesBuilder()
        for (number, area) in areas.enumerated() {
            var known: Set<[UInt8]> = []
            func add(_ texts: [[UInt8]], _ kind: PlaceNames.Posting.Kind) {
                for text in texts {
                    for form in PlaceForms(String(decoding: text, as: UTF8.self), folding).all
                    where !form.isEmpty && known.insert(form).inserted {
                        names.add(
                            form,
                            PlaceNames.Posting(place: number, kind: kind, alternate: PlaceNames.Posting.unnumbered))
                    }
                }
            }
            add([area.name] + area.everydayNames, .primary)
            add(area.alternates, .alternate)
            add(area.codes, .inner)
        }
        let importances = areas.map { UInt16(log10(Double(max(1, $0.population))) * 1000) }
        let points = areas.flatMap { area in
            area.point.map { [$0.latitudeE7, $0.longitudeE7] } ?? [PlaceIndex.nowhere, PlaceIndex.nowhere]
        }
        return names.parts("areas", importances: importances)
            + MappedTexts.parts("country.texts", areas.prefix(countryCodes.count).map(\.name))
            + MappedTexts.parts("division.texts", areas.dropFirst(countryCodes.count).map(\.name))
            + [
                ("area.ids", areas.map(\.id).memory), ("area.points", points.memory),
                ("area.levels", areas.map(\.level)), ("area.countries", areas.map(\.country).memory),
                ("area.populations", areas.map { UInt32(clamping: $0.population) }.memory),
            ]
    }

    private func cellParts(_ places: [Entry]) -> [(name: String, content: [UInt8])] {
        var starts = [UInt32](repeating: 0, count: PlaceIndex.cellRows * PlaceIndex.cellColumns + 1)
        let cells = places.map { place in
            let cell = PlaceIndex.cell(place.point)
            return cell.row * PlaceIndex.cellColumns + cell.column
        }
        for cell in cells { starts[cell + 1] += 1 }
        for cell in 1..<starts.count { starts[cell] += starts[cell - 1] }
        var (next, list) = (starts, [UInt32](repeating: 0, count: places.count))
        for (place, cell) in cells.enumerated() {
            list[Int(next[cell])] = UInt32(place)
            next[cell] += 1
        }
        return [("cell.starts", starts.memory), ("cell.places", list.memory)]
    }

    private static func split(_ names: UnsafeRawBufferPointer) -> [[UInt8]] {
        names.split(separator: UInt8(ascii: "|")).map { [UInt8]($0) }
    }

    /// Countries whose divisions are often written as their codes.
    private static let countriesWithCodes: Set = ["US", "CA", "AU", "BR", "MX", "IN", "DE", "CH"]

    /// Names in everyday use, each as much as the one that the gazetteer has.
    private static let everydayNames: [String: [String]] = [
        "AE": ["UAE", "Emirates"], "AT": ["Österreich"], "BA": ["Bosnia"], "BE": ["België", "Belgique", "Belgien"],
        "BR": ["Brasil"], "CD": ["Congo", "DR Congo", "DRC"], "CG": ["Congo"],
        "CH": ["Schweiz", "Suisse", "Svizzera"], "CI": ["Ivory Coast", "Côte d'Ivoire"], "CN": ["中国", "PRC"],
        "CV": ["Cabo Verde", "Cape Verde"], "CZ": ["Czech Republic", "Česko"],
        "DE": ["Deutschland", "Allemagne", "Alemania"], "DK": ["Danmark"], "EG": ["مصر"],
        "ES": ["España", "Espagne", "Spanien"], "FI": ["Suomi"], "FR": ["Frankreich", "Francia"],
        "GB": ["UK", "Great Britain", "Britain"], "GM": ["The Gambia"], "GR": ["Hellas", "Ελλάδα"],
        "HR": ["Hrvatska"], "HU": ["Magyarország"], "IE": ["Éire"], "IN": ["Bharat"], "IS": ["Ísland"],
        "IT": ["Italia", "Italie", "Italien"], "JP": ["Nippon", "日本"], "KP": ["DPRK"],
        "KR": ["Korea", "Republic of Korea"], "MK": ["Macedonia"], "MM": ["Burma"], "MX": ["México"],
        "NL": ["Holland", "Nederland"], "NO": ["Norge"], "NZ": ["Aotearoa"], "PL": ["Polska"], "PT": ["Lusitania"],
        "RO": ["România"], "RU": ["Россия", "Rossiya"], "SE": ["Sverige"], "SZ": ["Swaziland"], "TL": ["East Timor"],
        "TR": ["Türkiye", "Turkey"], "UA": ["Україна"], "US": ["USA", "US", "America"], "VA": ["Vatican", "Holy See"],
        "VN": ["Viet Nam"], "ZA": ["RSA"],
    ]
}
