import Geo
import SocialModel

/// A pin to be dropped.
public struct NewPin: Codable, Hashable, Sendable {
    /// Where it is.
    public var coordinate: Coordinate
    /// 1–200 characters.
    public var name: String
    /// Up to 10,000 characters.
    public var comment: String?
    /// Up to 500 characters; the gazetteer gives one if left out.
    public var address: String?
    /// 1–5 stars.
    public var rating: Int?
    /// What kind of place it is.
    public var category: Pin.Category
    /// Who sees it besides its owner; nil leaves it to the server's default.
    public var audience: Pin.Audience?

    /// A pin with what must be known, and whatever else is.
    public init(
        _ name: String, at coordinate: Coordinate, comment: String? = nil, address: String? = nil, rating: Int? = nil,
        category: Pin.Category = .other, audience: Pin.Audience? = nil
    ) {
        self.name = name
        self.coordinate = coordinate
        self.comment = comment
        self.address = address
        self.rating = rating
        self.category = category
        self.audience = audience
    }

    private enum Key: String, CodingKey {
        case latitude, longitude, name, comment, address, rating, category, audience, circleId
    }

    /// As `encode` wrote it.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        let latitude = try values.decode(Double.self, forKey: .latitude)
        let longitude = try values.decode(Double.self, forKey: .longitude)
        guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
            throw DecodingError.dataCorruptedError(
                forKey: .latitude, in: values, debugDescription: "not a coordinate of WGS 84")
        }
        self.init(
            try values.decode(String.self, forKey: .name), at: coordinate,
            comment: try values.decodeIfPresent(String.self, forKey: .comment),
            address: try values.decodeIfPresent(String.self, forKey: .address),
            rating: try values.decodeIfPresent(Int.self, forKey: .rating),
            category: try values.decode(Pin.Category.self, forKey: .category),
            audience: Pin.Audience(
                kind: try values.decodeIfPresent(Pin.Audience.Kind.self, forKey: .audience),
                circle: try values.decodeIfPresent(Identifier<Circle>.self, forKey: .circleId)))
    }

    /// The body of the request that drops it.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(coordinate.latitude, forKey: .latitude)
        try values.encode(coordinate.longitude, forKey: .longitude)
        try values.encode(name, forKey: .name)
        try values.encodeIfPresent(comment, forKey: .comment)
        try values.encodeIfPresent(address, forKey: .address)
        try values.encodeIfPresent(rating, forKey: .rating)
        try values.encode(category, forKey: .category)
        try values.encodeIfPresent(audience?.kind, forKey: .audience)
        try values.encodeIfPresent(audience?.circle, forKey: .circleId)
    }
}

extension Pin.Audience {
    /// Nil for no kind, and for a circle without its id.
    init?(kind: Kind?, circle: Identifier<Circle>?) {
        switch (kind, circle) {
        case (.friends, _): self = .friends
        case (.private, _): self = .private
        case (.circle, let circle?): self = .circle(circle)
        case (.circle, nil), (nil, _): return nil
        }
    }
}
