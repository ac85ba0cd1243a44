import Geo
import SocialModel

/// One place of a file, checked: what it says of a pin.
struct ImportedPin: Sendable {
    /// Its number in the file, from 1; in a CSV file the header is row 1, as a spreadsheet shows it.
    var row: Int
    /// The pin's own id, if the file is an export of this service.
    var pinId: Identifier<Pin>?
    /// What the place is known by when it is imported again: the source's id or link, else a hash of name and position.
    var externalId: String
    /// It says all of the pin, as an export of this service does: what is nil the pin has not. Else the file does not say.
    var isWhole = false
    var coordinate: Coordinate
    var name: String
    var comment: String?
    /// Only one that the owner wrote.
    var address: String?
    var rating: Int?
    var category: Pin.Category?
    var audience: Pin.Audience?
    var createdAt: Timestamp?
    /// The fields that were longer than a pin's may be, and were cut.
    var shortened: [String] = []
}
