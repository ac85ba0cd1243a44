/// A set of positive numbers that mostly come in runs, at a bit or two each: a bitmap of those pages that have any.
struct NumberSet {
    private static let shift: Int64 = 9
    private var pages: [Int64: SIMD8<UInt64>] = [:]
    private(set) var count = 0
    /// The page that was touched last, outside the table: numbers in order take one look-up a page.
    private var page: Int64 = -1
    private var bits = SIMD8<UInt64>()

    func contains(_ number: Int64) -> Bool {
        let (word, bit) = Self.place(number)
        let bits = number >> Self.shift == page ? bits : pages[number >> Self.shift] ?? SIMD8()
        return bits[word] & bit != 0
    }

    /// - Returns: false if it was there.
    @discardableResult
    mutating func insert(_ number: Int64) -> Bool {
        let wanted = number >> Self.shift
        if wanted != page {
            if page >= 0 { pages[page] = bits }
            page = wanted
            bits = pages[wanted] ?? SIMD8()
        }
        let (word, bit) = Self.place(number)
        guard bits[word] & bit == 0 else { return false }
        bits[word] |= bit
        count += 1
        return true
    }

    private static func place(_ number: Int64) -> (word: Int, bit: UInt64) {
        let index = Int(number & (1 << shift - 1))
        return (index >> 6, 1 << UInt64(index & 63))
    }
}
