import Storage
import Testing

@Suite struct GuardTests {
    private static let migrations = [
        Migration(
            name: "1",
            sql: """
                CREATE TABLE account (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;
                CREATE TABLE Pin (
                    id INTEGER PRIMARY KEY,
                    ownerId INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                    longitude INTEGER NOT NULL,
                    latitude INTEGER NOT NULL,
                    geom BLOB GENERATED ALWAYS AS (MakePoint(longitude * 1e-7, latitude * 1e-7, 4326)) VIRTUAL
                ) STRICT;
                CREATE INDEX pinByOwner ON Pin (ownerId, longitude, latitude);
                CREATE VIEW somewhere AS SELECT longitude FROM Pin;
                CREATE VIEW further AS SELECT * FROM somewhere;
                INSERT INTO geometry_columns
                    (f_table_name, f_geometry_column, geometry_type, coord_dimension, srid, spatial_index_enabled)
                    VALUES ('pin', 'geom', 1, 2, 4326, 0);
                CREATE VIRTUAL TABLE pinText USING fts5(name, content = '');
                CREATE VIRTUAL TABLE pinBox USING rtree(id, west, east);
                CREATE VIRTUAL TABLE freeBox USING rtree(id, west, east);
                INSERT INTO account VALUES (5, 'ana');
                INSERT INTO Pin (id, ownerId, longitude, latitude) VALUES (5, 5, 20000000, 30000000);
                INSERT INTO pinText (rowid, name) VALUES (5, 'ramen');
                INSERT INTO pinBox VALUES (5, 2, 2);
                INSERT INTO freeBox VALUES (5, 2, 2);
                """)
    ]

    private func guarded() throws -> Scratch {
        try Scratch(migrations: Self.migrations) {
            $0.readers = 1
            $0.guardedTables = ["pin", "pinText", "pinBox"]
        }
    }

    private static let forms = [
        "SELECT id FROM pin",
        "SELECT * FROM PIN",
        "SELECT count(*) FROM pin",
        "SELECT 1 FROM \"pin\"",
        "SELECT 1 FROM main.pin AS account",
        "SELECT longitude FROM somewhere",
        "SELECT count(*) FROM further",
        "SELECT name FROM account WHERE EXISTS (SELECT 1 FROM pin WHERE ownerId = account.id)",
        "SELECT name FROM account WHERE id IN (SELECT ownerId FROM pin)",
        "SELECT (SELECT max(latitude) FROM pin)",
        "WITH account AS (SELECT * FROM pin) SELECT id FROM account",
        "WITH RECURSIVE step(id) AS (SELECT min(id) FROM pin UNION ALL SELECT id + 1 FROM step WHERE id < 7) SELECT * FROM step",
        "SELECT 1 FROM account LEFT JOIN pin ON pin.ownerId = account.id",
        "SELECT 1 FROM account NATURAL JOIN pin",
        "SELECT AsText(geom) FROM pin",
        "SELECT id FROM account UNION ALL SELECT id FROM pin",
        "VALUES ((SELECT id FROM pin))",
        "SELECT sum(latitude) OVER (PARTITION BY ownerId) FROM pin",
        "INSERT INTO account SELECT id, 'x' FROM pin",
        "UPDATE pin SET longitude = longitude + 1",
        "DELETE FROM pin WHERE id = 5",
        "INSERT INTO account VALUES (7, 'x') RETURNING (SELECT id FROM pin)",
        "SELECT rowid FROM pinText WHERE pinText MATCH 'ramen'",
        "SELECT * FROM pinBox",
        "EXPLAIN QUERY PLAN SELECT id FROM pin",
    ]

    @Test(arguments: forms)
    func `a guarded table is not read without a grant`(text: String) throws {
        let scratch = try guarded()
        let sql = SQL(stringLiteral: text)
        let error = #expect(throws: DatabaseError.self) { try scratch.pool.read { try $0.exists(sql) } }
        #expect(error?.isRefused == true)
        // Nor with one for something else.
        #expect(throws: DatabaseError.self) {
            try scratch.pool.read { try $0.exists(sql, grant: Grant(["account", "somewhere"])) }
        }
        guard text.hasPrefix("SELECT") else { return }
        // With a grant it is, and that leaves no statement behind for who has none.
        let grant = Grant(["Pin", "pinText", "pinBox"])
        #expect(try scratch.pool.read { try $0.exists(sql, grant: grant) })
        #expect(throws: DatabaseError.self) { try scratch.pool.read { try $0.exists(sql) } }
    }

    @Test func `a grant lasts for its own statement only`() throws {
        let scratch = try guarded()
        try scratch.pool.read { read in
            let grant = Grant(["pin"])
            try read.forEach("SELECT id FROM pin", grant: grant) { _ in
                #expect(throws: DatabaseError.self) { try read.exists("SELECT id FROM pin") }
                let isFree = try read.exists("SELECT id FROM account")
                #expect(isFree)
                return true
            }
            // SpatiaLite's own statements run under the permission of the one that calls it.
            #expect(throws: DatabaseError.self) { try read.exists("SELECT latitude FROM pin", grant: Grant([])) }
        }
    }

    @Test func `SpatiaLite does not read a guarded table for who may not`() throws {
        let scratch = try guarded()
        let query: SQL = "SELECT GetLayerExtent('pin', 'geom')"
        #expect(try scratch.pool.read { try $0.row(query) { $0.isNull(0) } } != false)
        let rows = try scratch.pool.read { read in
            (try? read.rows("SELECT * FROM ElementaryGeometries WHERE f_table_name = 'pin'") { $0.isNull(0) }) ?? []
        }
        #expect(rows.isEmpty)
    }

    @Test func `what is not guarded is free, and so is the writer`() throws {
        let scratch = try guarded()
        #expect(try scratch.pool.read { try $0.exists("SELECT * FROM account") })
        #expect(try scratch.pool.read { try $0.exists("SELECT * FROM freeBox WHERE west < 3") })
        #expect(try scratch.pool.read { try $0.exists("WITH pin(id) AS (VALUES (1)) SELECT id FROM pin") })
        #expect(try scratch.pool.write { try $0.exists("SELECT * FROM pin") })
        #expect(try scratch.pool.write { try $0.run("UPDATE pin SET longitude = 1") } == 1)
    }
}
