import Foundation

extension Geodesic {
    /// The longest chord that `chordDistance` measures, in metres.
    private static let longestChord = 100_000.0

    /// The length of the shortest path on the ellipsoid in metres, by the straight line between the points and the
    /// curvature in the middle; nil if they are more than 100 km apart.
    ///
    /// Both follow from the ellipsoid's radii of curvature, M along the meridian and N across it (W. Torge, J. Müller,
    /// Geodesy, 4.1): the chord c from the points in space, the arc from c as on a circle with Euler's radius for the
    /// chord's direction. What that leaves out is below a hundredth of a millimetre.
    static func chordDistance(_ a: Coordinate, _ b: Coordinate) -> Double? {
        let radians = Double.pi / 180 / Coordinate.unitsPerDegree
        let (aLatitude, bLatitude) = (Double(a.latitudeE7) * radians, Double(b.latitudeE7) * radians)
        let halfLongitude = sin(Double(Int64(b.longitudeE7) - Int64(a.longitudeE7)) * radians / 2)
        let (aSin, bSin) = (sin(aLatitude), sin(bLatitude))
        let square = flattening * (2 - flattening)
        // N, and the distances from the axis and, without the factor, from the equator's plane.
        let aRadius = equatorialRadius / (1 - square * aSin * aSin).squareRoot()
        let bRadius = equatorialRadius / (1 - square * bSin * bSin).squareRoot()
        let (aAxis, bAxis) = (aRadius * cos(aLatitude), bRadius * cos(bLatitude))
        let height = (bRadius * bSin - aRadius * aSin) * (1 - square)
        let out = bAxis - aAxis
        let chordSquare = height * height + out * out + 4 * aAxis * bAxis * halfLongitude * halfLongitude
        guard chordSquare <= longestChord * longestChord else { return nil }
        guard chordSquare > 0 else { return 0 }

        let middleSin = (aSin + bSin) / 2
        let w = 1 - square * middleSin * middleSin
        let across = equatorialRadius / w.squareRoot()
        let along = across * (1 - square) / w
        let north = along * (bLatitude - aLatitude)
        let northPart = min(1, north * north / chordSquare)
        let curvature = northPart / along + (1 - northPart) / across
        let bend = chordSquare * curvature * curvature
        return chordSquare.squareRoot() * (1 + bend / 24 + bend * bend * 3 / 640)
    }
}
