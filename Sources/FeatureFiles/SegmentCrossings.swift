/// Counts where the edges of rings cross, so that what would take hours to mend is refused at once.
enum SegmentCrossings {
    /// The most crossings that are mended.
    static let most = 100
    private static let fanOut = 16

    private struct Box {
        var west = Double.infinity
        var south = Double.infinity
        var east = -Double.infinity
        var north = -Double.infinity

        mutating func extend(_ other: Box) {
            (west, south) = (min(west, other.west), min(south, other.south))
            (east, north) = (max(east, other.east), max(north, other.north))
        }

        func meets(_ other: Box) -> Bool {
            west <= other.east && other.west <= east && south <= other.north && other.south <= north
        }
    }

    private struct Segment {
        let a: PlanarGeometry.Position
        let b: PlanarGeometry.Position
        let box: Box

        init(_ a: PlanarGeometry.Position, _ b: PlanarGeometry.Position) {
            (self.a, self.b) = (a, b)
            box = Box(west: min(a.x, b.x), south: min(a.y, b.y), east: max(a.x, b.x), north: max(a.y, b.y))
        }

        /// Whether each has its ends on both sides of the other.
        func crosses(_ other: Segment) -> Bool {
            Self.turn(a, b, other.a) * Self.turn(a, b, other.b) < 0
                && Self.turn(other.a, other.b, a) * Self.turn(other.a, other.b, b) < 0
        }

        private static func turn(
            _ a: PlanarGeometry.Position, _ b: PlanarGeometry.Position, _ c: PlanarGeometry.Position
        ) -> Double {
            ((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)).sign0
        }
    }

    /// How many pairs of edges cross, at most one more than `most`.
    ///
    /// - Returns: nil if the edges lie so much across each other that the search itself is given up.
    static func count(in rings: [[PlanarGeometry.Position]]) -> Int? {
        var segments: [Segment] = []
        segments.reserveCapacity(rings.reduce(0) { $0 + $1.count })
        for ring in rings { for (a, b) in zip(ring, ring.dropFirst()) { segments.append(Segment(a, b)) } }
        pack(&segments)
        let levels = levels(over: segments)
        // Rings of the world's coasts need some ten comparisons an edge.
        var comparisonsLeft = 2_000_000 + 300 * segments.count
        var crossings = 0
        var waiting: [(level: Int, index: Int)] = []
        for (number, segment) in segments.enumerated() {
            waiting.append((levels.count - 1, 0))
            while let (level, index) = waiting.popLast() {
                let below = level == 0 ? segments.count : levels[level - 1].count
                let children = index * fanOut..<min(below, (index + 1) * fanOut)
                comparisonsLeft -= children.count
                guard comparisonsLeft > 0 else { return nil }
                for child in children {
                    if level > 0 {
                        // Each pair once: only edges behind this one.
                        if levels[level - 1][child].meets(segment.box), reach(level - 1, child) > number {
                            waiting.append((level - 1, child))
                        }
                    } else if child > number, segments[child].box.meets(segment.box),
                        segments[child].crosses(segment)
                    {
                        crossings += 1
                        if crossings > most { return crossings }
                    }
                }
            }
        }
        return crossings
    }

    /// The number behind the last edge under a box.
    private static func reach(_ level: Int, _ index: Int) -> Int {
        var size = fanOut
        for _ in 0..<level { size *= fanOut }
        return (index + 1) * size
    }

    /// Sort-Tile-Recursive (Leutenegger, Lopez and Edgington 1997).
    private static func pack(_ segments: inout [Segment]) {
        guard segments.count > fanOut else { return }
        segments.sort { $0.box.west + $0.box.east < $1.box.west + $1.box.east }
        let leaves = Double((segments.count + fanOut - 1) / fanOut)
        let slice = max(1, Int((leaves.squareRoot()).rounded(.up))) * fanOut
        for start in stride(from: 0, to: segments.count, by: slice) {
            segments[start..<min(segments.count, start + slice)].sort {
                $0.box.south + $0.box.north < $1.box.south + $1.box.north
            }
        }
    }

    /// The boxes around groups of edges, around groups of those and so on, up to one.
    private static func levels(over segments: [Segment]) -> [[Box]] {
        var levels: [[Box]] = []
        var boxes = segments.map(\.box)
        repeat {
            var above: [Box] = []
            for start in stride(from: 0, to: boxes.count, by: fanOut) {
                var box = Box()
                for child in boxes[start..<min(boxes.count, start + fanOut)] { box.extend(child) }
                above.append(box)
            }
            levels.append(above)
            boxes = above
        } while boxes.count > 1
        return levels
    }
}

extension Double {
    /// -1, 0 or 1.
    fileprivate var sign0: Double { self > 0 ? 1 : self < 0 ? -1 : 0 }
}
