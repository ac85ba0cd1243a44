import Geo
import SocialModel

/// How a list of visible pins is read. All ways give the same answer; which is fastest depends on who asks for what.
///
/// The costs are of one core in nanoseconds, measured with 5 million pins; only their ratios matter.
enum PinWay {
    /// Each friend's pins: for few friends, or boxes that hold many strangers' pins.
    case owner
    /// The pins of these ranges of the Hilbert curve, whoever's they are: for small boxes. `reach` is what a nearest
    /// search finds whole in them, in metres.
    case place([ClosedRange<Int64>], reach: Double)
    /// Everybody's pins, latest first, but no more than so many: for many friends.
    case time(rows: Int)

    /// The most ranges that a box is made of.
    static let rangeLimit = 32

    /// To find an owner in memory, and to look at a row there.
    private static let knownOwnerCost = 50.0
    private static let knownRowCost = 4.0
    /// To find an owner in the index, and to read a row there.
    private static let ownerCost = 2_500.0
    private static let ownedRowCost = 150.0
    /// To start on a range.
    private static let rangeCost = 3_000.0
    /// To read a row of a range and find that it is a stranger's.
    private static let placedRowCost = 150.0
    /// To look for words in a pin, one by one and among an owner's.
    private static let wordsCost = 1_500.0
    private static let ownedWordsCost = 150.0
    /// To read one row of everybody's.
    private static let timedRowCost = 150.0
    /// Reading that costs less than this is not worth a thought.
    private static let littleCost = 100_000.0

    /// The way to the first `limit` of a query.
    init(for query: PinQuery, _ owners: Owners, _ limit: Int, _ after: PinRank?, _ planner: PinPlanner?) {
        self = .owner
        let worstCost = Self.cost(of: owners, for: query)
        guard worstCost > Self.littleCost, let statistics = planner?.statistics, statistics.count > 0 else { return }
        if query.words != nil {
            self.init(forAllOf: query, owners, planner)
            return
        }
        let visible = min(1, Double(max(owners.pins, 1)) / Double(statistics.count))
        if query.sort == .distance, case .near(let point, let radius) = query.area {
            let wanted = Double(limit) / (visible * query.selectivity)
            if let near = Self.near(
                point, radius, statistics, wanted: wanted, worth: worstCost, mayTry: 2 * owners.missing > owners.count)
            {
                self = near
            }
            return
        }
        let ranges = Self.ranges(of: query)
        let inside = ranges.map { statistics.count(in: $0) } ?? Double(statistics.count)
        var best = worstCost
        if let ranges {
            let cost = Self.cost(of: ranges, statistics)
            if cost < best {
                best = cost
                self = .place(ranges, reach: 0)
            }
        }
        if query.sort == .newest, after == nil, query.hasNoOtherFilter {
            let rows = Double(limit) / (visible * max(inside / Double(statistics.count), 1e-9))
            // Three times the expected, since friends are not awake evenly; beyond that the rows were read for nothing.
            if 3 * rows * Self.timedRowCost < best { self = .time(rows: Int(3 * rows) + 200) }
        }
    }

    /// The way to all of a query.
    init(forAllOf query: PinQuery, _ owners: Owners, _ planner: PinPlanner?) {
        self = .owner
        // Words are not in memory.
        let cost = Self.cost(of: query.words == nil ? owners : owners.unknown, for: query)
        guard cost > Self.littleCost, let statistics = planner?.statistics, let ranges = Self.ranges(of: query) else {
            return
        }
        let inside = statistics.count(in: ranges)
        let visible = min(1, Double(owners.pins) / Double(max(statistics.count, 1)))
        let words = query.words == nil ? (0, 0) : (visible * Self.wordsCost, Self.ownedWordsCost)
        let placeCost = Self.cost(of: ranges, statistics) + inside * words.0
        if placeCost < cost + Double(owners.pins) * words.1 {
            self = .place(ranges, reach: query.radius ?? 0)
        }
    }

    /// By place, whatever it costs.
    static func place(for query: PinQuery) -> PinWay {
        if query.sort == .distance, case .near(let point, let radius) = query.area {
            let reach = min(radius ?? 5_000, 5_000)
            return .place(rangesAround(point, reach), reach: reach)
        }
        return .place(HilbertCurve.ranges(covering: query.boundingBox, limit: rangeLimit), reach: 0)
    }

    /// Whom a list is about, as far as it matters here.
    struct Owners {
        let count: Int
        /// How many of them are not in memory.
        let missing: Int
        /// About how many pins all of them have.
        let pins: Int

        /// The same, none of them in memory.
        var unknown: Owners { Owners(count: count, missing: count, pins: pins) }
    }

    /// Of all pins of the owners.
    private static func cost(of owners: Owners, for query: PinQuery) -> Double {
        let pinsEach = Double(owners.pins) / Double(max(owners.count, 1))
        // Who has nothing near a small box is passed over.
        let touched = PinCells(covering: query.boundingBox) == nil ? 1 : 0.15
        return Double(owners.count - owners.missing) * touched * (knownOwnerCost + pinsEach * knownRowCost)
            + Double(owners.missing) * (ownerCost + pinsEach * ownedRowCost)
    }

    /// Nil for everywhere.
    private static func ranges(of query: PinQuery) -> [ClosedRange<Int64>]? {
        switch query.area {
        case .everywhere, .near(_, nil): nil
        case .box, .near(_, _?): HilbertCurve.ranges(covering: query.boundingBox, limit: rangeLimit)
        }
    }

    static func rangesAround(_ point: Coordinate, _ metres: Double) -> [ClosedRange<Int64>] {
        HilbertCurve.ranges(covering: BoundingBox(around: point, metres: metres), limit: rangeLimit)
    }

    /// A first circle around a point: the smallest that should hold `wanted` pins of anybody, if it costs no more than an
    /// eighth of `worth` or is small and costs no more than half of it. With `mayTry`, else the largest that does: friends
    /// live together, so it may hold enough of theirs. Nil if there is none.
    private static func near(
        _ point: Coordinate, _ radius: Double?, _ statistics: PinStatistics, wanted: Double, worth: Double, mayTry: Bool
    ) -> PinWay? {
        var found: PinWay?
        var reach = 250.0
        while reach < 4_000_000 {
            let isWhole = radius.map { $0 <= reach } ?? false
            let ranges = rangesAround(point, isWhole ? radius ?? reach : reach)
            guard cost(of: ranges, statistics) <= worth / (found == nil ? 2 : 8) else { return mayTry ? found : nil }
            found = .place(ranges, reach: isWhole ? radius ?? reach : reach)
            if isWhole || statistics.count(in: ranges) >= wanted { return found }
            reach *= 2
        }
        return mayTry ? found : nil
    }

    private static func cost(of ranges: [ClosedRange<Int64>], _ statistics: PinStatistics) -> Double {
        Double(ranges.count) * rangeCost + statistics.count(in: ranges) * placedRowCost
    }

    /// What a nearest search by place may cost before it goes by owner: no more than that would.
    struct NearestBudget {
        private var left: Double
        private var rings = 0
        private let statistics: PinStatistics?

        init(_ owners: Owners, for query: PinQuery, _ planner: PinPlanner?) {
            left = cost(of: owners, for: query)
            statistics = planner?.statistics
        }

        /// Whether there is enough left to read the ranges; then it is taken. The first are always read.
        mutating func takes(_ ranges: [ClosedRange<Int64>]) -> Bool {
            rings += 1
            guard let statistics else { return rings <= 4 }
            left -= cost(of: ranges, statistics)
            return rings == 1 || left >= 0
        }
    }
}

extension PinQuery {
    /// Nothing but where and when decides, so that of all pins as many are found as one expects.
    fileprivate var hasNoOtherFilter: Bool {
        categories.isEmpty && minRating == nil && words == nil
    }

    /// About which part of the pins the filters take, if all categories and ratings are as frequent.
    fileprivate var selectivity: Double {
        let categories = categories.isEmpty ? 1 : Double(categories.count) / Double(Pin.Category.allCases.count)
        return categories * Double(6 - (minRating ?? 0)) / 6
    }
}
