import Geo
import SocialModel
import Storage

/// The ways to the pins of a list. Each streams what may be in it; what is kept so far bounds what is still of interest.
extension VisiblePins {
    /// The first `limit` of the query behind `after`, best first.
    func ranks(
        _ query: PinQuery, _ view: View, _ after: PinRank?, _ limit: Int, _ way: PinWay
    ) throws -> [RankedPin] {
        var best = BestPins(limit: limit)
        let sight = view.sight
        switch (way, query.area) {
        case (.owner, .near(let point, _)) where query.sort == .distance:
            try keepNearestByOwner(query, view, point, after, &best)
        case (.place(let ranges, let reach), .near(let point, _)) where query.sort == .distance:
            try keepNearestByPlace(query, view, point, after, ranges, reach, &best)
        case (.place(let ranges, _), _):
            for range in ranges {
                try forEachRow(inPlaces: range, query, sight) { entry in
                    try keep(entry, query, query.words, after, &best)
                }
            }
        case (.time(let rows), _):
            if try !keepNewest(query, sight, rows: rows, after, &best) {
                try keepByOwner(query, view, after, &best)
            }
        case (.owner, _):
            try keepByOwner(query, view, after, &best)
        }
        return best.sorted()
    }

    /// Owner-first: through memory, and for the owners that are not in it the ids go in chunks through the covering index.
    private func keepByOwner(_ query: PinQuery, _ view: View, _ after: PinRank?, _ best: inout BestPins) throws {
        let owners = placed(view, query)
        try keep(inMemory: owners.inMemory, query, view.sight, after, &best)
        let order: StaticString =
            query.sort == .rating
            ? "ORDER BY rating DESC, pin.createdAt DESC, pin.id DESC"
            : "ORDER BY pin.createdAt DESC, pin.id DESC"
        // What is decided here and not in SQL can drop rows, so then SQL must not stop at the limit.
        let rows = query.radius == nil ? best.limit : -1
        for chunk in chunks(of: owners.inIndex, first: firstOwnerChunk) {
            let bounds = SortBounds(query, after: after, before: best.worst)
            try forEachRow(ofOwners: chunk, query, view.sight, bounds, order: order, limit: rows) { entry in
                // Each chunk comes best first: nothing follows that would be kept.
                if let worst = best.worst, query.rank(of: entry) >= worst { return false }
                try keep(entry, query, nil, after, &best)
                return true
            }
        }
    }

    /// Newest-first: the rows of all, latest id first, until none that follows can be new enough; few rows for somebody
    /// with many friends.
    ///
    /// - Returns: false when `rows` of them were not enough. What was kept is right, and not all.
    private func keepNewest(
        _ query: PinQuery, _ sight: Sight, rows: Int, _ after: PinRank?, _ best: inout BestPins
    ) throws -> Bool {
        var left = rows
        try read.forEach(
            """
            SELECT id, ownerId, createdAt, longitude, latitude, rating, category, \(isVisible(sight))
            FROM pin NOT INDEXED ORDER BY id DESC
            """, grant: grant
        ) { row in
            // A row is at most as new as its id.
            let limit = row.int64(0) >> 20
            if let worst = best.worst, PinRank.newest(createdAt: limit, id: row.int64(0)) > worst { return false }
            if let since = query.since, limit < since.milliseconds { return false }
            left -= 1
            guard left >= 0 else { return false }
            // Rows that are not visible are counted too, so the statement cannot leave them out.
            guard row.bool(7) else { return true }
            let entry = PinEntry(
                id: row.int64(0), ownerId: row.int64(1), createdAt: row.int64(2),
                coordinate: Coordinate(longitude: row.int64(3), latitude: row.int64(4)), rating: row.int64(5),
                category: row.int64(6))
            try keep(entry, query, query.words, after, &best)
            return true
        }
        if left >= 0 { return true }
        // Owner-first begins anew and would meet these again.
        best.removeAll()
        return false
    }

    /// Exact on the ellipsoid: the great-circle distance only decides what cannot be among the nearest.
    private func keepNearestByOwner(
        _ query: PinQuery, _ view: View, _ point: Coordinate, _ after: PinRank?, _ best: inout BestPins
    ) throws {
        let owners = placed(view, query)
        try keepNearest(inMemory: owners.inMemory, query, view.sight, point, after, &best)
        for chunk in chunks(of: owners.inIndex, first: firstOwnerChunk) {
            let reach = min(query.radius ?? .infinity, best.reach)
            let box = reach.isFinite ? BoundingBox(around: point, metres: reach) : .world
            try forEachRow(ofOwners: chunk, query, view.sight, in: box) { entry in
                try keepNear(entry, query, nil, point, after, &best)
            }
        }
    }

    /// Space-first: boxes around the point, each larger than the one before, until what is kept is nearer than the reach
    /// of the last one. If they get dearer than the owners are, owner-first begins anew.
    private func keepNearestByPlace(
        _ query: PinQuery, _ view: View, _ point: Coordinate, _ after: PinRank?,
        _ firstRanges: [ClosedRange<Int64>], _ firstReach: Double, _ best: inout BestPins
    ) throws {
        var (ranges, reach) = (firstRanges, firstReach)
        var budget = PinWay.NearestBudget(view.owners, for: query, planner)
        while budget.takes(ranges) {
            // A box holds those before it, so each starts anew.
            best.removeAll()
            for range in ranges {
                try forEachRow(inPlaces: range, query, view.sight) { entry in
                    try keepNear(entry, query, query.words, point, after, &best)
                }
            }
            if best.reach <= reach || query.radius.map({ $0 <= reach }) ?? false { return }
            // The worst that is kept bounds the answer; else there should be enough in as much larger a circle.
            let growth = (Double(best.limit) / (Double(best.count) + 0.5)).squareRoot() * 1.3
            reach = best.reach.isFinite ? best.reach : reach * min(max(growth, 2), 8)
            ranges = PinWay.rangesAround(point, reach)
        }
        best.removeAll()
        try keepNearestByOwner(query, view, point, after, &best)
    }

    /// - Parameter words: what the statement has not looked for yet.
    private func keep(
        _ entry: PinEntry, _ query: PinQuery, _ words: SearchWords.Pattern?, _ after: PinRank?,
        _ best: inout BestPins
    ) throws {
        let rank = query.rank(of: entry)
        if let after, rank <= after { return }
        if let worst = best.worst, rank >= worst { return }
        if try accepts(entry, query, words) { best.offer(RankedPin(id: entry.id, rank: rank)) }
    }

    func keepNear(
        _ entry: PinEntry, _ query: PinQuery, _ words: SearchWords.Pattern?, _ point: Coordinate, _ after: PinRank?,
        _ best: inout BestPins
    ) throws {
        let reach = min(query.radius ?? .infinity, best.reach)
        let roughly = Geodesic.haversine(point, entry.coordinate)
        if roughly * Geodesic.leastRatioToHaversine - roundingMetres > reach { return }
        if let after, roughly * Geodesic.greatestRatioToHaversine + roundingMetres < after.metres { return }
        let metres = Geodesic.distance(point, entry.coordinate)
        let rank = PinRank.distance(metres, id: entry.id)
        if metres > reach || after.map({ rank <= $0 }) ?? false { return }
        if let worst = best.worst, rank >= worst { return }
        if try accepts(entry, query, words) { best.offer(RankedPin(id: entry.id, rank: rank)) }
    }

    /// Whether a visible pin is of the query. What the statements have decided is decided again: they differ in that.
    func accepts(_ entry: PinEntry, _ query: PinQuery, _ words: SearchWords.Pattern?) throws -> Bool {
        if let minRating = query.minRating, entry.rating < minRating { return false }
        if query.categoryMask & 1 << entry.category == 0 { return false }
        if let since = query.since, entry.createdAt < since.milliseconds { return false }
        switch query.area {
        case .everywhere, .near(_, nil): break
        case .box(let box): if !box.contains(entry.coordinate) { return false }
        case .near(let point, let radius?): if !isWithin(radius, of: point, entry.coordinate) { return false }
        }
        return try words.map { try matches(entry, $0) } ?? true
    }

    private func isWithin(_ radius: Double, of point: Coordinate, _ coordinate: Coordinate) -> Bool {
        let roughly = Geodesic.haversine(point, coordinate)
        if roughly * Geodesic.leastRatioToHaversine - roundingMetres > radius { return false }
        return roughly * Geodesic.greatestRatioToHaversine + roundingMetres < radius
            || Geodesic.distance(point, coordinate) <= radius
    }

    /// Whether the texts of a pin that is visible already have all the words.
    private func matches(_ entry: PinEntry, _ words: SearchWords.Pattern) throws -> Bool {
        try read.exists(
            """
            SELECT 1 FROM pin INDEXED BY pinByOwner WHERE ownerId = \(entry.ownerId) AND createdAt = \(entry.createdAt)
                AND id = \(entry.id) AND containsAll(words, \(words.pattern))
            """, grant: grant)
    }
}

// MARK: The statements

extension VisiblePins {
    /// The rows of some owners of the sight in a list's order, decided in SQL but for the radius. A condition that nothing
    /// asks for is left out: each costs a tenth of what a row costs.
    func forEachRow(
        ofOwners owners: [Int64], _ query: PinQuery, _ sight: Sight, _ bounds: SortBounds, order: StaticString,
        limit: Int, _ body: (PinEntry) throws -> Bool
    ) throws {
        try read.forEach(
            """
            SELECT pin.id, pin.ownerId, pin.createdAt, longitude, latitude, rating, category
            \(rows(ofOwners: owners, query, sight, bounds, query.boundingBox)) \(bounds.condition)
            \(literal: order) LIMIT \(limit)
            """, grant: grant
        ) { row in
            try body(
                PinEntry(
                    id: row.int64(0), ownerId: row.int64(1), createdAt: row.int64(2),
                    coordinate: Coordinate(longitude: row.int64(3), latitude: row.int64(4)), rating: row.int64(5),
                    category: row.int64(6)))
        }
    }

    /// The same rows in no order.
    func forEachRow(
        ofOwners owners: [Int64], _ query: PinQuery, _ sight: Sight, in box: BoundingBox,
        _ body: (PinEntry) throws -> Void
    ) throws {
        let bounds = SortBounds(query, after: nil, before: nil)
        try read.gather(
            """
            SELECT gather(pin.id, pin.ownerId, pin.createdAt, longitude, latitude, rating, category)
            \(rows(ofOwners: owners, query, sight, bounds, box))
            """, grant: grant
        ) { numbers in
            for row in stride(from: 0, to: numbers.count, by: 7) {
                try body(
                    PinEntry(
                        id: numbers[row], ownerId: numbers[row + 1], createdAt: numbers[row + 2],
                        coordinate: Coordinate(longitude: numbers[row + 3], latitude: numbers[row + 4]),
                        rating: numbers[row + 5], category: numbers[row + 6]))
            }
        }
    }

    private func rows(
        ofOwners owners: [Int64], _ query: PinQuery, _ sight: Sight, _ bounds: SortBounds, _ box: BoundingBox
    ) -> SQL {
        let words: SQL = query.words.map { "AND containsAll(words, \($0.pattern))" } ?? ""
        return """
            FROM pin INDEXED BY pinByOwner WHERE pin.ownerId IN (\(list: padded(owners))) \(bounds.range)
                \(query.conditions(box)) \(words) AND \(isForViewer(sight))
            """
    }

    /// The rows of one range of the Hilbert curve, in no order. Whose they are is asked first, since most are nobody's
    /// friend's; the index has all, and the position gives the coordinate.
    func forEachRow(
        inPlaces range: ClosedRange<Int64>, _ query: PinQuery, _ sight: Sight, _ body: (PinEntry) throws -> Void
    ) throws {
        try read.gather(
            """
            SELECT gather(id, ownerId, createdAt, hilbert(longitude, latitude), rating, category)
            FROM pin INDEXED BY pinByPlace
            WHERE hilbert(longitude, latitude) BETWEEN \(range.lowerBound) AND \(range.upperBound)
                AND \(isVisible(sight))
            """, grant: grant
        ) { numbers in
            for row in stride(from: 0, to: numbers.count, by: 6) {
                try body(
                    PinEntry(
                        id: numbers[row], ownerId: numbers[row + 1], createdAt: numbers[row + 2],
                        coordinate: HilbertCurve.coordinate(at: numbers[row + 3]), rating: numbers[row + 4],
                        category: numbers[row + 5]))
            }
        }
    }
}

extension Coordinate {
    /// From the stored units of a row.
    fileprivate init(longitude: Int64, latitude: Int64) {
        self.init(
            latitudeE7: Int32(truncatingIfNeeded: latitude), longitudeE7: Int32(truncatingIfNeeded: longitude))
    }
}

/// More than the formulas of the two distances are off by rounding. Without it, pins that are one point (as all
/// longitudes of a pole are) would fall out of a list: their great-circle distance is not quite 0.
private let roundingMetres = 0.001

extension PinQuery {
    var radius: Double? {
        if case .near(_, let radius?) = area { radius } else { nil }
    }

    /// A bit for each category's code.
    var categoryMask: Int64 { categories.isEmpty ? -1 : categories.reduce(0) { $0 | 1 << $1.code } }

    var boundingBox: BoundingBox {
        switch area {
        case .everywhere, .near(_, nil): .world
        case .box(let box): box
        case .near(let point, let radius?): BoundingBox(around: point, metres: radius)
        }
    }

    /// What a row of `pin` must fulfil besides its owner and its time: the box, unless it is the world, and the filters.
    fileprivate func conditions(_ box: BoundingBox) -> SQL {
        var conditions: SQL = ""
        if box != .world {
            let longitudes = box.longitudeRanges
            conditions = "AND latitude BETWEEN \(box.south) AND \(box.north)"
            if longitudes == BoundingBox.world.longitudeRanges {
                // All round the Earth.
            } else if longitudes.count == 1 {
                conditions = """
                    \(conditions) AND longitude BETWEEN \(longitudes[0].lowerBound) AND \(longitudes[0].upperBound)
                    """
            } else {
                conditions = """
                    \(conditions) AND (longitude BETWEEN \(longitudes[0].lowerBound) AND \(longitudes[0].upperBound)
                        OR longitude BETWEEN \(longitudes[1].lowerBound) AND \(longitudes[1].upperBound))
                    """
            }
        }
        if let minRating { conditions = "\(conditions) AND rating >= \(minRating)" }
        if !categories.isEmpty { conditions = "\(conditions) AND (1 << category) & \(categoryMask) <> 0" }
        return conditions
    }

    /// The rank by newest or by rating.
    func rank(of entry: PinEntry) -> PinRank {
        sort == .rating
            ? .rating(entry.rating, createdAt: entry.createdAt, id: entry.id)
            : .newest(createdAt: entry.createdAt, id: entry.id)
    }
}
