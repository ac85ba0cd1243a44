import FeatureFiles
import Geo
import SocialModel
import Storage

/// Brings a dataset to what a file says of it. Rows are compared with those that are there and written, a few milliseconds
/// of the writer at a time, under a state that nobody reads; `commit` makes it the one that all read, with one row.
///
/// An import that was cut short is done again from its first row: what it had written is found and not written twice.
/// One that shall not go on is undone by `undo`. It is used by one thread.
final class LandmarkImport {
    struct Options: Sendable {
        /// Whether what the file does not have is removed.
        var replaces = true
        /// The part of the dataset that may be removed; nil for all of it.
        var mostRemoved: Double? = 0.2
        /// Counts what would be done, and does nothing.
        var isDryRun = false
    }

    struct Counts: Sendable, Equatable {
        var inserted = 0
        var updated = 0
        var unchanged = 0
        var removed = 0
        /// Rows that did not go in.
        var rejected = 0
    }

    /// Not one row of the file can be used.
    struct NoLandmarks: Error {}

    /// More than may be removed is not in the file.
    struct TooManyRemoved: Error {
        let removed: Int
        let count: Int
    }

    let database: DatabasePool
    let dataset: DatasetHead
    let options: Options
    private(set) var counts = Counts()
    private var extent = ExtentSum()
    /// The rows of the dataset that the file has had.
    private var seen = NumberSet()
    /// Of these, how many the dataset has now.
    private var kept = 0
    private var drafts: [LandmarkDraft] = []
    private var digestBuffer: [UInt8] = []
    /// For a dry run, which cannot find in the database what it has not written: the keys that would be new.
    private var newKeys = Set<Int>()
    private static let newKeyLimit = 4_000_000
    private let reject: (_ row: Int, _ field: String, _ message: String) throws -> Void
    private var writing: Writing?
    /// Of rows that are written, the entries of `landmarkPlace` that are not.
    private var places: [PlaceEntry] = []
    /// So many are written at once, in order: far fewer pages than one by one.
    private static let placeWindow = 250_000
    private var chunk: Int

    /// - Parameters:
    ///   - chunk: how many rows are compared and written at once, to begin with.
    ///   - reject: is told what is counted in `counts` already.
    init(
        _ database: DatabasePool, _ dataset: DatasetHead, _ options: Options, chunk: Int = 500,
        reject: @escaping (_ row: Int, _ field: String, _ message: String) throws -> Void
    ) {
        self.database = database
        self.dataset = dataset
        self.options = options
        self.chunk = chunk
        self.reject = reject
    }

    /// Takes the next row of the file.
    ///
    /// - Throws: `DatabaseError`, or what `reject` throws.
    func take(_ draft: LandmarkDraft) throws {
        drafts.append(draft)
        if drafts.count >= chunk { try flush() }
    }

    /// To be called for a row that is no landmark.
    func rejected(_ row: Int, _ field: String, _ message: String) throws {
        counts.rejected += 1
        try reject(row, field, message)
    }

    /// To be called after the last row, ahead of `commit`: what the file does not have is removed, if it is to be.
    ///
    /// - Throws: `NoLandmarks`, `TooManyRemoved`, ahead of any removal; `DatabaseError`.
    func finish() throws {
        try flush()
        try settle()
        guard counts.inserted + counts.updated + counts.unchanged > 0 else { throw NoLandmarks() }
        try writePlaces()
        if options.replaces {
            counts.removed = dataset.count - kept
            if let most = options.mostRemoved, Double(counts.removed) > most * Double(dataset.count) {
                throw TooManyRemoved(removed: counts.removed, count: dataset.count)
            }
        }
        // Rows of states that were left by restoring an earlier one have to be closed too.
        if !options.isDryRun, counts.removed > 0 || dataset.state != dataset.version { try sweep() }
    }

    /// Waits for what is being written, after which the import can be undone or begun again. It is of no more use.
    func abandon() {
        _ = try? writing?.wait()
        writing = nil
    }

    /// Nothing is different from what the dataset holds.
    var isWithoutChange: Bool { counts.inserted == 0 && counts.updated == 0 && counts.removed == 0 }

    /// What the dataset is after `commit`: how many landmarks, and the box around them.
    var count: Int { dataset.count + counts.inserted - counts.removed }

    /// Around what the file has, and what the dataset keeps besides.
    var box: BoundingBox? {
        var sum = extent
        if !options.replaces, let old = dataset.extent { sum.add(old) }
        return sum.box
    }

    // MARK: Comparing

    /// What is to be written for one row of the file.
    enum Change: Sendable {
        case insert(LandmarkDraft, digest: Int64, landmark: Int64?)
        case update(LandmarkDraft, digest: Int64, landmark: Int64, closing: Int64)
        /// The row is as it was in a state that is not the last one.
        case copy(Int64)
    }

    private func flush() throws {
        guard !drafts.isEmpty else { return }
        let (batch, head) = (drafts, dataset)
        drafts.removeAll(keepingCapacity: true)
        var changes: [Change] = []
        // A dataset without any rows needs no look.
        if head.version == 0, !head.isResumed {
            for draft in batch { try place(draft, known: [], &changes) }
        } else {
            try database.read { read in
                try read.prepare(
                    """
                    SELECT number, landmarkId, fromState, untilState, digest FROM landmark
                    WHERE datasetId = ? AND key = ? ORDER BY fromState DESC
                    """
                ) { statement in
                    for draft in batch {
                        var known: [Known] = []
                        try statement.forEach([.integer(head.id), .text(draft.key)]) { row in
                            known.append(Known(row))
                            return true
                        }
                        try place(draft, known: known, &changes)
                    }
                }
            }
        }
        guard !options.isDryRun, !changes.isEmpty else { return }
        try settle()
        writing = Writing(changes, head, in: database)
    }

    /// A row of the key, in some states.
    private struct Known {
        let number: Int64
        let landmark: Int64
        let states: Range<Int64>
        let digest: Int64

        init(_ row: Row) {
            number = row.int64(0)
            landmark = row.int64(1)
            states = row.int64(2)..<row.int64(3)
            digest = row.int64(4)
        }
    }

    /// - Parameter known: all rows of the draft's key, newest first.
    private func place(_ draft: LandmarkDraft, known: [Known], _ changes: inout [Change]) throws {
        let old = known.first { $0.states.contains(dataset.state) }
        // An import that was cut short had written it.
        let written = known.first { $0.states.lowerBound == dataset.next }
        if let written, !options.isDryRun {
            places.append(PlaceEntry(of: draft, number: written.number))
        }
        if let row = written ?? old {
            guard seen.insert(row.number) else { return try duplicate(draft) }
            if let old { seen.insert(old.number) }
        } else if options.isDryRun, newKeys.count < Self.newKeyLimit {
            guard newKeys.insert(draft.key.hashValue).inserted else { return try duplicate(draft) }
        }
        extent.add(draft.coordinate)
        if let shape = draft.shape { extent.add(ShapeJudge.box(of: shape)) }
        let digest = draft.digest(&digestBuffer)
        guard let old else {
            counts.inserted += 1
            if written == nil { changes.append(.insert(draft, digest: digest, landmark: known.first?.landmark)) }
            return
        }
        kept += 1
        if old.digest == digest {
            counts.unchanged += 1
            if written == nil, old.states.upperBound != .max { changes.append(.copy(old.number)) }
        } else {
            counts.updated += 1
            guard written == nil else { return }
            changes.append(.update(draft, digest: digest, landmark: old.landmark, closing: old.number))
        }
    }

    private func duplicate(_ draft: LandmarkDraft) throws {
        try rejected(draft.row, "key", "is that of an earlier row: \(draft.key.prefix(80))")
    }

    // MARK: Writing

    /// Waits for the chunk that is being written.
    private func settle() throws {
        guard let writing else { return }
        self.writing = nil
        let result = try writing.wait()
        for row in result.duplicates {
            counts.inserted -= 1
            try rejected(row, "key", "is that of an earlier row")
        }
        places += result.places
        if places.count >= Self.placeWindow { try writePlaces() }
        // As many as the writer takes in some 20 ms, which others have to wait for.
        let wanted = Double(writing.count) * 0.02 / max(result.seconds, 0.0005)
        chunk = Int(min(5_000, max(20, min(wanted, Double(writing.count) * 2))))
    }

    private func writePlaces() throws {
        places.sort { $0.place < $1.place }
        let (entries, head) = (places, dataset)
        places = []
        for start in stride(from: 0, to: entries.count, by: 4_000) {
            let part = entries[start..<min(start + 4_000, entries.count)]
            try database.write { try $0.store(part, head) }
        }
    }

    /// Closes the rows that are open and not in the new state.
    private func sweep() throws {
        var key = ""
        while true {
            let (after, head) = (key, dataset)
            var changes: [Sweep] = []
            var last: String?
            try database.read { read in
                try read.prepare(
                    """
                    SELECT key, number, fromState, untilState FROM landmark INDEXED BY landmarkByKey
                    WHERE datasetId = ? AND key > ? AND fromState < ? ORDER BY key LIMIT 4000
                    """
                ) { statement in
                    try statement.forEach([.integer(head.id), .text(after), .integer(head.next)]) { row in
                        last = row.text(0)
                        let (number, states) = (row.int64(1), row.int64(2)..<row.int64(3))
                        if let change = self.sweep(number, states) { changes.append(change) }
                        return true
                    }
                }
                // All rows of the last key, which the limit may have cut in two.
                guard let last else { return }
                let rest = try read.rows(
                    "SELECT number, fromState, untilState FROM landmark WHERE datasetId = \(head.id) AND key = \(last)"
                ) { ($0.int64(0), $0.int64(1)..<$0.int64(2)) }
                let known = Set(changes.map(\.number))
                for (number, states) in rest where states.lowerBound < head.next && !known.contains(number) {
                    if let change = self.sweep(number, states) { changes.append(change) }
                }
            }
            guard let last else { return }
            key = last
            for start in stride(from: 0, to: changes.count, by: 1_000) {
                let part = Array(changes[start..<min(start + 1_000, changes.count)])
                try database.write { write in
                    for change in part { try change.write(head, in: write) }
                }
            }
        }
    }

    /// What happens at the end to a row that the file did not have.
    private func sweep(_ number: Int64, _ states: Range<Int64>) -> Sweep? {
        let isNow = states.contains(dataset.state)
        let isOpen = states.upperBound == .max
        let stays = isNow && (seen.contains(number) || !options.replaces)
        if isOpen, !stays { return .close(number) }
        return isNow && !isOpen && !options.replaces && states.upperBound != dataset.next && !seen.contains(number)
            ? .copy(number) : nil
    }
}
