import Foundation
import Testing

@testable import Storage

@Suite struct GuestDatabaseTests {
    private func folder() throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pinfold guest ?%#é\(UUID().uuidString)")
            .path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return folder
    }

    /// A file with a table `word` of a row, and a view that calls a function of SpatiaLite's.
    private func make(_ path: String) throws {
        let migration = Migration(
            name: "words",
            sql: """
                CREATE TABLE word (text TEXT);
                CREATE VIEW place AS SELECT ST_X(MakePoint(1, 2)) AS x;
                """)
        let pool = try DatabasePool(DatabasePool.Configuration(path: path, clock: { 0 }), migrations: [migration])
        _ = try pool.write { try $0.run("INSERT INTO word VALUES ('hello')") }
        pool.close()
    }

    @Test func `a file is read where nothing can be written, whatever its name`() throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/a file?mode=rwc&x=%41#1.db"
        try make(path)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) where !path.hasSuffix(name) {
            try FileManager.default.removeItem(atPath: folder + "/" + name)
        }
        let before = FileManager.default.contents(atPath: path)
        let database = try GuestDatabase(path: path, valueLimit: 100_000)
        #expect(try database.read { try $0.rows("SELECT text FROM word") { $0.text(0) } } == ["hello"])
        for text: SQL in [
            "INSERT INTO word VALUES ('x')", "DELETE FROM word", "PRAGMA query_only = OFF", "CREATE TABLE t (a)",
            "ATTACH 'x' AS y", "SELECT x FROM place",
        ] {
            #expect(throws: DatabaseError.self, "\(text.text)") { try database.read { try $0.exists(text) } }
        }
        #expect(FileManager.default.contents(atPath: path) == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 1)
    }

    @Test func `values beyond the limit are refused`() throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try make(folder + "/words.db")
        let database = try GuestDatabase(path: folder + "/words.db", valueLimit: 100_000)
        #expect(try database.read { try $0.exists("SELECT zeroblob(90000)") })
        #expect(throws: DatabaseError.self) { try database.read { try $0.exists("SELECT zeroblob(110000)") } }
    }

    @Test func `what is no database is refused, and nothing is made`() throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(throws: DatabaseError.self) { try GuestDatabase(path: folder + "/none.db", valueLimit: 100_000) }
        #expect(throws: DatabaseError.self) { try GuestDatabase(path: folder, valueLimit: 100_000) }
        try Data("no database at all, but some text".utf8).write(to: URL(filePath: folder + "/text.db"))
        #expect(throws: DatabaseError.self) { try GuestDatabase(path: folder + "/text.db", valueLimit: 100_000) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["text.db"])
    }
}
