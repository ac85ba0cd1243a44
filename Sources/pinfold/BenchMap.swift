import Foundation
import Geo
import PinfoldServer
import SocialModel

/// What clients ask for all day, by viewers of 10 to 5,000 friends, beside PostGIS and beside arrays in memory; then
/// writes. All three hold the same world, and both databases answer whole rows to this process.
@Sendable func measureMap(_ bench: Bench) throws -> [Figure] {
    bench.say("making a world of \(bench.size) pins")
    let world = BenchWorld(pins: bench.size)
    bench.say("\(world.people) people, \(world.friends.count) friendships in both directions")
    let folder = try DataFolder("\(bench.output)/world-\(bench.size)")
    let loading = try world.store(in: folder)
    let server = try BenchPostgres(bench, name: "postgres-\(bench.size)")
    let store = try BenchPostgresStore(world, in: server, bench)
    let pool = try folder.openDatabase()
    defer { pool.close() }
    try world.tidy(pool)
    let pins = BenchPinfold(world, pool)
    try pins.survey()
    let sides = MapSides(
        bench: bench, world: world, pinfold: pins, arrays: PinArrays(world),
        postgres: try BenchPostgresPlans(world, server))
    var figures = [
        Figure(
            name: "bulk load", value: loading.pinsPerSecond, unit: "pins/s", reference: "PostgreSQL",
            referenceValue: store.loading.pinsPerSecond, goal: .atLeast(60_000)),
        Figure(
            name: "a pin on the disk", value: loading.bytesPerPin, unit: "B", reference: "PostgreSQL",
            referenceValue: store.loading.bytesPerPin, goal: .atMost(200)),
    ]
    var mismatches = MapMismatches()
    for list in MapList.all {
        for friends in BenchWorld.friendClasses where world.viewers.contains(where: { $0.friends == friends }) {
            let result = try sides.measure(list, friends: friends)
            mismatches.add(result.mismatches)
            figures += result.figures(
                list.name, friends: friends, median: list.goal(friends: friends), tail: list.tailGoal(friends: friends))
        }
    }
    for tile in MapTile.all {
        for friends in BenchWorld.friendClasses where world.viewers.contains(where: { $0.friends == friends }) {
            let result = try sides.measure(tile, friends: friends)
            mismatches.add(result.mismatches)
            figures += result.figures(
                tile.name, friends: friends, median: tile.goal(friends: friends),
                tail: friends < 500 ? .ratioAtMost(1) : nil)
        }
    }
    figures += mismatches.figures
    figures += try measureMapWrites(bench, world, pins, server)
    return figures
}

/// One kind of list.
struct MapList: Sendable {
    let name: String
    /// A query of a viewer, a little different each time.
    let query: @Sendable (BenchWorld.Viewer, inout BenchRandom) -> BenchQuery
    /// Of the median at 500 and at 5,000 friends, as a part of PostGIS's.
    let limits: (Double, Double)
    /// Whether p99 has a goal too.
    let hasTail: Bool

    static let all = [
        box("bbox, street", kilometres: 0.5, limits: (0.25, 0.2)),
        box("bbox, city", kilometres: 15, limits: (0.25, 0.2)),
        box("bbox, country", kilometres: 400, limits: (0.25, 0.2)),
        MapList(
            name: "bbox, world", query: { _, _ in BenchQuery(area: .box(.world), limit: 100) }, limits: (0.25, 0.8),
            hasTail: true),
        MapList(
            name: "nearest 10",
            query: { BenchQuery(area: .near(near($0, 3, &$1), radius: nil), limit: 10) }, limits: (0.25, 0.1),
            hasTail: false),
        MapList(
            name: "nearest 50, filtered",
            query: {
                BenchQuery(area: .near(near($0, 3, &$1), radius: nil), category: 3, minRating: 4, limit: 50)
            }, limits: (0.25, 0.1), hasTail: false),
        MapList(name: "feed, newest 50", query: { _, _ in BenchQuery(limit: 50) }, limits: (0.5, 1.2), hasTail: false),
    ]

    /// The newest 100 within so many kilometres north, east, south and west of a place.
    private static func box(_ name: String, kilometres: Double, limits: (Double, Double)) -> MapList {
        MapList(
            name: name,
            query: { viewer, random in
                let centre = near(viewer, kilometres / 4, &random)
                return BenchQuery(area: .box(around(centre, kilometres)), limit: 100)
            }, limits: limits, hasTail: true)
    }

    static func near(
        _ viewer: BenchWorld.Viewer, _ kilometres: Double, _ random: inout BenchRandom
    ) -> Coordinate {
        let offset = SIMD2(random.normal(), random.normal()) * kilometres
        return BenchWorld.point(viewer.latitude, viewer.longitude, plus: offset)
    }

    static func around(_ centre: Coordinate, _ kilometres: Double) -> BoundingBox {
        let north = kilometres / 111.2
        let east = kilometres / (111.3 * max(cos(centre.latitude * .pi / 180), 0.02))
        func wrapped(_ longitude: Double) -> Double {
            longitude < -180 ? longitude + 360 : longitude > 180 ? longitude - 360 : longitude
        }
        return BoundingBox(
            west: wrapped(centre.longitude - min(east, 179)), south: max(-90, centre.latitude - north),
            east: wrapped(centre.longitude + min(east, 179)), north: min(90, centre.latitude + north)) ?? .world
    }

    /// Of p99, where the boxes are.
    func tailGoal(friends: Int) -> Figure.Goal? { friends < 500 ? .ratioAtMost(1) : hasTail ? .ratioAtMost(0.5) : nil }

    func goal(friends: Int) -> Figure.Goal {
        .ratioAtMost(friends == 500 ? limits.0 : friends == 5_000 ? limits.1 : 1)
    }
}

/// How many answers differ from those of the arrays.
struct MapMismatches {
    var lists = 0
    var pinfold = 0
    var postgres = 0

    mutating func add(_ other: MapMismatches) {
        lists += other.lists
        pinfold += other.pinfold
        postgres += other.postgres
    }

    var figures: [Figure] {
        [
            Figure(name: "wrong answers of \(lists), Pinfold", value: Double(pinfold), unit: "", goal: .atMost(0)),
            Figure(name: "wrong answers of \(lists), PostGIS", value: Double(postgres), unit: ""),
        ]
    }
}

/// The three that are measured, taking turns query by query, so that whatever disturbs the machine disturbs all alike.
struct MapSides {
    let bench: Bench
    let world: BenchWorld
    let pinfold: BenchPinfold
    let arrays: PinArrays
    let postgres: BenchPostgresPlans

    /// Milliseconds of each query, by side.
    struct Result {
        var pinfold: [Double] = []
        var postgres: [Double] = []
        var arrays: [Double] = []
        var plan = ""
        var mismatches = MapMismatches()

        func summary(_ name: String, friends: Int) -> String {
            """
            \(name), \(friends) friends, median and p99: \(shown(pinfold)) ms, PostGIS \(shown(postgres)) ms (\(plan)), \
            arrays \(shown(arrays)) ms; \(mismatches.pinfold) and \(mismatches.postgres) wrong
            """
        }

        private func shown(_ times: [Double]) -> String {
            "\(Figure.shown(median(times))) and \(Figure.shown(percentile99(times)))"
        }

        func figures(_ list: String, friends: Int, median goal: Figure.Goal, tail: Figure.Goal?) -> [Figure] {
            let name = "\(list), \(friends) friends"
            return [
                Figure(
                    name: "\(name), median", value: median(pinfold), unit: "ms", reference: "PostGIS, \(plan)",
                    referenceValue: median(postgres), goal: goal),
                Figure(
                    name: "\(name), p99", value: percentile99(pinfold), unit: "ms", reference: "PostGIS, \(plan)",
                    referenceValue: percentile99(postgres), goal: tail),
                Figure(
                    name: "\(name), beside arrays", value: median(pinfold), unit: "ms", reference: "a loop in memory",
                    referenceValue: median(arrays)),
            ]
        }
    }

    func measure(_ list: MapList, friends: Int) throws -> Result {
        let viewers = world.viewers.filter { $0.friends == friends }
        var random = BenchRandom(seed: UInt64(friends))
        let queries = (0..<(bench.samples ?? 2_000)).map { index in
            let viewer = viewers[index % viewers.count]
            return (viewer: viewer.person, query: list.query(viewer, &random))
        }
        let first = queries.prefix(2 * viewers.count)
        let plan = try bestPlan(postgres.plans(for: queries[0].query), first) {
            _ = try postgres.answer($0.query, for: $0.viewer, by: $1)
        }
        // PostgreSQL has had its first questions, and Pinfold now has.
        for (viewer, query) in first { _ = try pinfold.answer(query, for: viewer) }
        var result = Result()
        result.plan = plan.description
        for (index, (viewer, query)) in queries.enumerated() {
            var begin = Clock.monotonic()
            let expected = arrays.answer(query, for: viewer)
            result.arrays.append((Clock.monotonic() - begin) * 1000)
            begin = Clock.monotonic()
            let found = try pinfold.answer(query, for: viewer)
            result.pinfold.append((Clock.monotonic() - begin) * 1000)
            begin = Clock.monotonic()
            let answer = try postgres.answer(query, for: viewer, by: plan)
            result.postgres.append((Clock.monotonic() - begin) * 1000)
            result.mismatches.lists += 1
            if found.map(\.id.rawValue) != expected { result.mismatches.pinfold += 1 }
            if answer.ids != expected, !isTied(answer, found) { result.mismatches.postgres += 1 }
            if index == 0 || index % 500 == 499 { bench.say("\(list.name), \(friends) friends: \(index + 1)") }
        }
        bench.say(result.summary(list.name, friends: friends))
        return result
    }

    /// Distances that are equal but for the rounding of the two programs may come in any order.
    private func isTied(_ answer: BenchPostgresPlans.Answer, _ found: [Pin]) -> Bool {
        answer.metres.count == found.count && !found.isEmpty
            && zip(answer.metres, found).allSatisfy { abs($0 - ($1.distance ?? .infinity)) < 1e-6 }
    }

    /// The plan with the least median for these queries: the three that are best in a first round run once more, in
    /// turns.
    func bestPlan<Query>(
        _ plans: [BenchPostgresPlans.Plan], _ queries: ArraySlice<Query>,
        _ run: (Query, BenchPostgresPlans.Plan) throws -> Void
    ) throws -> BenchPostgresPlans.Plan {
        // Infinite where the time is up before.
        func milliseconds(_ query: Query, _ plan: BenchPostgresPlans.Plan) throws -> Double {
            let begin = Clock.monotonic()
            do {
                try run(query, plan)
                return (Clock.monotonic() - begin) * 1000
            } catch let error as PostgresError where error.isTimeout {
                return .infinity
            }
        }
        defer { try? postgres.limitTime(milliseconds: nil) }
        var medians: [(plan: BenchPostgresPlans.Plan, time: Double)] = []
        var least = Double.infinity
        for plan in plans {
            // One that is far slower than the best so far is given up soon.
            try postgres.limitTime(milliseconds: least.isFinite ? max(100, Int(least * 20)) : 20_000)
            var times: [Double] = []
            for query in queries {
                times.append(try milliseconds(query, plan))
                if times.count > 3, median(times) > least * 4 { break }
            }
            least = min(least, median(times))
            medians.append((plan, median(times)))
        }
        let finalists = medians.sorted { $0.time < $1.time }.prefix(3).map(\.plan)
        try postgres.limitTime(milliseconds: max(100, Int(least * 20)))
        let end = Clock.monotonic() + 3
        var times = finalists.map { _ in [Double]() }
        while Clock.monotonic() < end, times[0].count < 120 {
            for query in queries {
                for (index, plan) in finalists.enumerated() { times[index].append(try milliseconds(query, plan)) }
            }
        }
        guard let best = zip(finalists, times.map(median)).min(by: { $0.1 < $1.1 }) else {
            throw CommandFailure("there is no plan for PostgreSQL")
        }
        return best.0
    }
}

/// What 99 of 100 are at most.
func percentile99(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return .nan }
    return sorted[min(Int((Double(sorted.count - 1) * 0.99).rounded()), sorted.count - 1)]
}
