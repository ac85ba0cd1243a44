import Foundation
import Geo

/// Names for positions from borders and places, all in memory: a look-up touches no database.
///
/// It is immutable, so any number of threads use it at once.
package final class ReverseGeocoder: Sendable {
    /// How far a place may be, in metres, for its name to be given.
    package static let reach = 50_000.0

    /// One place, 8 bytes. A place's number is that of its node in `points`, which has its `Mark`.
    struct Place {
        /// Its number in `ids` and `positions`.
        var number: UInt32
        /// Numbers in `divisionNames` plus 1; 0 is none.
        var admin1, admin2: UInt16
    }

    /// What a search asks of a place, in 26 bits.
    struct Mark {
        let bits: UInt32

        init(bits: UInt32) {
            self.bits = bits
        }

        /// - Parameters:
        ///   - size: see `PlaceSize`.
        ///   - country: a number in `countryCodes`.
        ///   - zone: a number in `zones`, below `zoneLimit`.
        ///   - isPart: whether the place is a part of another.
        init(size: UInt8, country: UInt8, zone: UInt16, isPart: Bool) {
            bits = UInt32(size) | UInt32(country) << 8 | UInt32(zone) << 16 | (isPart ? 1 << 25 : 0)
        }

        var size: UInt8 { UInt8(truncatingIfNeeded: bits) }
        var country: UInt16 { UInt16(truncatingIfNeeded: bits >> 8 & 0xFF) }
        var zone: UInt16 { UInt16(truncatingIfNeeded: bits >> 16 & 0x1FF) }
        var isPart: Bool { bits & 1 << 25 != 0 }

        /// How many time zones there can be.
        static let zoneLimit = 512
    }

    /// What is within one area of `zoneBorders`; its zone has the area's number minus 1 in `zones`.
    struct ZoneArea {
        /// Its country, and the other one that keeps the same time; numbers in `countryCodes` or `none`.
        var country, other: UInt16
    }

    /// What is within one area of `divisionBorders`.
    struct DivisionArea {
        /// A number in `countryCodes` or `none`.
        var country: UInt16
        /// A number in `divisionNames` plus 1; 0 where the places must tell.
        var division: UInt16
    }

    static let none = UInt16.max

    let points: PointIndex
    let places: MappedArray<Place>
    /// Of GeoNames; which place has which number the search index decides, where there is one.
    let ids: MappedArray<UInt32>
    /// Latitude and longitude of each number in `ids`.
    let positions: MappedArray<Int32>
    let placeNames: MappedTexts
    let divisionNames: MappedTexts
    let countryCodes: MappedTexts
    let countryNames: MappedTexts
    let zones: MappedTexts
    let zoneBorders: BorderIndex
    let zoneAreas: MappedArray<ZoneArea>
    let divisionBorders: BorderIndex
    let divisionAreas: MappedArray<DivisionArea>
    /// Which zones the places of each first-order division keep: its number times 65,536 plus the zone's, ascending.
    let divisionZones: MappedArray<UInt32>
    /// Whether each division, by its number, has an area; 0 has none.
    let hasLine: [Bool]

    /// The version of the form of the parts and of the rules that fill them; a database of another one is loaded anew.
    static let form = 5

    /// The geocoder among some parts, which stay where they are.
    ///
    /// - Throws: `GazetteerError` if there is none, or arrays that do not fit together.
    init(_ parts: MappedParts) throws {
        points = try PointIndex(parts, "reverse.points")
        places = parts.array("reverse.places")
        ids = parts.array("place.ids")
        positions = parts.array("place.points")
        placeNames = MappedTexts(parts, "reverse.placeNames")
        divisionNames = MappedTexts(parts, "reverse.divisionNames")
        countryCodes = MappedTexts(parts, "reverse.countryCodes")
        countryNames = MappedTexts(parts, "reverse.countryNames")
        zones = MappedTexts(parts, "reverse.zones")
        zoneBorders = try BorderIndex(parts, "reverse.zoneLines")
        zoneAreas = parts.array("reverse.zoneAreas")
        divisionBorders = try BorderIndex(parts, "reverse.divisionLines")
        divisionAreas = parts.array("reverse.divisionAreas")
        divisionZones = parts.array("reverse.divisionZones")
        var lines = [Bool](repeating: false, count: divisionNames.count + 1)
        for area in divisionAreas.elements where area.division > 0 && Int(area.division) < lines.count {
            lines[Int(area.division)] = true
        }
        hasLine = lines
        guard places.count == points.count, ids.count >= places.count, positions.count == 2 * ids.count,
            placeNames.count == points.count, countryCodes.count == countryNames.count,
            zoneAreas.count == zoneBorders.areaCount, divisionAreas.count == divisionBorders.areaCount
        else { throw GazetteerError("the index of places is damaged") }
    }

    /// The names at a position.
    ///
    /// - Parameter language: the language of names; without it, and where none is known in it, they are GeoNames's main
    ///   ones, mostly local in Latin letters or English.
    package func reverse(_ coordinate: Coordinate, in language: LanguageNames? = nil) -> ReverseResult {
        names(of: match(coordinate), in: language)
    }

    private func names(of match: Match, in language: LanguageNames?) -> ReverseResult {
        func name(ofPlace row: Int) -> String {
            language?.place(id(of: row)) ?? placeNames.text(row)
        }
        func name(ofDivision number: UInt16) -> String? {
            number > 0 ? language?.division(Int(number)) ?? divisionNames.text(Int(number) - 1) : nil
        }
        let locality = match.locality.map { name(ofPlace: $0.row) }
        let part = match.part.map { name(ofPlace: $0) }
        let admin1 = name(ofDivision: match.division)
        let admin2 = name(ofDivision: match.locality?.admin2 ?? 0)
        let code = match.country.map { countryCodes.text(Int($0)) }
        let country = match.country.map { number in
            code.flatMap { language?.country($0) } ?? countryNames.text(Int(number))
        }
        return ReverseResult(
            label: country == nil ? nil : Self.label([part, locality, admin1, country]), locality: locality,
            admin1: admin1, admin2: admin2, country: country, countryCode: code,
            timezone: match.zone.map { zones.text(Int($0)) } ?? match.nauticalZone,
            placeID: match.locality?.id,
            distance: match.locality?.metres)
    }

    /// GeoNames's id of a place by its row.
    func id(of row: Int) -> Int64 { Int64(places[row].flatMap { ids[Int($0.number)] } ?? 0) }

    func coordinate(of row: Int) -> Coordinate {
        let number = Int(places[row]?.number ?? 0)
        return Coordinate(latitudeE7: positions[number * 2] ?? 0, longitudeE7: positions[number * 2 + 1] ?? 0)
    }

    func mark(of row: Int) -> Mark { Mark(bits: points.nodes[row]?.mark ?? 0) }

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

    /// Folding is slow, so it is left to names of one length in which not all is ASCII, and that may begin and end in the
    /// same letters.
    static func isSameName(_ a: String, _ b: String) -> Bool {
        if a == b { return true }
        func differ(_ a: UInt8?, _ b: UInt8?) -> Bool {
            guard let a, let b, a < 0x80, b < 0x80 else { return false }
            return a | 0x20 != b | 0x20
        }
        if differ(a.utf8.first, b.utf8.first) || differ(a.utf8.last, b.utf8.last) { return false }
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
