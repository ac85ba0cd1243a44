import HTTP

/// The names at a position.
package struct ReverseResult: Sendable, Hashable {
    /// A readable address line: `Saint Paul, Minnesota, United States`.
    package let label: String
    /// The nearest place.
    package let locality: String
    /// The first and second order divisions that the place lies in, where its country has them.
    package let admin1, admin2: String?
    /// The everyday English name.
    package let country: String
    /// ISO 3166-1 alpha-2, `XK` for Kosovo.
    package let countryCode: String
    /// Of the IANA time zone database: `America/Chicago`.
    package let timezone: String
    /// The nearest place's id in GeoNames, for `/v1/places/{id}`.
    package let placeID: Int64
    /// How far the nearest place's centre is, in metres on the ellipsoid.
    package let distance: Double
}

extension ReverseResult: JSONWritable {
    func write(to json: inout JSONWriter) { Self.write(self, to: &json) }

    /// The API's object for a position. `place` is the id of the nearest place; where there is none within
    /// `ReverseGeocoder.reach` all members are null.
    package static func write(_ result: ReverseResult?, to json: inout JSONWriter) {
        json.object { json in
            json.key("label")
            json.optionalString(result?.label)
            json.key("locality")
            json.optionalString(result?.locality)
            json.key("admin1")
            json.optionalString(result?.admin1)
            json.key("admin2")
            json.optionalString(result?.admin2)
            json.key("country")
            json.optionalString(result?.country)
            json.key("countryCode")
            json.optionalString(result?.countryCode)
            json.key("timezone")
            json.optionalString(result?.timezone)
            json.key("place")
            if let result { json.decimalString(result.placeID) } else { json.null() }
            json.key("distance")
            // Tenths of a metre: the positions of the gazetteer are good to a metre at best.
            if let result { json.number((result.distance * 10).rounded() / 10) } else { json.null() }
        }
    }
}
