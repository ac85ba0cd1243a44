import HTTP

/// The names at a position; at sea all but the time zone are nil.
package struct ReverseResult: Sendable, Hashable {
    /// A readable address line: `Kreuzberg, Berlin, Germany`.
    package let label: String?
    /// The place that people would name; nil in empty land.
    package let locality: String?
    /// The first and second order divisions, where the country has them and they are known.
    package let admin1, admin2: String?
    /// The everyday English name.
    package let country: String?
    /// ISO 3166-1 alpha-2, `XK` for Kosovo.
    package let countryCode: String?
    /// Of the IANA time zone database: `America/Chicago`, out at sea `Etc/GMT+3`.
    package let timezone: String?
    /// The locality's id in GeoNames, for `/v1/places/{id}`.
    package let placeID: Int64?
    /// How far the locality's centre is, in metres on the ellipsoid.
    package let distance: Double?

    /// The credit that the licences of names and borders ask for.
    package static let attribution =
        "GeoNames (https://www.geonames.org), CC BY 4.0; borders: OpenStreetMap contributors "
        + "(https://www.openstreetmap.org/copyright), ODbL 1.0, and Natural Earth"
}

extension ReverseResult: JSONWritable {
    /// The API's object for a position. `place` is the locality's id.
    package func write(to json: inout JSONWriter) {
        json.object { writeMembers(to: &$0) }
    }

    /// The same, as an answer of its own.
    func writeAnswer(to json: inout JSONWriter) {
        json.object { json in
            writeMembers(to: &json)
            json.key("attribution")
            json.string(Self.attribution)
        }
    }

    private func writeMembers(to json: inout JSONWriter) {
        json.key("label")
        json.optionalString(label)
        json.key("locality")
        json.optionalString(locality)
        json.key("admin1")
        json.optionalString(admin1)
        json.key("admin2")
        json.optionalString(admin2)
        json.key("country")
        json.optionalString(country)
        json.key("countryCode")
        json.optionalString(countryCode)
        json.key("timezone")
        json.optionalString(timezone)
        json.key("place")
        if let placeID { json.decimalString(placeID) } else { json.null() }
        json.key("distance")
        if let distance { json.tenths(distance) } else { json.null() }
    }
}

extension JSONWriter {
    /// A distance to tenths of a metre: the positions of the gazetteer are good to a metre at best.
    /// What is none on Earth, as damaged positions may have it, is null.
    mutating func tenths(_ metres: Double) {
        if (0...1e8).contains(metres) { thousandths(Int64((metres * 10).rounded()) * 100) } else { null() }
    }
}
