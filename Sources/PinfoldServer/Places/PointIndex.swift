import Foundation
import Geo

/// A k-d tree over points of the unit sphere, which knows no poles and no antimeridian; `NearbyPlaces` searches it.
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
        /// What a search asks of the point in its lowest 30 bits, above them the axis that its range is split along.
        var markAndAxis: UInt32

        var mark: UInt32 { markAndAxis & 0x3FFF_FFFF }
        var axis: UInt32 { markAndAxis >> 30 }
        var coordinate: Coordinate { Coordinate(latitudeE7: latitudeE7, longitudeE7: longitudeE7) }

        func component(_ axis: UInt32) -> Float { axis == 0 ? x : axis == 1 ? y : z }
    }

    static let leafSize = 8

    private(set) var nodes: [Node]

    /// An index of points, and which of them each node is.
    static func build(_ points: [Coordinate]) -> (index: PointIndex, order: [Int]) {
        var nodes: [Node] = []
        nodes.reserveCapacity(points.count)
        for (number, point) in points.enumerated() {
            let (x, y, z) = vector(point)
            nodes.append(
                Node(
                    x: x, y: y, z: z, latitudeE7: point.latitudeE7, longitudeE7: point.longitudeE7,
                    markAndAxis: UInt32(number)))
        }
        nodes.withUnsafeMutableBufferPointer { arrange($0) }
        return (PointIndex(nodes: nodes), nodes.map { Int($0.mark) })
    }

    private init(nodes: [Node]) {
        self.nodes = nodes
    }

    /// The index that `blob` was made of.
    ///
    /// - Throws: `GazetteerError` if it has not so many points.
    init(blob: UnsafeRawBufferPointer, count: Int) throws {
        nodes = [Node](blob: blob)
        guard nodes.count == count else { throw GazetteerError("the index of places is damaged") }
    }

    /// Sets what a search asks of each node: up to 30 bits.
    mutating func mark(_ value: (Int) -> UInt32) {
        for index in nodes.indices {
            nodes[index].markAndAxis = nodes[index].axis << 30 | value(index) & 0x3FFF_FFFF
        }
    }

    /// The greatest value of the nodes in each range, at the node in the range's middle; in a range that is read from end
    /// to end as well.
    func greatest(_ value: (Int) -> UInt8) -> [UInt8] {
        var greatest = [UInt8](repeating: 0, count: nodes.count)
        func fill(_ start: Int, _ end: Int) -> UInt8 {
            guard start < end else { return 0 }
            let middle = (start + end) / 2
            var most = value(middle)
            if end - start > Self.leafSize {
                most = max(most, fill(start, middle), fill(middle + 1, end))
            } else {
                for index in start..<end { most = max(most, value(index)) }
            }
            greatest[middle] = most
            return most
        }
        _ = fill(0, nodes.count)
        return greatest
    }

    /// The nodes as bytes, in this machine's order.
    var blob: [UInt8] { nodes.withUnsafeBytes { [UInt8]($0) } }

    /// The unit vector of a position.
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
        nodes[middle].markAndAxis = nodes[middle].mark | axis << 30
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
