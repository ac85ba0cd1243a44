import Geo

/// The landmarks nearest to a point of those offered, exact on the ellipsoid.
struct NearestLandmarks {
    private let limit: Int
    private let point: Coordinate
    private let radius: Double
    private let after: LandmarkRank?
    /// The nearest first.
    private(set) var sorted: [RankedLandmark] = []

    /// More than the formulas of the two distances are off by rounding.
    private static var roundingMetres: Double { 0.001 }

    init(limit: Int, point: Coordinate, radius: Double?, after: LandmarkRank?) {
        self.limit = limit
        self.point = point
        self.radius = radius ?? .infinity
        self.after = after
    }

    var count: Int { sorted.count }

    /// The distance in metres beyond which nothing can be among the kept.
    var reach: Double { sorted.count < limit ? .infinity : sorted.last?.rank.metres ?? .infinity }

    mutating func removeAll() { sorted.removeAll(keepingCapacity: true) }

    /// The distance of what may be among them; nil if it cannot be. The great-circle distance decides what need not be
    /// measured.
    func metres(to coordinate: Coordinate) -> Double? {
        let most = min(radius, reach)
        let roughly = Geodesic.haversine(point, coordinate)
        if roughly * Geodesic.leastRatioToHaversine - Self.roundingMetres > most { return nil }
        if let after, roughly * Geodesic.greatestRatioToHaversine + Self.roundingMetres < after.metres { return nil }
        let metres = Geodesic.distance(point, coordinate)
        if let after, metres < after.metres { return nil }
        return metres <= most ? metres : nil
    }

    mutating func offer(_ ranked: RankedLandmark) {
        if let after, ranked.rank <= after { return }
        if sorted.count == limit, let last = sorted.last, ranked.rank >= last.rank { return }
        var (low, high) = (0, sorted.count)
        while low < high {
            let middle = (low + high) / 2
            if sorted[middle].rank < ranked.rank { low = middle + 1 } else { high = middle }
        }
        sorted.insert(ranked, at: low)
        if sorted.count > limit { sorted.removeLast() }
    }
}
