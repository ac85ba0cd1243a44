import Geo
import Storage

/// Where the pins of all are, roughly: for choosing how to read, never for an answer.
struct PinStatistics: Sendable {
    /// All pins.
    let count: Int
    /// Positions of some of them on the Hilbert curve, ascending.
    private let positions: [Int64]

    private static let sampled = 32_768

    /// Looks at pins of random ids.
    init(in read: some Transaction, _ grant: Grant) throws {
        count = try read.row("SELECT count(*) FROM pin", grant: grant) { $0.int(0) } ?? 0
        let ends = try read.row("SELECT (SELECT min(id) FROM pin), (SELECT max(id) FROM pin)", grant: grant) { row in
            (row.int64(0), row.int64(1))
        }
        var positions: [Int64] = []
        if let (first, last) = ends, count > 0 {
            let sampled = min(Self.sampled, count)
            positions.reserveCapacity(sampled)
            for _ in 0..<sampled {
                let id = Int64.random(in: first...last)
                let position = try read.row(
                    "SELECT longitude, latitude FROM pin WHERE id >= \(id) ORDER BY id LIMIT 1", grant: grant
                ) { HilbertCurve.position(longitudeE7: $0.int64(0), latitudeE7: $0.int64(1)) }
                if let position { positions.append(position) }
            }
        }
        self.positions = positions.sorted()
    }

    /// About how many pins lie in these ranges of positions.
    func count(in ranges: [ClosedRange<Int64>]) -> Double {
        guard !positions.isEmpty else { return Double(count) }
        let found = ranges.reduce(0) { $0 + firstIndex(above: $1.upperBound) - firstIndex(above: $1.lowerBound - 1) }
        // None in the sample is not none at all.
        return (Double(found) + 0.5) * Double(count) / Double(positions.count)
    }

    /// The index of the first position above `limit`.
    private func firstIndex(above limit: Int64) -> Int {
        var (low, high) = (0, positions.count)
        while low < high {
            let middle = (low + high) / 2
            if positions[middle] > limit { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
