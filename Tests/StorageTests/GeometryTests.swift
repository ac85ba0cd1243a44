import Foundation
import Storage
import Testing

/// A point layer whose geometry is computed from two integers and never stored.
@Suite struct GeometryTests {
    private static let migrations = [
        Migration(
            name: "1",
            sql: """
                CREATE TABLE account (id INTEGER PRIMARY KEY) STRICT;
                CREATE TABLE pin (
                    id INTEGER PRIMARY KEY,
                    ownerId INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                    longitude INTEGER NOT NULL,
                    latitude INTEGER NOT NULL,
                    geom BLOB GENERATED ALWAYS AS (MakePoint(longitude * 1e-7, latitude * 1e-7, 4326)) VIRTUAL
                ) STRICT;
                INSERT INTO geometry_columns
                    (f_table_name, f_geometry_column, geometry_type, coord_dimension, srid, spatial_index_enabled)
                    VALUES ('pin', 'geom', 1, 2, 4326, 0);
                CREATE TABLE border (id INTEGER PRIMARY KEY, name TEXT NOT NULL, geom BLOB) STRICT;
                SELECT RecoverGeometryColumn('border', 'geom', 4326, 'MULTIPOLYGON', 'XY');
                SELECT CreateSpatialIndex('border', 'geom');
                INSERT INTO account VALUES (1), (2);
                """)
    ]

    @Test func `pins are a layer to other programs while the server writes`() throws {
        let scratch = try Scratch(migrations: Self.migrations)
        try scratch.pool.write { write in
            try write.run("INSERT INTO pin (id, ownerId, longitude, latitude) VALUES (1, 1, -930000000, 449000000)")
            try write.run("INSERT INTO pin (id, ownerId, longitude, latitude) VALUES (2, 2, 100000000, -50000000)")
            try write.run("INSERT INTO pin (id, ownerId, longitude, latitude) VALUES (3, 1, 0, 0)")
        }
        let written = try ogrinfo(scratch.path, "pin")
        #expect(written.contains("Geometry: Point"))
        #expect(written.contains("Feature Count: 3"))
        #expect(written.contains("Extent: (-93.000000, -5.000000) - (10.000000, 44.900000)"))
        #expect(written.contains("WGS 84"))
        try scratch.pool.write { write in
            try write.run("UPDATE pin SET longitude = 200000000 WHERE id = 2")
            try write.run("DELETE FROM account WHERE id = 1")
        }
        let point = try scratch.pool.read { try $0.row("SELECT AsText(geom) FROM pin") { $0.text(0) } }
        #expect(point == "POINT(20 -5)")
        #expect(try ogrinfo(scratch.path, "pin").contains("Feature Count: 1"))
        scratch.pool.close()
        #expect(try ogrinfo(scratch.path, "pin").contains("Feature Count: 1"))
    }

    @Test func `a stored geometry has its rules and its index, and a refusal loses no other write`() throws {
        let scratch = try Scratch(migrations: Self.migrations)
        let square = "MULTIPOLYGON(((0 0, 2 0, 2 2, 0 2, 0 0)))"
        let outcomes = try scratch.together(
            { try $0.run("INSERT INTO border VALUES (1, 'a', GeomFromText(\(square), 4326))") },
            { try $0.run("INSERT INTO border VALUES (2, 'b', MakePoint(1, 1, 4326))") },
            { try $0.run("INSERT INTO border VALUES (3, 'c', GeomFromText(\(square), 4326))") })
        #expect(outcomes.map(\.isSuccess) == [true, false, true])
        let found = try scratch.pool.read { read in
            try read.rows(
                """
                SELECT id FROM border WHERE ST_Contains(geom, MakePoint(1, 1, 4326)) AND id IN (
                    SELECT rowid FROM SpatialIndex WHERE f_table_name = 'border' AND search_frame = MakePoint(1, 1, 4326))
                ORDER BY id
                """
            ) { $0.int(0) }
        }
        #expect(found == [1, 3])
    }

    private func ogrinfo(_ path: String, _ layer: String) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["ogrinfo", "-ro", "-so", path, layer]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return text
    }
}
