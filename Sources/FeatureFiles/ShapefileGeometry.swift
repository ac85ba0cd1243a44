/// The content of one record of a .shp.
enum ShapefileGeometry {
    struct Fault: Error {
        let message: String
    }

    /// As many positions as are taken, with Z and M.
    static let mostBytes = 33 * PlanarGeometry.mostPositions
    static let tooLarge = Fault(message: "has more than \(PlanarGeometry.mostPositions) positions")
    private static let cut = Fault(message: "is damaged: its record is too short")
    /// What the search for the outer ring of each hole may cost.
    private static let mostComparisons = 20_000_000

    typealias Position = PlanarGeometry.Position

    static func geometry(of content: [UInt8]) throws(Fault) -> PlanarGeometry {
        guard content.count >= 4 else { throw cut }
        // 11 and 21 are points with Z and M, and so on; Z and M come behind x and y.
        switch little(content, 0) {
        case 0: return .collection([])
        case 1, 11, 21:
            guard content.count >= 20 else { throw cut }
            let position = position(content, 4)
            return position.x.isNaN && position.y.isNaN ? .collection([]) : .point(position)
        case 8, 18, 28:
            guard content.count >= 40 else { throw cut }
            return .collection(try positions(content, at: 40, count: Int(little(content, 36))).map { .point($0) })
        case 3, 13, 23: return .collection(try parts(content).map { .line($0) })
        case 5, 15, 25: return try polygons(of: try parts(content).filter { $0.count >= 4 })
        case 31: throw Fault(message: "is a surface (MultiPatch), which is not read")
        default: throw Fault(message: "is damaged: its kind is not known")
        }
    }

    private static func little(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
        bytes.withUnsafeBytes { UInt32(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self)) }
    }

    private static func position(_ bytes: [UInt8], _ offset: Int) -> Position {
        bytes.withUnsafeBytes {
            let x = UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            let y = UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self))
            return Position(x: Double(bitPattern: x), y: Double(bitPattern: y))
        }
    }

    private static func positions(_ bytes: [UInt8], at start: Int, count: Int) throws(Fault) -> [Position] {
        guard count <= PlanarGeometry.mostPositions else { throw tooLarge }
        guard start <= bytes.count, count <= (bytes.count - start) / 16 else { throw cut }
        return (0..<count).map { position(bytes, start + 16 * $0) }
    }

    private static func parts(_ content: [UInt8]) throws(Fault) -> [[Position]] {
        guard content.count >= 44 else { throw cut }
        let (partCount, count) = (Int(little(content, 36)), Int(little(content, 40)))
        guard partCount <= (content.count - 44) / 4 else { throw cut }
        let all = try positions(content, at: 44 + 4 * partCount, count: count)
        var parts: [[Position]] = []
        for part in 0..<partCount {
            let start = Int(little(content, 44 + 4 * part))
            let end = part + 1 < partCount ? Int(little(content, 48 + 4 * part)) : count
            guard start <= end, end <= count else { throw Fault(message: "is damaged: its parts overlap") }
            if start < end { parts.append(Array(all[start..<end])) }
        }
        return parts
    }

    // MARK: Rings

    private struct Ring {
        let positions: [Position]
        let area: Double
        let west: Double
        let south: Double
        let east: Double
        let north: Double

        init(_ positions: [Position]) {
            self.positions = positions
            var (area, west, south, east, north) = (
                0.0, Double.infinity, Double.infinity, -Double.infinity, -Double.infinity
            )
            // Relative to the first one, so that large numbers do not hide a small area.
            let origin = positions[0]
            for (a, b) in zip(positions, positions.dropFirst()) {
                area += (a.x - origin.x) * (b.y - origin.y) - (b.x - origin.x) * (a.y - origin.y)
                (west, east) = (min(west, a.x), max(east, a.x))
                (south, north) = (min(south, a.y), max(north, a.y))
            }
            (self.area, self.west, self.south, self.east, self.north) = (area / 2, west, south, east, north)
        }

        func holds(_ other: Ring) -> Bool {
            west <= other.west && south <= other.south && east >= other.east && north >= other.north
        }

        /// By the count of edges east of the position (even or odd).
        func holds(_ position: Position) -> Bool {
            var isInside = false
            for (a, b) in zip(positions, positions.dropFirst())
            where (a.y > position.y) != (b.y > position.y)
                && position.x < (b.x - a.x) * (position.y - a.y) / (b.y - a.y) + a.x
            {
                isInside.toggle()
            }
            return isInside
        }
    }

    /// A shapefile has rings in any order, outer ones clockwise and holes the other way round; some programs write it the
    /// other way round, so that the largest ring, which is in no other, tells which way it is.
    private static func polygons(of rings: [[Position]]) throws(Fault) -> PlanarGeometry {
        if rings.count <= 1 { return .polygon(rings) }
        let rings = rings.map(Ring.init)
        guard let largest = rings.max(by: { abs($0.area) < abs($1.area) }) else { return .collection([]) }
        let isOuter = { (ring: Ring) in (ring.area < 0) == (largest.area < 0) }
        // Small ones first: a hole belongs to the smallest that it is in.
        let outers = rings.filter(isOuter).sorted { abs($0.area) < abs($1.area) }
        var polygons = outers.map { [$0.positions] }
        var comparisons = 0
        for hole in rings where !isOuter(hole) {
            var found: Int?
            for (number, outer) in outers.enumerated() where found == nil {
                comparisons += 1
                guard outer.holds(hole) else { continue }
                // A hole may touch its ring, so most of three positions decide.
                let some = [0, hole.positions.count / 3, 2 * hole.positions.count / 3].map { hole.positions[$0] }
                comparisons += 3 * outer.positions.count
                if some.count(where: { outer.holds($0) }) >= 2 { found = number }
                guard comparisons <= mostComparisons else { break }
            }
            guard comparisons <= mostComparisons else {
                throw Fault(message: "has too many holes in too many rings")
            }
            if let found { polygons[found].append(hole.positions) } else { polygons.append([hole.positions]) }
        }
        return .collection(polygons.map { .polygon($0) })
    }
}
