import Geo

/// Gathers the rows of the gazetteer into a `ReverseGeocoder`.
struct ReverseGeocoderBuilder {
    private struct Entry {
        let point: Coordinate
        let population: Int
        let place: ReverseGeocoder.Place
        /// Where the name ends in `names`.
        let nameEnd: Int
        let nameStart: Int
    }

    private var entries: [Entry] = []
    private var names: [UInt8] = []
    private var countries: [String: UInt16] = [:]
    private var zoneNumbers: [String: UInt16] = [:]
    private var countryCodes = StringTable()
    private var countryNames = StringTable()
    private var divisionNames = StringTable()
    private var zones = StringTable()

    /// Takes one row of any table.
    ///
    /// - Throws: `GazetteerError` for a row that is not as `data/README.md` says.
    mutating func add(_ row: GazetteerRow) throws {
        switch row.count {
        case 13 where row.equals(0, "place"): try addPlace(row)
        case 10 where row.equals(0, "division"):
            guard try row.integer(1) == divisionNames.count + 1, divisionNames.count < Int(UInt16.max) else {
                throw row.bad("the divisions are not numbered from 1")
            }
            divisionNames.append(row.column(8))
        case 5 where row.equals(0, "country"):
            countries[try row.text(1)] = UInt16(truncatingIfNeeded: countryCodes.count)
            countryCodes.append(row.column(1))
            countryNames.append(row.column(3))
        default: throw row.bad("it has an unknown table or another number of columns")
        }
    }

    private mutating func addPlace(_ row: GazetteerRow) throws {
        guard let country = countries[try row.text(8)] else { throw row.bad("its country is unknown") }
        let (admin1, admin2) = (try row.optionalInteger(9) ?? 0, try row.optionalInteger(10) ?? 0)
        guard admin1 <= divisionNames.count, admin2 <= divisionNames.count else {
            throw row.bad("its division is unknown")
        }
        guard let id = UInt32(exactly: try row.integer(1)) else { throw row.bad("its id is too large") }
        let start = names.count
        names.append(contentsOf: row.column(2))
        entries.append(
            Entry(
                point: try row.coordinate(4, 5), population: try row.integer(6),
                place: ReverseGeocoder.Place(
                    id: id, admin1: UInt16(admin1), admin2: UInt16(admin2), country: country,
                    zone: try zone(row.text(11))),
                nameEnd: names.count, nameStart: start))
    }

    private mutating func zone(_ name: String) -> UInt16 {
        if let number = zoneNumbers[name] { return number }
        let number = UInt16(truncatingIfNeeded: zones.count)
        zoneNumbers[name] = number
        zones.append(name.utf8)
        return number
    }

    /// - Throws: `GazetteerError` if there were no places.
    func finish() throws -> ReverseGeocoder {
        guard !entries.isEmpty else { throw GazetteerError("the gazetteer has no places") }
        // Sorting numbers and not entries keeps the swaps small.
        let order = entries.indices.sorted { a, b in
            (entries[b].population, entries[a].place.id) < (entries[a].population, entries[b].place.id)
        }
        var placeNames = StringTable()
        for index in order { placeNames.append(names[entries[index].nameStart..<entries[index].nameEnd]) }
        return ReverseGeocoder(
            points: PointIndex(order.map { entries[$0].point }), places: order.map { entries[$0].place },
            placeNames: placeNames, divisionNames: divisionNames, countryCodes: countryCodes,
            countryNames: countryNames, zones: zones)
    }
}
