/// What a column of a CSV file or a datum of KML may say of a place.
enum ImportedField: Hashable {
    case id, externalId, latitude, longitude, name, comment, address, addressSource, rating, category, audience
    case circleId, createdAt, updatedAt, link

    /// The field that a header names, in a few usual spellings, without regard to case, spaces and `_`.
    init?(header: String) {
        let scalars = header.lowercased().unicodeScalars.prefix(60)
            .filter { $0.properties.isAlphabetic || ("0"..."9").contains($0) }
        var name = ""
        name.unicodeScalars.append(contentsOf: scalars)
        guard let field = Self.headers[name] else { return nil }
        self = field
    }

    private static let headers: [String: ImportedField] = {
        let names: [(ImportedField, String)] = [
            (.id, "id"), (.externalId, "externalid"), (.latitude, "latitude lat y ycoord breite breitengrad latitud"),
            (.longitude, "longitude lon lng long x xcoord länge längengrad longitud"),
            (.name, "name title titel titre título titolo label place"),
            (.comment, "comment comments note notes description desc review memo notiz kommentar nota commentaire"),
            (.address, "address adresse dirección indirizzo"), (.addressSource, "addresssource"),
            (.rating, "rating stars"), (.category, "category type kind tags kategorie"), (.audience, "audience"),
            (.circleId, "circleid"), (.updatedAt, "updatedat"),
            (.createdAt, "createdat created date time timestamp datum"),
            (.link, "url link googlemapsurl"),
        ]
        var headers: [String: ImportedField] = [:]
        for (field, spellings) in names {
            for spelling in spellings.split(separator: " ") { headers[String(spelling)] = field }
        }
        return headers
    }()
}

extension ImportedPlace {
    /// Takes what a field says; coordinates and links, which say where the place is, are for the caller.
    mutating func set(_ field: ImportedField, _ text: String) {
        guard !text.isEmpty || isExact && field == .comment else { return }
        switch field {
        case .id: id = text
        case .externalId: externalId = text
        case .name: name = name ?? text
        case .comment: comments.append(text)
        case .address: address = text
        case .rating: rating = text
        case .category: kinds.append(text)
        case .audience: audience = text
        case .circleId: circleId = text
        case .createdAt: createdAt = createdAt ?? text
        case .addressSource, .latitude, .longitude, .updatedAt, .link: break
        }
    }
}
