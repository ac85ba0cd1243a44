import Dispatch
import Foundation
import Geo
import SocialModel
import Storage
import Synchronization

/// The names and words of all datasets' landmarks, to be searched: for each dataset some files, made from its rows after
/// each import, on a thread of their own. Until they are there the ones before go on, and what is found is asked of the
/// database again: nothing is shown that the dataset no longer has.
package final class LandmarkNames: Sendable {
    private struct Names {
        /// What the files are of: see `version`.
        let version: String
        let state: Int64
        let shards: [LandmarkShard]
    }

    private let database: DatabasePool
    private let folder: String
    private let log: Log
    private let names = Mutex<[Int64: Names]>([:])
    private let isClosed = Atomic(false)
    private let queue = DispatchQueue(label: "names of landmarks", qos: .utility)

    /// Rows that are read in one snapshot.
    private static let chunk = 2_000

    init(_ database: DatabasePool, folder: String, log: Log) {
        self.database = database
        self.folder = folder
        self.log = log
    }

    /// Brings the names of a dataset to its state, soon. To be called after each change of it, and when it is gone.
    package func refresh(dataset: Int64) {
        queue.async { [self] in attempt { try bringUpToDate([dataset]) } }
    }

    /// Opens the files of all datasets, makes those that are missing and removes those of datasets that are gone, soon.
    package func refresh() {
        queue.async { [self] in attempt { try bringUpToDate(nil) } }
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

    /// The shards of a dataset; none of one that is not there.
    func shards(of dataset: LandmarkDataset) -> [LandmarkShard] {
        names.withLock { $0[dataset.id.rawValue]?.shards ?? [] }
    }

    /// The shards of a dataset, if they have its state and no other; else nil.
    func currentShards(of dataset: LandmarkDataset) -> [LandmarkShard]? {
        names.withLock { names in
            guard let known = names[dataset.id.rawValue], known.state == dataset.state else { return nil }
            return known.shards
        }
    }

    /// What has all the words in its texts and is at a place and of a category that are wanted, in no order. The rows may
    /// no longer be current.
    func entries(
        of words: LandmarkWords, _ datasets: [LandmarkDataset], where isWanted: (LandmarkEntry, Coordinate) -> Bool
    ) -> [LandmarkEntry] {
        let wanted = LandmarkFolding.folding.words(words.text.unicodeScalars).words
        var entries: [LandmarkEntry] = []
        for shard in datasets.flatMap(shards) {
            shard.forEach(having: wanted) { landmark in
                let entry = shard.entry(of: landmark)
                if isWanted(entry, shard.coordinate(of: landmark)) { entries.append(entry) }
            }
        }
        return entries
    }

    // MARK: Making

    private func attempt(_ work: () throws -> Void) {
        guard !isClosed.load(ordering: .relaxed) else { return }
        do { try work() } catch {
            guard !isClosed.load(ordering: .relaxed) else { return }
            log.error("landmarks cannot be made searchable", ["error": String(describing: error)])
        }
    }

    /// - Parameter wanted: ids; nil for all datasets.
    private func bringUpToDate(_ wanted: [Int64]?) throws {
        let all = try database.read { read in
            try LandmarkDataset.all(in: read).map { dataset in
                // A state is called as the version that made it. When that was tells it from one of the same name in a
                // database that was put back from a backup.
                let made = try read.row(
                    """
                    SELECT createdAt FROM datasetVersion WHERE datasetId = \(dataset.id) AND number = \(dataset.state)
                    """
                ) { $0.int64(0) }
                return (id: dataset.id.rawValue, state: dataset.state, made: made ?? 0)
            }
        }
        for dataset in all where wanted?.contains(dataset.id) ?? true {
            let version = "landmarks \(LandmarkShard.form) \(dataset.id) \(dataset.state) \(dataset.made)"
            if names.withLock({ $0[dataset.id]?.version == version }) { continue }
            var shards = open(dataset.id, dataset.state, version)
            if shards == nil, dataset.state > 0 {
                try make(dataset.id, dataset.state, version)
                shards = open(dataset.id, dataset.state, version)
            }
            let made = Names(version: version, state: dataset.state, shards: shards ?? [])
            names.withLock { $0[dataset.id] = made }
        }
        let known = Dictionary(all.map { ($0.id, $0.state) }) { first, _ in first }
        names.withLock { names in names = names.filter { known[$0.key] != nil } }
        removeFiles(except: known)
    }

    private func path(_ dataset: Int64, _ state: Int64, _ shard: Int) -> String {
        "\(folder)/\(dataset)-\(state)-\(shard).index"
    }

    /// Nil unless all are there.
    private func open(_ dataset: Int64, _ state: Int64, _ version: String) -> [LandmarkShard]? {
        var shards: [LandmarkShard] = []
        while shards.last?.isLast != true {
            guard
                let parts = MappedParts.open(
                    path(dataset, state, shards.count), version: "\(version) \(shards.count)")
            else { return nil }
            shards.append(LandmarkShard(parts))
        }
        return shards
    }

    private func make(_ dataset: Int64, _ state: Int64, _ version: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        var (shard, key) = (0, "")
        var builder = LandmarkShardBuilder()
        while true {
            if isClosed.load(ordering: .relaxed) { return }
            // The rows of a state do not change, so they need not be of one snapshot.
            let rows = try database.read { read in
                try read.rows(
                    """
                    SELECT \(literal: PublishedLandmark.columns) FROM landmark INDEXED BY landmarkByKey
                    WHERE datasetId = \(dataset) AND key > \(key) AND fromState <= \(state) AND untilState > \(state)
                    ORDER BY key LIMIT \(Self.chunk)
                    """
                ) { PublishedLandmark($0) }
            }
            for row in rows { builder.add(row) }
            let isLast = rows.count < Self.chunk
            if let last = rows.last { key = last.key }
            guard isLast || builder.isFull else { continue }
            try MappedParts.write(
                builder.parts(isLast: isLast), version: "\(version) \(shard)", to: path(dataset, state, shard))
            if isLast { return }
            shard += 1
            builder = LandmarkShardBuilder()
        }
    }

    /// Removes the files of other states. Who still reads one goes on doing so.
    private func removeFiles(except known: [Int64: Int64]) {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for file in files {
            let parts = file.split(separator: "-")
            let isKnown =
                file.hasSuffix(".index") && parts.count == 3
                && known[Int64(parts[0]) ?? 0].map { "\($0)" == parts[1] } == true
            if !isKnown { unlink("\(folder)/\(file)") }
        }
    }
}
