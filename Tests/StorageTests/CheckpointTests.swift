import Foundation
import Storage
import Testing

@Suite struct CheckpointTests {
    private func logBytes(_ scratch: Scratch) -> Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: scratch.path + "-wal")
        return attributes?[.size] as? Int ?? 0
    }

    @Test func `the log stays near its limit while writes go on`() throws {
        let scratch = try Scratch { $0.checkpointPages = 20 }
        let text = String(repeating: "x", count: 4_000)
        for _ in 0..<300 {
            try scratch.pool.write { try $0.run("INSERT INTO note (body) VALUES (\(text))") }
        }
        // A page of rows, one of the table's tree and the one of the floor at most, for each write.
        #expect(logBytes(scratch) < 100 * 4_200)
        #expect(scratch.pool.statistics.databaseBytes > 200 * 4_096)
    }

    @Test func `a read that needs the log holds up no write, and the log is cut after it`() throws {
        let scratch = try Scratch { $0.checkpointPages = 20 }
        let text = String(repeating: "x", count: 4_000)
        try scratch.pool.read { read in
            let before = try read.row("SELECT count(*) FROM note") { $0.int(0) }
            for _ in 0..<200 {
                try scratch.pool.write { try $0.run("INSERT INTO note (body) VALUES (\(text))") }
            }
            let after = try read.row("SELECT count(*) FROM note") { $0.int(0) }
            #expect(before == after)
        }
        #expect(scratch.pool.statistics.walPages > 200)
        // Writes that come now find the log far over its limit, and nobody in the way.
        for _ in 0..<40 {
            try scratch.pool.write { try $0.run("INSERT INTO note (body) VALUES (\(text))") }
        }
        #expect(scratch.pool.statistics.walPages < 100)
        #expect(try scratch.bodies().count == 240)
    }

    @Test func `a copy of the files in the middle of writing has all that was acknowledged`() throws {
        let scratch = try Scratch()
        for index in 0..<50 {
            try scratch.pool.write {
                try $0.run("INSERT INTO note (id, body) VALUES (\($0.newIdentifier()), \(index))")
            }
        }
        // As after a crash: the log is there, nothing was closed.
        let copy = try TemporaryDirectory()
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: scratch.path + suffix, toPath: copy.file("test.db") + suffix)
        }
        let pool = try DatabasePool(.init(path: copy.file("test.db")) { 0 }, migrations: Scratch.migrations)
        let highest = try pool.read { try $0.row("SELECT max(id) FROM note") { $0.int64(0) } } ?? 0
        #expect(try pool.read { try $0.row("SELECT count(*) FROM note") { $0.int(0) } } == 50)
        #expect(try pool.write { $0.newIdentifier() } > highest)
        pool.close()
    }
}
