import Geo
import SocialModel
import Storage
import Testing

@testable import PinfoldServer

/// What imports make of a dataset, against a dictionary.
@Suite struct LandmarkImportTests {
    @Test(arguments: 0..<16)
    func `any sequence of imports, cuts, undoings and restores leaves what was said last`(seed: UInt64) async throws {
        try await withApp { app, _ in
            var world = DatasetWorld(app.database, seed: seed)
            for step in 0..<40 { try world.step(step) }
            try world.cancel()
            try world.undoLeftovers()
            try world.expectNothingLeft()
        }
    }

    @Test func `an import without a change after a restore leaves nothing behind`() async throws {
        try await withApp { app, _ in
            var world = DatasetWorld(app.database, seed: 1)
            let old = [("a", "one"), ("b", "two"), ("c", "three")]
            var options = LandmarkImport.Options()
            options.mostRemoved = nil
            _ = try world.run(old, options)
            _ = try world.run([("a", "uno"), ("b", "dos")], options)
            try world.restore(1)
            #expect(try world.run(old, options).counts == .init(unchanged: 3))
            #expect(try world.run([("a", "eins"), ("b", "two"), ("d", "four")], options).counts.updated == 1)
            #expect(try world.stored() == ["a": "eins", "b": "two", "d": "four"])
            try world.expectNothingLeft()
        }
    }

    @Test func `many rows are undone and erased to the last`() async throws {
        try await withApp { app, _ in
            let world = DatasetWorld(app.database, seed: 1)
            let id = try world.head().id
            for isErased in [false, true] {
                try await app.database.write { write in
                    try write.run(
                        """
                        INSERT INTO landmark (number, landmarkId, datasetId, fromState, digest, key, longitude, latitude,
                            category, name, updatedAt)
                        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20100)
                        SELECT i, i, \(id), 1, 0, 'k' || i, i * 7919 % 1000000, i * 104729 % 1000000, 0, 'x', 0 FROM n
                        """)
                    try write.run(
                        """
                        INSERT INTO landmarkPlace (place, number, datasetId, fromState, category)
                        SELECT hilbert(longitude, latitude), number, datasetId, fromState, category FROM landmark
                        """)
                    if isErased { try write.run("UPDATE dataset SET name = NULL") }
                }
                let hasEnded =
                    isErased
                    ? try LandmarkImport.erase(id, in: app.database)
                    : try LandmarkImport.undo(1, of: id, in: app.database)
                #expect(hasEnded)
                try world.expectNothingLeft()
            }
            #expect(try app.database.read { try !$0.exists("SELECT 1 FROM dataset") })
        }
    }

    @Test func `rows of a key that an earlier row has are told, and the first counts`() async throws {
        try await withApp { app, _ in
            var world = DatasetWorld(app.database, seed: 1)
            let file = [("a", "one"), ("b", "two"), ("a", "three"), ("b", "four"), ("c", "five")]
            for isDryRun in [true, false] {
                var options = LandmarkImport.Options()
                options.isDryRun = isDryRun
                let result = try world.run(file, options)
                #expect(result.counts == .init(inserted: 3, rejected: 2))
                #expect(result.rejected.sorted() == [3, 4])
            }
            #expect(try world.stored() == ["a": "one", "b": "two", "c": "five"])
            // Known keys are told in the same way.
            let again = try world.run([("a", "one"), ("a", "one"), ("b", "new"), ("b", "two"), ("c", "five")])
            #expect(again.counts == .init(updated: 1, unchanged: 2, rejected: 2))
            #expect(try world.stored() == ["a": "one", "b": "new", "c": "five"])
        }
    }

    @Test func `a file that lacks much removes nothing`() async throws {
        try await withApp { app, _ in
            var world = DatasetWorld(app.database, seed: 1)
            let rows = (0..<100).map { ("k\($0)", "name \($0)") }
            _ = try world.run(rows)
            #expect(throws: LandmarkImport.TooManyRemoved.self) { try world.run(Array(rows.prefix(79))) }
            #expect(try world.stored().count == 100)
            #expect(try world.run(Array(rows.prefix(80))).counts == .init(unchanged: 80, removed: 20))
            #expect(try world.stored().count == 80)
        }
    }

    @Test func `shapes come, change and are restored with their landmarks`() async throws {
        try await withApp { app, _ in
            var world = DatasetWorld(app.database, seed: 1)
            world.hasShapes = true
            _ = try world.run([("a", "one"), ("b", "two")])
            _ = try world.run([("a", "one!"), ("b", "two")])
            let head = try world.head()
            try await app.database.write { write in _ = try head.restore(1, by: nil, in: write) }
            #expect(try world.stored() == ["a": "one", "b": "two"])
            #expect(try world.run([("a", "one"), ("b", "two"), ("c", "3")]).counts == .init(inserted: 1, unchanged: 2))
            let shapes = try app.database.read { read in
                try read.rows(
                    """
                    SELECT ST_AsText(landmarkShape.geom), name FROM landmark LEFT JOIN landmarkShape USING (number)
                    WHERE fromState <= 4 AND untilState > 4 ORDER BY key
                    """
                ) { [$0.optionalText(0), $0.text(1)] }
            }
            #expect(shapes.map { $0[1] } == ["one", "two", "3"])
            #expect(shapes.allSatisfy { $0[0]?.hasPrefix("LINESTRING") == true })
        }
    }

    @Test func `the box around a dataset is small, whatever it crosses`() {
        func box(_ points: [(Double, Double)]) -> [Double]? {
            var sum = ExtentSum()
            for (longitude, latitude) in points {
                if let point = Coordinate(latitude: latitude, longitude: longitude) { sum.add(point) }
            }
            return sum.box.map { [$0.west, $0.south, $0.east, $0.north].map { Double($0) / 1e7 } }
        }
        #expect(box([]) == nil)
        #expect(box([(7, 8)]) == [7, 8, 7, 8])
        #expect(box([(-10, -5), (20, 30), (0, 0)]) == [-10, -5, 20, 30])
        #expect(box([(179, 1), (-179, 2), (170, 0)]) == [170, 0, -179, 2])
        #expect(box([(-180, 0), (179.5, 0)]) == [179.5, 0, 180, 0])
    }
}

/// One dataset under random imports, and what it should hold.
private struct DatasetWorld {
    let database: DatabasePool
    private var random: SplitMix64
    private var model: [String: String] = [:]
    /// What each version held.
    private var history: [Int64: [String: String]] = [:]
    private var ids: [String: Int64] = [:]
    /// Rows of an import that was cut short, which the next one goes on with or undoes.
    private var isCut = false
    /// Of imports that have come to nothing, which have to be undone before the next one begins.
    private var leftovers: [Int64] = []
    var hasShapes = false

    init(_ database: DatabasePool, seed: UInt64) {
        self.database = database
        random = SplitMix64(seed: seed)
    }

    func head() throws -> DatasetHead {
        let database = database
        if let head = try database.read({ try DatasetHead(named: "d", in: $0) }) { return head }
        return try database.write { try DatasetHead.create(named: "d", title: nil, in: $0) }
    }

    private func current() throws -> DatasetHead {
        var head = try head()
        head.isResumed = isCut
        return head
    }

    private func drafts(_ file: [(String, String)]) throws -> [LandmarkDraft] {
        try file.enumerated().map { index, row in
            let at = try #require(Coordinate(latitude: 10, longitude: Double(Int(row.0.dropFirst()) ?? 0)))
            var draft = LandmarkDraft(row: index + 1, key: row.0, coordinate: at, category: .other, name: row.1)
            if hasShapes {
                draft.shape =
                    [1, 2, 0, 0, 0, 2, 0, 0, 0]
                    + [1.0, 2, 3, Double(row.1.utf8.count)].flatMap { withUnsafeBytes(of: $0.bitPattern, Array.init) }
                draft.coordinate = try #require(Coordinate(latitude: 2, longitude: 1))
            }
            return draft
        }
    }

    /// A whole import.
    mutating func run(
        _ file: [(String, String)], _ options: LandmarkImport.Options = .init()
    ) throws -> (counts: LandmarkImport.Counts, rejected: [Int]) {
        try undoLeftovers()
        let head = try current()
        let rejected = Rejected()
        let importer = LandmarkImport(database, head, options, chunk: 7) { row, _, _ in rejected.rows.append(row) }
        for draft in try drafts(file) { try importer.take(draft) }
        try importer.finish()
        if !options.isDryRun, let version = importer.version(made: Timestamp(milliseconds: 1), by: nil) {
            try database.write { _ = try head.flip(to: version, in: $0) }
        } else if !options.isDryRun {
            leftovers.append(head.next)
        }
        return (importer.counts, rejected.rows)
    }

    private final class Rejected { var rows: [Int] = [] }

    mutating func step(_ step: Int) throws {
        let file = randomFile()
        switch Int.random(in: 0..<13, using: &random) {
        case 0, 1:
            // Cut short: what it has written is there and seen by nobody.
            try cut(file)
        case 2:
            try undoCut()
        case 3 where !history.isEmpty && !isCut:
            // Also while there are leftovers.
            try restore(try #require(history.keys.sorted().randomElement(using: &random)))
        case 10: try cancel()
        case 11:
            // An undoing that is cut short itself is done by the next one.
            var calls = Int.random(in: 0..<5, using: &random)
            let dataset = try head().id
            for state in leftovers {
                calls += 1
                _ = try LandmarkImport.undo(state, of: dataset, in: database) {
                    calls -= 1
                    return calls > 0
                }
            }
        case 12 where !model.isEmpty:
            // What it holds already.
            try undoCut()
            let same = model.map { ($0.key, $0.value) }
            let counts = try run(same).counts
            #expect(counts == .init(unchanged: same.count), "step \(step)")
            history[try head().version] = model
        case 4:
            var options = LandmarkImport.Options()
            options.isDryRun = true
            options.mostRemoved = nil
            let tried = try run(file, options).counts
            #expect(try stored() == model, "a dry run changed something, step \(step)")
            if !isCut {
                options.isDryRun = false
                let done = try run(file, options).counts
                #expect(tried == done, "a dry run promised something else, step \(step)")
                try take(file, replaces: true)
            }
        case 5, 6:
            // What another file had written is not what this one says, so it is undone first, as the worker does.
            try undoCut()
            var options = LandmarkImport.Options()
            options.replaces = false
            _ = try run(file, options)
            try take(file, replaces: false)
        default:
            try undoCut()
            // One that goes on where it was cut short comes to the same.
            if Bool.random(using: &random) { try cut(Array(file.prefix(20))) }
            var options = LandmarkImport.Options()
            options.mostRemoved = nil
            let before = model
            let counts = try run(file, options).counts
            let new = Dictionary(file, uniquingKeysWith: { first, _ in first })
            #expect(counts.inserted == new.keys.count { before[$0] == nil }, "step \(step)")
            #expect(counts.updated == new.count { row in before[row.key].map { $0 != row.value } ?? false })
            #expect(counts.unchanged == new.count { before[$0.key] == $0.value })
            #expect(counts.removed == before.keys.count { new[$0] == nil })
            try take(file, replaces: true)
        }
        #expect(try stored() == model, "step \(step)")
        #expect(try head().count == model.count || history.isEmpty, "step \(step)")
    }

    mutating func restore(_ number: Int64) throws {
        let head = try head()
        let isRestored = try database.write { try head.restore(number, by: nil, in: $0) }
        #expect(isRestored)
        model = history[number] ?? [:]
        history[head.next] = model
    }

    /// What was cut short shall not go on.
    mutating func cancel() throws {
        if isCut { leftovers.append(try head().next) }
        isCut = false
    }

    mutating func undoLeftovers() throws {
        let dataset = try head().id
        for state in leftovers { #expect(try LandmarkImport.undo(state, of: dataset, in: database)) }
        leftovers = []
    }

    /// No row is of a state that no version has, and no place is without a row.
    func expectNothingLeft() throws {
        let left = try database.read { read in
            try read.rows(
                """
                SELECT key, fromState, untilState FROM landmark
                WHERE fromState NOT IN (SELECT state FROM datasetVersion)
                    OR untilState <> \(Int64.max) AND untilState NOT IN (SELECT state FROM datasetVersion)
                UNION ALL SELECT 'a place', fromState, untilState FROM landmarkPlace
                WHERE number NOT IN (SELECT number FROM landmark)
                UNION ALL SELECT 'another end of ' || key, landmarkPlace.fromState, landmarkPlace.untilState
                FROM landmarkPlace JOIN landmark USING (number)
                WHERE landmarkPlace.fromState <> landmark.fromState OR landmarkPlace.untilState <> landmark.untilState
                """
            ) { "\($0.text(0)) \($0.int64(1))..<\($0.int64(2))" }
        }
        #expect(left == [])
    }

    private mutating func cut(_ file: [(String, String)]) throws {
        try undoLeftovers()
        let importer = LandmarkImport(database, try current(), .init(), chunk: 7) { _, _, _ in }
        for draft in try drafts(file) { try importer.take(draft) }
        importer.abandon()
        isCut = true
    }

    private mutating func undoCut() throws {
        try cancel()
        try undoLeftovers()
    }

    private mutating func take(_ file: [(String, String)], replaces: Bool) throws {
        let new = Dictionary(file, uniquingKeysWith: { first, _ in first })
        model = replaces ? new : model.merging(new) { $1 }
        history[try head().version] = model
        isCut = false
    }

    private mutating func randomFile() -> [(String, String)] {
        let count = Int.random(in: 1..<40, using: &random)
        return (0..<count).map { _ in
            (
                "k\(Int.random(in: 0..<50, using: &random))",
                ["x", "y", "z"].randomElement(using: &random) ?? ""
            )
        }.reduce(into: []) { rows, row in if !rows.contains(where: { $0.0 == row.0 }) { rows.append(row) } }
    }

    /// What readers see, after a look at whether each landmark kept its id.
    mutating func stored() throws -> [String: String] {
        let rows = try database.read { read in
            try read.rows(
                """
                SELECT key, landmark.name, landmarkId FROM landmark JOIN dataset ON dataset.id = datasetId
                WHERE dataset.name = 'd' AND fromState <= state AND untilState > state
                """
            ) { ($0.text(0), $0.text(1), $0.int64(2)) }
        }
        for (key, _, id) in rows {
            #expect(ids[key] ?? id == id, "\(key) has another id")
            ids[key] = id
        }
        #expect(Set(rows.map(\.0)).count == rows.count, "a key is there twice")
        let places = try database.read { read in
            try read.rows(
                """
                SELECT landmarkPlace.number, key FROM landmarkPlace JOIN dataset ON dataset.id = landmarkPlace.datasetId
                JOIN landmark ON landmark.number = landmarkPlace.number
                    AND hilbert(landmark.longitude, landmark.latitude) = landmarkPlace.place
                WHERE landmarkPlace.fromState <= state AND landmarkPlace.untilState > state
                """
            ) { $0.text(1) }
        }
        #expect(places.sorted() == rows.map(\.0).sorted(), "not every landmark has its place")
        return Dictionary(rows.map { ($0.0, $0.1) }, uniquingKeysWith: { first, _ in first })
    }
}
