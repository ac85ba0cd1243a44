import Geo
import Testing

@Suite struct HilbertCurveTests {
    @Test func `a position is exact and gives the coordinate back`() {
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<20_000 {
            let coordinate = generator.coordinate()
            let position = HilbertCurve.position(of: coordinate)
            #expect(position >= 0)
            #expect(HilbertCurve.coordinate(at: position) == coordinate)
        }
    }

    @Test func `one step on the curve is one step in space`() {
        var generator = SeededGenerator(seed: 12)
        for _ in 0..<20_000 {
            let coordinate = generator.coordinate()
            let position = HilbertCurve.position(of: coordinate)
            // The two halves do not join, and outside the coordinates the curve goes on.
            guard position & ((1 << 62) - 1) != (1 << 62) - 1 else { continue }
            let next = HilbertCurve.coordinate(at: position + 1)
            let steps =
                abs(Int64(next.latitudeE7) - Int64(coordinate.latitudeE7))
                + abs(Int64(next.longitudeE7) - Int64(coordinate.longitudeE7))
            #expect(steps == 1, "\(coordinate)")
        }
    }

    @Test func `the ranges of a box hold it all, are apart and few`() {
        var generator = SeededGenerator(seed: 13)
        for _ in 0..<2_000 {
            let box = generator.box()
            let limit = Int.random(in: 1...64, using: &generator)
            let ranges = HilbertCurve.ranges(covering: box, limit: limit)
            #expect(!ranges.isEmpty)
            // A box may be in four parts, and taking a square apart gives at most four.
            #expect(ranges.count <= 4 * max(limit, 4), "\(box) by \(limit)")
            for (a, b) in zip(ranges, ranges.dropFirst()) { #expect(a.upperBound + 1 < b.lowerBound) }
            for _ in 0..<20 {
                let inside = generator.coordinate(in: box)
                let position = HilbertCurve.position(of: inside)
                #expect(ranges.contains { $0.contains(position) }, "\(inside) in \(box) by \(limit)")
            }
        }
    }

    @Test func `more ranges leave less outside the box`() throws {
        let box = try BoundingBox(parsing: "139.69,35.67,139.71,35.69")
        func length(_ limit: Int) -> Double {
            HilbertCurve.ranges(covering: box, limit: limit).reduce(0) {
                $0 + Double($1.upperBound - $1.lowerBound) + 1
            }
        }
        let area = 200_001.0 * 200_001
        #expect(length(32) < 1.5 * area)
        #expect(length(32) >= area)
        #expect(length(32) < length(4))
    }

    @Test func `a box of one point is one position`() throws {
        let coordinate = try #require(Coordinate(latitude: 44.9551, longitude: -93.1022))
        let box = try BoundingBox(parsing: "-93.1022,44.9551,-93.1022,44.9551")
        let position = HilbertCurve.position(of: coordinate)
        #expect(HilbertCurve.ranges(covering: box, limit: 32) == [position...position])
    }
}
