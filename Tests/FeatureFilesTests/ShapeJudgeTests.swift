import Foundation
import Geo
import Testing

@testable import FeatureFiles

@Suite struct ShapeJudgeTests {
    typealias Position = PlanarGeometry.Position

    private func ring(_ numbers: Double...) -> [Position] {
        stride(from: 0, to: numbers.count, by: 2).map { Position(x: numbers[$0], y: numbers[$0 + 1]) }
    }

    private func judge(
        _ parts: [PlanarGeometry], _ judge: ShapeJudge = ShapeJudge()
    ) throws -> (point: Coordinate, parts: [PlanarGeometry]) {
        let judged = try judge.judge(ShapeBinary.bytes(of: parts), row: 5)
        return (judged.point, try judged.shape.map { try WellKnownBinary.geometry(of: $0).parts } ?? [])
    }

    /// By the count of edges east of the position (even or odd).
    private func holds(_ rings: [[Position]], _ x: Double, _ y: Double) -> Bool {
        var isInside = false
        for ring in rings {
            for (a, b) in zip(ring, ring.dropFirst()) where (a.y > y) != (b.y > y) {
                if x < (b.x - a.x) * (y - a.y) / (b.y - a.y) + a.x { isInside.toggle() }
            }
        }
        return isInside
    }

    @Test func `the point of an area is inside of it, whatever its form`() throws {
        var random = SplitMix(seed: 11)
        let judge = ShapeJudge()
        for _ in 0..<300 {
            let (x, y) = (Double.random(in: -170...170, using: &random), Double.random(in: -80...80, using: &random))
            // A star, which does not cross itself, with a hole where its middle is.
            var star = (0..<Int.random(in: 3...30, using: &random)).map { _ in
                Double.random(in: 0..<2 * .pi, using: &random)
            }
            .sorted().map { angle -> Position in
                let radius = Double.random(in: 1...5, using: &random)
                return Position(x: x + radius * cos(angle), y: y + radius * sin(angle))
            }
            star.append(star[0])
            let judged = try self.judge([.polygon([star])], judge)
            guard case .polygon(let rings) = judged.parts.first else { continue }
            #expect(holds(rings, judged.point.longitude, judged.point.latitude))
        }
        let holed = [ring(0, 0, 10, 0, 10, 10, 0, 10, 0, 0), ring(1, 1, 9, 1, 9, 9, 1, 9, 1, 1)]
        let judged = try self.judge([.polygon(holed)])
        #expect(holds(holed, judged.point.longitude, judged.point.latitude))
    }

    @Test func `rings that cross are mended, and it is said where`() throws {
        let judge = ShapeJudge()
        let bow = ring(0, 0, 2, 2, 2, 0, 0, 2, 0, 0)
        let judged = try self.judge([.polygon([bow])], judge)
        #expect(judged.parts.count == 2)
        #expect(judge.mendedCount == 1)
        #expect(judge.firstMended?.row == 5)
        #expect(judge.firstMended?.reason.contains("1 1") == true, "\(String(describing: judge.firstMended))")
        #expect(
            judged.parts.contains { part in
                if case .polygon(let rings) = part {
                    holds(rings, judged.point.longitude, judged.point.latitude)
                } else {
                    false
                }
            })
    }

    @Test func `an open ring is closed`() throws {
        var open = ShapeWriter()
        open.begin(.polygon)
        open.endParts(open.beginParts(), count: 1)
        open.endParts(open.beginParts(), count: 3)
        for (x, y) in [(0.0, 0.0), (1, 0), (0, 1)] { open.put(x: x, y: y) }
        let judged = try ShapeJudge().judge(open.bytes, row: 1)
        #expect(judged.shape?.count == open.bytes.count + 16)
    }

    @Test func `what has no extent is a point or is refused`() throws {
        let same = Position(x: 3, y: 4)
        for parts: [PlanarGeometry] in [[.point(same)], [.point(same), .point(same)], [.line([same, same])]] {
            let judged = try judge(parts)
            #expect(judged.parts.isEmpty)
            #expect(judged.point == Coordinate(latitude: 4, longitude: 3))
        }
        for parts: [PlanarGeometry] in [
            [], [.polygon([[same, same, same, same]])], [.polygon([ring(0, 0, 1, 1, 2, 2, 0, 0)])],
            [.line(ring(0, 0, 1, 100))], [.line(ring(.nan, 0, 1, 1))], [.line(ring(0, 0, 1, .infinity))],
            [.point(Position(x: 181, y: 0)), .point(same)],
        ] {
            #expect(throws: FeatureFault.self, "\(parts)") { try judge(parts) }
        }
    }

    @Test func `a line has the middle of its length`() throws {
        let judged = try judge([.line(ring(0, 0, 1, 0, 4, 0))])
        #expect(judged.point == Coordinate(latitude: 0, longitude: 2))
        let longest = try judge([.line(ring(50, 50, 50, 51)), .line(ring(0, 0, 0, 10))])
        #expect(longest.point == Coordinate(latitude: 5, longitude: 0))
    }

    @Test func `what goes across the antimeridian is cut there`() throws {
        let fiji = ring(178, -18, -178, -18, -178, -16, 178, -16, 178, -18)
        let judged = try judge([.polygon([fiji])])
        #expect(judged.parts.count == 2)
        for case .polygon(let rings) in judged.parts {
            let longitudes = rings[0].map(\.x)
            #expect(longitudes.allSatisfy { abs($0) >= 178 && abs($0) <= 180 })
            #expect(Set(longitudes.map { $0 < 0 }).count == 1)
        }
        #expect(abs(judged.point.longitude) >= 178)
        let box = ShapeJudge.box(of: ShapeBinary.bytes(of: judged.parts))
        #expect(box == BoundingBox(west: 178, south: -18, east: -178, north: -16))
        let line = try judge([.line(ring(170, 0, -170, 10))])
        #expect(line.parts.count == 2)
        // The world, and half of it, go across nothing.
        let world = ring(-180, -90, 180, -90, 180, 90, -180, 90, -180, -90)
        #expect(try judge([.polygon([world])]).parts == [.polygon([world])])
        let wide = ring(-100, 0, 100, 0, 100, 10, -100, 10, -100, 0)
        #expect(try judge([.polygon([wide])]).parts == [.polygon([wide])])
    }

    @Test func `boxes are the smallest`() {
        func box(_ parts: PlanarGeometry...) -> BoundingBox { ShapeJudge.box(of: ShapeBinary.bytes(of: parts)) }
        #expect(box(.line(ring(1, 2, 3, 4))) == BoundingBox(west: 1, south: 2, east: 3, north: 4))
        #expect(
            box(.point(Position(x: -170, y: 0)), .point(Position(x: 170, y: 1)))
                == BoundingBox(west: 170, south: 0, east: -170, north: 1))
        #expect(
            box(.point(Position(x: -60, y: 0)), .point(Position(x: 55, y: 1)))
                == BoundingBox(west: -60, south: 0, east: 55, north: 1))
        #expect(ShapeJudge.box(of: [1, 2, 3]) == .world)
    }

    @Test(.timeLimit(.minutes(1))) func `a scribble of many crossings is refused at once`() throws {
        var random = SplitMix(seed: 5)
        for count in [1_000, 20_000, 199_000] {
            var scribble = (0..<count).map { _ in
                Position(x: Double.random(in: 0...1, using: &random), y: Double.random(in: 0...1, using: &random))
            }
            scribble.append(scribble[0])
            #expect(throws: FeatureFault.self) { try judge([.polygon([scribble])]) }
            // Long edges side by side cross nowhere, but each box meets each other.
            var comb = (0..<count).map { Position(x: Double($0) / 1e6 + Double($0 % 2), y: Double($0 % 2)) }
            comb.append(Position(x: 2, y: -1))
            comb.append(comb[0])
            _ = try? judge([.polygon([comb])])
        }
    }

    @Test func `bytes that are no shape are refused`() {
        var random = SplitMix(seed: 9)
        let judge = ShapeJudge()
        let sound = ShapeBinary.bytes(of: [
            .polygon([ring(0, 0, 10, 0, 10, 10, 0, 10, 0, 0), ring(1, 1, 9, 1, 9, 9, 1, 9, 1, 1)]),
            .point(Position(x: 1, y: 1)),
            .line(ring(1, 1, 2, 2)),
        ])
        for length in 0..<sound.count {
            #expect(throws: FeatureFault.self) { try judge.judge(Array(sound[..<length]), row: 1) }
        }
        for _ in 0..<2000 {
            var bytes = sound
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if let judged = try? judge.judge(bytes, row: 1), let shape = judged.shape {
                #expect(throws: Never.self) { try WellKnownBinary.geometry(of: shape) }
            }
        }
    }
}
