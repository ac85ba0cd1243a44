import Geo

/// The best places that a search has met so far, of all the ways in which a text can be read.
///
/// Points decide, in thousandths of a power of ten of people: what a name counts by itself (`PlaceNames.score`) and a bonus
/// for how well it matches. A block of postings that cannot have one of the best is not read.
struct PlaceSelection {
    /// How a name matches, as the API says it.
    enum Match: String {
        case exact, prefix, fuzzy
    }

    struct Candidate {
        let posting: PlaceNames.Posting
        let points: Int
        let match: Match
    }

    private let names: PlaceNames
    /// How many places are wanted.
    private let wanted: Int
    private(set) var candidates: [Candidate] = []
    /// Places that are among the candidates.
    private var known: [UInt64]
    /// How many places have so many points; a step is 64.
    private var histogram = [Int32](repeating: 0, count: 1024)
    private var counted = 0
    /// The most points that a place has.
    private(set) var most = 0
    /// No place with fewer points is among the best.
    private(set) var threshold = 0
    /// How many postings may still be read.
    private var budget = 400_000

    init(_ names: PlaceNames, places: Int, wanted: Int) {
        self.names = names
        self.wanted = wanted
        known = [UInt64](repeating: 0, count: places / 64 + 1)
    }

    /// How many places there are among the candidates.
    var count: Int { counted }

    /// Offers the postings of some names of those places that `accepts` takes.
    @inline(__always)
    mutating func offer(_ names: Range<Int>, _ match: Match, bonus: Int, accepts: (Int) -> Bool) {
        let range = self.names.postings(of: names)
        let least = likelyThreshold(range, bonus)
        offer(range, match, bonus, from: max(least, threshold), accepts)
        // So many places did not have so many points after all: blocks had the same places, or some were refused.
        if least > threshold, counted < wanted { offer(range, match, bonus, from: threshold, accepts) }
    }

    /// What the best of many blocks suggest: about as many points as the worst that is wanted will have.
    private func likelyThreshold(_ range: Range<Int>, _ bonus: Int) -> Int {
        let blocks = names.best(
            inBlocks: range.lowerBound / PlaceNames.blockSize..<range.upperBound / PlaceNames.blockSize)
        guard blocks.count > 2 * wanted else { return 0 }
        return withUnsafeTemporaryAllocation(of: Int32.self, capacity: 1024) { counts in
            counts.initialize(repeating: 0)
            for best in blocks { counts[Int(best) >> 6] += 1 }
            var (step, above) = (1023, 0)
            while step > 0, above < wanted + wanted / 2 {
                above += Int(counts[step])
                step -= 1
            }
            return (step << 6) + bonus
        }
    }

    @inline(__always)
    private mutating func offer(
        _ range: Range<Int>, _ match: Match, _ bonus: Int, from least: Int, _ accepts: (Int) -> Bool
    ) {
        let names = names
        var at = range.lowerBound
        while at < range.upperBound, budget > 0 {
            let block = at / PlaceNames.blockSize
            let end = min(range.upperBound, (block + 1) * PlaceNames.blockSize)
            budget -= 1
            if names.best(inBlock: block) + bonus >= max(least, threshold) {
                budget -= end - at
                for bits in names.postings.slice(at..<end) {
                    let posting = PlaceNames.Posting(bits: bits)
                    let points = Self.points(names.score(posting), posting, match, bonus)
                    if points >= least, points >= threshold, accepts(posting.place) { add(posting, points, match) }
                }
            }
            at = end
        }
    }

    /// Offers those places of the names that a window around the searcher has, whatever others count.
    mutating func offer(_ names: Range<Int>, _ match: Match, bonus: Int, near window: PlaceWindow) {
        let range = self.names.postings(of: names).prefix(budget)
        budget -= range.count
        for bits in self.names.postings.slice(range) {
            let posting = PlaceNames.Posting(bits: bits)
            guard window.contains(posting.place) else { continue }
            let points = Self.points(self.names.score(posting), posting, match, bonus)
            // Its place in the order is known only with the distance: it is no measure for others.
            if points + window.bonus(of: posting.place) >= threshold {
                candidates.append(Candidate(posting: posting, points: points, match: match))
            }
        }
    }

    /// That an alternate name begins so says little: the larger a place, the more names it has, in all languages.
    @inline(__always)
    private static func points(_ score: Int, _ posting: PlaceNames.Posting, _ match: Match, _ bonus: Int) -> Int {
        let unlikely = match == .exact || posting.kind == .primary ? 0 : Self.unlikely
        return max(0, score + bonus - unlikely)
    }

    static let unlikely = 700

    private mutating func add(_ posting: PlaceNames.Posting, _ points: Int, _ match: Match) {
        guard posting.place >> 6 < known.count else { return }
        candidates.append(Candidate(posting: posting, points: points, match: match))
        most = max(most, points)
        let bit: UInt64 = 1 << UInt64(posting.place & 63)
        guard known[posting.place >> 6] & bit == 0 else { return }
        known[posting.place >> 6] |= bit
        counted += 1
        histogram[min(points, 65_535) >> 6] += 1
        // Whole steps are dropped as long as enough is left above them.
        while threshold >> 6 < 1023, counted - Int(histogram[threshold >> 6]) >= wanted {
            counted -= Int(histogram[threshold >> 6])
            threshold = (threshold >> 6 + 1) << 6
        }
        if candidates.count > 8192 { candidates.removeAll { $0.points + Int(PlaceBias.most) < threshold } }
    }
}
