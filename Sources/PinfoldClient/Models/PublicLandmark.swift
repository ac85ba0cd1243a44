import Geo
import SocialModel

/// A landmark, as everybody sees it.
public struct PublicLandmark: Decodable, Hashable, Sendable {
    public let id: Identifier<Landmark>
    public let datasetId: Identifier<Dataset>
    /// What its source knows it by.
    public let key: String
    public let name: String
    /// By language.
    public let names: [String: String]
    /// `other` for a category of a later version of the service.
    public let category: Landmark.Category
    /// What its source calls the category.
    public let sourceCategory: String?
    public let description: String?
    public let address: String?
    public let website: String?
    public let phone: String?
    public let openingHours: String?
    public let imageURL: String?
    /// Of a line or an area a point on it.
    public let coordinate: Coordinate
    public let updatedAt: Timestamp
    /// Metres from the point of a list by distance.
    public let distance: Double?

    private enum CodingKeys: CodingKey {
        case id, datasetId, key, name, names, category, sourceCategory, description, address, website, phone
        case openingHours, imageURL, latitude, longitude, updatedAt, distance
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        id = try values.decode(Identifier<Landmark>.self, forKey: .id)
        datasetId = try values.decode(Identifier<Dataset>.self, forKey: .datasetId)
        key = try values.decode(String.self, forKey: .key)
        name = try values.decode(String.self, forKey: .name)
        names = try values.decode([String: String].self, forKey: .names)
        category = Landmark.Category(rawValue: try values.decode(String.self, forKey: .category)) ?? .other
        sourceCategory = try values.decodeIfPresent(String.self, forKey: .sourceCategory)
        description = try values.decodeIfPresent(String.self, forKey: .description)
        address = try values.decodeIfPresent(String.self, forKey: .address)
        website = try values.decodeIfPresent(String.self, forKey: .website)
        phone = try values.decodeIfPresent(String.self, forKey: .phone)
        openingHours = try values.decodeIfPresent(String.self, forKey: .openingHours)
        imageURL = try values.decodeIfPresent(String.self, forKey: .imageURL)
        let (latitude, longitude) = (
            try values.decode(Double.self, forKey: .latitude), try values.decode(Double.self, forKey: .longitude)
        )
        guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
            throw DecodingError.dataCorruptedError(forKey: .latitude, in: values, debugDescription: "is no position")
        }
        self.coordinate = coordinate
        updatedAt = try values.decode(Timestamp.self, forKey: .updatedAt)
        distance = try values.decodeIfPresent(Double.self, forKey: .distance)
    }
}

/// A dataset of landmarks, as everybody sees it.
public struct PublicDataset: Decodable, Hashable, Sendable {
    public let id: Identifier<Dataset>
    /// As queries name it.
    public let name: String
    public let title: String
    public let description: String?
    public let licence: String?
    /// To be shown wherever its landmarks are.
    public let attribution: String?
    public let sourceURL: String?
    public let version: Int
    /// How many landmarks it has.
    public let count: Int
    public let updatedAt: Timestamp
}
