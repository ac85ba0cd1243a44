/// The geocoder as bytes, and back.
extension ReverseGeocoder {
    /// The version of the form of `blobs` and of the rules that fill them; a database of another one is loaded anew.
    static let form = 2

    /// All that it holds, as named pieces of bytes in this machine's order.
    var blobs: [(part: String, content: [UInt8])] {
        [
            ("points", points.blob), ("greatest", greatest), ("places", places.withUnsafeBytes { [UInt8]($0) }),
            ("placeNames", placeNames.blob), ("divisionNames", divisionNames.blob),
            ("countryCodes", countryCodes.blob), ("countryNames", countryNames.blob), ("zones", zones.blob),
            ("zoneBorders", zoneBorders.blob), ("zoneAreas", zoneAreas.withUnsafeBytes { [UInt8]($0) }),
            ("divisionBorders", divisionBorders.blob),
            ("divisionAreas", divisionAreas.withUnsafeBytes { [UInt8]($0) }),
            ("divisionZones", divisionZones.withUnsafeBytes { [UInt8]($0) }),
        ]
    }

    /// What was stored as `blobs`; `read` hands the bytes of a part to a closure.
    ///
    /// - Throws: `GazetteerError` if the parts do not fit together, so that no lookup can go astray; or what `read`
    ///   throws.
    init(blobs read: (_ part: String, _ use: (UnsafeRawBufferPointer) throws -> Void) throws -> Void) throws {
        func part<Part>(_ name: String, _ make: @escaping (UnsafeRawBufferPointer) throws -> Part) throws -> Part {
            var made: Part?
            try read(name) { made = try make($0) }
            guard let made else { throw GazetteerError("the index of places is damaged") }
            return made
        }
        let places = try part("places") { [Place](blob: $0) }
        self.places = places
        points = try part("points") { try PointIndex(blob: $0, count: places.count) }
        greatest = try part("greatest") { [UInt8]($0) }
        placeNames = try part("placeNames") { try StringTable(blob: $0) }
        divisionNames = try part("divisionNames") { try StringTable(blob: $0) }
        countryCodes = try part("countryCodes") { try StringTable(blob: $0) }
        countryNames = try part("countryNames") { try StringTable(blob: $0) }
        zones = try part("zones") { try StringTable(blob: $0) }
        zoneBorders = try part("zoneBorders") { try BorderIndex(blob: $0) }
        zoneAreas = try part("zoneAreas") { [ZoneArea](blob: $0) }
        divisionBorders = try part("divisionBorders") { try BorderIndex(blob: $0) }
        divisionAreas = try part("divisionAreas") { [DivisionArea](blob: $0) }
        divisionZones = try part("divisionZones") { [UInt32](blob: $0) }
        hasLine = Self.lines(divisionAreas, divisionNames.count)
        guard fits else { throw GazetteerError("the index of places is damaged") }
    }

    /// What `hasLine` is for so many divisions.
    static func lines(_ areas: [DivisionArea], _ count: Int) -> [Bool] {
        var lines = [Bool](repeating: false, count: count + 1)
        for area in areas where area.division > 0 && area.division <= count { lines[Int(area.division)] = true }
        return lines
    }

    /// Whether every number that the parts hold is one of another part.
    private var fits: Bool {
        let (divisions, countries) = (divisionNames.count, min(countryCodes.count, countryNames.count))
        func isCountry(_ number: UInt16) -> Bool { number == Self.none || number < countries }
        return !places.isEmpty && greatest.count == places.count && placeNames.count == places.count
            && places.allSatisfy { [zones = zones.count] in
                $0.admin1 <= divisions && $0.admin2 <= divisions && $0.country < countries && $0.zone < zones
            }
            && zoneAreas.count == zoneBorders.areaCount && zoneAreas.count <= zones.count
            && zoneAreas.allSatisfy { isCountry($0.country) && isCountry($0.other) }
            && divisionAreas.count == divisionBorders.areaCount
            && divisionAreas.allSatisfy { isCountry($0.country) && $0.division <= divisions }
    }
}
