import Geo

/// The names and words of some tens of thousands of landmarks of one state of a dataset, in a file that is mapped into
/// memory. Which of its rows are shown, the database decides.
final class LandmarkShard: Sendable {
    /// The version of the form of the parts; a file of another one is made anew.
    static let form = 2

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

    /// Calls `body` with each landmark that has all the words in its texts.
    func forEach(having wanted: PlaceFolding.Words, _ body: (Int) -> Void) {
        var all: [UInt64]?
        for index in 0..<wanted.count {
            guard let found = words.find(wanted[index]) else { return }
            var some = [UInt64](repeating: 0, count: count / 64 + 1)
            for bits in words.postings.slice(words.postings(of: found.names)) {
                let landmark = PlaceNames.Posting(bits: bits).place
                guard landmark >> 6 < some.count else { continue }
                some[landmark >> 6] |= 1 << UInt64(landmark & 63)
            }
            if let known = all {
                for index in some.indices { some[index] &= known[index] }
            }
            all = some
        }
        for (index, word) in (all ?? []).enumerated() {
            var rest = word
            while rest != 0 {
                let landmark = index << 6 + rest.trailingZeroBitCount
                if landmark < count { body(landmark) }
                rest &= rest - 1
            }
        }
    }
}
