import Geo
import SocialModel
import Storage

/// The pins that an account may see, for programs that read without a request, such as the benchmarks: `VisiblePins`
/// and nothing else.
package struct PinReader {
    package enum Area: Sendable {
        case everywhere
        case box(BoundingBox)
        /// Nearest first, within `radius` metres if there is one.
        case near(Coordinate, radius: Double?)
    }

    /// A part of a list.
    package struct Page {
        package let pins: [Pin]
        /// What to ask for the part behind this one with; nil for an empty one.
        package let end: [UInt8]?
    }

    private let visible: VisiblePins<ReadTransaction>

    /// - Parameters:
    ///   - account: whose eyes the pins are seen with; it needs no session.
    ///   - planner: the one of all readers of this database.
    package init(of account: Identifier<User>, in read: ReadTransaction, _ planner: PinPlanner) {
        visible = VisiblePins(of: account, in: read, planner)
    }

    /// As `GET /v1/pins` with these filters: newest first, or best first, or nearest first where the area is `near`.
    ///
    /// - Parameter after: the `end` of the page before.
    package func list(
        _ area: Area, bestFirst: Bool = false, owners: Set<Identifier<User>>? = nil,
        categories: Set<Pin.Category> = [], minRating: Int? = nil, since: Timestamp? = nil, after: [UInt8]? = nil,
        limit: Int
    ) throws -> Page {
        var query = PinQuery()
        query.sort = bestFirst ? .rating : .newest
        switch area {
        case .everywhere: break
        case .box(let box): query.area = .box(box)
        case .near(let point, let radius):
            query.area = .near(point, radius: radius)
            query.sort = .distance
        }
        query.owners = owners
        query.categories = categories
        query.minRating = minRating
        query.since = since
        let found = try visible.list(query, after: after.flatMap(PinRank.init(bytes:)), limit: limit)
        return Page(pins: found.map(\.pin), end: found.last?.rank.bytes)
    }

    /// As `GET /v1/tiles/pins/{z}/{x}/{y}.mvt` without filters; no bytes for a tile without pins.
    package func tile(_ tile: TileCoordinate) throws -> [UInt8] { try visible.tile(tile, PinQuery()).bytes }

    /// How many cells of clusters lie side by side in a tile.
    package static let cellsPerTile = PinCluster.cellsPerTile
}
