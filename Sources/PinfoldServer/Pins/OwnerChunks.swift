import SocialModel

/// How many owners one statement takes: larger chunks carry the cutoff worse, smaller ones are more statements.
let ownerChunk = 200

/// How many owners the first statement of a list takes: few, because nothing bounds it yet, and what it keeps is enough
/// to spare the next ones most of their rows.
let firstOwnerChunk = 30

/// `ids` in runs of `ownerChunk`, the first one of `first`.
func chunks(of ids: [Int64], first: Int = ownerChunk) -> [[Int64]] {
    var chunks: [[Int64]] = []
    var start = 0
    while start < ids.count {
        let end = min(start + (start == 0 ? first : ownerChunk), ids.count)
        chunks.append(Array(ids[start..<end]))
        start = end
    }
    return chunks
}

/// A chunk filled up with an id that nobody has, so that all chunks are one prepared statement; short lists, which most
/// are, fill a shorter one.
func padded(_ owners: [Int64]) -> [Int64] {
    let length = [1, 30, ownerChunk].first { owners.count <= $0 } ?? owners.count
    return owners + Array(repeating: -1, count: length - owners.count)
}

/// The part of a sorted list that is still of interest: behind the cursor, and before the worst that is kept when
/// enough is kept. Each end is (rating, createdAt, id), exclusive.
struct SortBounds {
    /// `createdAt` within which both ends lie, for the range of the index.
    let earliest: Int64
    let latest: Int64
    let after: (Int64, Int64, Int64)
    let before: (Int64, Int64, Int64)

    init(_ query: PinQuery, after: PinRank?, before: PinRank?) {
        let isNewest = query.sort == .newest
        let first = after.map { $0.sortKeys(isNewest) } ?? (.max, .max, .max)
        let last = before.map { $0.sortKeys(isNewest) } ?? (-1, .min, .min)
        self.after = first
        self.before = last
        earliest = max(query.since?.milliseconds ?? .min, isNewest ? last.1 : .min)
        latest = isNewest ? first.1 : .max
    }
}

extension PinRank {
    /// (rating, createdAt, id) of a rank by newest or by rating; newest has no rating.
    fileprivate func sortKeys(_ isNewest: Bool) -> (Int64, Int64, Int64) {
        isNewest ? (0, -keys.0, -keys.1) : (-keys.0, -keys.1, -keys.2)
    }
}

/// The `limit` least ranks of those offered, in a binary heap with the greatest on top.
struct NearestPins {
    private let limit: Int
    private var heap: [RankedPin] = []

    init(limit: Int) {
        self.limit = limit
    }

    /// The distance in metres beyond which nothing can be among the kept.
    var reach: Double { heap.count < limit ? .infinity : heap[0].rank.metres }

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
