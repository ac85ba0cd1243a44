import Foundation

/// Distances on WGS 84.
public enum Geodesic {
    /// The ellipsoid's equatorial radius a, in metres.
    public static let equatorialRadius = 6_378_137.0
    /// The ellipsoid's flattening f.
    public static let flattening = 1 / 298.257223563
    /// The ellipsoid's polar radius b = a (1 - f), in metres.
    public static let polarRadius = equatorialRadius * (1 - flattening)
    /// The mean radius (2a + b) / 3 in metres, the sphere of `haversine`.
    public static let meanRadius = (2 * equatorialRadius + polarRadius) / 3

    /// `distance / haversine` of any two points lies between these.
    ///
    /// A step on the ellipsoid is as long as the same step on the sphere times a radius of curvature over `meanRadius`;
    /// the radii go from a (1 - e²) along the meridian at the equator (0.99442) to a²/b at the poles (1.00449), and the
    /// shortest path keeps to the bounds that every path keeps to.
    public static let leastRatioToHaversine = 0.9943
    /// See `leastRatioToHaversine`.
    public static let greatestRatioToHaversine = 1.0050

    /// The great-circle distance in metres on a sphere of `meanRadius`, a tenth of the cost of `distance`: it decides
    /// what need not be measured, by `leastRatioToHaversine` and `greatestRatioToHaversine`.
    public static func haversine(_ a: Coordinate, _ b: Coordinate) -> Double {
        let radiansPerUnit = Double.pi / 180 / Coordinate.unitsPerDegree
        let sinLatitude = sin(Double(Int64(b.latitudeE7) - Int64(a.latitudeE7)) * radiansPerUnit / 2)
        let sinLongitude = sin(Double(Int64(b.longitudeE7) - Int64(a.longitudeE7)) * radiansPerUnit / 2)
        let h =
            sinLatitude * sinLatitude + cos(Double(a.latitudeE7) * radiansPerUnit)
            * cos(Double(b.latitudeE7) * radiansPerUnit) * sinLongitude * sinLongitude
        return 2 * meanRadius * asin(min(1, h.squareRoot()))
    }
}
