import Geo

/// A place somebody marked, as one viewer sees it.
public struct Pin: Hashable, Sendable {
    public enum Category: String, Codable, CaseIterable, Sendable {
        case food, nightlife, nature, shopping, culture, education, other
    }

    /// Who besides the owner sees it.
    public enum Audience: Hashable, Sendable {
        case friends
        case `private`
        /// Those of the owner's friends who are in this circle of the owner's.
        case circle(Identifier<Circle>)

        /// What `audience` says on the wire; a circle's id is in `circleId`.
        public enum Kind: String, Codable, CaseIterable, Sendable {
            case friends
            case `private`
            case circle
        }

        public var kind: Kind {
            switch self {
            case .friends: .friends
            case .private: .private
            case .circle: .circle
            }
        }

        public var circle: Identifier<Circle>? {
            if case .circle(let circle) = self { circle } else { nil }
        }
    }

    /// Who wrote the address.
    public enum AddressSource: String, Codable, CaseIterable, Sendable {
        /// The nearest place of the gazetteer; it follows the pin when that moves.
        case gazetteer
        /// The owner; it is never overwritten.
        case owner
    }

    public var id: Identifier<Pin>
    public var ownerId: Identifier<User>
    public var ownerUsername: String
    public var coordinate: Coordinate
    public var name: String
    public var address: String?
    /// Nil when there is no address.
    public var addressSource: AddressSource?
    public var comment: String?
    /// 1–5 stars.
    public var rating: Int?
    public var category: Category
    /// Nil when the viewer is not the owner.
    public var audience: Audience?
    public var createdAt: Timestamp
    public var updatedAt: Timestamp
    /// Metres from the point of a `near` query, on the ellipsoid.
    public var distance: Double?

    public init(
        id: Identifier<Pin>, ownerId: Identifier<User>, ownerUsername: String, coordinate: Coordinate, name: String,
        address: String?, addressSource: AddressSource?, comment: String?, rating: Int?, category: Category,
        audience: Audience?, createdAt: Timestamp, updatedAt: Timestamp, distance: Double? = nil
    ) {
        self.id = id
        self.ownerId = ownerId
        self.ownerUsername = ownerUsername
        self.coordinate = coordinate
        self.name = name
        self.address = address
        self.addressSource = addressSource
        self.comment = comment
        self.rating = rating
        self.category = category
        self.audience = audience
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.distance = distance
    }
}

extension Pin: Codable {
    private enum Key: String, CodingKey {
        case id, ownerId, ownerUsername, latitude, longitude, name, address, addressSource, comment, rating, category
        case audience, circleId, createdAt, updatedAt, distance
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        let latitude = try values.decode(Double.self, forKey: .latitude)
        let longitude = try values.decode(Double.self, forKey: .longitude)
        guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
            throw DecodingError.dataCorruptedError(
                forKey: .latitude, in: values, debugDescription: "not a coordinate of WGS 84")
        }
        self.init(
            id: try values.decode(Identifier<Pin>.self, forKey: .id),
            ownerId: try values.decode(Identifier<User>.self, forKey: .ownerId),
            ownerUsername: try values.decode(String.self, forKey: .ownerUsername), coordinate: coordinate,
            name: try values.decode(String.self, forKey: .name),
            address: try values.decodeIfPresent(String.self, forKey: .address),
            addressSource: try values.decodeIfPresent(String.self, forKey: .addressSource)
                .flatMap(AddressSource.init(rawValue:)),
            comment: try values.decodeIfPresent(String.self, forKey: .comment),
            rating: try values.decodeIfPresent(Int.self, forKey: .rating),
            // A category of a newer server is "other" to an older client.
            category: Category(rawValue: try values.decode(String.self, forKey: .category)) ?? .other,
            audience: try Self.audience(in: values),
            createdAt: try values.decode(Timestamp.self, forKey: .createdAt),
            updatedAt: try values.decode(Timestamp.self, forKey: .updatedAt),
            distance: try values.decodeIfPresent(Double.self, forKey: .distance))
    }

    /// An audience of a newer server is shown to nobody by an older client.
    private static func audience(in values: KeyedDecodingContainer<Key>) throws -> Audience? {
        guard let name = try values.decodeIfPresent(String.self, forKey: .audience) else { return nil }
        switch Audience.Kind(rawValue: name) {
        case .friends: return .friends
        case .circle: return .circle(try values.decode(Identifier<Circle>.self, forKey: .circleId))
        case .private, nil: return .private
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(id, forKey: .id)
        try values.encode(ownerId, forKey: .ownerId)
        try values.encode(ownerUsername, forKey: .ownerUsername)
        try values.encode(coordinate.latitude, forKey: .latitude)
        try values.encode(coordinate.longitude, forKey: .longitude)
        try values.encode(name, forKey: .name)
        try values.encode(address, forKey: .address)
        try values.encode(addressSource, forKey: .addressSource)
        try values.encode(comment, forKey: .comment)
        try values.encode(rating, forKey: .rating)
        try values.encode(category, forKey: .category)
        try values.encodeIfPresent(audience?.kind, forKey: .audience)
        try values.encodeIfPresent(audience?.circle, forKey: .circleId)
        try values.encode(createdAt, forKey: .createdAt)
        try values.encode(updatedAt, forKey: .updatedAt)
        try values.encodeIfPresent(distance, forKey: .distance)
    }
}
