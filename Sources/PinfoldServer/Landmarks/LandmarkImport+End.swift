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
