import Dispatch
import Foundation
import Storage
import Synchronization
import Testing

@Suite struct ReadTests {
    @Test func `a read sees one state while others write`() throws {
        let scratch = try Scratch()
        try scratch.pool.write { try $0.run("INSERT INTO note (body) VALUES ('a')") }
        try scratch.pool.read { read in
            #expect(try read.rows("SELECT body FROM note") { $0.text(0) } == ["a"])
            try scratch.pool.write { try $0.run("INSERT INTO note (body) VALUES ('b')") }
            #expect(try read.rows("SELECT body FROM note") { $0.text(0) } == ["a"])
            #expect(try read.rows("SELECT count(*) FROM note") { $0.int(0) } == [1])
        }
        #expect(try scratch.bodies() == ["a", "b"])
    }

    @Test func `more reads than readers take turns`() throws {
        let scratch = try Scratch { $0.readers = 2 }
        let running = Mutex(0)
        let most = Mutex(0)
        let sum = Mutex(0)
        onThreads(20) { index in
            let value = try? scratch.pool.read { read in
                let now = running.withLock {
                    $0 += 1
                    return $0
                }
                most.withLock { $0 = max($0, now) }
                defer { running.withLock { $0 -= 1 } }
                return try read.row("SELECT \(index)") { $0.int(0) }
            }
            sum.withLock { $0 += (value ?? nil) ?? -1_000 }
        }
        #expect(sum.withLock { $0 } == 20 * 19 / 2)
        #expect(most.withLock { $0 } <= 2)
        #expect(scratch.pool.statistics.readers <= 2)
    }

    @Test func `a read that throws leaves its reader usable`() throws {
        struct Stop: Error {}
        let scratch = try Scratch { $0.readers = 1 }
        try scratch.pool.write { try $0.run("INSERT INTO note (body) VALUES ('a'), ('b')") }
        for _ in 0..<3 {
            #expect(throws: Stop.self) {
                try scratch.pool.read { try $0.forEach("SELECT body FROM note") { _ in throw Stop() } }
            }
        }
        try scratch.pool.write { try $0.run("INSERT INTO note (body) VALUES ('c')") }
        #expect(try scratch.bodies() == ["a", "b", "c"])
        #expect(throws: DatabaseError.self) { try scratch.pool.read { try $0.exists("SELECT abs(\(Int64.min))") } }
        #expect(try scratch.bodies().count == 3)
    }

    @Test func `queries nest, with the same text too`() throws {
        let scratch = try Scratch()
        let pairs = try scratch.pool.read { read in
            var pairs: [[Int]] = []
            try read.forEach("SELECT value FROM json_each(\("[1,2,3]"))") { outer in
                pairs += try read.rows("SELECT value FROM json_each(\("[4,5]"))") { [outer.int(0), $0.int(0)] }
                return true
            }
            return pairs
        }
        #expect(pairs == [[1, 4], [1, 5], [2, 4], [2, 5], [3, 4], [3, 5]])
    }

    @Test func `a row is the first, and nothing when there is none`() throws {
        let scratch = try Scratch()
        try scratch.pool.read { read throws in
            #expect(try read.row("VALUES (1), (2)") { $0.int(0) } == 1)
            #expect(try read.row("SELECT 1 WHERE 0") { $0.int(0) } == nil)
            #expect(try !read.exists("SELECT 1 WHERE 0"))
        }
    }

    @Test(arguments: [
        "INSERT INTO note (body) VALUES ('x')", "DELETE FROM note", "UPDATE note SET size = 1",
        "CREATE TABLE other (a)", "CREATE TEMP TABLE other (a)", "DROP TABLE note", "PRAGMA query_only = OFF",
        "PRAGMA query_only(0)", "PRAGMA writable_schema = ON", "PRAGMA user_version = 5", "PRAGMA wal_checkpoint",
        "PRAGMA journal_mode = DELETE", "ATTACH ':memory:' AS other", "VACUUM", "BEGIN", "COMMIT",
        "SELECT InitSpatialMetaData(0)",
    ])
    func `a reader cannot write`(text: String) throws {
        let scratch = try Scratch { $0.readers = 1 }
        try scratch.pool.write { try $0.run("INSERT INTO note (body) VALUES ('kept')") }
        let sql = SQL(stringLiteral: text)
        if text.hasPrefix("SELECT") {
            // The function says that it failed, by its result.
            #expect(try scratch.pool.read { try $0.row(sql) { $0.int(0) } } == 0)
        } else {
            #expect(throws: DatabaseError.self) { try scratch.pool.read { try $0.exists(sql) } }
        }
        #expect(try scratch.bodies() == ["kept"])
        #expect(try scratch.pool.read { try $0.exists("SELECT * FROM pragma_table_info('note')") })
    }

    @Test func `many different statements pass through the cache`() throws {
        let scratch = try Scratch {
            $0.readers = 1
            $0.statements = 4
        }
        for round in 0..<3 {
            for index in 0..<20 {
                let query: SQL = "SELECT \(round) + \(index)"
                #expect(try scratch.pool.read { try $0.row(query) { $0.int(0) } } == round + index)
                let own = SQL(stringLiteral: "SELECT \(index)")
                #expect(try scratch.pool.read { try $0.row(own) { $0.int(0) } } == index)
            }
        }
    }

    @Test func `statements go on after the schema has changed`() throws {
        let scratch = try Scratch {
            $0.readers = 1
            $0.guardedTables = ["note"]
        }
        let grant = Grant(["note"])
        try scratch.pool.write { try $0.run("INSERT INTO note (body) VALUES ('a')") }
        let query: SQL = "SELECT body FROM note"
        for index in 0..<3 {
            #expect(try scratch.pool.read { try $0.rows(query, grant: grant) { $0.text(0) } } == ["a"])
            #expect(throws: DatabaseError.self) { try scratch.pool.read { try $0.exists(query) } }
            let change = SQL(stringLiteral: "CREATE TABLE more\(index) (a INTEGER) STRICT")
            try scratch.pool.write { try $0.run(change) }
        }
    }
}
