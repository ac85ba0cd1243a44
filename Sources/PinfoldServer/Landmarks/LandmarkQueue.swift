/// Rows that come out along the Hilbert curve: of very many only those that are asked for are sorted.
struct LandmarkQueue {
    /// A binary heap with the least position on top.
    private var heap: [LandmarkEntry]

    init(_ entries: [LandmarkEntry]) {
        heap = entries
        for parent in (0..<(heap.count / 2)).reversed() { sink(parent) }
    }

    /// The next one; nil when there are no more.
    mutating func next() -> LandmarkEntry? {
        guard let first = heap.first else { return nil }
        let last = heap.removeLast()
        if !heap.isEmpty {
            heap[0] = last
            sink(0)
        }
        return first
    }

    private mutating func sink(_ start: Int) {
        var parent = start
        while true {
            var least = parent
            let (left, right) = (2 * parent + 1, 2 * parent + 2)
            if left < heap.count, heap[left].position < heap[least].position { least = left }
            if right < heap.count, heap[right].position < heap[least].position { least = right }
            if least == parent { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
