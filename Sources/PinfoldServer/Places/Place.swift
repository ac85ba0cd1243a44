import Geo
import HTTP

/// A place of the gazetteer, or a division or country, with what it lies in.
package struct Place: Sendable, Hashable {
    /// A division or country that a place lies in.
    package struct Parent: Sendable, Hashable {
        package enum Kind: String, Sendable {
            case country, admin1, admin2
            /// The town of an address.
            case place
        }

        package let kind: Kind
        /// GeoNames's id, where there is one.
        package let id: Int64?
        package internal(set) var name: String
        /// ISO 3166-1 alpha-2 of a country, GeoNames's code of a division: `US`, `US.MN`, `US.MN.123`; empty of a place.
        package let code: String
        /// Of a division in the gazetteer.
        let number: Int?
    }

    /// A name in a language that is known, by its tag.
    package struct LocalName: Sendable, Hashable {
        package let language: String
        package let name: String
    }

    /// Of GeoNames.
    package let id: Int64
    /// GeoNames's main name, mostly local in Latin letters or English, unless another language was asked for.
    package internal(set) var name: String
    /// GeoNames's main name.
    package let mainName: String
    /// Nil of divisions and countries.
    package let coordinate: Coordinate?
    /// 0 if unknown.
    package let population: Int64
    /// GeoNames's, such as `PPLC` for a capital.
    package let featureCode: String?
    /// Nil of divisions and countries.
    package let timezone: String?
    /// Names by language, in the order of the tags.
    package let localNames: [LocalName]
    /// Other names, of languages that the data does not tell, transliterations among them.
    package let alternateNames: [String]
    /// What it lies in, the smallest first; the last is the country. Empty of a country.
    package internal(set) var parents: [Parent]

    /// The credit that GeoNames's licence asks for.
    package static let attribution = "GeoNames (https://www.geonames.org), CC BY 4.0"

    /// What stands for a feature code of an address.
    static let addressCode = "address"
}

extension Place {
    /// An address as a place in a town, if there is one around.
    init(_ address: Address, in town: Place?) {
        let country = town?.parents.last { $0.kind == .country }?.code
        self.init(
            address.id, address.line(in: country), address.locality, address.coordinate, Self.addressCode, in: town)
    }

    /// The same of a street.
    init(_ street: Street, in town: Place?) {
        self.init(street.id, street.name, street.locality, street.coordinate, Street.featureCode, in: town)
    }

    private init(
        _ id: Int64, _ name: String, _ ownLocality: String?, _ coordinate: Coordinate, _ featureCode: String,
        in town: Place?
    ) {
        let around = (ownLocality ?? town?.name).map { locality in
            // Its own town may be another than the gazetteer's.
            Parent(
                kind: .place, id: locality == town?.name ? town?.id : nil, name: locality, code: "", number: nil)
        }
        self.init(
            id: id, name: name, mainName: name, coordinate: coordinate, population: 0, featureCode: featureCode,
            timezone: town?.timezone, localNames: [], alternateNames: [],
            parents: (around.map { [$0] } ?? []) + (town?.parents ?? []))
    }
}

extension Place {
    /// The address line that reverse geocoding gives.
    package var label: String {
        ReverseGeocoder.label([name] + parents.filter { $0.kind != .admin2 }.map(\.name))
    }

    /// All names by tag: those of a known language, then the others by their script, such as `und-Cyrl` (BCP 47:
    /// undetermined), and as `und` those of several scripts. The main name is the first of its script.
    package var names: [(tag: String, names: [String])] {
        var byTag: [(tag: String, names: [String])] = []
        for local in localNames {
            if byTag.last?.tag == local.language {
                byTag[byTag.count - 1].names.append(local.name)
            } else {
                byTag.append((local.language, [local.name]))
            }
        }
        let known = Set(localNames.map(\.name))
        var byScript: [String: [String]] = [:]
        for name in [mainName] + alternateNames where name == mainName || !known.contains(name) {
            let script = Script(ofName: name)
            let tag = script == nil || script == .zyyy ? "und" : "und-\(script?.code ?? "")"
            if byScript[tag]?.contains(name) != true { byScript[tag, default: []].append(name) }
        }
        return byTag + byScript.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// The place with its names, and those of what it lies in, in a language, as far as they are known.
    func named(in language: LanguageNames) -> Place {
        var place = self
        let country = parents.last { $0.kind == .country }?.code
        place.name = language.place(id, alternates: alternateNames, country: country) ?? mainName
        for (index, parent) in parents.enumerated() {
            let name =
                parent.kind == .country ? language.country(parent.code) : parent.number.flatMap(language.division)
            if let name { place.parents[index].name = name }
        }
        return place
    }
}

extension Place: JSONWritable {
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
            if let coordinate { json.e7(coordinate.latitudeE7) } else { json.null() }
            json.key("longitude")
            if let coordinate { json.e7(coordinate.longitudeE7) } else { json.null() }
            json.key("population")
            if population > 0 { json.integer(population) } else { json.null() }
            json.key("featureCode")
            json.optionalString(featureCode)
            json.key("timezone")
            json.optionalString(timezone)
            json.key("names")
            json.object { json in
                for (tag, names) in names {
                    json.key(escaping: tag)
                    json.array { json in
                        for name in names { json.string(name) }
                    }
                }
            }
            json.key("parents")
            json.array { json in
                for parent in parents { parent.write(to: &json) }
            }
            json.key("attribution")
            json.string(Self.attribution)
        }
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
