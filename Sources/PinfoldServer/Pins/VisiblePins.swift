import Geo
import HTTP
import SocialModel
import Storage

/// The one place where pins are read: those that one viewer may see, in one snapshot.
///
/// A viewer sees their own pins, and of each friend those for friends. No answer of the service shows a pin that was not
/// read here: a reader connection refuses every statement that reads the pin tables without the grant in here
/// (`Schema.guardedTables`). On the writer, `PinChange` moves and logs the owner's rows.
struct VisiblePins<Snapshot: Transaction> {
    let viewer: Identifier<User>
    let read: Snapshot
    let grant = Grant(Schema.guardedTables)

    init(of viewer: Viewer, in read: Snapshot) {
        self.viewer = viewer.id
        self.read = read
    }

    // MARK: Single pins

    /// The pin with this id; nil if there is none or the viewer may not see it.
    func pin(_ id: Identifier<Pin>) throws -> Pin? {
        try read.row(
            """
            SELECT \(literal: pinColumns) WHERE pin.id = \(id)
                AND (pin.ownerId = \(viewer) OR pin.audience = 1 AND EXISTS (
                    SELECT 1 FROM friendship WHERE accountId = \(viewer) AND friendId = pin.ownerId))
            """, grant: grant, pin)
    }

    /// Those of the pins with these ids that the viewer may see, by id.
    func pins(_ ids: [Int64]) throws -> [Int64: Pin] {
        var found: [Int64: Pin] = Dictionary(minimumCapacity: ids.count)
        for chunk in chunks(of: ids) {
            try read.forEach(
                """
                SELECT \(literal: pinColumns) WHERE pin.id IN (\(list: padded(chunk)))
                    AND (pin.ownerId = \(viewer) OR pin.audience = 1 AND EXISTS (
                        SELECT 1 FROM friendship WHERE accountId = \(viewer) AND friendId = pin.ownerId))
                """, grant: grant
            ) { row in
                let pin = pin(row)
                found[pin.id.rawValue] = pin
                return true
            }
        }
        return found
    }

    /// The viewer's own pin with this id.
    func own(_ id: Identifier<Pin>) throws -> Pin? {
        try read.row(
            "SELECT \(literal: pinColumns) WHERE pin.id = \(id) AND pin.ownerId = \(viewer)", grant: grant, pin)
    }

    /// How many pins the viewer has.
    func countOwn() throws -> Int {
        try read.row("SELECT count(*) FROM pin WHERE ownerId = \(viewer)", grant: grant) { $0.int(0) } ?? 0
    }

    // MARK: Lists

    /// Up to `limit` pins of the query in its order, behind `after`; with the rank of each.
    ///
    /// Owner-first: the viewer's and the friends' ids go in chunks through the covering index, and what the chunks so
    /// far have kept bounds what the next one may still add.
    func list(_ query: PinQuery, after: PinRank?, limit: Int) throws -> [(pin: Pin, rank: PinRank)] {
        let owners = try owners(query.owners)
        let ranks =
            query.sort == .distance
            ? try nearest(query, owners, after, limit) : try sorted(query, owners, after, limit)
        let pins = try pins(ranks.map(\.id))
        return ranks.compactMap { ranked in
            guard var pin = pins[ranked.id] else { return nil }
            if case .near(let point, _) = query.area { pin.distance = Geodesic.distance(point, pin.coordinate) }
            return (pin, ranked.rank)
        }
    }

    /// The accounts whose pins the viewer may see: the viewer first, then the friends; of `wanted` if given.
    func owners(_ wanted: Set<Identifier<User>>?) throws -> [Int64] {
        var owners = [viewer.rawValue]
        try read.forEach("SELECT friendId FROM friendship WHERE accountId = \(viewer)") { row in
            owners.append(row.int64(0))
            return true
        }
        guard let wanted else { return owners }
        return owners.filter { wanted.contains(Identifier($0)) }
    }

    private func sorted(
        _ query: PinQuery, _ owners: [Int64], _ after: PinRank?, _ limit: Int
    ) throws -> [RankedPin] {
        var kept: [RankedPin] = []
        for chunk in chunks(of: owners, first: firstOwnerChunk) {
            let worst = kept.count == limit ? kept.last?.rank : nil
            let bounds = SortBounds(query, after: after, before: worst)
            // What is decided here and not in SQL can drop rows, so then SQL must not stop at the limit.
            let isExactInSQL = query.words == nil && query.radius == nil
            var accepted = 0
            try read.forEach(
                statement(query, chunk, bounds, limit: isExactInSQL ? limit : -1), grant: grant
            ) { row in
                guard try isExactInSQL || accepts(row, query) else { return true }
                kept.append(RankedPin(id: row.int64(0), rank: query.rank(of: row)))
                accepted += 1
                return accepted < limit
            }
            kept.sort { $0.rank < $1.rank }
            kept.removeLast(max(0, kept.count - limit))
        }
        return kept
    }

    /// Exact on the ellipsoid: the great-circle distance only decides what cannot be among the nearest.
    private func nearest(
        _ query: PinQuery, _ owners: [Int64], _ after: PinRank?, _ limit: Int
    ) throws -> [RankedPin] {
        guard case .near(let point, let radius) = query.area else { return [] }
        var kept = NearestPins(limit: limit)
        for chunk in chunks(of: owners, first: firstOwnerChunk) {
            let reach = min(radius ?? .infinity, kept.reach)
            let box = reach.isFinite ? BoundingBox(around: point, metres: reach) : .world
            let bounds = SortBounds(query, after: nil, before: nil)
            try read.forEach(statement(query, chunk, bounds, limit: -1, box: box), grant: grant) { row in
                let coordinate = row.coordinate
                let reach = min(radius ?? .infinity, kept.reach)
                let roughly = Geodesic.haversine(point, coordinate)
                if roughly * Geodesic.leastRatioToHaversine - roundingMetres > reach { return true }
                if let after, roughly * Geodesic.greatestRatioToHaversine + roundingMetres < after.metres {
                    return true
                }
                let metres = Geodesic.distance(point, coordinate)
                let rank = PinRank.distance(metres, id: row.int64(0))
                if metres > reach || after.map({ rank <= $0 }) ?? false { return true }
                if let words = query.words, try !matches(row.int64(0), words) { return true }
                kept.offer(RankedPin(id: row.int64(0), rank: rank))
                return true
            }
        }
        return kept.sorted()
    }

    /// One covering-index statement serves every filter: what is not asked for is bound wide open. The columns are id,
    /// createdAt, longitude, latitude, rating, category.
    func statement(
        _ query: PinQuery, _ owners: [Int64], _ bounds: SortBounds, limit: Int, box: BoundingBox? = nil
    ) -> SQL {
        let box = box ?? query.boundingBox
        let first = box.longitudeRanges[0]
        let second = box.longitudeRanges.last ?? first
        let categories = query.categories.isEmpty ? -1 : query.categories.reduce(0) { $0 | 1 << $1.code }
        let order: StaticString =
            switch query.sort {
            case .newest: "ORDER BY createdAt DESC, id DESC"
            case .rating: "ORDER BY coalesce(rating, 0) DESC, createdAt DESC, id DESC"
            case .distance: ""
            }
        let sortBounds: SQL =
            switch query.sort {
            case .newest:
                """
                AND (createdAt < \(bounds.after.1) OR id < \(bounds.after.2))
                AND (createdAt > \(bounds.before.1) OR id > \(bounds.before.2))
                """
            case .rating:
                """
                AND (coalesce(rating, 0) < \(bounds.after.0) OR coalesce(rating, 0) = \(bounds.after.0)
                    AND (createdAt < \(bounds.after.1) OR createdAt = \(bounds.after.1) AND id < \(bounds.after.2)))
                AND (coalesce(rating, 0) > \(bounds.before.0) OR coalesce(rating, 0) = \(bounds.before.0)
                    AND (createdAt > \(bounds.before.1) OR createdAt = \(bounds.before.1) AND id > \(bounds.before.2)))
                """
            case .distance: ""
            }
        return """
            SELECT id, createdAt, longitude, latitude, coalesce(rating, 0), category FROM pin INDEXED BY pinByOwner
            WHERE ownerId IN (\(list: padded(owners))) AND createdAt BETWEEN \(bounds.earliest) AND \(bounds.latest)
                AND latitude BETWEEN \(box.south) AND \(box.north)
                AND (longitude BETWEEN \(first.lowerBound) AND \(first.upperBound)
                    OR longitude BETWEEN \(second.lowerBound) AND \(second.upperBound))
                AND coalesce(rating, 0) >= \(query.minRating ?? 0) AND (1 << category) & \(categories) <> 0
                AND (audience = 1 OR ownerId = \(viewer))
                \(sortBounds)
            \(literal: order) LIMIT \(limit)
            """
    }

    private func accepts(_ row: Row, _ query: PinQuery) throws -> Bool {
        if case .near(let point, let radius?) = query.area, !isWithin(radius, of: point, row.coordinate) {
            return false
        }
        return try query.words.map { try matches(row.int64(0), $0) } ?? true
    }

    private func isWithin(_ radius: Double, of point: Coordinate, _ coordinate: Coordinate) -> Bool {
        let roughly = Geodesic.haversine(point, coordinate)
        if roughly * Geodesic.leastRatioToHaversine - roundingMetres > radius { return false }
        return roughly * Geodesic.greatestRatioToHaversine + roundingMetres < radius
            || Geodesic.distance(point, coordinate) <= radius
    }

    /// Whether the texts of a pin that is visible already have all the words.
    func matches(_ id: Int64, _ pattern: SearchWords.Pattern) throws -> Bool {
        let found = try read.row(
            "SELECT searchForm, name, comment, address FROM pin WHERE id = \(id)", grant: grant
        ) { row in
            if let kept = row.optionalText(0) { return pattern.matches(kept) }
            var form: [UInt8] = []
            for column in 1...3 where !row.isNull(column) {
                guard row.withUTF8(column, { SearchWords.appendForm(ofASCII: $0, to: &form) }) else {
                    return pattern.matches(SearchWords.form(of: (1...3).compactMap(row.optionalText)))
                }
            }
            return pattern.matches(form)
        }
        return found ?? false
    }

    private func pin(_ row: Row) -> Pin {
        let owner: Identifier<User> = row.identifier(1)
        let address = row.optionalText(6)
        return Pin(
            id: row.identifier(0), ownerId: owner, ownerUsername: row.text(2),
            coordinate: Coordinate(latitudeE7: Int32(row.int64(4)), longitudeE7: Int32(row.int64(3))),
            name: row.text(5), address: address,
            addressSource: address == nil ? nil : row.bool(7) ? .owner : .gazetteer,
            comment: row.optionalText(8), rating: row.optionalInt64(9).map(Int.init),
            category: Pin.Category(code: row.int64(10)),
            audience: owner == viewer ? Pin.Audience(code: row.int64(11)) : nil, createdAt: row.timestamp(12),
            updatedAt: row.timestamp(13))
    }
}

private let pinColumns: StaticString = """
    pin.id, pin.ownerId, account.username, pin.longitude, pin.latitude, pin.name, pin.address, pin.addressByOwner,
    pin.comment, pin.rating, pin.category, pin.audience, pin.createdAt, pin.updatedAt
    FROM pin JOIN account ON account.id = pin.ownerId
    """

/// More than the formulas of the two distances are off by rounding. Without it, pins that are one point (as all
/// longitudes of a pole are) would fall out of a list: their great-circle distance is not quite 0.
private let roundingMetres = 0.001

/// A pin that a list keeps, before its wide row is read.
struct RankedPin {
    let id: Int64
    let rank: PinRank
}

extension Row {
    /// The position in columns 2 and 3 of the covering statement.
    fileprivate var coordinate: Coordinate {
        Coordinate(latitudeE7: Int32(int64(3)), longitudeE7: Int32(int64(2)))
    }
}

extension PinQuery {
    fileprivate var radius: Double? {
        if case .near(_, let radius?) = area { radius } else { nil }
    }

    fileprivate var boundingBox: BoundingBox {
        switch area {
        case .everywhere, .near(_, nil): .world
        case .box(let box): box
        case .near(let point, let radius?): BoundingBox(around: point, metres: radius)
        }
    }

    fileprivate func rank(of row: Row) -> PinRank {
        sort == .rating
            ? .rating(row.int64(4), createdAt: row.int64(1), id: row.int64(0))
            : .newest(createdAt: row.int64(1), id: row.int64(0))
    }
}
