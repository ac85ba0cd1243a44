import Geo

/// What place search knows of the gazetteer: names, where the places are, what they lie in. Kept in `places.index`.
///
/// Places are numbered from the most important. *Areas* are countries and divisions: countries first, then the divisions
/// in the order of their numbers in the gazetteer.
struct PlaceIndex: Sendable {
    /// The version of the form of the parts; a file of another one is made anew.
    static let form = 2

    let folding: PlaceFolding
    let names: PlaceNames
    /// Of areas; `inner` postings are codes, which count only when written in full.
    let areaNames: PlaceNames
    private let ids: MappedArray<UInt32>
    private let points: MappedArray<Int32>
    private let populations: MappedArray<UInt32>
    /// Of each place the numbers of its divisions from 1, 0 if it has none, and its country from 0.
    private let parents: MappedArray<UInt16>
    private let features: MappedArray<UInt8>
    private let placeTexts: MappedTexts
    private let alternateTexts: MappedTexts
    private let areaTexts: MappedTexts
    private let areaIds: MappedArray<UInt32>
    private let areaPoints: MappedArray<Int32>
    private let areaLevels: MappedArray<UInt8>
    private let areaCountries: MappedArray<UInt16>
    private let areaPopulations: MappedArray<UInt32>
    private let countryCodes: MappedTexts
    private let featureCodes: MappedTexts
    private let cellStarts: MappedArray<UInt32>
    private let cellPlaces: MappedArray<UInt32>
    let countries: Int

    /// - Throws: `GazetteerError` if there is no index in the parts.
    init(_ parts: MappedParts) throws {
        folding = PlaceFolding(parts)
        names = PlaceNames(parts, "names")
        areaNames = PlaceNames(parts, "areas")
        ids = parts.array("place.ids")
        points = parts.array("place.points")
        populations = parts.array("place.populations")
        parents = parts.array("place.parents")
        features = parts.array("place.features")
        placeTexts = MappedTexts(parts, "place.texts")
        alternateTexts = MappedTexts(parts, "place.alternates")
        areaTexts = MappedTexts(parts, "area.texts")
        areaIds = parts.array("area.ids")
        areaPoints = parts.array("area.points")
        areaLevels = parts.array("area.levels")
        areaCountries = parts.array("area.countries")
        areaPopulations = parts.array("area.populations")
        countryCodes = MappedTexts(parts, "country.codes")
        featureCodes = MappedTexts(parts, "feature.codes")
        cellStarts = parts.array("cell.starts")
        cellPlaces = parts.array("cell.places")
        countries = countryCodes.count
        guard ids.count > 0, cellStarts.count == Self.cellRows * Self.cellColumns + 1 else {
            throw GazetteerError("the index of places is damaged")
        }
    }

    // MARK: Places

    /// How many places there are.
    var count: Int { ids.count }

    func id(of place: Int) -> Int64 { Int64(ids[place] ?? 0) }

    func coordinate(of place: Int) -> Coordinate {
        Coordinate(latitudeE7: points[place * 2] ?? 0, longitudeE7: points[place * 2 + 1] ?? 0)
    }

    /// 0 if unknown.
    func population(of place: Int) -> Int { Int(populations[place] ?? 0) }

    /// GeoNames's, nil if unknown.
    func featureCode(of place: Int) -> String? {
        let code = Int(features[place] ?? 0)
        return code == 0 ? nil : featureCodes.text(code)
    }

    func name(of place: Int) -> String { placeTexts.text(place) }

    func nameBytes(of place: Int) -> UnsafeBufferPointer<UInt8> { placeTexts.bytes(place) }

    /// The alternate name with that number, nil if it is not kept.
    func alternateName(_ number: Int, of place: Int) -> String? {
        guard number < PlaceNames.Posting.unnumbered else { return nil }
        var left = number
        for name in alternateTexts.bytes(place).split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false) {
            if left == 0 { return String(decoding: name, as: UTF8.self) }
            left -= 1
        }
        return nil
    }

    /// The alternate names that are kept: of those that fold to the same one.
    func alternateNames(of place: Int) -> [String] { alternateTexts.text(place).split(separator: "|").map(String.init) }

    /// What the place lies in: its area of the first and the second order, nil where there is none, and its country.
    @inline(__always)
    func areas(of place: Int) -> (admin1: Int?, admin2: Int?, country: Int) {
        let (first, second) = (Int(parents[place * 3] ?? 0), Int(parents[place * 3 + 1] ?? 0))
        return (
            first == 0 ? nil : countries + first - 1, second == 0 ? nil : countries + second - 1,
            Int(parents[place * 3 + 2] ?? 0)
        )
    }

    /// How many areas there are.
    var areaCount: Int { areaTexts.count }

    func name(ofArea area: Int) -> String { areaTexts.text(area) }

    /// A latitude that no place has: of an area in which no people are known.
    static let nowhere = Int32.max

    /// What can be shown of an area; nil for one that has no id or no people, and for divisions below the first order.
    func shownArea(_ area: Int) -> (id: Int64, point: Coordinate, population: Int, country: Int)? {
        guard let id = areaIds[area], id > 0, let level = areaLevels[area], level < 2,
            let latitude = areaPoints[area * 2], latitude != Self.nowhere, let longitude = areaPoints[area * 2 + 1]
        else { return nil }
        let point = Coordinate(latitudeE7: latitude, longitudeE7: longitude)
        return (Int64(id), point, Int(areaPopulations[area] ?? 0), Int(areaCountries[area] ?? 0))
    }

    /// ISO 3166-1 alpha-2.
    func code(ofCountry country: Int) -> String { countryCodes.text(country) }

    // MARK: Cells

    /// Cells are of one degree, row by row from the south-west.
    static let cellRows = 180
    static let cellColumns = 360

    static func cell(_ coordinate: Coordinate) -> (row: Int, column: Int) {
        (cell(row: coordinate.latitudeE7), cell(column: coordinate.longitudeE7) % cellColumns)
    }

    /// The row of a latitude.
    static func cell(row latitude: Int32) -> Int {
        min(cellRows - 1, Int((Int64(latitude) + 900_000_000) / 10_000_000))
    }

    /// The column of a longitude, which for 180 degrees is the first of the next round.
    static func cell(column longitude: Int32) -> Int { Int((Int64(longitude) + 1_800_000_000) / 10_000_000) }

    /// The places of some columns of a row of cells; the columns may go round.
    func forEachPlace(inRow row: Int, columns: ClosedRange<Int>, _ body: (Int) -> Void) {
        guard (0..<Self.cellRows).contains(row) else { return }
        for column in columns.prefix(Self.cellColumns) {
            let cell = row * Self.cellColumns + (column % Self.cellColumns + Self.cellColumns) % Self.cellColumns
            let (start, end) = (Int(cellStarts[cell] ?? 0), Int(cellStarts[cell + 1] ?? 0))
            guard start < end else { continue }
            for place in cellPlaces.slice(start..<end) where Int(place) < count { body(Int(place)) }
        }
    }
}

/// Many short texts in two parts, by number.
struct MappedTexts: Sendable {
    /// Where each ends.
    private let ends: MappedArray<UInt32>
    private let content: MappedArray<UInt8>

    init(_ parts: MappedParts, _ name: String) {
        ends = parts.array("\(name).ends")
        content = parts.array("\(name).content")
    }

    var count: Int { ends.count }

    /// Empty for a number that there is not.
    func bytes(_ index: Int) -> UnsafeBufferPointer<UInt8> {
        let (start, end) = (Int(index == 0 ? 0 : ends[index - 1] ?? 0), Int(ends[index] ?? 0))
        return content.slice(min(start, end)..<end)
    }

    func text(_ index: Int) -> String { String(decoding: bytes(index), as: UTF8.self) }

    /// What is stored.
    static func parts(_ name: String, _ texts: some Sequence<some Sequence<UInt8>>) -> [(
        name: String, content: [UInt8]
    )] {
        var (ends, content): ([UInt32], [UInt8]) = ([], [])
        for text in texts {
            content.append(contentsOf: text)
            ends.append(UInt32(content.count))
        }
        return [("\(name).ends", ends.memory), ("\(name).content", content)]
    }
}
