import Geo
import HTTP
import Storage

/// A place of the gazetteer with what it lies in.
package struct Place: Sendable, Hashable {
    /// A division or country that a place lies in.
    package struct Parent: Sendable, Hashable {
        package enum Kind: String, Sendable {
            case country, admin1, admin2
        }

        package let kind: Kind
        /// GeoNames's id, where there is one.
        package let id: Int64?
        package let name: String
        /// ISO 3166-1 alpha-2 of a country, GeoNames's code of a division: `US`, `US.MN`, `US.MN.123`.
        package let code: String
    }

    /// Of GeoNames.
    package let id: Int64
    package let name: String
    package let coordinate: Coordinate
    /// 0 if unknown.
    package let population: Int64
    /// GeoNames's, such as `PPLC` for a capital.
    package let featureCode: String?
    package let timezone: String
    /// Other names, of languages that the data does not tell, transliterations among them.
    package let alternateNames: [String]
    /// What it lies in, the smallest first; the last is the country.
    package let parents: [Parent]
}

extension Place: JSONWritable {
    /// `names` is by language; what the gazetteer has in no known language is under `und` (undetermined, ISO 639-2).
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.key("kind")
            json.string("place")
            json.key("id")
            json.decimalString(id)
            json.key("name")
            json.string(name)
            json.key("label")
            json.string(label)
            json.key("latitude")
            json.e7(coordinate.latitudeE7)
            json.key("longitude")
            json.e7(coordinate.longitudeE7)
            json.key("population")
            if population > 0 { json.integer(population) } else { json.null() }
            json.key("featureCode")
            json.optionalString(featureCode)
            json.key("timezone")
            json.string(timezone)
            json.key("names")
            json.object { json in
                json.key("und")
                json.array { json in
                    for name in [name] + alternateNames { json.string(name) }
                }
            }
            json.key("parents")
            json.array { json in
                for parent in parents { parent.write(to: &json) }
            }
        }
    }

    /// The address line that reverse geocoding gives.
    package var label: String {
        ReverseGeocoder.label([name] + parents.filter { $0.kind != .admin2 }.map(\.name))
    }
}

extension Place.Parent: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.key("kind")
            json.string(kind.rawValue)
            json.key("id")
            if let id { json.decimalString(id) } else { json.null() }
            json.key("name")
            json.string(name)
            json.key("code")
            json.string(code)
        }
    }
}
