import Geo
import SocialModel
import Storage

extension LandmarkImport {
    /// What the new state is, for `DatasetHead.flip`; nil where nothing has changed and none is needed.
    ///
    /// - Parameter made: when it will say that it was made.
    func version(made: Timestamp, by account: Identifier<User>?) -> Version? {
        guard !isWithoutChange || dataset.version == 0 else { return nil }
        return Version(count: count, box: box, counts: counts, made: made, account: account)
    }

    /// What is known of the state that a dataset gets.
    struct Version: Sendable {
        let count: Int
        let box: BoundingBox?
        let counts: Counts
        let made: Timestamp
        let account: Identifier<User>?
    }

    /// Undoes what an import has written under the next state of a dataset, a few thousand rows at a time. A dataset that
    /// has never had anything goes with it.
    ///
    /// - Throws: `DatabaseError`; what is left is undone by the next call.
    static func undo(_ dataset: DatasetHead, in database: DatabasePool) throws {
        try forEachPart(of: dataset, in: database) { write, number, states in
            if states.lowerBound == dataset.next {
                try write.run("DELETE FROM landmark WHERE number = \(number)")
            } else if states.upperBound == dataset.next {
                try write.run("UPDATE landmark SET untilState = \(Int64.max) WHERE number = \(number)")
            }
        }
        guard dataset.version == 0 else { return }
        try database.write { write in
            try write.run("DELETE FROM dataset WHERE id = \(dataset.id) AND version = 0")
        }
    }

    /// Removes a dataset that is shown nowhere any more, a few thousand rows at a time.
    ///
    /// - Throws: `DatabaseError`; what is left is removed by the next call.
    static func erase(_ id: Int64, in database: DatabasePool) throws {
        let dataset = DatasetHead(erasing: id)
        try forEachPart(of: dataset, in: database) { write, number, _ in
            try write.run("DELETE FROM landmark WHERE number = \(number)")
        }
        try database.write { write in try write.run("DELETE FROM dataset WHERE id = \(id) AND name IS NULL") }
    }

    /// Hands each row of a dataset to `body` on the writer, in the order of the keys.
    private static func forEachPart(
        of dataset: DatasetHead, in database: DatabasePool,
        _ body: @escaping @Sendable (WriteTransaction, Int64, Range<Int64>) throws -> Void
    ) throws {
        var after: (key: String, state: Int64) = ("", 0)
        while true {
            let (key, state) = after
            let rows = try database.read { read in
                try read.rows(
                    """
                    SELECT key, fromState, untilState, number FROM landmark INDEXED BY landmarkByKey
                    WHERE datasetId = \(dataset.id) AND (key, fromState) > (\(key), \(state))
                    ORDER BY key, fromState LIMIT 1000
                    """
                ) { (key: $0.text(0), states: $0.int64(1)..<$0.int64(2), number: $0.int64(3)) }
            }
            guard let last = rows.last else { return }
            after = (last.key, last.states.lowerBound)
            try database.write { write in for row in rows { try body(write, row.number, row.states) } }
        }
    }
}

extension DatasetHead {
    /// Has a new version, with a state of its own, be the one that is read.
    func flip(to version: LandmarkImport.Version, in write: WriteTransaction) throws -> Int64 {
        let (counts, box) = (version.counts, version.box)
        try write.run(
            """
            INSERT INTO datasetVersion (datasetId, number, state, accountId, count, west, south, east, north, inserted,
                updated, unchanged, removed, rejected, createdAt)
            VALUES (\(id), \(next), \(next), \(version.account), \(version.count), \(box?.west), \(box?.south),
                \(box?.east), \(box?.north), \(counts.inserted), \(counts.updated), \(counts.unchanged),
                \(counts.removed), \(counts.rejected), \(version.made.milliseconds))
            """)
        try write.run(
            "UPDATE dataset SET version = \(next), state = \(next), updatedAt = \(write.now) WHERE id = \(id)")
        return next
    }

    /// Has a new version be read that holds what `number` held. What that one removed is kept until then.
    ///
    /// - Returns: false if there is no such version.
    func restore(_ number: Int64, by account: Identifier<User>?, in write: WriteTransaction) throws -> Bool {
        let state = try write.row(
            "SELECT state FROM datasetVersion WHERE datasetId = \(id) AND number = \(number)"
        ) { $0.int64(0) }
        guard let state else { return false }
        try write.run(
            """
            INSERT INTO datasetVersion (datasetId, number, state, restores, accountId, count, west, south, east, north,
                inserted, updated, unchanged, removed, rejected, createdAt)
            SELECT datasetId, \(next), state, number, \(account), count, west, south, east, north, 0, 0, count, 0, 0,
                \(write.now)
            FROM datasetVersion WHERE datasetId = \(id) AND number = \(number)
            """)
        try write.run(
            """
            UPDATE dataset SET version = \(next), state = \(state), sourceDigest = NULL, sourceJobId = NULL,
                updatedAt = \(write.now)
            WHERE id = \(id)
            """)
        return true
    }
}
