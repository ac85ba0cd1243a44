import Geo

/// Arranges points as a `PointIndex`.
struct PointIndexBuilder {
    private var nodes: [PointIndex.Node]
    /// Which of the points each node is.
    let order: [Int]

    init(_ points: [Coordinate]) {
        nodes = points.enumerated().map { number, point in
            let (x, y, z) = PointIndex.vector(point)
            return PointIndex.Node(x: x, y: y, z: z, markAndAxis: UInt32(number))
        }
        nodes.withUnsafeMutableBufferPointer { Self.arrange($0) }
        order = nodes.map { Int($0.mark) }
    }

    /// What is stored, under names that begin so.
    ///
    /// - Parameters:
    ///   - mark: what a search asks of each node, up to 30 bits.
    ///   - size: of each node.
    func parts(
        _ name: String, mark: (Int) -> UInt32, size: (Int) -> UInt8
    ) -> [(name: String, content: [UInt8])] {
        var nodes = nodes
        for index in nodes.indices {
            nodes[index].markAndAxis = nodes[index].axis << 30 | mark(index) & 0x3FFF_FFFF
        }
        return [("\(name).nodes", nodes.memory), ("\(name).greatest", greatest(size))]
    }

    /// See `PointIndex.greatest`.
    private func greatest(_ size: (Int) -> UInt8) -> [UInt8] {
        var greatest = [UInt8](repeating: 0, count: nodes.count)
        func fill(_ start: Int, _ end: Int) -> UInt8 {
            guard start < end else { return 0 }
            let middle = (start + end) / 2
            var most = size(middle)
            if end - start > PointIndex.leafSize {
                most = max(most, fill(start, middle), fill(middle + 1, end))
            } else {
                for index in start..<end { most = max(most, size(index)) }
            }
            greatest[middle] = most
            return most
        }
        _ = fill(0, nodes.count)
        return greatest
    }

    private static func arrange(_ nodes: UnsafeMutableBufferPointer<PointIndex.Node>) {
        guard nodes.count > PointIndex.leafSize else { return }
        let axis = widestAxis(nodes)
        let middle = nodes.count / 2
        select(nodes, middle, axis)
        nodes[middle].markAndAxis = nodes[middle].mark | axis << 30
        arrange(UnsafeMutableBufferPointer(rebasing: nodes[..<middle]))
        arrange(UnsafeMutableBufferPointer(rebasing: nodes[(middle + 1)...]))
    }

    private static func widestAxis(_ nodes: UnsafeMutableBufferPointer<PointIndex.Node>) -> UInt32 {
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
    private static func select(_ nodes: UnsafeMutableBufferPointer<PointIndex.Node>, _ position: Int, _ axis: UInt32) {
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
