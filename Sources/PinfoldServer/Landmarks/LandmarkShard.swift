import Geo

/// The names and words of some tens of thousands of landmarks of a dataset, in a file that is mapped into memory, along
/// the Hilbert curve. Which of its rows are shown, the database decides; those that a state does not have are left out
/// ahead of that.
struct LandmarkShard: Sendable {
    /// The version of the form of the parts; a file of another one is made anew.
    static let form = 5

    /// By beginnings of names, those of later words too.
    let names: PlaceNames
    /// By words of all texts.
    let words: PlaceNames
    private let numbers: MappedArray<Int64>
    private let positions: MappedArray<Int64>
    private let points: MappedArray<Int32>
    private let categories: MappedArray<UInt8>
    /// When each content came, in milliseconds since 1970.
    private let updates: MappedArray<Int64>
    /// No other shard follows.
    let isLast: Bool
    /// A bit for each landmark that the state does not have; empty if it has all.
    private(set) var gone: [UInt64] = []

    init(_ parts: MappedParts) {
        names = PlaceNames(parts, "names")
        words = PlaceNames(parts, "words")
        numbers = parts.array("numbers")
        positions = parts.array("positions")
        points = parts.array("points")
        categories = parts.array("categories")
        updates = parts.array("updates")
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

    @inline(__always)
    func category(of landmark: Int) -> Int64 { Int64(categories[landmark] ?? 0) }

    @inline(__always)
    func updated(_ landmark: Int) -> Int64 { updates[landmark] ?? 0 }

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

    /// The first landmark at a position on the curve or behind it; `count` if there is none.
    func first(from position: Int64) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self.position(of: middle) < position { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The landmarks in a range of the curve.
    func landmarks(inPlaces range: ClosedRange<Int64>) -> Range<Int> {
        let first = first(from: range.lowerBound)
        return first..<max(first, range.upperBound == .max ? count : self.first(from: range.upperBound + 1))
    }

    /// The landmarks whose main name is this one when it is folded.
    func landmarks(named name: String) -> LandmarkBits {
        var bits = LandmarkBits(count: count)
        guard let found = names.find(LandmarkFolding.form(of: name)), found.isExact else { return bits }
        bits.insert(names.postings.slice(names.postings(of: found.names.prefix(1))))
        bits.subtract(gone)
        return bits
    }

    /// The landmarks that have all the words in their texts.
    func landmarks(having wanted: PlaceFolding.Words) -> LandmarkBits {
        var all = LandmarkBits(count: count)
        for index in 0..<wanted.count {
            var some = LandmarkBits(count: count)
            guard let found = words.find(wanted[index]) else { return some }
            some.insert(words.postings.slice(words.postings(of: found.names)))
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

    /// Those who have some names.
    mutating func insert(_ postings: UnsafeBufferPointer<UInt32>) {
        // Of a word that half of a million landmarks have, each check would be felt.
        let count = count
        words.withUnsafeMutableBufferPointer { words in
            for bits in postings {
                let landmark = PlaceNames.Posting(bits: bits).place
                if landmark < count { words[landmark >> 6] |= 1 << UInt64(landmark & 63) }
            }
        }
    }

    mutating func insert(_ landmarks: Range<Int>) {
        guard let last = landmarks.last, last < count else { return }
        let (low, high) = (landmarks.lowerBound, landmarks.upperBound)
        let first = UInt64.max << UInt64(low & 63)
        // Of the last word all bits up to the last landmark.
        let rest = UInt64.max >> UInt64(63 - (high - 1) & 63)
        if low >> 6 == (high - 1) >> 6 {
            words[low >> 6] |= first & rest
        } else {
            words[low >> 6] |= first
            for word in (low >> 6 + 1)..<((high - 1) >> 6) { words[word] = .max }
            words[(high - 1) >> 6] |= rest
        }
    }

    /// Hands out the first of them, and counts them off.
    func forEach(atMost left: inout Int, _ body: (Int) -> Void) {
        var next = left > 0 ? self.next(from: 0) : nil
        while let landmark = next {
            body(landmark)
            left -= 1
            next = left > 0 ? self.next(from: landmark + 1) : nil
        }
    }

    @inline(__always)
    func contains(_ landmark: Int) -> Bool {
        landmark >> 6 < words.count && words[landmark >> 6] & 1 << UInt64(landmark & 63) != 0
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
