import Geo

/// Gathers the borders and the rows of the gazetteer into a `ReverseGeocoder`.
struct ReverseGeocoderBuilder {
    private struct Entry {
        let point: Coordinate
        let id: UInt32
        let admin1, admin2: UInt16
        let mark: ReverseGeocoder.Mark
        /// Where the name stands in `names`.
        let name: Range<Int>
    }

    private let zoneTable: BorderTable
    private let divisionTable: BorderTable
    private var entries: [Entry] = []
    private var names: [UInt8] = []
    private var countries: [String: UInt16] = [:]
    /// The numbers of first-order divisions by their GeoNames code.
    private var divisions: [String: UInt16] = [:]
    private var zoneNumbers: [String: UInt16] = [:]
    private var countryCodes = StringTable()
    private var countryNames = StringTable()
    private var divisionNames = StringTable()
    private var zones = StringTable()

    /// Reads the files of borders that lie beside the gazetteer at `bundle`.
    ///
    /// - Throws: `GazetteerError` if one is missing or damaged.
    init(beside bundle: String) throws {
        let files = GazetteerFile.borders(beside: bundle)
        zoneTable = try BorderTable(files.zones)
        divisionTable = try BorderTable(files.divisions)
        // The areas come first, so that an area's zone has its number minus 1.
        for area in zoneTable.areas { _ = zone(area[0]) }
        guard zones.count == zoneTable.areas.count else {
            throw GazetteerError("the table of borders \(files.zones.path) is damaged: it has a time zone twice")
        }
    }

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
            if try row.integer(2) == 1 { divisions[try row.text(5)] = UInt16(divisionNames.count) }
        case 5 where row.equals(0, "country"):
            guard countryCodes.count < Int(UInt8.max) else { throw row.bad("there are too many countries") }
            countries[try row.text(1)] = UInt16(countryCodes.count)
            countryCodes.append(row.column(1))
            countryNames.append(row.column(3))
        default: throw row.bad("it has an unknown table or another number of columns")
        }
    }

    private mutating func addPlace(_ row: GazetteerRow) throws {
        let code = try row.text(8)
        guard let country = countries[code] else { throw row.bad("its country is unknown") }
        let (admin1, admin2) = (try row.optionalInteger(9) ?? 0, try row.optionalInteger(10) ?? 0)
        guard admin1 <= divisionNames.count, admin2 <= divisionNames.count else {
            throw row.bad("its division is unknown")
        }
        guard let id = UInt32(exactly: try row.integer(1)) else { throw row.bad("its id is too large") }
        let start = names.count
        names.append(contentsOf: row.column(2))
        let point = try row.coordinate(4, 5)
        let population = try row.integer(6)
        let featureCode = try row.text(7)
        // The zone whose lines hold it, so that a position and its places are told apart by the same lines; not where the
        // place stands on the wrong side of a border.
        let area = zoneTable.index.area(at: point)
        let isAtHome = area > 0 && zoneTable.areas[area - 1][1].split(separator: "|").contains { $0 == code }
        let zone = isAtHome ? UInt16(area - 1) : zone(try row.text(11))
        entries.append(
            Entry(
                point: point, id: id, admin1: UInt16(admin1), admin2: UInt16(admin2),
                mark: ReverseGeocoder.Mark(
                    size: PlaceSize.size(population: population, featureCode: featureCode), country: UInt8(country),
                    zone: zone, isPart: featureCode == "PPLX"),
                name: start..<names.count))
    }

    private mutating func zone(_ name: String) -> UInt16 {
        if let number = zoneNumbers[name] { return number }
        let number = UInt16(truncatingIfNeeded: zones.count)
        zoneNumbers[name] = number
        zones.append(name.utf8)
        return number
    }

    /// What is stored.
    ///
    /// - Parameter numbers: the number of each place by its id in the arrays of the search index; nil for arrays of its own.
    /// - Throws: `GazetteerError` if there were no places.
    consuming func parts(
        numbers: [UInt32: UInt32]? = nil
    ) throws -> [(name: String, content: [UInt8])] {
        guard zones.count <= ReverseGeocoder.Mark.zoneLimit else {
            throw GazetteerError("there are too many time zones")
        }
        guard !entries.isEmpty else { throw GazetteerError("the gazetteer has no places") }
        for (code, name) in divisionTable.countries where countries[code] == nil {
            guard countryCodes.count < Int(UInt8.max) else { throw GazetteerError("there are too many countries") }
            countries[code] = UInt16(countryCodes.count)
            countryCodes.append(code.utf8)
            countryNames.append(name.utf8)
        }
        // In the tree's order: what is found together lies together.
        let points = PointIndexBuilder(entries.map(\.point))
        var placeNames = StringTable()
        for index in points.order { placeNames.append(names[entries[index].name]) }
        let sorted = points.order.map { entries[$0] }
        let pairs = Set(sorted.filter { $0.admin1 > 0 }.map { UInt32($0.admin1) << 16 | UInt32($0.mark.zone) })
        let places = sorted.enumerated().map { row, entry in
            ReverseGeocoder.Place(
                number: numbers.map { $0[entry.id] ?? 0 } ?? UInt32(row), admin1: entry.admin1, admin2: entry.admin2)
        }
        let own: [(name: String, content: [UInt8])] =
            numbers == nil
            ? [
                ("place.ids", sorted.map(\.id).memory),
                ("place.points", sorted.flatMap { [$0.point.latitudeE7, $0.point.longitudeE7] }.memory),
            ] : []
        return [
            points.parts("reverse.points", mark: { sorted[$0].mark.bits }, size: { sorted[$0].mark.size }),
            [("reverse.places", places.memory)], own, placeNames.parts("reverse.placeNames"),
            divisionNames.parts("reverse.divisionNames"), countryCodes.parts("reverse.countryCodes"),
            countryNames.parts("reverse.countryNames"), zones.parts("reverse.zones"),
            zoneTable.index.parts("reverse.zoneLines"), divisionTable.index.parts("reverse.divisionLines"),
            [
                ("reverse.zoneAreas", zoneTable.areas.map(zoneArea).memory),
                ("reverse.divisionAreas", divisionTable.areas.map(divisionArea).memory),
                ("reverse.divisionZones", pairs.sorted().memory),
            ],
        ].flatMap { $0 }
    }

    /// The columns are the zone's name and its countries.
    private func zoneArea(_ columns: [String]) -> ReverseGeocoder.ZoneArea {
        let codes = columns[1].split(separator: "|").map { countries[String($0)] ?? ReverseGeocoder.none }
        return ReverseGeocoder.ZoneArea(
            country: codes.first ?? ReverseGeocoder.none,
            other: codes.dropFirst().first ?? ReverseGeocoder.none)
    }

    /// The columns are a country's code and a division's.
    private func divisionArea(_ columns: [String]) -> ReverseGeocoder.DivisionArea {
        ReverseGeocoder.DivisionArea(
            country: countries[columns[0]] ?? ReverseGeocoder.none, division: divisions[columns[1]] ?? 0)
    }
}
