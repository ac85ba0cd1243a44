import Foundation
import PinfoldServer
import Storage

/// What loading a world cost, kept beside it for the runs that find it loaded.
struct BenchLoading: Codable {
    /// Of which world, by which schema.
    let world: String
    let pinsPerSecond: Double
    /// Of table and indexes, on the disk.
    let bytesPerPin: Double

    /// What is kept at `path`, if it is of this world.
    init?(at path: String, of world: String) {
        guard let data = FileManager.default.contents(atPath: path),
            let kept = try? JSONDecoder().decode(BenchLoading.self, from: data), kept.world == world
        else { return nil }
        self = kept
    }

    init(world: String, pinsPerSecond: Double, bytesPerPin: Double) {
        self.world = world
        self.pinsPerSecond = pinsPerSecond
        self.bytesPerPin = bytesPerPin
    }

    func save(at path: String) throws {
        try JSONEncoder().encode(self).write(to: URL(fileURLWithPath: path))
    }
}

extension BenchWorld {
    static let token = "the-token-of-the-viewer-in-the-benchmark"

    /// Fills the folder's database, unless it holds this world already.
    ///
    /// - Throws: `CommandFailure`, `DatabaseOpenError`, `DatabaseError`.
    @discardableResult
    func store(in folder: DataFolder) throws -> BenchLoading {
        let mark = "\(folder.path)/world.json"
        let world = "\(description) schema \(Schema.migrations.map(\.name))"
        if let kept = BenchLoading(at: mark, of: world) { return kept }
        for path in ["", "-wal", "-shm"].map({ folder.database + $0 }) + [mark] {
            try? FileManager.default.removeItem(atPath: path)
        }
        let pool = try folder.openDatabase()
        defer { pool.close() }
        let loader = BenchLoader(world: self, pool: pool)
        try loader.loadPeople()
        let loading = try loader.loadPins(world)
        try loading.save(at: mark)
        return loading
    }

    /// Takes away what a benchmark has written behind the world's last pin.
    func tidy(_ pool: DatabasePool) throws {
        let last = pins.ids.last ?? 0
        try pool.write { write in
            try write.run("DELETE FROM pin WHERE id > \(last)")
            try write.run("DELETE FROM event")
        }
    }

    /// Signs one person in, with `token`.
    func signIn(_ person: Int32, _ pool: DatabasePool) throws {
        let account = account(person)
        let hash = blake2b(Array(Self.token.utf8))
        try pool.write { write in
            try write.run("DELETE FROM session WHERE id = 1")
            try write.run(
                """
                INSERT INTO session (id, accountId, confirmedGeneration, latestGeneration, address, createdAt,
                    lastSeenAt)
                VALUES (1, \(account), 1, 1, '127.0.0.1', \(write.now), \(write.now))
                """)
            try write.run(
                """
                INSERT INTO token (hash, sessionId, purpose, generation, expiresAt)
                VALUES (\(hash), 1, 'access', 1, \(write.now + 86_400_000))
                """)
        }
    }

    static func insertAccount(_ id: Int64, in write: WriteTransaction) throws {
        let name = "person\(id)"
        try write.run(
            """
            INSERT INTO account (id, username, usernameFolded, email, emailFolded, displayName, usernameSearch,
                displayNameSearch, passwordHash, createdAt, updatedAt)
            VALUES (\(id), \(name), \(name), \(name + "@bench.invalid"), \(name + "@bench.invalid"), \(name), \(name),
                \(name), '', 0, 0)
            """)
    }
}

/// Writes a world into a database of the service, through its own schema: the tables first, their indexes at the end.
private struct BenchLoader {
    let world: BenchWorld
    let pool: DatabasePool

    func loadPeople() throws {
        try inBatches(world.people, "people") { range, write in
            for person in range { try BenchWorld.insertAccount(world.account(Int32(person)), in: write) }
        }
        // Nobody has seen a pin yet, so the triggers, which tell who sees others now, are not missed.
        try without("'index', 'trigger'", of: "friendship") {
            try inBatches(world.people, "friendships", size: 200) { range, write in
                for person in range {
                    let account = world.account(Int32(person))
                    let rows = world.friends(of: Int32(person)).map { [account, world.account($0), 0] }
                    try insert("INSERT INTO friendship (accountId, friendId, since) VALUES", rows, in: write)
                }
            }
        }
    }

    /// Without the words for `q=`, which the service makes when it starts with a database that lacks them.
    ///
    /// - Returns: the rate from the first row to the last index on the disk, and what the file has grown by.
    func loadPins(_ description: String) throws -> BenchLoading {
        let before = try pool.sizeOnDisk()
        let begin = Clock.monotonic()
        // Nor does anything remember pins yet, so the triggers that log them are not missed either.
        try without("'index', 'trigger'", of: "pin") {
            try inBatches(world.pins.count, "pins") { range, write in
                try insert(
                    """
                    INSERT INTO pin (id, ownerId, createdAt, longitude, latitude, rating, category, audience, name,
                        comment) VALUES
                    """, range.map(pin), in: write)
            }
        }
        let seconds = Clock.monotonic() - begin
        let count = Double(world.pins.count)
        return BenchLoading(
            world: description, pinsPerSecond: count / seconds,
            bytesPerPin: Double(try pool.sizeOnDisk() - before) / count)
    }

    /// In the order of the columns above.
    private func pin(_ index: Int) -> [SQLValue] {
        let pins = world.pins
        let texts = pins.texts(index)
        let rating = pins.ratings[index]
        return [
            .integer(pins.ids[index]), .integer(world.account(pins.owners[index])), .integer(pins.createdAt[index]),
            .integer(Int64(pins.longitudes[index])), .integer(Int64(pins.latitudes[index])),
            rating == 0 ? .null : .integer(Int64(rating)), .integer(Int64(pins.categories[index])),
            .integer(pins.isForFriends[index] ? 1 : 0), .text(texts.name), texts.comment.map { .text($0) } ?? .null,
        ]
    }

    /// Several rows a statement, for half of the time of a row is the statement's.
    private func insert(
        _ head: String, _ rows: [[some SQLValueConvertible]], in write: WriteTransaction
    ) throws {
        for start in stride(from: 0, to: rows.count, by: 20) {
            var statement = SQL.StringInterpolation(literalCapacity: 1_000, interpolationCount: 200)
            statement.appendLiteral(head)
            for index in start..<min(start + 20, rows.count) {
                statement.appendLiteral(index == start ? " (" : ", (")
                statement.appendInterpolation(list: rows[index])
                statement.appendLiteral(")")
            }
            try write.run(SQL(stringInterpolation: statement))
        }
    }

    private func inBatches(
        _ count: Int, _ title: String, size: Int = 20_000,
        _ insert: @escaping @Sendable (Range<Int>, WriteTransaction) throws -> Void
    ) throws {
        let bar = ProgressBar("Loading \(count) \(title)")
        for start in stride(from: 0, to: count, by: size) {
            try pool.write { try insert(start..<min(start + size, count), $0) }
            bar.show(min(Double(start) / Double(count), 0.999))
        }
        bar.show(1)
    }

    /// Building an index over all rows is several times faster than keeping it up row by row.
    ///
    /// - Parameter kinds: which parts of the schema go and come back: `'index'`, `'trigger'`.
    private func without(_ kinds: String, of table: String, _ body: () throws -> Void) throws {
        let listing = """
            SELECT type, name, sql FROM sqlite_master
            WHERE type IN (\(kinds)) AND tbl_name = '\(table)' AND sql IS NOT NULL
            """
        let parts = try pool.read { read in
            try read.rows(SQL(stringLiteral: listing)) { (type: $0.text(0), name: $0.text(1), sql: $0.text(2)) }
        }
        for part in parts {
            try pool.write { _ = try $0.run(SQL(stringLiteral: "DROP \(part.type) \(part.name)")) }
        }
        try body()
        for part in parts {
            try pool.write { _ = try $0.run(SQL(stringLiteral: part.sql)) }
        }
    }
}

extension DatabasePool {
    /// Bytes of the database's pages.
    func sizeOnDisk() throws -> Int {
        try read { read in
            let pages = try read.row("PRAGMA page_count") { $0.int(0) } ?? 0
            return pages * (try read.row("PRAGMA page_size") { $0.int(0) } ?? 0)
        }
    }
}
