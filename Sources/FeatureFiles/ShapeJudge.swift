import Foundation
import Geo
import Storage

/// Looks at the lines and areas of an import, in longitude and latitude: mends what can be mended and finds a point on each.
/// It is used by one thread.
package final class ShapeJudge {
    /// How many areas were mended, and what was wrong with the first, in the words of GEOS.
    package private(set) var mendedCount = 0
    package private(set) var firstMended: (row: Int, reason: String)?

    private var calculator: Calculator?

    package init() {}

    /// - Parameter wkb: as `Feature.Geometry.shape`, in longitude and latitude.
    /// - Returns: where the shape is shown: the middle along a line, a point within an area. And the shape within -180 … 180:
    ///   what goes across the antimeridian is cut in two there. Nil for what is one point only.
    /// - Throws: `FeatureFault` of the field `geometry`, for what is empty, too large, no position on Earth or beyond mending.
    package func judge(_ wkb: [UInt8], row: Int) throws(FeatureFault) -> (point: Coordinate, shape: [UInt8]?) {
        do {
            let judged = try judge(wkb)
            guard let point = Coordinate(latitude: judged.point.y, longitude: judged.point.x) else {
                throw Fault("is not within -180 to 180 and -90 to 90 degrees")
            }
            if let reason = judged.mended {
                mendedCount += 1
                if firstMended == nil { firstMended = (row, reason) }
            }
            return (point, judged.shape)
        } catch let fault as GeometryTextFault {
            throw FeatureFault(row: row, field: "geometry", message: fault.message)
        } catch {
            // SpatiaLite has nothing to say but that there is no memory.
            throw FeatureFault(row: row, field: "geometry", message: "cannot be judged (\(error))")
        }
    }

    private struct Judged {
        var point: Position
        var shape: [UInt8]?
        var mended: String?
    }

    private typealias Position = PlanarGeometry.Position
    private typealias Fault = GeometryTextFault

    private func judge(_ bytes: [UInt8]) throws -> Judged {
        let parts = try WellKnownBinary.geometry(of: bytes).parts
        guard !parts.isEmpty else { throw Fault("is empty") }
        var points: [Position] = []
        var lines: [[Position]] = []
        var areas: [[[Position]]] = []
        for part in parts {
            switch part {
            case .point(let position):
                try Self.check([position])
                points.append(position)
            case .line(let line):
                try Self.check(line)
                let distinct = Self.withoutRepeats(line)
                if distinct.count == 1 { points.append(distinct[0]) } else { lines += Antimeridian.cut(distinct) }
            case .polygon(let rings):
                for ring in rings { try Self.check(ring) }
                let closed = rings.map(Self.closed)
                // A hole without area takes nothing away.
                guard closed[0].count >= 4 else { continue }
                areas.append(
                    Antimeridian.unrolled(
                        closed.enumerated().filter { $0.offset == 0 || $0.element.count >= 4 }.map(\.element)))
            case .collection: break
            }
        }
        if !areas.isEmpty { return try judge(areas, beside: lines.map { .line($0) } + points.map { .point($0) }) }
        let shape = lines.map { PlanarGeometry.line($0) } + points.map { .point($0) }
        if let longest = lines.max(by: { Self.length($0) < Self.length($1) }) {
            let middle = Self.middle(of: longest)
            return Judged(point: middle, shape: ShapeBinary.bytes(of: shape))
        }
        guard let first = points.first else { throw Fault("is an area with fewer than three corners") }
        if points.allSatisfy({ $0 == first }) { return Judged(point: first) }
        let central = Self.central(of: points)
        return Judged(point: central, shape: ShapeBinary.bytes(of: shape))
    }

    // MARK: Areas

    private func judge(_ areas: [[[Position]]], beside others: [PlanarGeometry]) throws -> Judged {
        let crossings = SegmentCrossings.count(in: areas.flatMap { $0 })
        guard let crossings, crossings <= SegmentCrossings.most else {
            throw Fault("has rings that cross in too many places to be mended")
        }
        var area = areas.map { PlanarGeometry.polygon($0) }
        var bytes = ShapeBinary.bytes(of: area)
        var point = try pointIfSound(bytes)
        var mended: String?
        if point == nil {
            let reason = try reasonOf(bytes)
            bytes = try self.mended(bytes, reason)
            area = try WellKnownBinary.geometry(of: bytes).parts
            point = try pointIfSound(bytes)
            mended = reason
        }
        guard let point else { throw Fault("has rings that cross and cannot be mended") }
        if area.contains(where: Antimeridian.isBeyond) { area = try cut(bytes) }
        return Judged(
            point: Position(x: Antimeridian.wrapped(point.x), y: point.y),
            shape: ShapeBinary.bytes(of: area + others), mended: mended)
    }

    /// Nil if the area is not valid (OGC 06-103r4, 6.1.11).
    private func pointIfSound(_ bytes: [UInt8]) throws -> Position? {
        let found = try calculate(
            """
            SELECT CASE ST_IsValid(ST_GeomFromWKB(\(bytes), 4326))
                WHEN 1 THEN ST_AsBinary(ST_PointOnSurface(ST_GeomFromWKB(\(bytes), 4326))) END
            """
        ) { $0.optionalBlob(0) }
        guard let blob = found else { return nil }
        guard case .point(let position) = try WellKnownBinary.geometry(of: blob) else {
            return nil
        }
        return position
    }

    private func reasonOf(_ bytes: [UInt8]) throws -> String {
        let reason = try calculate("SELECT ST_IsValidReason(ST_GeomFromWKB(\(bytes), 4326))") { $0.optionalBlob(0) }
        return reason.map { String(decoding: $0.prefix(200), as: UTF8.self) } ?? "not valid"
    }

    private func mended(_ bytes: [UInt8], _ reason: String) throws -> [UInt8] {
        let found = try calculate(
            "SELECT ST_AsBinary(ST_CollectionExtract(ST_MakeValid(ST_GeomFromWKB(\(bytes), 4326)), 3))"
        ) { $0.optionalBlob(0) }
        guard let blob = found, !blob.isEmpty else {
            throw Fault("has rings that cross and cannot be mended (\(reason))")
        }
        return blob
    }

    /// The two sides of the antimeridian of an area that goes across.
    private func cut(_ bytes: [UInt8]) throws -> [PlanarGeometry] {
        var parts: [PlanarGeometry] = []
        for turn in [-360.0, 0, 360] {
            let (west, east) = (turn - 180, turn + 180)
            let found = try calculate(
                """
                SELECT ST_AsBinary(ST_CollectionExtract(ST_Intersection(
                    ST_GeomFromWKB(\(bytes), 4326), BuildMbr(\(west), -90, \(east), 90, 4326)), 3))
                """
            ) { $0.optionalBlob(0) }
            guard let blob = found, !blob.isEmpty else { continue }
            let side = try WellKnownBinary.geometry(of: blob).parts
            parts += side.map { Antimeridian.moved($0, by: -turn) }
        }
        guard !parts.isEmpty else { throw Fault("cannot be cut at the antimeridian") }
        return parts
    }

    /// The first column of the only row.
    private func calculate(_ sql: SQL, _ map: (Row) -> [UInt8]?) throws -> [UInt8]? {
        let calculator = try self.calculator ?? Calculator()
        self.calculator = calculator
        return try calculator.row(sql, map).flatMap { $0 }
    }

    // MARK: Positions

    private static func check(_ positions: [Position]) throws {
        // A comparison with NaN is false.
        if let wrong = positions.first(where: { !(abs($0.x) <= 180 && abs($0.y) <= 90) }) {
            throw Fault("is not within -180 to 180 and -90 to 90 degrees (\(wrong.x) \(wrong.y))")
        }
    }

    private static func withoutRepeats(_ line: [Position]) -> [Position] {
        var result: [Position] = []
        result.reserveCapacity(line.count)
        for position in line where result.last != position { result.append(position) }
        return result
    }

    private static func closed(_ ring: [Position]) -> [Position] {
        var ring = withoutRepeats(ring)
        if let first = ring.first, ring.last != first { ring.append(first) }
        return ring
    }

    /// In degrees of latitude, near enough to compare and to halve.
    private static func length(_ a: Position, _ b: Position) -> Double {
        let narrowing = cos((a.y + b.y) / 2 * .pi / 180)
        let (x, y) = ((b.x - a.x) * narrowing, b.y - a.y)
        return (x * x + y * y).squareRoot()
    }

    private static func length(_ line: [Position]) -> Double {
        zip(line, line.dropFirst()).reduce(0) { $0 + length($1.0, $1.1) }
    }

    private static func middle(of line: [Position]) -> Position {
        var left = length(line) / 2
        for (a, b) in zip(line, line.dropFirst()) {
            let step = length(a, b)
            if step >= left, step > 0 {
                return Position(x: a.x + (b.x - a.x) * left / step, y: a.y + (b.y - a.y) * left / step)
            }
            left -= step
        }
        return line[line.count / 2]
    }

    /// The one nearest to the mean of all.
    private static func central(of points: [Position]) -> Position {
        let count = Double(points.count)
        let mean = Position(x: points.reduce(0) { $0 + $1.x } / count, y: points.reduce(0) { $0 + $1.y } / count)
        return points.min { length($0, mean) < length($1, mean) } ?? mean
    }
}
