import Geo

/// The names and words of some tens of thousands of landmarks of a dataset, in a file that is mapped into memory, along
/// the Hilbert curve. Which of its rows are shown, the database decides; those that a state does not have are left out
/// ahead of that.
struct LandmarkShard: Sendable {
    /// The version of the form of the parts; a file of another one is made anew.
    static let form = 3

    /// By beginnings of names, those of later words too.
    let names: PlaceNames
    /// By words of all texts.
    let words: PlaceNames
    private let numbers: MappedArray<Int64>
    private let positions: MappedArray<Int64>
    private let points: MappedArray<Int32>
    private let categories: MappedArray<UInt8>
    /// No other shard follows.
    let isLast: Bool
    /// A bit for each landmark that the state does not have; empty if it has all.
    private var gone: [UInt64] = []

    init(_ parts: MappedParts) {
        names = PlaceNames(parts, "names")
        words = PlaceNames(parts, "words")
        numbers = parts.array("numbers")
        positions = parts.array("positions")
        points = parts.array("points")
        categories = parts.array("categories")
        isLast = parts.array("last", of: UInt8.self)[0] == 1
    }

    var count: Int { numbers.count }

    /// The number of the row of a landmark, which here has a number from 0.
    func number(of landmark: Int) -> Int64 { numbers[landmark] ?? 0 }

    func coordinate(of landmark: Int) -> Coordinate {
        Coordinate(latitudeE7: points[landmark * 2] ?? 0, longitudeE7: points[landmark * 2 + 1] ?? 0)
    }

    /// On the Hilbert curve.
    func position(of landmark: Int) -> Int64 { positions[landmark] ?? 0 }

    func category(of landmark: Int) -> Int64 { Int64(categories[landmark] ?? 0) }

    func entry(of landmark: Int) -> LandmarkEntry {
        LandmarkEntry(position: position(of: landmark), number: number(of: landmark), category: category(of: landmark))
    }

    /// The same for a state that lacks some rows.
    func without(_ rows: NumberSet) -> LandmarkShard {
        var shard = self
        shard.gone = []
        guard rows.count > 0 else { return shard }
        var bits = LandmarkBits(count: count)
        for (landmark, number) in numbers.elements.enumerated() where rows.contains(number) { bits.insert(landmark) }
        if !bits.isEmpty { shard.gone = bits.words }
        return shard
    }

    /// Whether the state lacks a landmark.
    @inline(__always)
    func isGone(_ landmark: Int) -> Bool {
        landmark >> 6 < gone.count && gone[landmark >> 6] & 1 << UInt64(landmark & 63) != 0
    }

    /// The landmarks at places from a position on the curve on.
    func first(from position: Int64) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self.position(of: middle) < position { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The landmarks that have all the words in their texts.
    func landmarks(having wanted: PlaceFolding.Words) -> LandmarkBits {
        var all = LandmarkBits(count: count)
        for index in 0..<wanted.count {
            var some = LandmarkBits(count: count)
            guard let found = words.find(wanted[index]) else { return some }
            for bits in words.postings.slice(words.postings(of: found.names)) {
                some.insert(PlaceNames.Posting(bits: bits).place)
            }
            if index == 0 { all = some } else { all.formIntersection(some) }
        }
        all.subtract(gone)
        return all
    }
}

/// Some landmarks of a shard: a bit for each.
struct LandmarkBits {
    private(set) var words: [UInt64]
    private let count: Int

    /// None of `count`.
    init(count: Int) {
        words = [UInt64](repeating: 0, count: count / 64 + 1)
        self.count = count
    }

    var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

    @inline(__always)
    mutating func insert(_ landmark: Int) {
        if landmark < count { words[landmark >> 6] |= 1 << UInt64(landmark & 63) }
    }

    mutating func formIntersection(_ other: LandmarkBits) {
        for index in words.indices { words[index] &= other.words[index] }
    }

    mutating func subtract(_ other: [UInt64]) {
        for index in words.indices.prefix(other.count) { words[index] &= ~other[index] }
    }

    /// The first one from `landmark` on; nil if there is none.
    func next(from landmark: Int) -> Int? {
        var index = landmark >> 6
        guard index < words.count else { return nil }
        var rest = words[index] & UInt64.max << UInt64(landmark & 63)
        while rest == 0 {
            index += 1
            guard index < words.count else { return nil }
            rest = words[index]
        }
        return index << 6 + rest.trailingZeroBitCount
    }
}
