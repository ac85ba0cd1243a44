import HTTP

/// What `ReverseResult` writes, straight from the bytes of the tables: for many positions at once.
extension ReverseGeocoder {
    /// The API's object for a position, with GeoNames's main names.
    func write(_ match: Match, to json: inout JSONWriter) {
        let locality = match.locality.map { placeNames.bytes($0.row) }
        let part = match.part.map { placeNames.bytes($0) }
        let admin1 = match.division > 0 ? divisionNames.bytes(Int(match.division) - 1) : nil
        let admin2 = match.locality.flatMap { $0.admin2 > 0 ? divisionNames.bytes(Int($0.admin2) - 1) : nil }
        let country = match.country.map { countryNames.bytes(Int($0)) }
        json.beginObject()
        if let country {
            json.labelMember(part, locality, admin1, country)
        } else {
            json.key(quoted: #""label":"#)
            json.null()
        }
        json.key(quoted: #""locality":"#)
        json.optionalString(utf8: locality)
        json.key(quoted: #""admin1":"#)
        json.optionalString(utf8: admin1)
        json.key(quoted: #""admin2":"#)
        json.optionalString(utf8: admin2)
        json.key(quoted: #""country":"#)
        json.optionalString(utf8: country)
        json.key(quoted: #""countryCode":"#)
        json.optionalString(utf8: match.country.map { countryCodes.bytes(Int($0)) })
        json.key(quoted: #""timezone":"#)
        if let zone = match.zone {
            json.string(utf8: zones.bytes(Int(zone)))
        } else {
            json.optionalString(match.nauticalZone)
        }
        json.key(quoted: #""place":"#)
        if let id = match.locality?.id { json.decimalString(id) } else { json.null() }
        json.key(quoted: #""distance":"#)
        if let metres = match.locality?.metres { json.tenths(metres) } else { json.null() }
        json.endObject()
    }
}
