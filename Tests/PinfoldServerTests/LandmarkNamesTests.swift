import Foundation
import Geo
import HTTP
import SocialModel
import Storage
import Testing

@testable import PinfoldServer

/// What is found by words is of the state that is read, from the moment on when it is.
@Suite(.serialized) struct LandmarkNamesTests {
    @Test(arguments: 0..<6 as Range<UInt64>)
    func `after random imports and restores each row of the state is found, and no other`(seed: UInt64) async throws {
        try await withApp { app, _ in
            var history = NamesHistory(app.database, folder: app.folder + "/random-names", app.app.log, seed: seed)
            for step in 0..<25 {
                try await history.step()
                #expect(try history.found() == history.stored(), "seed \(seed), step \(step)")
            }
            history.names.close()
        }
    }

    @Test func `small changes of a large dataset take few files`() async throws {
        try await withApp { app, _ in
            var history = NamesHistory(app.database, folder: app.folder + "/small-names", app.app.log, seed: 1)
            try history.importRows((0..<800).map { ("k\($0)", "Mill \($0)") })
            for change in 0..<30 { try history.importRows([("k\(change)", "Bridge \(change)")], merges: true) }
            #expect(try history.found() == history.stored())
            history.names.refresh()
            await history.names.refreshed()
            #expect(try (2...7).contains(history.fileCount()))
            history.names.close()
        }
    }

    /// Nothing is read yet of what is prepared, and nothing of it stays when it does not come.
    @Test func `what an import that failed had prepared is not found`() async throws {
        try await withApp { app, _ in
            var history = NamesHistory(app.database, folder: app.folder + "/failed-names", app.app.log, seed: 2)
            try history.importRows([("a", "Old Mill")])
            try history.importRows([("a", "New Mill"), ("b", "Bridge")], fails: true)
            #expect(try history.found() == history.stored())
            try history.importRows([("a", "Newest Mill")])
            #expect(try history.found() == history.stored() && history.found().count == 1)
            history.names.close()
        }
    }
}

/// A dataset that changes, and its names beside it.
private struct NamesHistory {
    private(set) var names: LandmarkNames
    private let database: DatabasePool
    private let folder: String
    private let log: Log
    private var random: SplitMix64
    private var versions: [Int64] = []
    /// States of imports that came to nothing, which are undone before the next one. Versions are restored meanwhile.
    private var leftovers: [Int64] = []
    private var clock: Int64 = 1_000

    init(_ database: DatabasePool, folder: String, _ log: Log, seed: UInt64) {
        self.database = database
        self.folder = folder
        self.log = log
        random = SplitMix64(seed: seed)
        names = LandmarkNames(database, folder: folder, log: log)
    }

    mutating func step() async throws {
        switch Int.random(in: 0..<8, using: &random) {
        case 0 where !versions.isEmpty: try restore()
        case 1:
            names.refresh()
            await names.refreshed()
        case 2:
            // The server starts again.
            names.close()
            names = LandmarkNames(database, folder: folder, log: log)
            names.refresh()
            await names.refreshed()
        case 3: try importRows(randomFile(), fails: true)
        case 4: try importRows(randomFile(), merges: true)
        default: try importRows(randomFile())
        }
    }

    private mutating func randomFile() -> [(String, String)] {
        (0..<60).filter { _ in Bool.random(using: &random) }.map {
            ("k\($0)", "Mill \(Int.random(in: 0..<3, using: &random))")
        }
    }

    private mutating func restore() throws {
        let head = try head()
        let number = versions[Int.random(in: 0..<versions.count, using: &random)]
        let isRestored = try database.write { try head.restore(number, by: nil, in: $0) }
        #expect(isRestored)
        versions.append(head.next)
    }

    private func head() throws -> DatasetHead {
        if let head = try database.read({ try DatasetHead(named: "d", in: $0) }) { return head }
        return try database.write { try DatasetHead.create(named: "d", title: nil, in: $0) }
    }

    mutating func importRows(_ file: [(String, String)], merges: Bool = false, fails: Bool = false) throws {
        let head = try head()
        for state in leftovers { #expect(try LandmarkImport.undo(state, of: head.id, in: database)) }
        leftovers = []
        var options = LandmarkImport.Options()
        options.replaces = !merges
        options.mostRemoved = nil
        let importer = LandmarkImport(database, head, options, chunk: 20) { _, _, _ in }
        for (index, row) in file.enumerated() {
            let place = try #require(Coordinate(latitude: Double(index % 90), longitude: 10))
            try importer.take(
                LandmarkDraft(row: index + 1, key: row.0, coordinate: place, category: .other, name: row.1))
        }
        try importer.finish()
        clock += 1
        let made = Timestamp(milliseconds: clock)
        guard let version = importer.version(made: made, by: nil) else { return leftovers.append(head.next) }
        let rows = importer.counts.inserted + importer.counts.updated
        try names.prepare(dataset: head.id, version: (head.next, made), rows: rows) {}
        if fails {
            leftovers.append(head.next)
        } else {
            try database.write { _ = try head.flip(to: version, in: $0) }
            versions.append(head.next)
        }
    }

    /// The numbers of the rows that are found; where the bits of the state are not there yet, those that the database has now.
    func found() throws -> Set<Int64> {
        let (datasets, current) = try database.read { (try LandmarkDataset.all(in: $0), try Self.stored(in: $0)) }
        var found: Set<Int64> = []
        for dataset in datasets {
            let areCurrent = names.currentShards(of: dataset) != nil
            let query = LandmarkQuery(words: LandmarkWords(text: "mi"))
            var matches = LandmarkMatches(names.shards(of: dataset), query, areCurrent: areCurrent)
            var (last, numbers): (Int64, [Int64]) = (0, [])
            matches.forEach(inPlaces: 0...Int64.max) { entry in
                #expect(entry.position >= last)
                last = entry.position
                numbers.append(entry.number)
                return true
            }
            var unordered: [Int64] = []
            matches.forEachUnordered(inPlaces: 0...Int64.max) { unordered.append($0.number) }
            #expect(unordered.sorted() == numbers.sorted() && Set(numbers).count == numbers.count)
            found.formUnion(areCurrent ? numbers : numbers.filter(current.contains))
        }
        return found
    }

    func stored() throws -> Set<Int64> { try database.read { try Self.stored(in: $0) } }

    private static func stored(in read: ReadTransaction) throws -> Set<Int64> {
        Set(
            try read.rows(
                """
                SELECT number FROM landmark JOIN dataset ON dataset.id = landmark.datasetId
                WHERE \(CurrentLandmarks<ReadTransaction>.isCurrent) AND landmark.name LIKE '%Mill%'
                """
            ) { $0.int64(0) })
    }

    func fileCount() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: folder).count }
}
