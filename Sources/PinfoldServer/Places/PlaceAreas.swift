/// Areas of which a place must lie in one, or in one of each of several such sets.
struct PlaceAreas {
    /// A bit for each area, `width` words for each set.
    private var bits: [UInt64]
    private let width: Int
    private let names: PlaceNames
    private(set) var isEmpty = true
    /// They are written in full, or those that are typed last with some letters.
    var isSure = false

    private static let longLetters = 3
    private static let manyNames = 1000
    /// A million.
    static let manyPeople = 6000

    init(_ index: PlaceIndex) {
        names = index.areaNames
        width = index.areaCount / 64 + 1
        bits = [UInt64](repeating: 0, count: width)
    }

    /// Adds the areas with those names; codes count only where they are written in full, other names than the main one only
    /// from some letters on. Of very many names that only begin so, those of areas with few people are left out.
    mutating func add(_ found: PlaceNames.Found, letters: Int, withPrefixes: Bool) {
        let first = found.names.lowerBound
        let isLong = letters >= Self.longLetters
        if found.isExact { add(first..<(first + 1), upTo: .inner) }
        if withPrefixes {
            add((found.isExact ? first + 1 : first)..<found.names.upperBound, upTo: isLong ? .alternate : .primary)
        }
    }

    mutating func add(_ correction: PlaceNames.Correction) {
        add(correction.names, upTo: .alternate)
        isSure = true
    }

    private mutating func add(_ range: Range<Int>, upTo kind: PlaceNames.Posting.Kind) {
        let range = names.postings(of: range)
        let least = range.count > Self.manyNames ? Self.manyPeople : 0
        var at = range.lowerBound
        while at < range.upperBound {
            let block = at / PlaceNames.blockSize
            let end = min(range.upperBound, (block + 1) * PlaceNames.blockSize)
            if names.best(inBlock: block) >= least {
                for bits in names.postings.slice(at..<end) {
                    let posting = PlaceNames.Posting(bits: bits)
                    guard posting.kind.rawValue <= kind.rawValue, posting.place >> 6 < width,
                        least == 0 || names.score(posting) >= least
                    else { continue }
                    self.bits[posting.place >> 6] |= 1 << UInt64(posting.place & 63)
                    isEmpty = false
                }
            }
            at = end
        }
    }

    /// What lies in one of these and in one of the others.
    func and(_ others: PlaceAreas) -> PlaceAreas {
        var both = self
        both.bits += others.bits
        both.isSure = isSure && others.isSure
        return both
    }

    @inline(__always)
    func contain(_ areas: (admin1: Int?, admin2: Int?, country: Int)) -> Bool {
        var start = 0
        while start < bits.count {
            guard has(areas.country, start) || has(areas.admin1, start) || has(areas.admin2, start) else {
                return false
            }
            start += width
        }
        return true
    }

    @inline(__always)
    private func has(_ area: Int?, _ start: Int) -> Bool {
        guard let area, area >> 6 < width else { return false }
        return bits[start + (area >> 6)] & 1 << UInt64(area & 63) != 0
    }
}
