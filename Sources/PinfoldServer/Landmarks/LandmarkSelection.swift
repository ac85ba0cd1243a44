/// The best landmarks of a shard that a search has met so far. Many count the same: of these the first ones are as good as
/// any.
struct LandmarkSelection {
    struct Candidate {
        let landmark: Int
        /// The name is a later part of the landmark's.
        var isPart: Bool
        var points: Int
    }

    private let wanted: Int
    private(set) var candidates: [Candidate] = []
    /// The least points of a candidate, once there are as many as wanted.
    private var least = Int.min

    init(wanted: Int) {
        self.wanted = wanted
    }

    /// Whether so many points may be among the best.
    func takes(_ points: Int) -> Bool { candidates.count < wanted || points > least }

    mutating func offer(_ landmark: Int, isPart: Bool, _ points: Int) {
        guard takes(points) else { return }
        if let known = candidates.firstIndex(where: { $0.landmark == landmark }) {
            guard candidates[known].points < points else { return }
            candidates[known].points = points
            candidates[known].isPart = isPart
        } else if candidates.count < wanted {
            candidates.append(Candidate(landmark: landmark, isPart: isPart, points: points))
        } else if let worst = candidates.indices.min(by: { candidates[$0].points < candidates[$1].points }) {
            candidates[worst] = Candidate(landmark: landmark, isPart: isPart, points: points)
        }
        if candidates.count == wanted { least = candidates.reduce(Int.max) { min($0, $1.points) } }
    }

    /// Offers those who have some names; a block of postings that cannot have one of the best is not read.
    mutating func offer(_ names: Range<Int>, of shard: LandmarkShard, _ bonus: (PlaceNames.Posting.Kind) -> Int) {
        let index = shard.names
        let range = index.postings(of: names)
        let most = bonus(.primary)
        var at = range.lowerBound
        while at < range.upperBound {
            let block = at / PlaceNames.blockSize
            let end = min(range.upperBound, (block + 1) * PlaceNames.blockSize)
            if takes(index.best(inBlock: block) + most) {
                for bits in index.postings.slice(at..<end) {
                    let posting = PlaceNames.Posting(bits: bits)
                    guard !shard.isGone(posting.place) else { continue }
                    offer(posting.place, isPart: posting.kind == .inner, index.score(posting) + bonus(posting.kind))
                }
            }
            at = end
        }
    }
}
