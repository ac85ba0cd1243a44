import Geo
import PinfoldServer

/// The several ways to ask PostgreSQL for a list. Which is best depends on the list and on how many friends there are,
/// so each is tried and the best one is measured.
final class BenchPostgresPlans {
    /// How PostgreSQL is to plan.
    enum Planning: String, CaseIterable {
        /// For the values of each call.
        case custom
        /// Once for all calls.
        case generic
        /// In the order of an index, so that it ends as soon as there are enough.
        case ordered

        fileprivate var settings: String {
            switch self {
            case .custom: "SET plan_cache_mode = force_custom_plan"
            case .generic: "SET plan_cache_mode = force_generic_plan"
            case .ordered: "SET plan_cache_mode = force_custom_plan; SET enable_sort = off; SET enable_bitmapscan = off"
            }
        }
    }

    /// A way to write the statement, and how it is planned.
    struct Plan: Hashable {
        let name: String
        let planning: Planning

        var description: String { "\(name), \(planning)" }
    }

    struct Answer {
        let ids: [Int64]
        /// From the point of a nearest list.
        let metres: [Double]
    }

    private let world: BenchWorld
    private let connections: [Planning: PostgresConnection]
    private var prepared: Set<String> = []
    /// The array of the viewer and friends, by viewer.
    private var owners: [Int32: [UInt8]?] = [:]

    init(_ world: BenchWorld, _ server: BenchPostgres) throws {
        self.world = world
        connections = try Dictionary(
            uniqueKeysWithValues: Planning.allCases.map { planning in
                let connection = try server.connect()
                try connection.run(planning.settings)
                return (planning, connection)
            })
    }

    /// Nil for none.
    func limitTime(milliseconds: Int?) throws {
        for connection in connections.values { try connection.run("SET statement_timeout = \(milliseconds ?? 0)") }
    }

    func plans(for query: BenchQuery) -> [Plan] {
        Self.plans(statements(query))
    }

    static func plans(_ statements: [(name: String, sql: String)]) -> [Plan] {
        statements.flatMap { statement in Planning.allCases.map { Plan(name: statement.name, planning: $0) } }
    }

    func answer(_ query: BenchQuery, for viewer: Int32, by plan: Plan) throws -> Answer {
        var values: [PostgresValue] = []
        if case .near(let point, _) = query.area { values = [.double(point.longitude), .double(point.latitude)] }
        for box in query.boxes { values += box.map { .double($0) } }
        let rows = try run("\(query.shape) \(query.boxes.count)", statements(query), plan, for: viewer, values)
        var isNear = false
        if case .near = query.area { isNear = true }
        return Answer(
            ids: (0..<rows.count).map { rows.integer($0, 0) },
            metres: isNear ? (0..<rows.count).map { rows.double($0, 13) } : [])
    }

    /// Runs a statement by a plan, with the viewer's friends and the viewer before the values.
    func run(
        _ shape: String, _ statements: @autoclosure () -> [(name: String, sql: String)], _ plan: Plan,
        for viewer: Int32, _ values: [PostgresValue]
    ) throws -> PostgresRows {
        guard let connection = connections[plan.planning] else { throw PostgresError(message: "no connection") }
        let name = "\(plan.description) \(shape)"
        if prepared.insert(name).inserted {
            guard let sql = statements().first(where: { $0.name == plan.name })?.sql else {
                throw PostgresError(message: "no plan \(plan.name)")
            }
            try connection.prepare(name, sql)
        }
        if owners[viewer] == nil {
            let ids = [world.account(viewer)] + world.friends(of: viewer).map(world.account)
            owners[viewer] = PostgresValue.integers(ids).bytes
        }
        let who: [[UInt8]?] = [owners[viewer] ?? nil, PostgresValue.integer(world.account(viewer)).bytes]
        return try connection.run(name, who + values.map(\.bytes))
    }

    // MARK: Statements

    private func statements(_ query: BenchQuery) -> [(name: String, sql: String)] {
        if case .near = query.area { return nearest(query) }
        return newest(query)
    }

    private static let order = "created_at DESC, id DESC"
    static let mayBeSeen = "(audience = 1 OR owner_id = $2::bigint)"
    static let visible = "owner_id = ANY($1::bigint[]) AND \(mayBeSeen)"

    /// The wide rows of narrow ones called `c`.
    private static func wide(_ narrow: String) -> String {
        """
        SELECT \(BenchPostgresStore.columns) FROM (\(narrow)) c JOIN pin p ON p.id = c.id
        ORDER BY c.created_at DESC, c.id DESC
        """
    }

    private func newest(_ query: BenchQuery) -> [(name: String, sql: String)] {
        let (visible, mayBeSeen, order) = (Self.visible, Self.mayBeSeen, Self.order)
        let limit = "LIMIT \(query.limit)"
        func lateral(_ area: String) -> String {
            Self.wide(
                """
                SELECT n.id, n.created_at FROM unnest($1::bigint[]) o CROSS JOIN LATERAL (
                    SELECT id, created_at FROM pin WHERE owner_id = o AND \(mayBeSeen) AND \(area)
                    ORDER BY \(order) \(limit)) n
                ORDER BY n.created_at DESC, n.id DESC \(limit)
                """)
        }
        // The boxes of PostGIS's index are of 32-bit floats, so the coordinates decide.
        let exact = query.condition { box in
            "ST_X(geom) BETWEEN \(box[0]) AND \(box[2]) AND ST_Y(geom) BETWEEN \(box[1]) AND \(box[3])"
        }
        let indexed = query.condition { box in
            """
            geom && ST_MakeEnvelope(\(box.joined(separator: ", ")), 4326)
                AND ST_X(geom) BETWEEN \(box[0]) AND \(box[2]) AND ST_Y(geom) BETWEEN \(box[1]) AND \(box[3])
            """
        }
        var statements = [
            (
                "plain",
                """
                SELECT \(BenchPostgresStore.columns) FROM pin p WHERE \(visible) AND \(indexed)
                ORDER BY \(order) \(limit)
                """
            ),
            (
                "narrow first",
                Self.wide("SELECT id, created_at FROM pin WHERE \(visible) AND \(indexed) ORDER BY \(order) \(limit)")
            ),
            ("lateral", lateral(exact)),
        ]
        guard !query.boxes.isEmpty else { return statements }
        statements.append(
            (
                "by owner",
                Self.wide("SELECT id, created_at FROM pin WHERE \(visible) AND \(exact) ORDER BY \(order) \(limit)")
            ))
        statements.append(
            (
                "by place",
                """
                WITH near AS MATERIALIZED (SELECT id, owner_id, created_at, audience FROM pin WHERE \(indexed))
                \(Self.wide("SELECT id, created_at FROM near WHERE \(visible) ORDER BY \(order) \(limit)"))
                """
            ))
        return statements
    }

    /// All of them exact on the ellipsoid.
    private func nearest(_ query: BenchQuery) -> [(name: String, sql: String)] {
        let point = "ST_SetSRID(ST_MakePoint($3::float8, $4::float8), 4326)"
        let filter = query.category.map { "AND category = \($0) AND rating >= \(query.minRating)" } ?? ""
        let matching = "\(Self.visible) \(filter)"
        let (least, greatest) = (Geodesic.leastRatioToHaversine, Geodesic.greatestRatioToHaversine)
        let limit = "LIMIT \(query.limit)"
        let rows = "SELECT \(BenchPostgresStore.columns), c.d FROM c JOIN pin p ON p.id = c.id ORDER BY c.d, c.id"
        return [
            (
                "all distances",
                """
                WITH c AS MATERIALIZED (
                    SELECT id, ST_Distance(geom::geography, \(point)::geography) AS d FROM pin WHERE \(matching)
                    ORDER BY d, id \(limit))
                \(rows)
                """
            ),
            (
                "sphere first",
                """
                WITH s AS MATERIALIZED (
                    SELECT id, geom, ST_DistanceSphere(geom, \(point)) AS d FROM pin WHERE \(matching)),
                reach AS (SELECT max(d) AS d FROM (SELECT d FROM s ORDER BY d \(limit)) x),
                c AS MATERIALIZED (
                    SELECT s.id, ST_Distance(s.geom::geography, \(point)::geography) AS d FROM s, reach
                    WHERE s.d * \(least) - 0.001 <= reach.d * \(greatest) ORDER BY 2, 1 \(limit))
                \(rows)
                """
            ),
            (
                "index, then recheck",
                """
                WITH n AS MATERIALIZED (
                    SELECT geom::geography AS g FROM pin WHERE \(matching)
                    ORDER BY geom::geography <-> \(point)::geography \(limit)),
                reach AS MATERIALIZED (SELECT max(ST_Distance(g, \(point)::geography)) AS d FROM n),
                c AS MATERIALIZED (
                    SELECT id, ST_Distance(geom::geography, \(point)::geography) AS d FROM pin, reach
                    WHERE \(matching) AND ST_DWithin(geom::geography, \(point)::geography, reach.d + 0.001)
                    ORDER BY 2, 1 \(limit))
                \(rows)
                """
            ),
        ]
    }
}

extension BenchQuery {
    /// West, south, east and north in degrees of what is asked for, cut at the antimeridian; none for everywhere.
    var boxes: [[Double]] {
        guard case .box(let box) = area, box != .world else { return [] }
        return box.longitudeRanges.map { range in
            [range.lowerBound, box.south, range.upperBound, box.north].map { Double($0) / 1e7 }
        }
    }

    /// What statements differ by, but for the number of boxes.
    fileprivate var shape: String {
        if case .near = area { "near \(limit) \(category ?? -1)" } else { "newest \(limit)" }
    }

    /// The boxes in SQL, whose edges are the parameters from $3.
    fileprivate func condition(_ box: ([String]) -> String) -> String {
        let parts = boxes.indices.map { index in "(\(box((0..<4).map { "$\(3 + 4 * index + $0)::float8" })))" }
        return parts.isEmpty ? "true" : "(\(parts.joined(separator: " OR ")))"
    }
}
