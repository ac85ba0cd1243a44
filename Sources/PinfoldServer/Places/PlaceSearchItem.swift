import Geo
import HTTP
import SocialModel
import Storage

/// A place, country or division as a search shows it.
struct PlaceSearchItem {
    private let id: Int64
    private let name: String
    private let label: String
    private let matchedName: String?
    private let coordinate: Coordinate
    private let distance: Double?
    private let match: PlaceSelection.Match
    private let population: Int
    private let featureCode: String?
    private let countryCode: String

    /// - Parameter names: the language of names, where they are known in it.
    init(
        _ result: PlaceSearch.Result, of index: PlaceIndex, near point: Coordinate?, in names: LanguageNames? = nil
    ) {
        match = result.match
        switch result.subject {
        case .place(let place):
            let areas = index.areas(of: place)
            id = index.id(of: place)
            let mainName = index.name(of: place)
            let country = index.code(ofCountry: areas.country)
            name = names?.place(id, alternates: index.alternateNames(of: place), country: country) ?? mainName
            label = Self.label(name, areas.admin1, areas.country, index, names)
            let matched = result.alternate.flatMap { index.alternateName($0, of: place) } ?? mainName
            matchedName = matched == name ? nil : matched
            coordinate = index.coordinate(of: place)
            population = index.population(of: place)
            featureCode = index.featureCode(of: place)
            countryCode = country
        case .area(let area):
            let shown = index.shownArea(area)
            let country = shown?.country ?? 0
            id = shown?.id ?? 0
            name = Self.name(area, index, names)
            label = Self.label(name, nil, country, index, names)
            matchedName = nil
            coordinate = shown?.point ?? Coordinate(latitudeE7: 0, longitudeE7: 0)
            population = shown?.population ?? 0
            featureCode = area == country ? "PCLI" : "ADM1"
            countryCode = index.code(ofCountry: country)
        }
        distance = point.map { [coordinate] in Geodesic.distance($0, coordinate) }
    }

    /// The address line of a place in areas.
    private static func label(
        _ name: String, _ admin1: Int?, _ country: Int, _ index: PlaceIndex, _ names: LanguageNames?
    ) -> String {
        ReverseGeocoder.label([
            name, admin1.map { Self.name($0, index, names) }, Self.name(country, index, names),
        ])
    }

    /// The name of a country or division.
    private static func name(_ area: Int, _ index: PlaceIndex, _ names: LanguageNames?) -> String {
        let known =
            area < index.countries
            ? names?.country(index.code(ofCountry: area)) : names?.division(area - index.countries + 1)
        return known ?? index.name(ofArea: area)
    }
}

extension PlaceSearchItem: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.searchItem("place", id, name, label, coordinate, distance, match)
            if let matchedName {
                json.key("matchedName")
                json.string(matchedName)
            }
            json.key("population")
            if population > 0 { json.integer(Int64(population)) } else { json.null() }
            json.key("featureCode")
            json.optionalString(featureCode)
            json.key("countryCode")
            json.string(countryCode)
        }
    }
}

/// A pin as a search shows it.
struct PinSearchItem: JSONWritable {
    private let pin: Pin
    private let match: OwnerPinNames.Match
    private let distance: Double?

    init(_ named: VisiblePins<ReadTransaction>.Named, near point: Coordinate?) {
        pin = named.pin
        match = named.match
        distance = point.map { Geodesic.distance($0, named.pin.coordinate) }
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            let label = pin.address.map { "\(pin.name), \($0)" } ?? pin.name
            json.searchItem(
                "pin", pin.id.rawValue, pin.name, label, pin.coordinate, distance, match == .whole ? .exact : .prefix)
            json.key("ownerId")
            json.identifier(pin.ownerId)
            json.key("ownerUsername")
            json.string(pin.ownerUsername)
            json.key("category")
            json.string(pin.category.rawValue)
            json.key("rating")
            if let rating = pin.rating { json.integer(Int64(rating)) } else { json.null() }
        }
    }
}

extension JSONWriter {
    /// The members that all kinds have.
    fileprivate mutating func searchItem(
        _ kind: String, _ id: Int64, _ name: String, _ label: String, _ coordinate: Coordinate, _ distance: Double?,
        _ match: PlaceSelection.Match
    ) {
        key("kind")
        string(kind)
        key("id")
        decimalString(id)
        key("name")
        string(name)
        key("label")
        string(label)
        key("latitude")
        e7(coordinate.latitudeE7)
        key("longitude")
        e7(coordinate.longitudeE7)
        if let distance {
            key("distance")
            tenths(distance)
        }
        key("match")
        string(match.rawValue)
    }
}
