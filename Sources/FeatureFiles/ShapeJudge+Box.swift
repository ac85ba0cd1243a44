import Geo

extension ShapeJudge {
    /// The smallest box around a shape in longitude and latitude; it crosses the antimeridian where that makes it smaller,
    /// as with a shape that was cut there. The world for bytes that are no shape.
    package static func box(of shape: [UInt8]) -> BoundingBox {
        guard let parts = try? WellKnownBinary.geometry(of: shape).parts, !parts.isEmpty else { return .world }
        var ranges: [(west: Double, east: Double)] = []
        var (south, north) = (Double.infinity, -Double.infinity)
        for part in parts {
            var (west, east) = (Double.infinity, -Double.infinity)
            for position in part.outline {
                (west, east) = (min(west, position.x), max(east, position.x))
                (south, north) = (min(south, position.y), max(north, position.y))
            }
            ranges.append((west, east))
        }
        ranges.sort { $0.west < $1.west }
        // The widest gap between the parts is what the box leaves out: at first the one across the antimeridian.
        var east = ranges[0].east
        let end = ranges.reduce(-Double.infinity) { max($0, $1.east) }
        var (widest, box) = (ranges[0].west + 360 - end, (west: ranges[0].west, east: end))
        for range in ranges.dropFirst() {
            if range.west - east > widest { (widest, box) = (range.west - east, (range.west, east)) }
            east = max(east, range.east)
        }
        return BoundingBox(west: box.west, south: south, east: box.east, north: north) ?? .world
    }
}

extension PlanarGeometry {
    /// The positions that its box depends on.
    fileprivate var outline: [Position] {
        switch self {
        case .point(let position): [position]
        case .line(let line): line
        case .polygon(let rings): rings.first ?? []
        case .collection(let parts): parts.flatMap(\.outline)
        }
    }
}
