import Foundation

/// A box of longitudes and latitudes on WGS 84 in units of 1e-7 degree, edges included; as in RFC 7946, 5, one whose
/// west is greater than its east crosses the antimeridian.
///
/// The edges are kept in one form, so that equal areas are equal boxes: west is never 180 (it is -180), and east is
/// -180 only for the meridian alone; else it is 180.
public struct BoundingBox: Sendable, Hashable {
    /// Degrees east times 1e7, -1,800,000,000 ..< 1,800,000,000.
    public let west: Int32
    /// Degrees north times 1e7.
    public let south: Int32
    /// Degrees east times 1e7; 1,800,000,000 for a box that ends at the antimeridian.
    public let east: Int32
    /// Degrees north times 1e7.
    public let north: Int32

    /// Every coordinate there is.
    public static let world = BoundingBox(west: -half, south: -quarter, east: half, north: quarter)

    private static let half: Int32 = 1_800_000_000
    private static let quarter: Int32 = 900_000_000

    /// A box of edges in units, which must be in range, with south ≤ north.
    init(west: Int32, south: Int32, east: Int32, north: Int32) {
        self.south = south
        self.north = north
        if west == Self.half {
            self.west = -Self.half
            // Both edges on the antimeridian: the meridian, not the world.
            self.east = east == Self.half ? -Self.half : east
        } else {
            self.west = west
            self.east = east == -Self.half && west != -Self.half ? Self.half : east
        }
    }

    /// A box of stored units, which must be in range, with south ≤ north.
    public init(westE7: Int64, southE7: Int64, eastE7: Int64, northE7: Int64) {
        self.init(
            west: Int32(clamping: westE7), south: Int32(clamping: southE7), east: Int32(clamping: eastE7),
            north: Int32(clamping: northE7))
    }

    /// A box of degrees, each rounded to 1e-7.
    ///
    /// `[170, 180]` holds the points of the antimeridian though they are stored as -180, `[-180, 180]` is the whole
    /// round, `[180, x]` the same as `[-180, x]`. Nil for NaN, an infinity, degrees out of range, or south > north.
    public init?(west: Double, south: Double, east: Double, north: Double) {
        guard abs(west) <= 180, abs(east) <= 180, abs(south) <= 90, abs(north) <= 90, south <= north else { return nil }
        func units(_ degrees: Double) -> Int32 { Int32((degrees * Coordinate.unitsPerDegree).rounded()) }
        self.init(west: units(west), south: units(south), east: units(east), north: units(north))
    }

    /// Reads `WEST,SOUTH,EAST,NORTH` in decimal degrees, the form of `bbox=` in queries.
    ///
    /// - Throws: `CoordinateTextError`, whose reason suits a client: `"must be west,south,east,north in degrees"`.
    public init(parsing text: some StringProtocol) throws(CoordinateTextError) {
        guard let edges = [Double](decimals: text, count: 4) else {
            throw CoordinateTextError(reason: "must be west,south,east,north in degrees")
        }
        let (west, south, east, north) = (edges[0], edges[1], edges[2], edges[3])
        guard abs(west) <= 180, abs(east) <= 180 else {
            throw CoordinateTextError(reason: "must have west and east from -180 to 180")
        }
        guard abs(south) <= 90, abs(north) <= 90 else {
            throw CoordinateTextError(reason: "must have south and north from -90 to 90")
        }
        guard let box = BoundingBox(west: west, south: south, east: east, north: north) else {
            throw CoordinateTextError(reason: "must not have south above north")
        }
        self = box
    }

    /// The smallest box known to hold every point within `metres` of `centre` on the ellipsoid: it misses none, and is
    /// at most 0.4 % (and two units) too large on a side. Over a pole it goes all round.
    ///
    /// A radius that is negative or NaN counts as 0; an infinite one gives the world.
    ///
    /// With reduced latitude β the ellipsoid's line element is (a² sin²β + b² cos²β) dβ² + a² cos²β dλ², which is at
    /// least b² (dβ² + cos²β dλ²): carried to a sphere of radius b, no two points are further apart than before. So
    /// the points sought lie in the spherical cap of angle `metres / b`, whose box is known: β₀ ± σ, and
    /// λ₀ ± asin(sin σ / cos β₀) where the cap does not reach a pole.
    public init(around centre: Coordinate, metres: Double) {
        let (a, b) = (Geodesic.equatorialRadius, Geodesic.polarRadius)
        let angle = metres > 0 ? metres / b : 0
        let reduced = atan(b / a * tan(centre.latitude * .pi / 180))
        func units(_ reduced: Double) -> Double { atan(a / b * tan(reduced)) * 180 / .pi * Coordinate.unitsPerDegree }
        let (south, north) = (reduced - angle, reduced + angle)
        let reachesSouthPole = south <= -.pi / 2
        let reachesNorthPole = north >= .pi / 2
        // One unit more on each side is far above the rounding of the formulas.
        let southE7 = reachesSouthPole ? -Self.quarter : max(-Self.quarter, Int32(units(south).rounded(.down)) - 1)
        let northE7 = reachesNorthPole ? Self.quarter : min(Self.quarter, Int32(units(north).rounded(.up)) + 1)
        // The last metre to a pole goes all round too: there asin is steep and a longitude means nothing.
        guard !reachesSouthPole, !reachesNorthPole, abs(reduced) + angle < .pi / 2 - 1e-7 else {
            self.init(west: -Self.half, south: southE7, east: Self.half, north: northE7)
            return
        }
        let width = asin(min(1, sin(angle) / cos(reduced))) * 180 / .pi * Coordinate.unitsPerDegree
        let halfWidth = Int64(width.rounded(.up)) + 1
        self.init(
            west: Self.wrapped(Int64(centre.longitudeE7) - halfWidth), south: southE7,
            east: Self.wrapped(Int64(centre.longitudeE7) + halfWidth), north: northE7)
    }

    private static func wrapped(_ longitude: Int64) -> Int32 {
        let round: Int64 = 3_600_000_000
        return Int32(
            longitude < -1_800_000_000 ? longitude + round : longitude > 1_800_000_000 ? longitude - round : longitude)
    }

    /// True if the box goes over longitude 180 and on: its west is greater than its east.
    public var crossesAntimeridian: Bool { west > east }

    /// True if the coordinate is inside or on an edge.
    public func contains(_ coordinate: Coordinate) -> Bool {
        guard coordinate.latitudeE7 >= south, coordinate.latitudeE7 <= north else { return false }
        let longitude = coordinate.longitudeE7
        if west > east { return longitude >= west || longitude <= east }
        return longitude >= west && longitude <= east || east == Self.half && longitude == -Self.half
    }

    /// The box's longitudes as one or two ranges of stored units, none of them across the antimeridian: what a query
    /// over stored coordinates compares with. `[170, 180]` gives 170 … 179.9999999 and -180 alone.
    public var longitudeRanges: [ClosedRange<Int32>] {
        if west > east { return [west...(Self.half - 1), -Self.half...east] }
        guard east == Self.half else { return [west...east] }
        return west == -Self.half ? [west...(east - 1)] : [west...(east - 1), -Self.half...(-Self.half)]
    }
}

extension BoundingBox: CustomStringConvertible {
    /// `WEST,SOUTH,EAST,NORTH`, which `init(parsing:)` reads back to the same box.
    public var description: String {
        [west, south, east, north].map { "\(Double($0) / Coordinate.unitsPerDegree)" }.joined(separator: ",")
    }
}
