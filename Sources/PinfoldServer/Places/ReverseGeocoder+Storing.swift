/// The geocoder in a file of parts. Each look-up reads within the arrays only, so that whatever they hold leads at worst to a
/// wrong name.
extension ReverseGeocoder {
    /// The version of the form of the parts and of the rules that fill them; a database of another one is loaded anew.
    static let form = 3

    /// The geocoder among some parts, which stay where they are.
    ///
    /// - Throws: `GazetteerError` if there is none, or arrays that do not fit together.
    init(_ parts: MappedParts) throws {
        points = try PointIndex(parts, "reverse.points")
        places = parts.array("reverse.places")
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
        guard places.count == points.count, placeNames.count == points.count, countryCodes.count == countryNames.count,
            zoneAreas.count == zoneBorders.areaCount, divisionAreas.count == divisionBorders.areaCount
        else { throw GazetteerError("the index of places is damaged") }
    }
}
