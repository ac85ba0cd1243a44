/// The `limit` least ranks of those offered, in a binary heap with the greatest on top.
struct BestPins {
    let limit: Int
    private var heap: [RankedPin] = []

    init(limit: Int) {
        self.limit = limit
    }

    var count: Int { heap.count }

    /// The rank that another one must be less than to be kept; nil while all are.
    var worst: PinRank? { heap.count < limit ? nil : heap.first?.rank }

    mutating func removeAll() { heap.removeAll(keepingCapacity: true) }

    /// The distance in metres beyond which nothing can be among the kept.
    var reach: Double { worst?.metres ?? .infinity }

    mutating func offer(_ pin: RankedPin) {
        if heap.count < limit {
            heap.append(pin)
            var child = heap.count - 1
            while child > 0, heap[(child - 1) / 2].rank < heap[child].rank {
                heap.swapAt(child, (child - 1) / 2)
                child = (child - 1) / 2
            }
        } else if let greatest = heap.first, pin.rank < greatest.rank {
            heap[0] = pin
            var parent = 0
            while true {
                var greatest = parent
                for child in [2 * parent + 1, 2 * parent + 2]
                where child < heap.count && heap[greatest].rank < heap[child].rank { greatest = child }
                if greatest == parent { break }
                heap.swapAt(parent, greatest)
                parent = greatest
            }
        }
    }

    /// What is kept, least first.
    func sorted() -> [RankedPin] { heap.sorted { $0.rank < $1.rank } }
}
