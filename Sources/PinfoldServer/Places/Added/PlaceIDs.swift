/// A set of GeoNames's ids, a bit for each up to the greatest.
struct PlaceIDs {
    /// Greater ids are none of GeoNames, which has given out some 13 million.
    static let limit = 1 << 28

    private var words: [UInt64] = []

    /// - Parameter id: from 0 to `limit`.
    /// - Returns: whether it is new.
    @discardableResult
    mutating func insert(_ id: Int) -> Bool {
        precondition((0..<Self.limit).contains(id), "the caller has looked")
        if id >> 6 >= words.count {
            words.append(contentsOf: repeatElement(0, count: max(id >> 6 + 1 - words.count, words.count)))
        }
        defer { words[id >> 6] |= 1 << UInt64(id & 63) }
        return !contains(id)
    }

    func contains(_ id: Int) -> Bool {
        id >= 0 && id >> 6 < words.count && words[id >> 6] & 1 << UInt64(id & 63) != 0
    }

    mutating func formUnion(_ other: PlaceIDs) {
        if other.words.count > words.count {
            words.append(contentsOf: repeatElement(0, count: other.words.count - words.count))
        }
        for (index, word) in other.words.enumerated() { words[index] |= word }
    }
}
