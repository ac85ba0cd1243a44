import Storage

/// The part of a sorted list that is still of interest: behind the cursor, and before the worst that is kept when
/// enough is kept.
struct SortBounds {
    private let sort: PinQuery.Sort
    /// (rating, createdAt, id), each exclusive; 0 is no rating.
    private let after: (Int64, Int64, Int64)?
    private let before: (Int64, Int64, Int64)?
    private let since: Int64?

    init(_ query: PinQuery, after: PinRank?, before: PinRank?) {
        sort = query.sort
        // By distance there is nothing that an index could bound.
        self.after = sort == .distance ? nil : after?.sortKeys(sort)
        self.before = sort == .distance ? nil : before?.sortKeys(sort)
        since = query.since?.milliseconds
    }

    /// The times within which both ends lie, for the range of an index; nothing if there are no ends.
    var range: SQL {
        let isNewest = sort == .newest
        let earliest = max(since ?? .min, isNewest ? before?.1 ?? .min : .min)
        let latest = isNewest ? after?.1 ?? .max : .max
        if earliest == .min, latest == .max { return "" }
        return "AND pin.createdAt BETWEEN \(earliest) AND \(latest)"
    }

    /// What a row must fulfil besides.
    var condition: SQL {
        let isAfter: SQL = after.map { Self.condition(sort, behind: $0) } ?? ""
        let isBefore: SQL = before.map { Self.condition(sort, ahead: $0) } ?? ""
        return "\(isAfter) \(isBefore)"
    }

    private static func condition(_ sort: PinQuery.Sort, behind end: (Int64, Int64, Int64)) -> SQL {
        if sort == .newest { return "AND (pin.createdAt < \(end.1) OR pin.id < \(end.2))" }
        return """
            AND (coalesce(rating, 0) < \(end.0) OR coalesce(rating, 0) = \(end.0)
                AND (pin.createdAt < \(end.1) OR pin.createdAt = \(end.1) AND pin.id < \(end.2)))
            """
    }

    private static func condition(_ sort: PinQuery.Sort, ahead end: (Int64, Int64, Int64)) -> SQL {
        if sort == .newest { return "AND (pin.createdAt > \(end.1) OR pin.id > \(end.2))" }
        return """
            AND (coalesce(rating, 0) > \(end.0) OR coalesce(rating, 0) = \(end.0)
                AND (pin.createdAt > \(end.1) OR pin.createdAt = \(end.1) AND pin.id > \(end.2)))
            """
    }
}

extension PinRank {
    /// (rating, createdAt, id) of a rank by newest or by rating; newest has no rating.
    fileprivate func sortKeys(_ sort: PinQuery.Sort) -> (Int64, Int64, Int64) {
        sort == .newest ? (0, -keys.0, -keys.1) : (-keys.0, -keys.1, -keys.2)
    }
}
