import Geo
import SocialModel
import Storage

/// Owner-first without the index: through the rows that are in memory, by the same rule as the statements.
extension VisiblePins {
    /// The owners of a sight, by where their pins are read.
    struct PlacedOwners {
        let inMemory: RememberedPins
        let inIndex: [Int64]
    }

    /// All owners of the view's sight.
    func placed(_ view: View, _ query: PinQuery) -> PlacedOwners {
        let owners = view.sight.owners
        // Words are not in memory.
        guard let known = view.known, query.words == nil else {
            return PlacedOwners(inMemory: RememberedPins(of: []), inIndex: owners)
        }
        guard known.missing + known.tooLong > 0 else { return PlacedOwners(inMemory: known, inIndex: []) }
        return PlacedOwners(
            inMemory: known, inIndex: known.indices.filter { known[$0]?.isTooLong ?? true }.map { owners[$0] })
    }

    /// The view with some of the owners who are missing in memory brought into it, for this list and the next ones. Who has
    /// thousands of friends has them there after some lists, none of which waits for all.
    func broughtIn(_ view: View, for query: PinQuery) throws -> View {
        guard var known = view.known, known.missing > 0, query.words == nil else { return view }
        let owners = view.sight.owners
        let missing = known.indices.lazy.filter { known[$0] == nil }.prefix(ownersBroughtIn)
        let wanted = Array(missing)
        let pins = try readPins(of: wanted.map { owners[$0] }, at: view.end)
        for index in wanted { known[index] = pins[owners[index]] }
        return View(whole: view.whole, sight: view.sight, known: known, end: view.end)
    }

    /// All pins of some owners, whomever they are for: what is handed out of them is decided row by row.
    private func readPins(of owners: [Int64], at end: Int64) throws -> [Int64: OwnerPins] {
        guard let memory = planner?.memory else { return [:] }
        let names = try usernames(Set(owners))
        var found: [Int64: OwnerPins] = [:]
        func keep(_ owner: Int64, _ numbers: some RandomAccessCollection<Int64>) {
            let name = names[owner] ?? ""
            found[owner] = memory.keep(owner, at: end) {
                OwnerPins(of: owner, username: name, validFrom: $0, numbers)
            }
        }
        // In the order of the index.
        try read.gather(
            """
            SELECT gather(ownerId, id, createdAt, longitude, latitude, rating, category, audience) FROM (
                SELECT ownerId, id, createdAt, longitude, latitude, rating, category, audience
                FROM pin INDEXED BY pinByOwner WHERE ownerId IN (\(list: padded(owners)))
                ORDER BY ownerId, createdAt, id)
            """, grant: grant
        ) { numbers in
            let width = OwnerPins.columns + 1
            var rows: [Int64] = []
            for row in stride(from: 0, to: numbers.count, by: width) {
                rows.append(contentsOf: numbers[(row + 1)..<(row + width)])
                let owner = numbers[row]
                guard row + width == numbers.count || numbers[row + width] != owner else { continue }
                keep(owner, rows)
                rows.removeAll(keepingCapacity: true)
            }
        }
        // Who has no pins is known too.
        for owner in owners where found[owner] == nil { keep(owner, []) }
        return found
    }

    /// Offers the rows that may be among the best of a list by newest or by rating.
    func keep(
        inMemory owners: RememberedPins, _ query: PinQuery, _ sight: Sight, _ after: PinRank?, _ best: inout BestPins
    ) throws {
        let filter = RowFilter(query, query.boundingBox, sight)
        let isNewest = query.sort == .newest
        var worst = best.worst
        try owners.forEachOwner(within: filter.cells) { owner in
            let audiences = filter.audiences(of: owner)
            for index in owner.rows.indices.reversed() {
                guard filter.takes(owner.positions[index]) else { continue }
                let row = owner.rows[index]
                if row.createdAt < filter.since { break }
                if isNewest, let worst, PinRank.newest(createdAt: row.createdAt, id: row.id) >= worst { break }
                guard filter.takes(row, audiences) else { continue }
                let rank = query.rank(of: row)
                if let after, rank <= after { continue }
                if let worst, rank >= worst { continue }
                if query.radius != nil, try !accepts(PinEntry(index, owner, sight), query, nil) { continue }
                best.offer(RankedPin(id: row.id, rank: rank))
                worst = best.worst
            }
        }
    }

    /// Offers the rows that may be among the nearest, each time within the reach that is left.
    func keepNearest(
        inMemory owners: RememberedPins, _ query: PinQuery, _ sight: Sight, _ point: Coordinate, _ after: PinRank?,
        _ best: inout BestPins
    ) throws {
        var reach = min(query.radius ?? .infinity, best.reach)
        var filter = RowFilter(query, reach.isFinite ? BoundingBox(around: point, metres: reach) : .world, sight)
        try owners.forEachOwner(within: filter.cells) { owner in
            let audiences = filter.audiences(of: owner)
            for index in owner.rows.indices
            where filter.takes(owner.positions[index]) && filter.takes(owner.rows[index], audiences) {
                try keepNear(PinEntry(index, owner, sight), query, nil, point, after, &best)
            }
            // A smaller box spares distances; making one costs as much as some.
            if best.reach < reach * 0.8 {
                reach = best.reach
                filter = RowFilter(query, BoundingBox(around: point, metres: reach), sight)
            }
        }
    }

    /// Hands out each visible row of `query`, in no order.
    func forEachEntry(
        inMemory owners: RememberedPins, _ query: PinQuery, _ sight: Sight, _ body: (PinEntry) throws -> Void
    ) throws {
        let filter = RowFilter(query, query.boundingBox, sight)
        try owners.forEachOwner(within: filter.cells) { owner in
            let audiences = filter.audiences(of: owner)
            for index in owner.rows.indices
            where filter.takes(owner.positions[index]) && filter.takes(owner.rows[index], audiences) {
                let entry = PinEntry(index, owner, sight)
                if query.radius == nil { try body(entry) } else if try accepts(entry, query, nil) { try body(entry) }
            }
        }
    }
}

extension VisiblePins.View {
    /// For choosing a way.
    var owners: PinWay.Owners {
        PinWay.Owners(
            count: sight.owners.count, missing: known?.missing ?? sight.owners.count, pins: sight.pins)
    }
}

/// The most owners that one list brings into memory: two or three milliseconds of reading.
private let ownersBroughtIn = 128

/// Which rows of owners of a sight are visible to its viewer, and of the query as far as a box and its filters go.
private struct RowFilter {
    let since: Int64
    private let latitudes: ClosedRange<Int32>
    private let longitudes: (ClosedRange<Int32>, ClosedRange<Int32>)
    private let minRating: UInt8
    private let categories: UInt64
    private let sight: Sight
    /// Nil if the box is too large for them to tell anything.
    let cells: PinCells?

    init(_ query: PinQuery, _ box: BoundingBox, _ sight: Sight) {
        self.sight = sight
        since = query.since?.milliseconds ?? .min
        latitudes = box.south...box.north
        let ranges = box.longitudeRanges
        longitudes = (ranges[0], ranges[ranges.count - 1])
        minRating = UInt8(clamping: query.minRating ?? 0)
        categories = UInt64(bitPattern: query.categoryMask)
        cells = PinCells(covering: box)
    }

    /// The rule of `VisiblePins.isForViewer`: which audiences of an owner's pins the viewer is in, a bit for each value of
    /// `OwnerPins.Row.audience`. The viewer is the first owner of a sight, if it has the viewer at all.
    func audiences(of owner: RememberedPins.Owner) -> UInt64 {
        if owner.index == 0, sight.owners[0] == sight.viewer.rawValue { return .max }
        var audiences: UInt64 = 0b10
        for (index, circle) in owner.circles.enumerated() where sight.circleSet.contains(circle) {
            audiences |= 1 << UInt64(index + 2)
        }
        return audiences
    }

    @inline(__always)
    func takes(_ position: OwnerPins.Position) -> Bool {
        latitudes.contains(position.latitude)
            && (longitudes.0.contains(position.longitude) || longitudes.1.contains(position.longitude))
    }

    @inline(__always)
    func takes(_ row: OwnerPins.Row, _ audiences: UInt64) -> Bool {
        row.createdAt >= since && row.rating >= minRating && categories & 1 << UInt64(row.category) != 0
            && audiences & 1 << UInt64(row.audience) != 0
    }
}

extension PinEntry {
    fileprivate init(_ index: Int, _ owner: RememberedPins.Owner, _ sight: Sight) {
        let (row, position) = (owner.rows[index], owner.positions[index])
        self.init(
            id: row.id, ownerId: sight.owners[owner.index], createdAt: row.createdAt,
            coordinate: Coordinate(latitudeE7: position.latitude, longitudeE7: position.longitude),
            rating: Int64(row.rating), category: Int64(row.category))
    }
}

extension PinQuery {
    /// The rank by newest or by rating.
    fileprivate func rank(of row: OwnerPins.Row) -> PinRank {
        sort == .rating
            ? .rating(Int64(row.rating), createdAt: row.createdAt, id: row.id)
            : .newest(createdAt: row.createdAt, id: row.id)
    }
}
