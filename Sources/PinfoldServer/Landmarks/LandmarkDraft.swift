import Geo
import SocialModel

/// What an import says of a landmark, checked and in WGS 84.
struct LandmarkDraft: Sendable, Equatable {
    /// The row of the file.
    var row: Int
    /// What the source knows it by, 1 to 200 characters.
    var key: String
    /// Where it is: of a line or an area a point on it.
    var coordinate: Coordinate
    /// Anything but one point, as well-known binary in longitude and latitude.
    var shape: [UInt8]?
    var category: Landmark.Category
    /// 1 to 200 characters.
    var name: String
    /// What the source calls its category.
    var sourceCategory: String?
    /// A JSON object: names by language.
    var names: String?
    var description: String?
    var address: String?
    var website: String?
    var phone: String?
    var openingHours: String?
    var imageURL: String?
    /// A JSON object: what else the source says.
    var properties: String?
}
