import Foundation
import SocialModel
import Storage

/// The names and words of all rows that some versions of a dataset have added.
struct LandmarkLayer: Sendable {
    let dataset: Int64
    let versions: ClosedRange<Int64>
    /// When the last one was made. That tells it from one of the same number in a database that was put back from a backup.
    let made: Timestamp
    /// How many rows each shard has.
    let counts: [Int]
    /// None where nothing is searched.
    let shards: [LandmarkShard]

    var count: Int { counts.reduce(0, +) }

    /// The versions of a dataset that have rows of their own, with when each was made.
    static func versions(of dataset: Int64, in read: some Transaction) throws -> [Int64: Timestamp] {
        let versions = try read.rows(
            "SELECT number, createdAt FROM datasetVersion WHERE datasetId = \(dataset) AND state = number"
        ) { ($0.int64(0), $0.timestamp(1)) }
        return Dictionary(versions) { first, _ in first }
    }

    /// The rows that a state of a dataset does not have.
    static func rows(of dataset: Int64, notIn state: Int64, in read: some Transaction) throws -> NumberSet {
        var rows = NumberSet()
        try read.gather(
            """
            SELECT gather(number) FROM landmarkPlace
            WHERE datasetId = \(dataset) AND (fromState > \(state) OR untilState <= \(state))
            """
        ) { numbers in for number in numbers { rows.insert(number) } }
        return rows
    }
}

/// The files of layers.
struct LandmarkLayerFiles: Sendable {
    private let database: DatabasePool
    private let folder: String
    /// Whether the files are searched here; else they are only made.
    private let areSearched: Bool

    /// Rows that are read in one snapshot.
    private static let chunk = 2_000

    init(_ database: DatabasePool, folder: String, areSearched: Bool) {
        self.database = database
        self.folder = folder
        self.areSearched = areSearched
    }

    private func path(_ dataset: Int64, _ versions: ClosedRange<Int64>, _ shard: Int) -> String {
        "\(folder)/\(dataset)-\(versions.lowerBound)-\(versions.upperBound)-\(shard).index"
    }

    /// What the file of a shard is of.
    private func content(_ dataset: Int64, _ versions: ClosedRange<Int64>, _ made: Timestamp, _ shard: Int) -> String {
        """
        landmarks \(LandmarkShard.form) \(dataset) \(versions.lowerBound) \(versions.upperBound) \(made.milliseconds) \
        \(shard)
        """
    }

    // MARK: Opening

    /// The layers that there are files of: from the first version on, without a gap.
    ///
    /// - Parameter versions: when each was made.
    func open(_ dataset: Int64, _ versions: [Int64: Timestamp]) -> [LandmarkLayer] {
        let known = names.compactMap(Self.layer).filter { $0.dataset == dataset }.map(\.versions)
        var layers: [LandmarkLayer] = []
        var next: Int64 = 1
        while true {
            let likely = Set(known.filter { $0.lowerBound == next }).sorted { $0.upperBound > $1.upperBound }
            let opened = likely.lazy.compactMap { range in
                versions[range.upperBound].flatMap { open(dataset, range, made: $0) }
            }.first
            guard let opened else { return layers }
            layers.append(opened)
            next = opened.versions.upperBound + 1
        }
    }

    /// Nil unless all shards are there.
    private func open(_ dataset: Int64, _ versions: ClosedRange<Int64>, made: Timestamp) -> LandmarkLayer? {
        var (counts, shards, isWhole): ([Int], [LandmarkShard], Bool) = ([], [], false)
        while !isWhole {
            guard
                let parts = MappedParts.open(
                    path(dataset, versions, counts.count), version: content(dataset, versions, made, counts.count))
            else { return nil }
            let shard = LandmarkShard(parts)
            counts.append(shard.count)
            // Of what is mapped, whole megabytes may count as this process's own.
            if areSearched { shards.append(shard) }
            isWhole = shard.isLast
        }
        return LandmarkLayer(dataset: dataset, versions: versions, made: made, counts: counts, shards: shards)
    }

    private var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] }

    private static func layer(_ name: String) -> (dataset: Int64, versions: ClosedRange<Int64>)? {
        let numbers = name.prefix { $0 != "." }.split(separator: "-").compactMap { Int64($0) }
        guard name.hasSuffix(".index"), numbers.count == 4, numbers[1] <= numbers[2] else { return nil }
        return (numbers[0], numbers[1]...numbers[2])
    }

    // MARK: Making

    /// Makes the layer of some versions.
    ///
    /// - Throws: `DatabaseError`, `GazetteerError` if a file cannot be written, and what `halt` throws.
    func make(
        _ dataset: Int64, _ versions: ClosedRange<Int64>, made: Timestamp, _ halt: () throws -> Void
    ) throws -> LandmarkLayer {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        var builder = LandmarkShardBuilder()
        var shard = 0
        var isWhole = false
        // Half a layer is of no use, least of all when the disk is full.
        defer { if !isWhole { for shard in 0..<shard { unlink(path(dataset, versions, shard)) } } }
        func write(isLast: Bool) throws {
            try MappedParts.write(
                builder.parts(isLast: isLast), version: content(dataset, versions, made, shard),
                to: path(dataset, versions, shard))
            shard += 1
            builder = LandmarkShardBuilder()
        }
        var last: (key: String, state: Int64) = ("", 0)
        while true {
            try halt()
            // What a row says does not change, so that the rows need not be of one snapshot.
            let (key, state) = last
            let rows = try database.read { read in
                try read.rows(
                    """
                    SELECT \(literal: PublishedLandmark.columns), landmark.fromState
                    FROM landmark INDEXED BY landmarkByKey
                    WHERE datasetId = \(dataset) AND (key, fromState) > (\(key), \(state))
                        AND fromState BETWEEN \(versions.lowerBound) AND \(versions.upperBound)
                    ORDER BY key, fromState LIMIT \(Self.chunk)
                    """
                ) { (landmark: PublishedLandmark($0), state: $0.int64(PublishedLandmark.columnCount)) }
            }
            for row in rows { builder.add(row.landmark) }
            guard rows.count == Self.chunk, let row = rows.last else { break }
            last = (row.landmark.key, row.state)
            if builder.isFull { try write(isLast: false) }
        }
        try write(isLast: true)
        isWhole = true
        guard let layer = open(dataset, versions, made: made) else {
            throw GazetteerError("\(path(dataset, versions, 0)) cannot be read")
        }
        return layer
    }

    /// Removes the files of all other layers. Who still reads one goes on doing so.
    func remove(except used: [LandmarkLayer]) {
        var known: Set<String> = []
        for layer in used {
            for shard in layer.counts.indices { known.insert(path(layer.dataset, layer.versions, shard)) }
        }
        for name in names where !known.contains("\(folder)/\(name)") { unlink("\(folder)/\(name)") }
    }
}
