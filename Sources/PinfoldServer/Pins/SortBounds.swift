import Storage

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

    /// What a row must fulfil besides `earliest` and `latest`.
    func condition(_ sort: PinQuery.Sort) -> SQL {
        switch sort {
        case .newest:
            """
            AND (pin.createdAt < \(after.1) OR pin.id < \(after.2)) AND (pin.createdAt > \(before.1) OR pin.id > \(before.2))
            """
        case .rating:
            """
            AND (coalesce(rating, 0) < \(after.0) OR coalesce(rating, 0) = \(after.0)
                AND (pin.createdAt < \(after.1) OR pin.createdAt = \(after.1) AND pin.id < \(after.2)))
            AND (coalesce(rating, 0) > \(before.0) OR coalesce(rating, 0) = \(before.0)
                AND (pin.createdAt > \(before.1) OR pin.createdAt = \(before.1) AND pin.id > \(before.2)))
            """
        case .distance: ""
        }
    }
}

extension PinRank {
    /// (rating, createdAt, id) of a rank by newest or by rating; newest has no rating.
    fileprivate func sortKeys(_ isNewest: Bool) -> (Int64, Int64, Int64) {
        isNewest ? (0, -keys.0, -keys.1) : (-keys.0, -keys.1, -keys.2)
    }
}
