import SocialModel

/// Something that a search found.
public struct SearchResult: Decodable, Hashable, Sendable {
    public enum Kind: String, Codable, Sendable {
        case pin, landmark, place
        /// Of a later version of the service.
        case unknown

        public init(from decoder: any Decoder) throws {
            self = Kind(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .unknown
        }
    }

    /// How the name matches the text.
    public enum Match: String, Codable, Sendable {
        case exact
        /// It begins with the text.
        case prefix
        /// It has another letter or two.
        case fuzzy

        public init(from decoder: any Decoder) throws {
            self = Match(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .fuzzy
        }
    }

    public var kind: Kind
    /// Of its kind: a pin's or a place's.
    public var id: String
    public var name: String
    /// A readable line.
    public var label: String
    public var latitude: Double
    public var longitude: Double
    /// Metres from the point that was given.
    public var distance: Double?
    public var match: Match
    /// The other name of a place that matched, if it was not the main one.
    public var matchedName: String?
    /// Of a place; nil if it is not known.
    public var population: Int?
    /// Of a place, GeoNames's: `PPLC` is a capital.
    public var featureCode: String?
    /// Of a place, ISO 3166-1 alpha-2.
    public var countryCode: String?
    /// Of a pin.
    public var ownerId: Identifier<User>?
    /// Of a pin.
    public var ownerUsername: String?
    /// Of a pin.
    public var category: Pin.Category?
    /// Of a pin, 1 to 5.
    public var rating: Int?
}
