import Foundation

/// The world in PostgreSQL, with the indexes that help it.
struct BenchPostgresStore {
    let server: BenchPostgres
    let loading: BenchLoading

    static let columns = """
        p.id, p.owner_id, ST_X(p.geom), ST_Y(p.geom), p.name, p.comment, p.address, p.address_by_owner, p.rating,
        p.category, p.audience, p.created_at, p.updated_at
        """

    /// Loads the world unless it is there.
    init(_ world: BenchWorld, in server: BenchPostgres, _ bench: Bench) throws {
        self.server = server
        let mark = "\(server.folder)/world.json"
        let description = "\(world.description) \(server.version) \(Self.tables) \(Self.indexes)"
        let connection = try server.connect()
        if let kept = BenchLoading(at: mark, of: description) {
            loading = kept
            // What earlier runs have written.
            try connection.run("DELETE FROM pin WHERE id > \(world.pins.ids.last ?? 0); TRUNCATE event")
        } else {
            try? FileManager.default.removeItem(atPath: mark)
            bench.say("loading \(world.pins.count) pins into PostgreSQL \(server.version)")
            let begin = Clock.monotonic()
            try connection.run("DROP TABLE IF EXISTS pin, event; \(Self.tables)")
            var index = 0
            try connection.copy(into: "pin") { buffer in
                guard index < world.pins.count else { return false }
                Self.append(index, of: world, to: &buffer)
                index += 1
                return true
            }
            for index in Self.indexes { try connection.run(index) }
            let seconds = Clock.monotonic() - begin
            try connection.run("CLUSTER pin USING pin_owner")
            let count = Double(world.pins.count)
            let bytes = try connection.run("SELECT pg_total_relation_size('pin')").text(0, 0)
            loading = BenchLoading(
                world: description, pinsPerSecond: count / seconds, bytesPerPin: (Double(bytes) ?? .nan) / count)
        }
        bench.say("indexing and vacuuming PostgreSQL's table")
        try connection.run(Self.readIndexes)
        try connection.run("VACUUM (ANALYZE) pin")
        try connection.run("CHECKPOINT")
        try loading.save(at: mark)
    }

    private static let tables = """
        CREATE TABLE pin (
            id bigint NOT NULL, owner_id bigint NOT NULL, created_at bigint NOT NULL, updated_at bigint NOT NULL,
            geom geometry(Point, 4326) NOT NULL, name text NOT NULL, comment text, address text, rating smallint,
            category smallint NOT NULL, audience smallint NOT NULL, address_by_owner boolean NOT NULL,
            words text);
        CREATE TABLE event (
            sequence bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY, at bigint NOT NULL, kind text NOT NULL,
            account_id bigint NOT NULL, subject_id bigint, audience_before smallint, audience_after smallint)
        """

    private static let indexes = [
        "ALTER TABLE pin ADD PRIMARY KEY (id)",
        """
        CREATE INDEX pin_owner ON pin (owner_id, created_at DESC, id DESC) INCLUDE (geom, rating, category, audience)
        """,
        "CREATE INDEX pin_geom ON pin USING gist (geom)",
    ]

    /// What only reads of some kinds gain by; they are not counted as its size, and it writes without them.
    private static let readIndexes = """
        CREATE INDEX IF NOT EXISTS pin_geog ON pin USING gist ((geom::geography));
        CREATE INDEX IF NOT EXISTS pin_created ON pin (created_at DESC, id DESC) INCLUDE (owner_id, audience, geom)
        """

    static let withoutReadIndexes = "DROP INDEX IF EXISTS pin_geog, pin_created"

    /// One row of a binary COPY, in the order of the table.
    private static func append(_ index: Int, of world: BenchWorld, to buffer: inout [UInt8]) {
        let pins = world.pins
        let texts = pins.texts(index)
        let rating = pins.ratings[index]
        let values: [PostgresValue] = [
            .integer(pins.ids[index]), .integer(world.account(pins.owners[index])), .integer(pins.createdAt[index]),
            .integer(pins.createdAt[index]),
            .bytes(point(pins.longitudes[index], pins.latitudes[index])), .text(texts.name),
            texts.comment.map { .text($0) } ?? .null, .null, rating == 0 ? .null : .small(Int16(rating)),
            .small(Int16(pins.categories[index])), .small(pins.isForFriends[index] ? 1 : 0), .bytes([0]), .null,
        ]
        buffer += PostgresValue.bigEndian(Int16(values.count))
        for value in values {
            let bytes = value.bytes
            buffer += PostgresValue.bigEndian(Int32(bytes?.count ?? -1))
            if let bytes { buffer += bytes }
        }
    }

    /// A point of WGS 84 in units of 1e-7 degree as EWKB: big-endian, the type with the bit that a SRID follows.
    static func point(_ longitude: Int32, _ latitude: Int32) -> [UInt8] {
        [0] + PostgresValue.bigEndian(UInt32(0x2000_0001)) + PostgresValue.bigEndian(Int32(4326))
            + PostgresValue.bigEndian((Double(longitude) / 1e7).bitPattern)
            + PostgresValue.bigEndian((Double(latitude) / 1e7).bitPattern)
    }
}
