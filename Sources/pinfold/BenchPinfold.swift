import Geo
import PinfoldServer
import SocialModel
import Storage

/// The service's own way to a world's pins, in this process.
struct BenchPinfold: Sendable {
    let world: BenchWorld
    let pool: DatabasePool
    private let planner = PinPlanner()

    init(_ world: BenchWorld, _ pool: DatabasePool) {
        self.world = world
        self.pool = pool
    }

    /// Looks where pins are, as the service does from time to time.
    func survey() throws { try planner.refresh(pool) }

    /// As a request would: one snapshot in which the friends and the pins are read.
    func answer(_ query: BenchQuery, for viewer: Int32) throws -> [Pin] {
        try pool.read { try page(query, for: viewer, after: nil, in: $0).pins }
    }

    /// The bytes of a tile, as a request would get them.
    func tile(_ tile: TileCoordinate, for viewer: Int32) throws -> [UInt8] {
        try pool.read { try PinReader(of: Identifier(world.account(viewer)), in: $0, planner).tile(tile) }
    }

    /// - Parameter after: the end of the page before.
    func page(
        _ query: BenchQuery, for viewer: Int32, after: [UInt8]?, in read: ReadTransaction
    ) throws -> PinReader.Page {
        try PinReader(of: Identifier(world.account(viewer)), in: read, planner).list(
            query.area, bestFirst: query.bestFirst,
            owners: query.owners.map { Set($0.map { Identifier<User>(world.account($0)) }) },
            categories: Set(query.category.map { [Pin.Category.allCases[Int($0)]] } ?? []),
            minRating: query.minRating > 0 ? Int(query.minRating) : nil,
            since: query.since > .min ? Timestamp(milliseconds: query.since) : nil, after: after, limit: query.limit)
    }
}
