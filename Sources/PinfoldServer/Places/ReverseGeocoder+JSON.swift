import HTTP

/// What `ReverseResult` writes, straight from the bytes of the tables: for many positions at once.
extension ReverseGeocoder {
    /// The API's object for a position, with GeoNames's main names.
    func write(_ match: Match, to json: inout JSONWriter) {
        let place = match.locality.flatMap { places[$0.row] }
        let locality = match.locality.map { placeNames.bytes($0.row) }
        let part = match.part.map { placeNames.bytes($0) }
        let admin1 = match.division > 0 ? divisionNames.bytes(Int(match.division) - 1) : nil
        let admin2 = place.flatMap { $0.admin2 > 0 ? divisionNames.bytes(Int($0.admin2) - 1) : nil }
        let country = match.country.map { countryNames.bytes(Int($0)) }
        json.beginObject()
        json.key("label")
        if let country {
            json.beginString()
            var previous: UnsafeBufferPointer<UInt8>?
            func add(_ name: UnsafeBufferPointer<UInt8>?, _ json: inout JSONWriter) {
                guard let name, previous != nil || !name.isEmpty else { return }
                if let previous {
                    if Self.isSameName(name, previous) { return }
                    json.piece(utf8: Self.comma)
                }
                json.piece(utf8: name)
                previous = name
            }
            add(part, &json)
            add(locality, &json)
            add(admin1, &json)
            add(country, &json)
            json.endString()
        } else {
            json.null()
        }
        json.key("locality")
        json.optionalString(utf8: locality)
        json.key("admin1")
        json.optionalString(utf8: admin1)
        json.key("admin2")
        json.optionalString(utf8: admin2)
        json.key("country")
        json.optionalString(utf8: country)
        json.key("countryCode")
        json.optionalString(utf8: match.country.map { countryCodes.bytes(Int($0)) })
        json.key("timezone")
        if let zone = match.zone {
            json.string(utf8: zones.bytes(Int(zone)))
        } else {
            json.optionalString(match.nauticalZone)
        }
        json.key("place")
        if let place { json.decimalString(Int64(place.id)) } else { json.null() }
        json.key("distance")
        if let metres = match.locality?.metres { json.tenths(metres) } else { json.null() }
        json.endObject()
    }

    /// As for texts, which are made only where it is not plain.
    private static func isSameName(_ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>) -> Bool {
        if a.count == b.count, a.elementsEqual(b) { return true }
        if let last = a.last, let other = b.last, last < 0x80, other < 0x80, last | 0x20 != other | 0x20 {
            return false
        }
        if a.allSatisfy({ $0 < 0x80 }), b.allSatisfy({ $0 < 0x80 }) { return false }
        return isSameName(String(decoding: a, as: UTF8.self), String(decoding: b, as: UTF8.self))
    }

    private static var comma: UnsafeBufferPointer<UInt8> {
        let text: StaticString = ", "
        return UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    }
}

extension JSONWriter {
    fileprivate mutating func optionalString(utf8 text: UnsafeBufferPointer<UInt8>?) {
        if let text { string(utf8: text) } else { null() }
    }
}
