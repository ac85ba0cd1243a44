import Geo
import SocialModel

/// Which pins a list, a tile or a map shows; all that the viewer may see if nothing is set. Conditions narrow each other.
public struct PinFilter: Hashable, Sendable {
    /// Only of these people; empty for all.
    public var owners: [Identifier<User>]
    /// Only of these categories; empty for all.
    public var categories: [Pin.Category]
    /// Only with at least so many stars, 1–5.
    public var minRating: Int?
    /// Each of these words must start a word of name, comment or address.
    public var words: String?
    /// Only those created then or later.
    public var since: Timestamp?

    /// All pins but for what is given.
    public init(
        owners: [Identifier<User>] = [], categories: [Pin.Category] = [], minRating: Int? = nil,
        words: String? = nil, since: Timestamp? = nil
    ) {
        self.owners = owners
        self.categories = categories
        self.minRating = minRating
        self.words = words
        self.since = since
    }
}

/// Where the pins of a list lie.
public enum PinArea: Hashable, Sendable {
    case everywhere
    case box(BoundingBox)
    /// Around a point, within so many metres or without a limit; each pin has its `distance` from it.
    case near(Coordinate, metres: Double? = nil)
}

/// The order of a list of pins.
public enum PinOrder: String, Hashable, Sendable, CaseIterable {
    case newest
    /// The best first; those without a rating last.
    case rating
    /// The nearest first; only around a point.
    case distance
}

extension Call {
    func filtered(_ filter: PinFilter) -> Call {
        var call = self
        for owner in filter.owners { call = call.query("owner", owner.description) }
        for category in filter.categories { call = call.query("category", category.rawValue) }
        return call.query("minRating", filter.minRating.map(String.init)).query("q", filter.words)
            .query("since", filter.since.map(\.rfc3339))
    }

    func within(_ area: PinArea) -> Call {
        switch area {
        case .everywhere: self
        case .box(let box): query("bbox", box.description)
        case .near(let point, let metres):
            query("near", point.description).query("radius", metres.map { String($0) })
        }
    }
}
