import Foundation
import Geo

/// A k-d tree over points of the unit sphere: nearest places without poles or antimeridian to mind.
///
/// The tree is implicit. A range of nodes is split by the node in its middle, along the axis in which the range is
/// widest; what stands before it is not greater on that axis, what stands behind it not less. A range of up to
/// `leafSize` nodes is read from end to end. (J. L. Bentley, Multidimensional binary search trees, CACM 18, 1975.)
struct PointIndex: Sendable {
    /// One point, 24 bytes.
    struct Node {
        /// The unit vector of latitude and longitude, good to a metre.
        var x, y, z: Float
        var latitudeE7, longitudeE7: Int32
        /// The point's row in its lowest 30 bits, above them the axis that its range is split along.
        var rowAndAxis: UInt32

        var row: Int { Int(rowAndAxis & 0x3FFF_FFFF) }
        var axis: UInt32 { rowAndAxis >> 30 }
        var coordinate: Coordinate { Coordinate(latitudeE7: latitudeE7, longitudeE7: longitudeE7) }

        func component(_ axis: UInt32) -> Float { axis == 0 ? x : axis == 1 ? y : z }
    }

    static let leafSize = 8
    /// The vectors' rounding in the length of a chord, with room.
    private static let rounding: Float = 4e-7
    /// Below `rounding`, how much longer than the shortest chord that of the nearest point on the ellipsoid can be.
    private static let slack = Float(Geodesic.greatestRatioToHaversine / Geodesic.leastRatioToHaversine) * 1.00001

    let nodes: [Node]

    /// An index of points whose row is their position in the array.
    init(_ points: [Coordinate]) {
        var nodes: [Node] = []
        nodes.reserveCapacity(points.count)
        for (row, point) in points.enumerated() {
            let (x, y, z) = Self.vector(point)
            nodes.append(
                Node(
                    x: x, y: y, z: z, latitudeE7: point.latitudeE7, longitudeE7: point.longitudeE7,
                    rowAndAxis: UInt32(row)))
        }
        nodes.withUnsafeMutableBufferPointer { Self.arrange($0) }
        self.nodes = nodes
    }

    /// The index that `blob` was made of.
    ///
    /// - Throws: `GazetteerError` if a row is not below `rows`.
    init(blob: UnsafeRawBufferPointer, rows: Int) throws {
        let nodes = [Node](blob: blob)
        guard nodes.count == rows, nodes.allSatisfy({ $0.row < rows }) else {
            throw GazetteerError("the index of places is damaged")
        }
        self.nodes = nodes
    }

    /// The greatest value of the rows in each range, at the node in the range's middle; in a range that is read from end
    /// to end as well.
    func greatest(_ value: (Int) -> UInt8) -> [UInt8] {
        var greatest = [UInt8](repeating: 0, count: nodes.count)
        func fill(_ start: Int, _ end: Int) -> UInt8 {
            guard start < end else { return 0 }
            let middle = (start + end) / 2
            var most = value(nodes[middle].row)
            if end - start > Self.leafSize {
                most = max(most, fill(start, middle), fill(middle + 1, end))
            } else {
                for index in start..<end { most = max(most, value(nodes[index].row)) }
            }
            greatest[middle] = most
            return most
        }
        _ = fill(0, nodes.count)
        return greatest
    }

    /// The nodes as bytes, in this machine's order.
    var blob: [UInt8] { nodes.withUnsafeBytes { [UInt8]($0) } }

    // MARK: Search

    /// The point nearest to `coordinate` on the ellipsoid and its distance in metres, nil if there is none within
    /// `metres`. Of points at the same distance it is the one of the lowest row.
    func nearest(to coordinate: Coordinate, within metres: Double) -> (row: Int, metres: Double)? {
        let angle = metres / Geodesic.leastRatioToHaversine / Geodesic.meanRadius
        var search = Search(around: Self.vector(coordinate), chord: angle >= .pi ? 2 : Float(2 * sin(angle / 2)))
        nodes.withUnsafeBufferPointer { Self.visit($0, 0, $0.count, &search) }
        var best: (row: Int, metres: Double)?
        for candidate in search.candidates where candidate.squared <= search.limit {
            let node = nodes[candidate.node]
            let distance = Geodesic.distance(coordinate, node.coordinate)
            guard distance <= metres else { continue }
            if let best, (best.metres, best.row) < (distance, node.row) { continue }
            best = (node.row, distance)
        }
        return best
    }

    /// What is known while the tree is searched: all points whose chord is no longer than the limit are candidates, and
    /// the limit is such that the nearest point on the ellipsoid is among them.
    private struct Search {
        let x, y, z: Float
        /// The square of the longest chord that is still of interest.
        var limit: Float
        var candidates: [(node: Int, squared: Float)] = []

        init(around centre: (x: Float, y: Float, z: Float), chord: Float) {
            (x, y, z) = centre
            let chord = chord + PointIndex.rounding
            limit = chord * chord
        }

        @inline(__always) func component(_ axis: UInt32) -> Float { axis == 0 ? x : axis == 1 ? y : z }

        @inline(__always) mutating func offer(_ node: Node, _ index: Int) {
            let (dx, dy, dz) = (node.x - x, node.y - y, node.z - z)
            let squared = dx * dx + dy * dy + dz * dz
            guard squared <= limit else { return }
            candidates.append((index, squared))
            // An arc that is longer by a factor has a chord that is longer by no more than it.
            let chord = squared.squareRoot() * PointIndex.slack + PointIndex.rounding
            limit = min(limit, chord * chord)
        }
    }

    private static func visit(_ nodes: UnsafeBufferPointer<Node>, _ start: Int, _ end: Int, _ search: inout Search) {
        guard end - start > leafSize else {
            for index in start..<end { search.offer(nodes[index], index) }
            return
        }
        let middle = (start + end) / 2
        let node = nodes[middle]
        search.offer(node, middle)
        let offset = search.component(node.axis) - node.component(node.axis)
        if offset < 0 {
            visit(nodes, start, middle, &search)
            if offset * offset <= search.limit { visit(nodes, middle + 1, end, &search) }
        } else {
            visit(nodes, middle + 1, end, &search)
            if offset * offset <= search.limit { visit(nodes, start, middle, &search) }
        }
    }

    static func vector(_ coordinate: Coordinate) -> (x: Float, y: Float, z: Float) {
        let latitude = coordinate.latitude * .pi / 180
        let longitude = coordinate.longitude * .pi / 180
        return (
            Float(cos(latitude) * cos(longitude)), Float(cos(latitude) * sin(longitude)), Float(sin(latitude))
        )
    }

    // MARK: Building

    private static func arrange(_ nodes: UnsafeMutableBufferPointer<Node>) {
        guard nodes.count > leafSize else { return }
        let axis = widestAxis(nodes)
        let middle = nodes.count / 2
        select(nodes, middle, axis)
        nodes[middle].rowAndAxis = nodes[middle].rowAndAxis & 0x3FFF_FFFF | axis << 30
        arrange(UnsafeMutableBufferPointer(rebasing: nodes[..<middle]))
        arrange(UnsafeMutableBufferPointer(rebasing: nodes[(middle + 1)...]))
    }

    private static func widestAxis(_ nodes: UnsafeMutableBufferPointer<Node>) -> UInt32 {
        var least = SIMD3<Float>(repeating: .infinity)
        var greatest = SIMD3<Float>(repeating: -.infinity)
        for node in nodes {
            let vector = SIMD3(node.x, node.y, node.z)
            least = pointwiseMin(least, vector)
            greatest = pointwiseMax(greatest, vector)
        }
        let width = greatest - least
        return width.x >= width.y && width.x >= width.z ? 0 : width.y >= width.z ? 1 : 2
    }

    /// Puts the node that belongs at `position` there, none greater before it and none less behind it (C. A. R. Hoare,
    /// Algorithm 65: Find, CACM 4, 1961).
    private static func select(_ nodes: UnsafeMutableBufferPointer<Node>, _ position: Int, _ axis: UInt32) {
        var (low, high) = (0, nodes.count - 1)
        while low < high {
            let pivot = nodes[(low + high) / 2].component(axis)
            var (left, right) = (low, high)
            while left <= right {
                while nodes[left].component(axis) < pivot { left += 1 }
                while nodes[right].component(axis) > pivot { right -= 1 }
                if left <= right {
                    nodes.swapAt(left, right)
                    left += 1
                    right -= 1
                }
            }
            if position <= right {
                high = right
            } else if position >= left {
                low = left
            } else {
                return
            }
        }
    }
}

extension Array {
    /// The values whose bytes `blob` holds, in this machine's order; trailing bytes that make no whole value are an
    /// array of another count than expected, so callers compare the count. `Element` must be plain bytes.
    init(blob: UnsafeRawBufferPointer) {
        let count = blob.count / MemoryLayout<Element>.stride
        self.init(unsafeUninitializedCapacity: count) { buffer, initialized in
            UnsafeMutableRawBufferPointer(buffer).copyMemory(
                from: UnsafeRawBufferPointer(rebasing: blob[..<(count * MemoryLayout<Element>.stride)]))
            initialized = count
        }
    }
}
