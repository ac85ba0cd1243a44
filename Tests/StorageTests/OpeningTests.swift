import CSQLite
import Foundation
import Storage
import Testing

@Suite struct OpeningTests {
    private func open(_ path: String, migrations: [Migration] = Scratch.migrations) throws -> DatabasePool {
        var configuration = DatabasePool.Configuration(path: path) { 0 }
        // On a busy machine the search would be cut short before it finds what it is to find.
        configuration.checkMilliseconds = 60_000
        return try DatabasePool(configuration, migrations: migrations)
    }

    /// Opens `path`, expects it to be refused for `reason` in one line without SQL, and its bytes to stay.
    private func expectRefusal(
        _ reason: DatabaseOpenError.Reason, _ path: String, migrations: [Migration] = Scratch.migrations,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let before = FileManager.default.contents(atPath: path)
        let error = #expect(throws: DatabaseOpenError.self, sourceLocation: sourceLocation) {
            _ = try open(path, migrations: migrations)
        }
        #expect(error?.reason == reason, "\(error?.description ?? "")", sourceLocation: sourceLocation)
        #expect(error?.description.contains("\n") == false, sourceLocation: sourceLocation)
        #expect(error?.description.contains("SELECT") == false, sourceLocation: sourceLocation)
        #expect(error?.description.contains(path) == true, sourceLocation: sourceLocation)
        #expect(FileManager.default.contents(atPath: path) == before, sourceLocation: sourceLocation)
    }

    /// A closed database with some rows.
    private func filled(_ directory: TemporaryDirectory) throws -> String {
        let path = directory.file("test.db")
        let pool = try open(path)
        try pool.write { write in
            for index in 0..<2_000 {
                try write.run("INSERT INTO note (body) VALUES (\("note \(index)"))")
            }
        }
        pool.close()
        return path
    }

    @Test func `a closed database is one file beside its lock`() throws {
        let directory = try TemporaryDirectory()
        let path = try filled(directory)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() == ["test.db", "test.db.lock"])
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let pool = try open(path)
        #expect(try pool.read { try $0.row("SELECT count(*) FROM note") { $0.int(0) } } == 2_000)
        pool.close()
    }

    @Test func `no directory`() throws {
        let directory = try TemporaryDirectory()
        expectRefusal(.noDirectory, directory.file("missing/test.db"))
        expectRefusal(.notADatabase, directory.path)
    }

    @Test func `a file or a directory without permission to write`() throws {
        let directory = try TemporaryDirectory()
        let path = try filled(directory)
        try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
        expectRefusal(.readOnly, path)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: directory.path)
        expectRefusal(.readOnly, path)
    }

    @Test func `something else than a database`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("test.db")
        for contents in [Data("hello".utf8), Data(repeating: 7, count: 5_000), Data("SQLite format 2\0".utf8)] {
            try contents.write(to: URL(filePath: path))
            expectRefusal(.notADatabase, path)
        }
        try FileManager.default.removeItem(atPath: path)
        raw(path, "CREATE TABLE foreign_thing (a)")
        expectRefusal(.notADatabase, path)
    }

    @Test func `a damaged file`() throws {
        let directory = try TemporaryDirectory()
        let path = try filled(directory)
        let whole = try #require(FileManager.default.contents(atPath: path))
        for length in [50, 100, 3_000, 4_096, 40_960, whole.count - 4_096, whole.count - 1] {
            try whole.prefix(length).write(to: URL(filePath: path))
            expectRefusal(.corrupt, path)
        }
        for page in [0, 1, whole.count / 4_096 - 5] {
            var bytes = whole
            let start = page * 4_096 + (page == 0 ? 100 : 0)
            bytes.replaceSubrange(start..<start + 600, with: Data(repeating: 0xa5, count: 600))
            try bytes.write(to: URL(filePath: path))
            expectRefusal(.corrupt, path)
        }
        try whole.write(to: URL(filePath: path))
        try open(path).close()
    }

    @Test func `a file in use by another pool`() throws {
        let scratch = try Scratch()
        expectRefusal(.locked, scratch.path)
        let link = scratch.directory.file("link.db")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: scratch.path)
        #expect(throws: DatabaseOpenError.self) { _ = try open(link) }
        try scratch.pool.write { try $0.run("INSERT INTO note (body) VALUES ('a')") }
        scratch.pool.close()
        try open(link).close()
    }

    @Test(arguments: ["BEGIN EXCLUSIVE", "BEGIN IMMEDIATE"])
    func `a file that another program writes to`(begin: String) throws {
        let directory = try TemporaryDirectory()
        let path = try filled(directory)
        var other: OpaquePointer?
        #expect(sqlite3_open(path, &other) == SQLITE_OK)
        defer { sqlite3_close(other) }
        #expect(sqlite3_exec(other, begin, nil, nil, nil) == SQLITE_OK)
        expectRefusal(.locked, path)
    }

    @Test func `a newer version, an edited migration, another order`() throws {
        let directory = try TemporaryDirectory()
        let path = try filled(directory)
        let next = Migration(name: "2 more", sql: "CREATE TABLE more (a INTEGER) STRICT")
        try open(path, migrations: Scratch.migrations + [next]).close()
        expectRefusal(.newerVersion, path)
        let edited = Migration(name: "2 more", sql: next.sql + ";")
        expectRefusal(.editedMigration, path, migrations: Scratch.migrations + [edited])
        expectRefusal(.editedMigration, path, migrations: [next] + Scratch.migrations)
        // Nothing is left beside the file that was refused.
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() == ["test.db", "test.db.lock"])
        let pool = try open(path, migrations: Scratch.migrations + [next])
        #expect(try pool.read { try $0.row("SELECT count(*) FROM note") { $0.int(0) } } == 2_000)
        pool.close()
    }

    @Test func `a migration that fails leaves nothing`() throws {
        let directory = try TemporaryDirectory()
        let path = try filled(directory)
        let good = Migration(name: "2", sql: "CREATE TABLE more (a INTEGER REFERENCES note (id)) STRICT")
        for text in [
            "CREATE TABLE half (a INTEGER) STRICT; INSERT INTO nowhere VALUES (1)",
            "CREATE TABLE half (a INTEGER) STRICT; INSERT INTO more VALUES (-5)",
            "CREATE TABLE half (a INTEGER) STRICT; SELECT 0",
            "CREATE TABLE half (a INTEGER) STRICT; COMMIT; CREATE TABLE stray (a)",
        ] {
            let error = #expect(throws: DatabaseOpenError.self) {
                _ = try open(path, migrations: Scratch.migrations + [good, Migration(name: "3", sql: text)])
            }
            #expect(error?.reason == .migrationFailed)
            #expect(error?.description.hasPrefix("migration 3 of the database \(path) failed: ") == true)
        }
        let pool = try open(path, migrations: Scratch.migrations + [good])
        try pool.read { read in
            let names = try read.rows("SELECT name FROM migration ORDER BY position") { $0.text(0) }
            #expect(names == ["1 note", "2"])
            #expect(try read.exists("SELECT 1 FROM sqlite_master WHERE name = 'more'"))
            #expect(try !read.exists("SELECT 1 FROM sqlite_master WHERE name = 'stray'"))
        }
        pool.close()
    }

    @Test func `a table that others refer to can be rebuilt`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("test.db")
        let first = Migration(
            name: "1",
            sql: """
                CREATE TABLE parent (id INTEGER PRIMARY KEY) STRICT;
                CREATE TABLE child (parentId INTEGER NOT NULL REFERENCES parent (id) ON DELETE CASCADE) STRICT;
                INSERT INTO parent VALUES (1);
                INSERT INTO child VALUES (1);
                """)
        try open(path, migrations: [first]).close()
        let second = Migration(
            name: "2",
            sql: """
                CREATE TABLE parentNew (id INTEGER PRIMARY KEY, name TEXT) STRICT;
                INSERT INTO parentNew (id) SELECT id FROM parent;
                DROP TABLE parent;
                ALTER TABLE parentNew RENAME TO parent;
                """)
        let pool = try open(path, migrations: [first, second])
        #expect(try pool.read { try $0.exists("SELECT 1 FROM child") })
        #expect(throws: DatabaseError.self) { try pool.write { try $0.run("INSERT INTO child VALUES (2)") } }
        try pool.write { try $0.run("DELETE FROM parent") }
        #expect(try pool.read { try !$0.exists("SELECT 1 FROM child") })
        pool.close()
    }

    /// Runs SQL by a connection that knows nothing of pools.
    private func raw(_ path: String, _ sql: String) {
        var other: OpaquePointer?
        #expect(sqlite3_open(path, &other) == SQLITE_OK)
        #expect(sqlite3_exec(other, sql, nil, nil, nil) == SQLITE_OK)
        sqlite3_close(other)
    }
}
