/// The smallest box around points and boxes that come one by one: it crosses the antimeridian where that makes it
/// smaller. It takes a kilobyte or two, however many they are.
public struct ExtentSum: Sendable {
    /// For each degree of longitude the least and the greatest that is in use; the least is above the greatest where
    /// nothing is.
    private var least = [Int32](repeating: .max, count: 360)
    private var greatest = [Int32](repeating: .min, count: 360)
    private var south = Int32.max
    private var north = Int32.min

    public init() {}

    public mutating func add(_ coordinate: Coordinate) {
        south = min(south, coordinate.latitudeE7)
        north = max(north, coordinate.latitudeE7)
        add(longitude: coordinate.longitudeE7)
    }

    public mutating func add(_ box: BoundingBox) {
        south = min(south, box.south)
        north = max(north, box.north)
        for range in box.longitudeRanges {
            add(longitude: range.lowerBound)
            add(longitude: range.upperBound)
            let degrees = Self.degree(range.lowerBound)...Self.degree(range.upperBound)
            for degree in degrees.dropFirst().dropLast() {
                least[degree] = Self.west(of: degree)
                greatest[degree] = Self.west(of: degree + 1) - 1
            }
            guard degrees.count > 1 else { continue }
            greatest[degrees.lowerBound] = Self.west(of: degrees.lowerBound + 1) - 1
            least[degrees.upperBound] = Self.west(of: degrees.upperBound)
        }
    }

    /// Nil if nothing came.
    public var box: BoundingBox? {
        let used = least.indices.filter { least[$0] <= greatest[$0] }
        guard let first = used.first, let last = used.last else { return nil }
        // The widest gap is outside; one of no width lies across the antimeridian.
        var widest = Int64(least[first]) + 3_600_000_000 - Int64(greatest[last])
        var (west, east) = (least[first], greatest[last])
        for (before, after) in zip(used, used.dropFirst()) {
            let gap = Int64(least[after]) - Int64(greatest[before])
            if gap > widest {
                widest = gap
                (west, east) = (least[after], greatest[before])
            }
        }
        return BoundingBox(west: west, south: south, east: east, north: north)
    }

    private mutating func add(longitude: Int32) {
        let degree = Self.degree(longitude)
        least[degree] = min(least[degree], longitude)
        greatest[degree] = max(greatest[degree], longitude)
    }

    private static func degree(_ longitude: Int32) -> Int {
        min(359, max(0, Int((Int64(longitude) + 1_800_000_000) / 10_000_000)))
    }

    private static func west(of degree: Int) -> Int32 { Int32(clamping: Int64(degree) * 10_000_000 - 1_800_000_000) }
}
