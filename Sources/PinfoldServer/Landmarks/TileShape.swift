import Foundation
import Geo

/// The part of a geometry that a tile shows, in units of the tile: cut off a little beyond its edges, points that fall on
/// one another dropped.
struct TileShape {
    typealias Position = VectorTile.Layer.Position

    /// Of two positions and more.
    private(set) var lines: [[Position]] = []
    /// Rings as vector tiles have them: outer ones clockwise as seen, each followed by its holes.
    private(set) var rings: [[Position]] = []

    /// How many positions it has.
    var count: Int { lines.reduce(0) { $0 + $1.count } + rings.reduce(0) { $0 + $1.count } }

    /// How far beyond the edges it goes, so that no edge is seen, in units.
    private static let margin = 64.0

    private let tile: TileCoordinate
    /// Tiles in a degree.
    private let scale: Double
    private let low = -Self.margin
    private let high = Double(VectorTile.extent) + Self.margin

    /// Nil for bytes that are no geometry.
    ///
    /// - Parameter wkb: well-known binary (OGC 06-103r4, 8) in degrees.
    init?(_ wkb: [UInt8], in tile: TileCoordinate) {
        self.tile = tile
        scale = pow(2, Double(tile.zoom))
        var reader = WKBReader(bytes: wkb)
        guard read(&reader, depth: 0) else { return nil }
    }

    private struct Point {
        var x: Double
        var y: Double
    }

    private mutating func read(_ reader: inout WKBReader, depth: Int) -> Bool {
        guard depth < 8, let kind = reader.header() else { return false }
        switch kind {
        case 1: return reader.position() != nil
        case 2:
            guard let line = points(&reader) else { return false }
            addLine(line)
        case 3:
            guard let count = reader.count() else { return false }
            for index in 0..<count {
                guard let ring = points(&reader) else { return false }
                addRing(ring, isOuter: index == 0)
            }
        case 4...7:
            guard let count = reader.count() else { return false }
            for _ in 0..<count where !read(&reader, depth: depth + 1) { return false }
        default: return false
        }
        return true
    }

    private func points(_ reader: inout WKBReader) -> [Point]? {
        guard let count = reader.count() else { return nil }
        var points: [Point] = []
        points.reserveCapacity(min(count, 100_000))
        for _ in 0..<count {
            guard let position = reader.position() else { return nil }
            points.append(projected(longitude: position.x, latitude: position.y))
        }
        return points
    }

    private func projected(longitude: Double, latitude: Double) -> Point {
        let latitude = max(-85.0511287, min(85.0511287, latitude)) * .pi / 180
        let extent = Double(VectorTile.extent)
        return Point(
            x: ((longitude + 180) / 360 * scale - Double(tile.x)) * extent,
            y: ((1 - asinh(tan(latitude)) / .pi) / 2 * scale - Double(tile.y)) * extent)
    }

    // MARK: Lines

    private mutating func addLine(_ line: [Point]) {
        var part: [Position] = []
        func finish(_ lines: inout [[Position]]) {
            if part.count > 1 { lines.append(part) }
            part.removeAll()
        }
        for (start, end) in zip(line, line.dropFirst()) {
            guard let (from, to) = clipped(start, end) else {
                finish(&lines)
                continue
            }
            let (first, last) = (Self.rounded(from), Self.rounded(to))
            if part.last != first {
                finish(&lines)
                part = [first]
            }
            if last != first { part.append(last) }
            // It goes on elsewhere.
            if to.x != end.x || to.y != end.y { finish(&lines) }
        }
        finish(&lines)
    }

    /// The part of a line that is in the tile (Liang and Barsky, 1984).
    private func clipped(_ start: Point, _ end: Point) -> (Point, Point)? {
        let (dx, dy) = (end.x - start.x, end.y - start.y)
        var (from, to) = (0.0, 1.0)
        for (step, room) in [(-dx, start.x - low), (dx, high - start.x), (-dy, start.y - low), (dy, high - start.y)] {
            if step == 0 {
                if room < 0 { return nil }
            } else if step < 0 {
                from = max(from, room / step)
            } else {
                to = min(to, room / step)
            }
        }
        guard from <= to else { return nil }
        func at(_ part: Double) -> Point {
            part == 0 ? start : part == 1 ? end : Point(x: start.x + part * dx, y: start.y + part * dy)
        }
        return (at(from), at(to))
    }

    // MARK: Areas

    private mutating func addRing(_ ring: [Point], isOuter: Bool) {
        var points = ring
        for edge in Edge.allCases where !points.isEmpty { points = cut(points, edge) }
        var positions: [Position] = []
        for point in points {
            let position = Self.rounded(point)
            if positions.last != position { positions.append(position) }
        }
        while positions.count > 1, positions.first == positions.last { positions.removeLast() }
        guard positions.count > 2 else { return }
        // Twice the area, positive for clockwise as seen with y downwards.
        var area = 0
        for (a, b) in zip(positions, positions.dropFirst() + positions.prefix(1)) { area += a.x * b.y - b.x * a.y }
        guard area != 0, isOuter || !rings.isEmpty else { return }
        rings.append((area > 0) == isOuter ? positions : positions.reversed())
    }

    private enum Edge: CaseIterable {
        case left, right, top, bottom
    }

    /// The part of a ring on the inner side of an edge (Sutherland and Hodgman, 1974).
    private func cut(_ ring: [Point], _ edge: Edge) -> [Point] {
        func room(_ point: Point) -> Double {
            switch edge {
            case .left: point.x - low
            case .right: high - point.x
            case .top: point.y - low
            case .bottom: high - point.y
            }
        }
        guard var last = ring.last else { return [] }
        var kept: [Point] = []
        for point in ring {
            let (before, now) = (room(last), room(point))
            if before >= 0 && now < 0 || before < 0 && now >= 0 {
                let part = before / (before - now)
                kept.append(Point(x: last.x + part * (point.x - last.x), y: last.y + part * (point.y - last.y)))
            }
            if now >= 0 { kept.append(point) }
            last = point
        }
        return kept
    }

    private static func rounded(_ point: Point) -> Position {
        Position(x: Int(point.x.rounded()), y: Int(point.y.rounded()))
    }
}

/// Goes through well-known binary of two dimensions; nil beyond its end.
private struct WKBReader {
    let bytes: [UInt8]
    private var at = 0
    private var isLittle = true

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The type of the geometry that begins here.
    mutating func header() -> UInt32? {
        guard at < bytes.count else { return nil }
        isLittle = bytes[at] == 1
        at += 1
        return word()
    }

    /// How many parts follow.
    mutating func count() -> Int? { word().map { Int($0) } }

    mutating func position() -> (x: Double, y: Double)? {
        guard let x = double(), let y = double(), x.isFinite, y.isFinite else { return nil }
        return (x, y)
    }

    private mutating func word() -> UInt32? {
        guard at + 4 <= bytes.count else { return nil }
        defer { at += 4 }
        let value = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: at, as: UInt32.self) }
        return isLittle ? UInt32(littleEndian: value) : UInt32(bigEndian: value)
    }

    private mutating func double() -> Double? {
        guard at + 8 <= bytes.count else { return nil }
        defer { at += 8 }
        let value = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: at, as: UInt64.self) }
        return Double(bitPattern: isLittle ? UInt64(littleEndian: value) : UInt64(bigEndian: value))
    }
}
