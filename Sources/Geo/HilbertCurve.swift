/// A line through all coordinates on which neighbours in space are mostly neighbours too: what lies in a box lies in a
/// few ranges of positions, which an ordinary index finds.
///
/// A position is exact: the 32 bits of longitude and 31 of latitude of a `Coordinate` make 63 bits. The first bit halves
/// the longitudes at 34.7° east; each half is a square of 2^31 × 2^31 units, filled by the curve of D. Hilbert (Über die
/// stetige Abbildung einer Linie auf ein Flächenstück, Math. Ann. 38, 1891).
public enum HilbertCurve {
    /// The bits of a coordinate within its half.
    private static let levels: UInt32 = 31
    private static let half: UInt32 = 1 << 31

    /// How the curve lies in a square: first the axes may be exchanged, then both turned round.
    private struct Orientation {
        var isSwapped = false
        var flip: UInt32 = 0

        /// Goes down into the quadrant (x, y), each 0 or 1, and returns its place on the curve, 0 to 3.
        mutating func digit(_ x: UInt32, _ y: UInt32) -> UInt32 {
            let (a, b) = isSwapped ? (y ^ flip, x ^ flip) : (x ^ flip, y ^ flip)
            turn(a, b)
            return 3 * a ^ b
        }

        /// Goes down into the quadrant that is `digit` on the curve, and returns its x and y.
        mutating func quadrant(_ digit: UInt32) -> (x: UInt32, y: UInt32) {
            let a = digit >> 1
            let b = (digit ^ a) & 1
            let quadrant = isSwapped ? (b ^ flip, a ^ flip) : (a ^ flip, b ^ flip)
            turn(a, b)
            return quadrant
        }

        private mutating func turn(_ a: UInt32, _ b: UInt32) {
            guard b == 0 else { return }
            flip ^= a
            isSwapped.toggle()
        }
    }

    /// Where on the curve a coordinate is, from 0.
    public static func position(of coordinate: Coordinate) -> Int64 {
        position(longitudeE7: Int64(coordinate.longitudeE7), latitudeE7: Int64(coordinate.latitudeE7))
    }

    /// As `position(of:)`, for the stored units of a coordinate that is in range.
    public static func position(longitudeE7: Int64, latitudeE7: Int64) -> Int64 {
        let column = UInt32(truncatingIfNeeded: longitudeE7 + 1_800_000_000)
        let row = UInt32(truncatingIfNeeded: latitudeE7 + 900_000_000)
        var orientation = Orientation()
        var position = UInt64(column / half)
        var level = levels
        while level > 0 {
            level -= 1
            position = position << 2 | UInt64(orientation.digit(column >> level & 1, row >> level & 1))
        }
        return Int64(bitPattern: position)
    }

    /// The coordinate at a position that `position(of:)` gave.
    public static func coordinate(at position: Int64) -> Coordinate {
        var orientation = Orientation()
        var column = UInt32(truncatingIfNeeded: position >> 62) & 1
        var row: UInt32 = 0
        var level = levels
        while level > 0 {
            level -= 1
            let quadrant = orientation.quadrant(UInt32(truncatingIfNeeded: position >> Int64(2 * level)) & 3)
            column = column << 1 | quadrant.x
            row = row << 1 | quadrant.y
        }
        return Coordinate(
            latitudeE7: Int32(truncatingIfNeeded: Int64(row) - 900_000_000),
            longitudeE7: Int32(truncatingIfNeeded: Int64(column) - 1_800_000_000))
    }

    /// Ranges of positions, ascending and apart, that together hold all of `box`, and of what is outside it the less the
    /// more ranges there may be.
    ///
    /// - Parameter limit: about how many ranges; a box over the antimeridian or the curve's two halves may have twice
    ///   as many.
    public static func ranges(covering box: BoundingBox, limit: Int) -> [ClosedRange<Int64>] {
        let south = UInt32(truncatingIfNeeded: Int64(box.south) + 900_000_000)
        let north = UInt32(truncatingIfNeeded: Int64(box.north) + 900_000_000)
        var ranges: [ClosedRange<Int64>] = []
        for longitudes in box.longitudeRanges {
            let west = UInt32(truncatingIfNeeded: Int64(longitudes.lowerBound) + 1_800_000_000)
            let east = UInt32(truncatingIfNeeded: Int64(longitudes.upperBound) + 1_800_000_000)
            for side in [0, half] where west / half <= side / half && side / half <= east / half {
                let window = Window(
                    west: side == 0 ? west : max(west, half) - half, south: south,
                    east: side == 0 ? min(east, half - 1) : east - half, north: north)
                ranges += window.ranges(limit: max(limit, 1), from: side == 0 ? 0 : 1 << 62)
            }
        }
        ranges.sort { $0.lowerBound < $1.lowerBound }
        return joined(ranges)
    }

    private static func joined(_ ranges: [ClosedRange<Int64>]) -> [ClosedRange<Int64>] {
        var joined: [ClosedRange<Int64>] = []
        for range in ranges {
            if let last = joined.last, range.lowerBound - 1 <= last.upperBound {
                joined[joined.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                joined.append(range)
            }
        }
        return joined
    }

    /// A square of the quadtree that a half is.
    private struct Node {
        var x: UInt32 = 0
        var y: UInt32 = 0
        var prefix: UInt64 = 0
        var orientation = Orientation()

        /// The positions in it, `level` levels above single units.
        func span(_ level: UInt32) -> ClosedRange<Int64> {
            let first = Int64(prefix << UInt64(2 * level))
            return first...(first + (1 << Int64(2 * level)) - 1)
        }
    }

    /// A box within one half, edges included.
    private struct Window {
        let west: UInt32
        let south: UInt32
        let east: UInt32
        let north: UInt32

        /// Level by level the squares that reach over an edge are taken apart, until there would be too many.
        func ranges(limit: Int, from start: Int64) -> [ClosedRange<Int64>] {
            var open = [Node()]
            var next: [Node] = []
            var whole: [ClosedRange<Int64>] = []
            var level = HilbertCurve.levels
            var ranges = [Node().span(level)]
            while level > 0, !open.isEmpty {
                level -= 1
                next.removeAll(keepingCapacity: true)
                for node in open { descend(from: node, to: level, &next, &whole) }
                let finer = HilbertCurve.joined(
                    (whole + next.map { $0.span(level) }).sorted { $0.lowerBound < $1.lowerBound })
                if finer.count > limit, finer.count > ranges.count { break }
                ranges = finer
                swap(&open, &next)
            }
            return start == 0 ? ranges : ranges.map { ($0.lowerBound + start)...($0.upperBound + start) }
        }

        /// Adds the quarters of a square that touch the window: those inside it to `whole`, the others to `open`.
        private func descend(
            from node: Node, to level: UInt32, _ open: inout [Node], _ whole: inout [ClosedRange<Int64>]
        ) {
            for digit: UInt32 in 0..<4 {
                var quarter = node
                let quadrant = quarter.orientation.quadrant(digit)
                quarter.x = node.x << 1 | quadrant.x
                quarter.y = node.y << 1 | quadrant.y
                quarter.prefix = node.prefix << 2 | UInt64(digit)
                let (left, bottom) = (quarter.x << level, quarter.y << level)
                let (right, top) = (left + ((1 << level) - 1), bottom + ((1 << level) - 1))
                if left > east || right < west || bottom > north || top < south { continue }
                if left >= west, right <= east, bottom >= south, top <= north {
                    whole.append(quarter.span(level))
                } else {
                    open.append(quarter)
                }
            }
        }
    }
}
