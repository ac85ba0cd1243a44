import Geo
import SocialModel

/// What a map shows at one zoom.
public struct PinClusters: Decodable, Hashable, Sendable {
    /// Clusters and pins.
    public var items: [PinCluster]
    /// Of the items; less than asked for where that would have been too many.
    public var zoom: Int
}

/// Several pins that lie together, or one.
public struct PinCluster: Decodable, Hashable, Sendable {
    /// The mean of the pins' positions.
    public var coordinate: Coordinate
    /// How many pins; 1 if it is one.
    public var count: Int
    /// The least zoom at which they are several items; nil for one pin.
    public var expansionZoom: Int?
    /// Of those that are rated.
    public var meanRating: Double?
    /// That of most pins.
    public var category: Pin.Category
    /// If it is one pin.
    public var pin: Pin?

    private enum Key: String, CodingKey {
        case latitude, longitude, count, expansionZoom, meanRating, category, pin
    }

    /// As the server sends it.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        let latitude = try values.decode(Double.self, forKey: .latitude)
        let longitude = try values.decode(Double.self, forKey: .longitude)
        guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
            throw DecodingError.dataCorruptedError(
                forKey: .latitude, in: values, debugDescription: "not a coordinate of WGS 84")
        }
        self.coordinate = coordinate
        count = try values.decode(Int.self, forKey: .count)
        expansionZoom = try values.decodeIfPresent(Int.self, forKey: .expansionZoom)
        meanRating = try values.decodeIfPresent(Double.self, forKey: .meanRating)
        category = Pin.Category(rawValue: try values.decode(String.self, forKey: .category)) ?? .other
        pin = try values.decodeIfPresent(Pin.self, forKey: .pin)
    }
}
