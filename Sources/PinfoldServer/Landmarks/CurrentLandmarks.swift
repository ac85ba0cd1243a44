import Geo
import SocialModel
import Storage

/// The one place where landmarks are read: the rows of each dataset's current state, in one snapshot.
struct CurrentLandmarks<Snapshot: Transaction> {
    let read: Snapshot
    /// All that can be read.
    let datasets: [LandmarkDataset]

    init(in read: Snapshot) throws {
        self.init(try LandmarkDataset.all(in: read), in: read)
    }

    init(_ datasets: [LandmarkDataset], in read: Snapshot) {
        self.read = read
        self.datasets = datasets
    }

    /// The rule for a row of `landmark` joined with its dataset; every statement here has it.
    static var isCurrent: SQL {
        """
        landmark.fromState <= dataset.state AND landmark.untilState > dataset.state AND dataset.name IS NOT NULL
        """
    }

    func dataset(_ id: Identifier<Dataset>) -> LandmarkDataset? { datasets.first { $0.id == id } }

    // MARK: Single landmarks

    /// The landmark with this id, with its geometry; nil if no dataset has it now.
    func landmark(_ id: Identifier<Landmark>) throws -> PublishedLandmark? {
        var number: Int64?
        // Few contents of one landmark are kept, and mostly it has one.
        try read.forEach(
            """
            SELECT landmark.number FROM landmark NOT INDEXED CROSS JOIN dataset ON dataset.id = landmark.datasetId
            WHERE landmark.number = \(id) AND landmark.landmarkId = \(id) AND \(Self.isCurrent)
            UNION ALL
            SELECT landmark.number FROM landmark INDEXED BY landmarkById
            CROSS JOIN dataset ON dataset.id = landmark.datasetId
            WHERE landmark.landmarkId = \(id) AND landmark.number <> landmark.landmarkId AND \(Self.isCurrent)
            """
        ) { row in
            number = row.int64(0)
            return false
        }
        guard let number, var landmark = try landmarks([number])[number] else { return nil }
        landmark.geometry = try geometry(of: number)
        return landmark
    }

    /// Those of the rows with these numbers that are current, by number; without geometries.
    func landmarks(_ numbers: [Int64]) throws -> [Int64: PublishedLandmark] {
        var found: [Int64: PublishedLandmark] = Dictionary(minimumCapacity: numbers.count)
        for chunk in chunks(of: numbers) {
            try read.forEach(
                """
                SELECT \(literal: PublishedLandmark.columns)
                FROM landmark NOT INDEXED CROSS JOIN dataset ON dataset.id = landmark.datasetId
                WHERE landmark.number IN (\(list: padded(chunk))) AND \(Self.isCurrent)
                """
            ) { row in
                let landmark = PublishedLandmark(row)
                found[landmark.number] = landmark
                return true
            }
        }
        return found
    }

    /// The line or area of a row, as GeoJSON; nil of a point.
    func geometry(of number: Int64) throws -> String? {
        try read.row("SELECT AsGeoJSON(geom, 7) FROM landmarkShape WHERE number = \(number)") { $0.optionalText(0) }
            ?? nil
    }

    // MARK: Lists

    /// Up to `limit` landmarks of the query in its order, behind `after`; with the rank of each.
    ///
    /// - Parameter names: what `words` are looked for in.
    func list(
        _ query: LandmarkQuery, after: LandmarkRank?, limit: Int, _ names: LandmarkNames? = nil
    ) throws -> [(landmark: PublishedLandmark, rank: LandmarkRank)] {
        if let datasets = query.datasets, datasets.isEmpty { return [] }
        let ranked =
            if case .near(let point, let radius) = query.area {
                try nearest(query, point, radius, after, limit, names)
            } else {
                try alongCurve(query, after, limit, names)
            }
        let rows = try landmarks(ranked.map(\.number))
        return ranked.compactMap { ranked in
            guard var landmark = rows[ranked.number] else { return nil }
            if case .near = query.area { landmark.distance = ranked.rank.metres }
            return (landmark, ranked.rank)
        }
    }

    private func alongCurve(
        _ query: LandmarkQuery, _ after: LandmarkRank?, _ limit: Int, _ names: LandmarkNames?
    ) throws -> [RankedLandmark] {
        var box: BoundingBox?
        if case .box(let asked) = query.area { box = asked }
        var entries: [LandmarkEntry] = []
        // Where the last of those wanted is; others may be there too, and their ids decide.
        var wanted = limit
        var end: Int64?
        func take(_ entry: LandmarkEntry) -> Bool {
            if let end, entry.position > end { return false }
            guard box?.contains(entry.coordinate) ?? true else { return true }
            entries.append(entry)
            if entry.position > after?.key ?? -1 { wanted -= 1 }
            if wanted == 0 { end = entry.position }
            return true
        }
        var matches = matches(query, names)
        let areSure = matches?.areSure == true
        for range in ranges(query) {
            guard let range = range.from(after?.key ?? 0) else { continue }
            if matches == nil {
                try forEachEntry(inPlaces: range, query, take)
            } else {
                try matches?.forEach(inPlaces: range) { entry in
                    guard box?.contains(entry.coordinate) ?? true, try areSure || isOf(query, entry) else {
                        return true
                    }
                    return take(entry)
                }
            }
            if end != nil { break }
        }
        if let box { entries += try shapesReachingInto(box, query).filter { $0.position >= after?.key ?? 0 } }
        let first = after ?? LandmarkRank(key: -1, id: 0)
        return Array(try ranked(entries).filter { $0.rank > first }.sorted { $0.rank < $1.rank }.prefix(limit))
    }

    /// What is of the query, as far as the files of names tell; nil where the database is to be asked alone. Only there are
    /// words to be found, and what few of many landmarks have is found faster.
    private func matches(_ query: LandmarkQuery, _ names: LandmarkNames?) -> LandmarkMatches? {
        let chosen = datasets.filter { query.datasets?.contains($0.id.rawValue) ?? true }
        let isSelective =
            query.words != nil || query.name != nil || query.updated != nil || !query.categories.isEmpty
        guard isSelective else { return nil }
        let current = names.map { names in chosen.compactMap(names.currentShards) } ?? []
        if current.count == chosen.count { return LandmarkMatches(current.flatMap(\.self), query, areCurrent: true) }
        guard query.words != nil else { return nil }
        return LandmarkMatches(names.map { chosen.flatMap($0.shards) } ?? [], query, areCurrent: false)
    }

    /// The places that a list along the curve is in.
    private func ranges(_ query: LandmarkQuery) -> [ClosedRange<Int64>] {
        if case .box(let box) = query.area, box != .world {
            return HilbertCurve.ranges(covering: box, limit: PinWay.rangeLimit)
        }
        // Of a small dataset among large ones most of the curve has nothing.
        if let wanted = query.datasets {
            let chosen = datasets.filter { wanted.contains($0.id.rawValue) }
            let all = datasets.reduce(0) { $0 + $1.count }
            if chosen.reduce(0, { $0 + $1.count }) < all / 4, chosen.allSatisfy({ $0.extent != nil || $0.count == 0 }) {
                let parts = chosen.compactMap(\.extent).flatMap {
                    HilbertCurve.ranges(covering: $0, limit: PinWay.rangeLimit)
                }
                return ClosedRange<Int64>.joined(parts)
            }
        }
        return [0...Int64.max]
    }

    private func nearest(
        _ query: LandmarkQuery, _ point: Coordinate, _ radius: Double?, _ after: LandmarkRank?, _ limit: Int,
        _ names: LandmarkNames?
    ) throws -> [RankedLandmark] {
        var best = NearestLandmarks(limit: limit, point: point, radius: radius, after: after)
        func keep(_ entry: LandmarkEntry) throws {
            guard let metres = best.metres(to: entry.coordinate) else { return }
            guard let id = try landmarkId(entry.number) else { return }
            best.offer(RankedLandmark(number: entry.number, rank: LandmarkRank(metres: metres, id: id)))
        }
        let matches = matches(query, names)
        let whole = ranges(query)
        // A few houses, then ever larger circles.
        var reach = min(radius ?? 100, 100)
        while true {
            // A box holds those before it, so each starts anew.
            best.removeAll()
            let box = reach < 20_100_000 ? BoundingBox(around: point, metres: reach) : .world
            let around = HilbertCurve.ranges(covering: box, limit: PinWay.rangeLimit)
            for range in ClosedRange<Int64>.common(around, whole) {
                if let matches {
                    try matches.forEachUnordered(inPlaces: range) { entry in
                        if best.metres(to: entry.coordinate) != nil, try matches.areSure || isOf(query, entry) {
                            try keep(entry)
                        }
                    }
                } else {
                    try gatherEntries(inPlaces: range, query, keep)
                }
            }
            if best.reach <= reach || reach >= radius ?? .infinity || box == .world { return best.sorted }
            // The worst that is kept bounds the answer; else there should be enough in as much larger a circle.
            let growth = (Double(limit) / (Double(best.count) + 0.5)).squareRoot() * 1.3
            reach = best.reach.isFinite ? best.reach : reach * min(max(growth, 2), 8)
            if let radius { reach = min(reach, radius) }
        }
    }

    private func ranked(_ entries: [LandmarkEntry]) throws -> [RankedLandmark] {
        let positions = Dictionary(entries.map { ($0.number, $0.position) }) { first, _ in first }
        var ranked: [RankedLandmark] = []
        ranked.reserveCapacity(entries.count)
        for chunk in chunks(of: Array(positions.keys)) {
            try read.forEach(
                "SELECT number, landmarkId FROM landmark NOT INDEXED WHERE number IN (\(list: padded(chunk)))"
            ) { row in
                let number = row.int64(0)
                if let position = positions[number] {
                    ranked.append(RankedLandmark(number: number, rank: LandmarkRank(key: position, id: row.int64(1))))
                }
                return true
            }
        }
        return ranked
    }

    private func landmarkId(_ number: Int64) throws -> Int64? {
        try read.row("SELECT landmarkId FROM landmark WHERE number = \(number)") { $0.int64(0) }
    }

    // MARK: The statements

    /// Hands out the rows of a range of the Hilbert curve along it, until `body` returns false. The index has all that is
    /// asked for, and the position gives the coordinate.
    private func forEachEntry(
        inPlaces range: ClosedRange<Int64>, _ query: LandmarkQuery, _ body: (LandmarkEntry) throws -> Bool
    ) throws {
        try read.forEach(
            """
            SELECT place, landmark.number, landmark.category
            \(rows(inPlaces: range, query)) ORDER BY place
            """
        ) { row in try body(LandmarkEntry(position: row.int64(0), number: row.int64(1), category: row.int64(2))) }
    }

    /// The same in no order, all of them, which is faster.
    func gatherEntries(
        inPlaces range: ClosedRange<Int64>, _ query: LandmarkQuery, _ body: (LandmarkEntry) throws -> Void
    ) throws {
        try read.gather(
            """
            SELECT gather(place, landmark.number, landmark.category)
            \(rows(inPlaces: range, query))
            """
        ) { numbers in
            for row in stride(from: 0, to: numbers.count, by: 3) {
                try body(LandmarkEntry(position: numbers[row], number: numbers[row + 1], category: numbers[row + 2]))
            }
        }
    }

    private func rows(inPlaces range: ClosedRange<Int64>, _ query: LandmarkQuery) -> SQL {
        // The table of places has what most queries ask for, under the same names.
        let rows: SQL =
            query.name == nil && query.updated == nil
            ? "landmarkPlace AS landmark"
            : "landmarkPlace CROSS JOIN landmark NOT INDEXED ON landmark.number = landmarkPlace.number"
        return """
            FROM \(rows) CROSS JOIN dataset ON dataset.id = landmark.datasetId
            WHERE place BETWEEN \(range.lowerBound) AND \(range.upperBound) AND \(Self.isCurrent) \(conditions(query))
            """
    }

    /// What a row must fulfil besides its place and its words.
    func conditions(_ query: LandmarkQuery) -> SQL {
        var conditions: SQL = ""
        if let datasets = query.datasets {
            conditions = "AND memberOf(landmark.datasetId, \(IntegerSet(datasets.sorted())))"
        }
        if !query.categories.isEmpty {
            conditions = "\(conditions) AND (1 << landmark.category) & \(query.categoryMask) <> 0"
        }
        if let name = query.name { conditions = "\(conditions) AND landmark.name = \(name)" }
        if let updated = query.updated {
            conditions = """
                \(conditions) AND landmark.updatedAt BETWEEN \(updated.lowerBound) AND \(updated.upperBound)
                """
        }
        return conditions
    }

    /// Whether a row is current and of the query, but for its place and its words.
    private func isOf(_ query: LandmarkQuery, _ entry: LandmarkEntry) throws -> Bool {
        try read.exists(
            """
            SELECT 1 FROM landmark NOT INDEXED CROSS JOIN dataset ON dataset.id = landmark.datasetId
            WHERE landmark.number = \(entry.number) AND \(Self.isCurrent) \(conditions(query))
            """)
    }
}

/// A row, and its landmark's place in a list.
struct RankedLandmark {
    let number: Int64
    let rank: LandmarkRank
}

/// A row as the index by place has it.
struct LandmarkEntry {
    let position: Int64
    let number: Int64
    let category: Int64
    var coordinate: Coordinate { HilbertCurve.coordinate(at: position) }
}

extension ClosedRange<Int64> {
    /// The part that is not below a bound; nil for none.
    fileprivate func from(_ bound: Int64) -> ClosedRange<Int64>? {
        upperBound < bound ? nil : Swift.max(lowerBound, bound)...upperBound
    }

    /// What two lists of ranges, each ascending and apart, have in common.
    fileprivate static func common(_ a: [ClosedRange<Int64>], _ b: [ClosedRange<Int64>]) -> [ClosedRange<Int64>] {
        var (common, i, j): ([ClosedRange<Int64>], Int, Int) = ([], 0, 0)
        while i < a.count, j < b.count {
            if a[i].overlaps(b[j]) { common.append(a[i].clamped(to: b[j])) }
            if a[i].upperBound < b[j].upperBound { i += 1 } else { j += 1 }
        }
        return common
    }

    /// The same numbers in ranges that are ascending and apart.
    fileprivate static func joined(_ ranges: [ClosedRange<Int64>]) -> [ClosedRange<Int64>] {
        var joined: [ClosedRange<Int64>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = joined.last, range.lowerBound - 1 <= last.upperBound {
                joined[joined.count - 1] = last.lowerBound...Swift.max(last.upperBound, range.upperBound)
            } else {
                joined.append(range)
            }
        }
        return joined
    }
}
