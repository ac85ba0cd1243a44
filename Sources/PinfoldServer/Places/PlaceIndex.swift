import Geo

/// What place search knows of the gazetteer: names, where the places are, what they lie in. Kept in `places.index`.
///
/// Places are numbered from the most important. *Areas* are countries and divisions: countries first, then the divisions
/// in the order of their numbers in the gazetteer.
final class PlaceIndex: Sendable {
    /// The version of the form of the parts; a file of another one is made anew.
    static let form = 3

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
    private let countryTexts: MappedTexts
    private let divisionTexts: MappedTexts
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
        countryTexts = MappedTexts(parts, "country.texts")
        divisionTexts = MappedTexts(parts, "division.texts")
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
    func featureCodeBytes(of place: Int) -> UnsafeBufferPointer<UInt8>? {
        let code = Int(features[place] ?? 0)
        return code == 0 ? nil : featureCodes.bytes(code)
    }

    func name(of place: Int) -> String { placeTexts.text(place) }

    func nameBytes(of place: Int) -> UnsafeBufferPointer<UInt8> { placeTexts.bytes(place) }

    /// The alternate name with that number, nil if it is not kept.
    func alternateNameBytes(_ number: Int, of place: Int) -> UnsafeBufferPointer<UInt8>? {
        guard number < PlaceNames.Posting.unnumbered else { return nil }
        let bytes = alternateTexts.bytes(place)
        var (start, left) = (0, number)
        while left > 0 {
            guard let end = bytes[start...].firstIndex(of: UInt8(ascii: "|")) else { return nil }
            start = end + 1
            left -= 1
        }
        let end = bytes[start...].firstIndex(of: UInt8(ascii: "|")) ?? bytes.count
        return UnsafeBufferPointer(rebasing: bytes[start..<end])
    }

    func alternateName(_ number: Int, of place: Int) -> String? {
        alternateNameBytes(number, of: place).map { String(decoding: $0, as: UTF8.self) }
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
    var areaCount: Int { countries + divisionTexts.count }

    func name(ofArea area: Int) -> String { String(decoding: nameBytes(ofArea: area), as: UTF8.self) }

    func nameBytes(ofArea area: Int) -> UnsafeBufferPointer<UInt8> {
        area < countries ? countryTexts.bytes(area) : divisionTexts.bytes(area - countries)
    }

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

    func codeBytes(ofCountry country: Int) -> UnsafeBufferPointer<UInt8> { countryCodes.bytes(country) }

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
