import Geo

/// Arranges points as a `PointIndex`.
struct PointIndexBuilder {
    private var nodes: [PointIndex.Node]
    private var splits: [PointIndex.Split]
    /// Which of the points each node is.
    let order: [Int]

    init(_ points: [Coordinate]) {
        var nodes = points.enumerated().map { number, point in
            let (x, y, z) = PointIndex.vector(point)
            return PointIndex.Node(x: x, y: y, z: z, mark: UInt32(number))
        }
        var leaves = 1
        while nodes.count > leaves * PointIndex.leafSize { leaves *= 2 }
        var splits = [PointIndex.Split](
            repeating: .init(value: 0, axis: 0, greatestBefore: 0, greatestBehind: 0), count: leaves - 1)
        nodes.withUnsafeMutableBufferPointer { Self.arrange($0, 0, &splits) }
        order = nodes.map { Int($0.mark) }
        self.nodes = nodes
        self.splits = splits
    }

    /// What is stored, under names that begin so.
    ///
    /// - Parameters:
    ///   - mark: what a search asks of each node.
    ///   - size: of each node.
    func parts(
        _ name: String, mark: (Int) -> UInt32, size: (Int) -> UInt8
    ) -> [(name: String, content: [UInt8])] {
        var (nodes, splits) = (nodes, splits)
        for index in nodes.indices { nodes[index].mark = mark(index) }
        _ = Self.fillGreatest(&splits, 0, nodes.indices, size)
        return [("\(name).nodes", nodes.memory), ("\(name).splits", splits.memory)]
    }

    /// The greatest size of some nodes; enters those of the ranges within in the splits from `number` on.
    private static func fillGreatest(
        _ splits: inout [PointIndex.Split], _ number: Int, _ range: Range<Int>, _ size: (Int) -> UInt8
    ) -> UInt8 {
        guard number < splits.count else { return range.lazy.map(size).max() ?? 0 }
        let middle = (range.lowerBound + range.upperBound) / 2
        let before = fillGreatest(&splits, 2 * number + 1, range.lowerBound..<middle, size)
        let behind = fillGreatest(&splits, 2 * number + 2, middle..<range.upperBound, size)
        splits[number].greatestBefore = before
        splits[number].greatestBehind = behind
        return max(before, behind)
    }

    private static func arrange(
        _ nodes: UnsafeMutableBufferPointer<PointIndex.Node>, _ number: Int, _ splits: inout [PointIndex.Split]
    ) {
        guard number < splits.count else { return }
        let axis = widestAxis(nodes)
        let middle = nodes.count / 2
        select(nodes, middle, axis)
        splits[number].axis = axis
        splits[number].value = nodes[middle].component(axis)
        arrange(UnsafeMutableBufferPointer(rebasing: nodes[..<middle]), 2 * number + 1, &splits)
        arrange(UnsafeMutableBufferPointer(rebasing: nodes[middle...]), 2 * number + 2, &splits)
    }

    private static func widestAxis(_ nodes: UnsafeMutableBufferPointer<PointIndex.Node>) -> UInt8 {
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
    private static func select(_ nodes: UnsafeMutableBufferPointer<PointIndex.Node>, _ position: Int, _ axis: UInt8) {
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
