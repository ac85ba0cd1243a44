/// A position on WGS 84, kept as whole units of 1e-7 degree (11 mm at the equator).
///
/// Two coordinates that round to the same unit are equal. Longitude 180 and -180 are one meridian, kept as -180, so a
/// stored longitude lies in -180 ..< 180.
public struct Coordinate: Sendable, Hashable {
    /// Units in one degree.
    public static let unitsPerDegree = 1e7

    /// Degrees north, times 1e7: -900,000,000 to 900,000,000.
    public let latitudeE7: Int32
    /// Degrees east, times 1e7: -1,800,000,000 to 1,799,999,999.
    public let longitudeE7: Int32

    /// A coordinate of degrees, rounded to 1e-7.
    ///
    /// Nil for NaN, an infinity, a latitude outside -90 … 90 or a longitude outside -180 … 180: nothing is clamped or
    /// wrapped, because such a value is a mistake of its sender (swapped axes, radians, metres).
    public init?(latitude: Double, longitude: Double) {
        // A comparison with NaN is false, so both guards refuse it.
        guard abs(latitude) <= 90, abs(longitude) <= 180 else { return nil }
        self.init(
            latitudeE7: Int32((latitude * Self.unitsPerDegree).rounded()),
            longitudeE7: Int32((longitude * Self.unitsPerDegree).rounded()))
    }

    /// A coordinate of stored units, which must be in range; 1,800,000,000 becomes -1,800,000,000.
    public init(latitudeE7: Int32, longitudeE7: Int32) {
        self.latitudeE7 = latitudeE7
        self.longitudeE7 = longitudeE7 == 1_800_000_000 ? -1_800_000_000 : longitudeE7
    }

    /// Degrees north. The quotient is the double nearest to the decimal, so it prints with at most 7 decimals.
    public var latitude: Double { Double(latitudeE7) / Self.unitsPerDegree }

    /// Degrees east, -180 ..< 180; prints as `latitude` does.
    public var longitude: Double { Double(longitudeE7) / Self.unitsPerDegree }

    /// Reads `LATITUDE,LONGITUDE` in decimal degrees, the form of `near=` in queries.
    ///
    /// - Throws: `CoordinateTextError`, whose reason suits a client: `"must be latitude,longitude in degrees"`.
    public init(parsing text: some StringProtocol) throws(CoordinateTextError) {
        guard let values = [Double](decimals: text, count: 2) else {
            throw CoordinateTextError(reason: "must be latitude,longitude in degrees")
        }
        guard abs(values[0]) <= 90 else {
            throw CoordinateTextError(reason: "must have a latitude from -90 to 90")
        }
        guard let coordinate = Coordinate(latitude: values[0], longitude: values[1]) else {
            throw CoordinateTextError(reason: "must have a longitude from -180 to 180")
        }
        self = coordinate
    }
}

extension Coordinate: CustomStringConvertible {
    /// `LATITUDE,LONGITUDE`, which `init(parsing:)` reads back to the same coordinate.
    public var description: String { "\(latitude),\(longitude)" }
}
