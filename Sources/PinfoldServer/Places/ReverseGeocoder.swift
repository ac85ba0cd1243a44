import Foundation
import Geo

/// Names for positions by the nearest place, all in memory (13 MB): a lookup touches no database.
///
/// It is immutable, so any number of threads use it at once.
package struct ReverseGeocoder: Sendable {
    /// How far the nearest place may be, in metres, for its names to be given. Further out, on the sea or in empty land,
    /// nothing is guessed.
    package static let reach = 50_000.0

    /// One place, 12 bytes. Rows are ordered by population, the most first, so that of two places on one spot the
    /// larger wins.
    struct Place {
        /// Of GeoNames.
        var id: UInt32
        /// Numbers in `divisionNames` plus 1; 0 is none.
        var admin1, admin2: UInt16
        /// Numbers in `countryCodes` and `zones`.
        var country, zone: UInt16
    }

    let points: PointIndex
    let places: [Place]
    let placeNames: StringTable
    let divisionNames: StringTable
    let countryCodes: StringTable
    let countryNames: StringTable
    let zones: StringTable

    /// The names at a position; nil if no place is within `reach`.
    ///
    /// Names are GeoNames's main ones, mostly local in Latin letters or English: the data tells no languages.
    package func reverse(_ coordinate: Coordinate) -> ReverseResult? {
        guard let nearest = points.nearest(to: coordinate, within: Self.reach) else { return nil }
        let place = places[nearest.row]
        let locality = placeNames[nearest.row]
        let admin1 = place.admin1 > 0 ? divisionNames[Int(place.admin1) - 1] : nil
        let admin2 = place.admin2 > 0 ? divisionNames[Int(place.admin2) - 1] : nil
        let country = countryNames[Int(place.country)]
        return ReverseResult(
            label: Self.label([locality, admin1, country]), locality: locality, admin1: admin1, admin2: admin2,
            country: country, countryCode: countryCodes[Int(place.country)], timezone: zones[Int(place.zone)],
            placeID: Int64(place.id), distance: nearest.metres)
    }

    /// The parts of an address that say something new, joined by commas: a part that repeats the one before it, in
    /// whatever case and accents, is left out (Singapore, Singapore; Québec, Quebec, Canada).
    static func label(_ parts: [String?]) -> String {
        var label = ""
        var previous = ""
        for case let part? in parts where !isSameName(part, previous) {
            label += label.isEmpty ? part : ", " + part
            previous = part
        }
        return label
    }

    /// Folding is slow, so it is left to names of one length in which not all is ASCII.
    private static func isSameName(_ a: String, _ b: String) -> Bool {
        if a == b { return true }
        guard a.unicodeScalars.count == b.unicodeScalars.count, a.utf8.count != b.utf8.count || !a.utf8.isASCII else {
            return false
        }
        func folded(_ text: String) -> String {
            text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
        }
        return folded(a) == folded(b)
    }
}

extension String.UTF8View {
    fileprivate var isASCII: Bool { allSatisfy { $0 < 0x80 } }
}

// MARK: Storing

extension ReverseGeocoder {
    /// The version of the form of `blobs`; a database of another one is loaded anew.
    static let form = 1

    /// All that it holds, as named pieces of bytes in this machine's order.
    var blobs: [(part: String, content: [UInt8])] {
        [
            ("points", points.blob), ("places", places.withUnsafeBytes { [UInt8]($0) }),
            ("placeNames", placeNames.blob), ("divisionNames", divisionNames.blob),
            ("countryCodes", countryCodes.blob), ("countryNames", countryNames.blob), ("zones", zones.blob),
        ]
    }

    /// What was stored as `blobs`; `read` hands the bytes of a part to a closure.
    ///
    /// - Throws: `GazetteerError` if the parts do not fit together, so that no lookup can go astray; or what `read`
    ///   throws.
    init(blobs read: (_ part: String, _ use: (UnsafeRawBufferPointer) throws -> Void) throws -> Void) throws {
        func table(_ part: String) throws -> StringTable {
            var table = StringTable()
            try read(part) { table = try StringTable(blob: $0) }
            return table
        }
        var places: [Place] = []
        try read("places") { places = [Place](blob: $0) }
        var points = PointIndex([])
        try read("points") { points = try PointIndex(blob: $0, rows: places.count) }
        self.points = points
        self.places = places
        placeNames = try table("placeNames")
        divisionNames = try table("divisionNames")
        countryCodes = try table("countryCodes")
        countryNames = try table("countryNames")
        zones = try table("zones")
        let (divisions, countries) = (divisionNames.count, min(countryCodes.count, countryNames.count))
        let fits = places.allSatisfy { [zones = zones.count] in
            $0.admin1 <= divisions && $0.admin2 <= divisions && $0.country < countries && $0.zone < zones
        }
        guard fits, placeNames.count == places.count, !places.isEmpty else {
            throw GazetteerError("the index of places is damaged")
        }
    }
}
