import Geo
import SocialModel

/// What changes in a pin: a merge patch.
public struct PinChange: Codable, Hashable, Sendable {
    /// Where it is from now on.
    public var coordinate: Coordinate?
    public var name: String?
    public var comment: Change<String> = .keep
    /// `.remove` has the gazetteer give the address again.
    public var address: Change<String> = .keep
    public var rating: Change<Int> = .keep
    /// What kind of place it is.
    public var category: Pin.Category?
    /// Who sees it besides its owner.
    public var audience: Pin.Audience?

    /// Nothing yet.
    public init() {}

    private enum Key: String, CodingKey {
        case latitude, longitude, name, comment, address, rating, category, audience, circleId
    }

    /// As `encode` wrote it.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        if let latitude = try values.decodeIfPresent(Double.self, forKey: .latitude),
            let longitude = try values.decodeIfPresent(Double.self, forKey: .longitude)
        {
            coordinate = Coordinate(latitude: latitude, longitude: longitude)
        }
        name = try values.decodeIfPresent(String.self, forKey: .name)
        comment = try values.decodeChange(forKey: .comment)
        address = try values.decodeChange(forKey: .address)
        rating = try values.decodeChange(forKey: .rating)
        category = try values.decodeIfPresent(Pin.Category.self, forKey: .category)
        audience = Pin.Audience(
            kind: try values.decodeIfPresent(Pin.Audience.Kind.self, forKey: .audience),
            circle: try values.decodeIfPresent(Identifier<Circle>.self, forKey: .circleId))
    }

    /// A merge patch.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encodeIfPresent(coordinate?.latitude, forKey: .latitude)
        try values.encodeIfPresent(coordinate?.longitude, forKey: .longitude)
        try values.encodeIfPresent(name, forKey: .name)
        try values.encode(comment, forKey: .comment)
        try values.encode(address, forKey: .address)
        try values.encode(rating, forKey: .rating)
        try values.encodeIfPresent(category, forKey: .category)
        try values.encodeIfPresent(audience?.kind, forKey: .audience)
        try values.encodeIfPresent(audience?.circle, forKey: .circleId)
    }

    /// Whether the pin is as this change makes it, so that making it again would change nothing. What the gazetteer
    /// would give is not known here, so a removed address counts as made when the gazetteer gave the one there is.
    func isMade(in pin: Pin) -> Bool {
        func fits<Value: Equatable>(_ change: Change<Value>, _ value: Value?) -> Bool {
            switch change {
            case .keep: true
            case .remove: value == nil
            case .set(let new): value == new
            }
        }
        return (coordinate ?? pin.coordinate) == pin.coordinate && (name ?? pin.name) == pin.name
            && fits(comment, pin.comment) && fits(rating, pin.rating) && (category ?? pin.category) == pin.category
            && (audience == nil || audience == pin.audience)
            && (fits(address, pin.address) || address == .remove && pin.addressSource == .gazetteer)
    }
}
