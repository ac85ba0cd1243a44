import HTTP

/// A GeoJSON feature (RFC 7946, 3.2), with the properties that this service, Google Takeout, Mapstr and others give it.
///
/// Takeout has two spellings: `google_maps_url`, `location`, `date`, and before 2023 `Google Maps URL`, `Location`,
/// `Published`, `Title`. Where it does not know a place it writes the point 0, 0 or no geometry.
struct GeoJSONFeature {
    private let feature: JSONValue
    private let properties: JSONValue

    init(_ feature: JSONValue) {
        self.feature = feature
        properties = feature["properties"] ?? .object([])
    }

    /// Whether Google wrote it.
    var isTakeout: Bool { mapsLink != nil }

    private var mapsLink: String? { first("google_maps_url", "Google Maps URL") }
    private var location: JSONValue? { properties["location"] ?? properties["Location"] }

    var place: ImportedPlace {
        guard case .object = feature else {
            return ImportedPlace(position: .faulty(field: "feature", message: "must be an object of at most 256 KiB"))
        }
        guard feature["type"]?.text == "Feature" else {
            return ImportedPlace(position: .faulty(field: "type", message: "must be Feature"))
        }
        var place = ImportedPlace(position: position)
        if isTakeout { readTakeout(into: &place) } else { readPlain(into: &place) }
        return place
    }

    private func first(_ names: String...) -> String? {
        names.lazy.compactMap { properties[$0]?.written }.first
    }

    private func readTakeout(into place: inout ImportedPlace) {
        place.externalId = mapsLink
        place.name = first("Title") ?? location?["name"]?.written ?? location?["Business Name"]?.written
        place.address = location?["address"]?.written ?? location?["Address"]?.written
        place.comments = ["review_text_published", "Review Comment"].compactMap { properties[$0]?.written }
        place.rating = first("five_star_rating_published", "Star Rating")
        place.createdAt = first("date", "Published")
        guard isNullIsland else { return }
        let coordinates = location?["Geo Coordinates"]
        if let latitude = coordinates?["Latitude"]?.written.flatMap({ Double($0) }),
            let longitude = coordinates?["Longitude"]?.written.flatMap({ Double($0) }), latitude != 0 || longitude != 0
        {
            place.position = .at(latitude: latitude, longitude: longitude)
        } else if let (latitude, longitude) = mapsLink.flatMap(MapsLink.coordinate(in:)) {
            place.position = .at(latitude: latitude, longitude: longitude)
        } else {
            place.position = .unknown(reason: "Google Takeout does not say where it is")
        }
    }

    private func readPlain(into place: inout ImportedPlace) {
        place.id = feature["id"]?.written ?? first("id")
        place.externalId = first("externalId")
        place.name = first("name", "Name", "title", "Title", "label")
        place.comments = ["comment", "description", "desc", "notes", "note", "userComment"]
            .compactMap { properties[$0]?.written }
        place.address = first("address", "Address")
        place.rating = first("rating", "stars")
        place.createdAt = first("createdAt", "created_at", "created", "date", "timestamp", "time")
        // Mapstr has the name of an icon, and tags that are objects with a name.
        let tags = (properties["tags"] ?? .null).elements.compactMap { $0["name"]?.written ?? $0.text }
        place.kinds = ["category", "type", "icon"].compactMap { properties[$0]?.written } + tags
        place.audience = first("audience")
        place.circleId = first("circleId")
        // The form of this service says who wrote the address.
        guard let source = propertyNamed("addressSource") else { return }
        place.isExact = true
        if source.text != "owner" { place.address = nil }
        // It shows the audience to the owner alone.
        if place.audience == nil { place.position = .faulty(field: "ownerId", message: "is somebody else's") }
    }

    /// The property, null included.
    private func propertyNamed(_ name: String) -> JSONValue? {
        guard case .object(let members) = properties else { return nil }
        return members.first { $0.name == name }?.value
    }

    private var isNullIsland: Bool {
        switch position {
        case .at(let latitude, let longitude): latitude == 0 && longitude == 0
        case .unknown, .faulty: true
        }
    }

    private var position: ImportedPlace.Position {
        guard let geometry = feature["geometry"] else { return .unknown(reason: "has no geometry") }
        guard let type = geometry["type"]?.text else {
            return .faulty(field: "geometry", message: "must be a geometry")
        }
        guard type == "Point" else {
            return .faulty(
                field: "geometry", message: "is a \(type.unicodeScalars.prefix(40)); only points become pins")
        }
        let coordinates = (geometry["coordinates"] ?? .null).elements
        if coordinates.isEmpty { return .unknown(reason: "has no coordinates") }
        guard (2...4).contains(coordinates.count), let longitude = coordinates[0].number,
            let latitude = coordinates[1].number
        else { return .faulty(field: "geometry", message: "must have the coordinates [longitude, latitude]") }
        return .at(latitude: latitude, longitude: longitude)
    }
}
