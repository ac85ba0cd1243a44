import Dispatch
import Foundation
import Geo
import SocialModel
import Storage
import Synchronization

/// The names and words of all datasets' landmarks, to be searched.
///
/// For each dataset there are layers of files, each of the rows that some of its versions have added: an import makes one
/// of what it has written, before that is read. A state is all layers without the rows that it lacks, of which there is a
/// bit for each row in memory. So what an import has brought is found from the moment on when it is read. For a version that
/// was restored the bits are made soon after; until then the database alone tells which rows are current.
package final class LandmarkNames: Sendable {
    /// What is known of a dataset.
    private struct Names {
        /// By what the versions have added, without a gap from the first one on.
        var layers: [LandmarkLayer] = []
        /// Those of an import that is about to end.
        var coming: [LandmarkLayer] = []
        /// The shards of the states that were made last, the newest at the end.
        var states: [(state: Int64, shards: [LandmarkShard])] = []

        mutating func add(_ shards: [LandmarkShard], of state: Int64) {
            states.removeAll { $0.state == state }
            states.append((state, shards))
            if states.count > LandmarkNames.keptStates { states.removeFirst() }
        }
    }

    private let database: DatabasePool
    private let files: LandmarkLayerFiles
    private let log: Log
    private let names = Mutex<[Int64: Names]>([:])
    private let isClosed = Atomic(false)
    private let queue = DispatchQueue(label: "names of landmarks", qos: .utility)

    /// The one that is read, the one that it follows, which requests may still read, and the one that comes.
    private static let keptStates = 3

    /// - Parameter areSearched: false where the files are only made, for the server.
    package init(_ database: DatabasePool, folder: String, areSearched: Bool = true, log: Log) {
        self.database = database
        files = LandmarkLayerFiles(database, folder: folder, areSearched: areSearched)
        self.log = log
    }

    /// Opens the files of all datasets, makes those that are missing and removes those that are not needed. Before this is
    /// done nothing is found.
    package func load() { queue.sync { attempt() } }

    /// The same soon, for what has changed.
    package func refresh() { queue.async { [self] in attempt() } }

    private func attempt() {
        guard !isClosed.load(ordering: .relaxed) else { return }
        do { try bringUpToDate() } catch is Closed {} catch {
            log.error("landmarks cannot be made searchable", ["error": String(describing: error)])
        }
    }

    /// Waits until what was asked for so far is done.
    func refreshed() async {
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }

    /// Ends what is being made, and waits for that. Nothing is made after it.
    package func close() {
        isClosed.store(true, ordering: .relaxed)
        queue.sync {}
    }

    /// There is nothing to be found.
    var isEmpty: Bool { names.withLock { $0.isEmpty } }

    /// The shards of a dataset: of the state that was read or, where its bits were not made yet, with the rows of all states.
    /// Which of them are current, the database knows.
    func shards(of dataset: LandmarkDataset) -> [LandmarkShard] {
        currentShards(of: dataset)
            ?? names.withLock { names in
                guard let known = names[dataset.id.rawValue] else { return [] }
                return (known.coming.isEmpty ? known.layers : known.coming).flatMap(\.shards)
            }
    }

    /// The shards of a dataset, if they have its state and no other; else nil.
    func currentShards(of dataset: LandmarkDataset) -> [LandmarkShard]? {
        names.withLock { names in
            names[dataset.id.rawValue]?.states.last { $0.state == dataset.state }?.shards
        }
    }

    // MARK: Making

    private struct Closed: Error {}

    /// Makes what an import has written searchable, before its version is read. It runs on the thread that calls.
    ///
    /// - Parameters:
    ///   - version: the version, and state, that comes; when it will say that it was made.
    ///   - rows: how many it has written, about.
    ///   - halt: is asked now and then whether to go on.
    /// - Throws: `DatabaseError`, `GazetteerError` if there is no room, and what `halt` throws.
    func prepare(
        dataset: Int64, version: (number: Int64, made: Timestamp), rows: Int, halt: () throws -> Void
    ) throws {
        try queue.sync {
            var layers = try self.layers(of: dataset, halt)
            // Each layer has twice as much as all behind it, so that there are few.
            var count = rows
            while let last = layers.last, last.count < 2 * count {
                count += last.count
                layers.removeLast()
            }
            let first = (layers.last?.versions.upperBound ?? 0) + 1
            layers.append(try files.make(dataset, first...version.number, made: version.made, halt))
            let shards = try shards(of: layers, in: version.number, dataset)
            names.withLock { names in
                names[dataset, default: Names()].coming = layers
                names[dataset, default: Names()].add(shards, of: version.number)
            }
        }
    }

    private func bringUpToDate() throws {
        func halt() throws {
            if isClosed.load(ordering: .relaxed) { throw Closed() }
        }
        // Whoever has asked for this may still be within its write.
        try database.write { _ in }
        let (all, ids) = try database.read { read in
            (
                try LandmarkDataset.all(in: read).map { (id: $0.id.rawValue, state: $0.state) },
                // Of one that an import makes nothing is read yet.
                Set(try read.rows("SELECT id FROM dataset WHERE name IS NOT NULL") { $0.int64(0) })
            )
        }
        for dataset in all {
            try halt()
            let layers = try self.layers(of: dataset.id, halt)
            let isMade = names.withLock { $0[dataset.id]?.states.contains { $0.state == dataset.state } == true }
            let shards = isMade ? nil : try self.shards(of: layers, in: dataset.state, dataset.id)
            names.withLock { names in
                names[dataset.id, default: Names()].layers = layers
                if let shards { names[dataset.id]?.add(shards, of: dataset.state) }
            }
        }
        let used = names.withLock { names in
            names = names.filter { ids.contains($0.key) }
            return names.values.flatMap { $0.layers + $0.coming }
        }
        files.remove(except: used)
    }

    /// The layers of all versions that a dataset has: those that are known, else those that files have, else new ones.
    private func layers(of dataset: Int64, _ halt: () throws -> Void) throws -> [LandmarkLayer] {
        let versions = try database.read { try LandmarkLayer.versions(of: dataset, in: $0) }
        let known = names.withLock { $0[dataset] } ?? Names()
        func areOfDataset(_ layers: [LandmarkLayer]) -> Bool {
            layers.allSatisfy { versions[$0.versions.upperBound] == $0.made }
        }
        var layers: [LandmarkLayer] = []
        if !known.coming.isEmpty, areOfDataset(known.coming) {
            layers = known.coming
            names.withLock { names in
                names[dataset]?.layers = known.coming
                names[dataset]?.coming = []
            }
        } else if areOfDataset(known.layers) {
            layers = known.layers
        }
        if layers.isEmpty { layers = files.open(dataset, versions) }
        let first = (layers.last?.versions.upperBound ?? 0) + 1
        if let last = versions.keys.max(), let made = versions[last], last >= first {
            layers.append(try files.make(dataset, first...last, made: made, halt))
        }
        return layers
    }

    private func shards(of layers: [LandmarkLayer], in state: Int64, _ dataset: Int64) throws -> [LandmarkShard] {
        let gone = try database.read { try LandmarkLayer.rows(of: dataset, notIn: state, in: $0) }
        return layers.flatMap(\.shards).map { $0.without(gone) }
    }
}
