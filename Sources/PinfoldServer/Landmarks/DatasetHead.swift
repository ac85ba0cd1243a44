import Geo
import SocialModel
import Storage

/// What an import has to know of the dataset that it changes.
struct DatasetHead: Sendable, Equatable {
    let id: Int64
    /// That of the rows which are read now; 0 if nothing was imported yet.
    let state: Int64
    /// The last one there is.
    let version: Int64
    /// How many landmarks are read now.
    let count: Int
    /// The box around them.
    let extent: BoundingBox?
    /// Whether there may be rows of the next state, of an import that was cut short.
    var isResumed = false

    /// The version, and state of rows, that an import makes.
    var next: Int64 { version + 1 }

    /// Nil if there is no such dataset.
    init?(named name: String, in read: some Transaction) throws {
        let found = try read.row(
            """
            SELECT dataset.id, dataset.state, dataset.version, count, west, south, east, north
            FROM dataset LEFT JOIN datasetVersion ON datasetId = dataset.id AND number = dataset.version
            WHERE name = \(name)
            """
        ) { row in
            DatasetHead(
                id: row.int64(0), state: row.int64(1), version: row.int64(2),
                count: row.isNull(3) ? 0 : row.int(3), extent: BoundingBox(row, 4))
        }
        guard let found else { return nil }
        self = found
    }

    /// One that is not stored: for a dry run of a dataset that is not there.
    static let none = DatasetHead(id: 0, state: 0, version: 0, count: 0, extent: nil)

    /// For a dataset whose rows are being removed.
    init(erasing id: Int64) {
        self.init(id: id, state: 0, version: 0, count: 0, extent: nil)
    }

    private init(id: Int64, state: Int64, version: Int64, count: Int, extent: BoundingBox?) {
        self.id = id
        self.state = state
        self.version = version
        self.count = count
        self.extent = extent
    }

    /// A dataset with nothing in it.
    static func create(named name: String, title: String?, in write: WriteTransaction) throws -> DatasetHead {
        let id = write.newIdentifier()
        try write.run(
            """
            INSERT INTO dataset (id, name, title, createdAt, updatedAt)
            VALUES (\(id), \(name), \(title ?? name), \(write.now), \(write.now))
            """)
        return DatasetHead(id: id, state: 0, version: 0, count: 0, extent: nil)
    }

    /// 1 to 64 small letters, digits, hyphens, full stops and underscores, the first no full stop. Only digits would be an
    /// id, and `pins` is what a collection of pins is called (OGC API - Features).
    static func isName(_ name: String) -> Bool {
        name != "pins" && Identifier<Dataset>(parsing: name) == nil && (1...64).contains(name.utf8.count)
            && name.utf8.first != UInt8(ascii: ".")
            && name.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "-._".utf8.contains(byte)
            }
    }

    static let nameRule =
        "must be 1 to 64 small letters, digits, hyphens, full stops and underscores, not only digits, and not pins"
}

extension BoundingBox {
    /// West, south, east and north from a column on; nil for NULL.
    init?(_ row: Row, _ column: Int) {
        guard !row.isNull(column) else { return nil }
        self.init(
            westE7: row.int64(column), southE7: row.int64(column + 1), eastE7: row.int64(column + 2),
            northE7: row.int64(column + 3))
    }
}
