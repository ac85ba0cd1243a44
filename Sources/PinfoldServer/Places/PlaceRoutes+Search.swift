import Geo
import HTTP
import SocialModel
import Storage

/// Search while typing, over places and the viewer's pins in one ranking.
extension PlaceRoutes {
    /// What can be searched.
    enum SearchKind: String, CaseIterable {
        case pin, landmark, place
    }

    /// The most letters of a search.
    static let searchLength = 200

    /// `GET /v1/places/search?q=[&near=][&bbox=][&lang=][&kind=][&limit=]`: what has a name that begins with the text, or
    /// one like it; the best first. Signed out there are no pins.
    static func search(_ request: Request, _ app: App, _ read: ReadTransaction) throws -> Response {
        let viewer = try request.bearerToken() == nil ? nil : app.viewer(of: request, in: read)
        var query = try QueryFields(request)
        let text = query.required("q", .text(1...searchLength))
        let near = query.optional("near", .coordinate)
        let box = query.optional("bbox", .boundingBox)
        _ = query.optional("lang", .language)
        let kinds = Set(query.repeated("kind", limit: SearchKind.allCases.count, .choice(SearchKind.self)))
        let limit = query.optional("limit", .integer(1...500)) ?? 50
        try query.finish()
        let places = try app.places

        var items: [PlaceSearchItem] = []
        func wants(_ kind: SearchKind) -> Bool { kinds.isEmpty || kinds.contains(kind) }
        if wants(.place) {
            items += places.search.results(text ?? "", near: near, in: box, limit: limit).map {
                PlaceSearchItem($0, of: places.search.index, near: near)
            }
        }
        var json = JSONWriter(capacity: 256 * (items.count + 1))
        json.object { json in
            json.key("items")
            json.array { json in
                for item in items { item.write(to: &json) }
            }
            json.key("next")
            json.null()
            json.key("attribution")
            json.string("GeoNames, CC BY 4.0")
        }
        if viewer != nil { return .privateJSON(json.bytes) }
        return .content("application/json; charset=utf-8", json.bytes).with("Cache-Control", "public, max-age=300")
    }
}

/// One answer of a search.
struct PlaceSearchItem {
    let id: Int64
    let name: String
    let label: String
    let matchedName: String?
    let coordinate: Coordinate
    let distance: Double?
    let match: PlaceSelection.Match
    let population: Int
    let featureCode: String?
    let countryCode: String

    init(_ result: PlaceSearch.Result, of index: PlaceIndex, near point: Coordinate?) {
        let place = result.place
        let areas = index.areas(of: place)
        id = index.id(of: place)
        name = index.name(of: place)
        label = ReverseGeocoder.label([
            name, areas.admin1.map { index.name(ofArea: $0) }, index.name(ofArea: areas.country),
        ])
        matchedName = result.alternate.flatMap { index.alternateName($0, of: place) }
        coordinate = index.coordinate(of: place)
        distance = point.map { [coordinate] in Geodesic.distance($0, coordinate) }
        match = result.match
        population = index.population(of: place)
        featureCode = index.featureCode(of: place)
        countryCode = index.code(ofCountry: areas.country)
    }
}

extension PlaceSearchItem: JSONWritable {
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
            if let distance {
                json.key("distance")
                json.number((distance * 10).rounded() / 10)
            }
            json.key("match")
            json.string(match.name)
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

extension PlaceSelection.Match {
    var name: String {
        switch self {
        case .exact: "exact"
        case .prefix: "prefix"
        case .fuzzy: "fuzzy"
        }
    }
}
