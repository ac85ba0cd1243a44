import Foundation
import Geo
import Testing

@Suite struct GeodesicTests {
    @Test func `known distances`() throws {
        func distance(_ a: String, _ b: String) throws -> Double {
            try Geodesic.distance(Coordinate(parsing: a), Coordinate(parsing: b))
        }
        // The quarter meridian and half of the equator of WGS 84.
        #expect(try abs(distance("0,0", "90,0") - 10_001_965.729) < 0.001)
        #expect(try abs(distance("0,0", "0,90") - 10_018_754.171) < 0.001)
        // Over the antimeridian, and all longitudes of a pole are one point.
        #expect(try abs(distance("0,179.9999999", "0,-179.9999999") - 0.0222639) < 1e-6)
        #expect(try distance("90,0", "90,123") < 1e-6)
        // PROJ's own example, Kennedy airport to Singapore.
        #expect(try abs(distance("40.64,-73.78", "1.36,103.99") - 15_347_512.94) < 0.01)
    }

    @Test func `short ways are measured as exactly as the positions are`() {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<200_000 {
            let a = generator.coordinate()
            let metres = pow(10, Double.random(in: -2...5.3, using: &generator))
            let b = generator.coordinate(in: BoundingBox(around: a, metres: metres))
            let (local, exact) = (Geodesic.localDistance(a, b), Geodesic.distance(a, b))
            #expect(abs(local - exact) < 1e-5, "\(a) to \(b): \(local), not \(exact)")
        }
    }

    @Test func `haversine keeps within its bounds of the geodesic`() {
        var generator = SeededGenerator(seed: 2)
        var (least, greatest) = (Double.infinity, 0.0)
        for round in 0..<200_000 {
            let a = generator.coordinate()
            let b =
                switch round % 4 {
                case 0: a.antipode(within: 20_000_000, using: &generator)
                case 1:
                    Coordinate(
                        latitudeE7: max(-900_000_000, a.latitudeE7 - .random(in: 0...90_000, using: &generator)),
                        longitudeE7: a.longitudeE7)
                default: generator.coordinate()
                }
            let (geodesic, haversine) = (Geodesic.distance(a, b), Geodesic.haversine(a, b))
            // Below a centimetre the two poles' rounding is all there is.
            guard haversine > 0.01 else {
                #expect(geodesic < 0.02)
                continue
            }
            least = min(least, geodesic / haversine)
            greatest = max(greatest, geodesic / haversine)
        }
        #expect(least > Geodesic.leastRatioToHaversine && least < 0.9946)
        #expect(greatest < Geodesic.greatestRatioToHaversine && greatest > 1.0043)
    }
}
