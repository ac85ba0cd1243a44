import Dispatch
import Foundation
import Storage
import Synchronization
import Testing

/// A write's own refusal, as a domain rule would throw it.
private struct Refusal: Error {}

/// How a write of the property below goes.
private enum Fate: CaseIterable {
    case stored
    /// It inserts and then refuses.
    case refused
    /// It breaks a rule of the schema.
    case broken
    /// It breaks a rule of the schema, and goes on as if nothing were.
    case brokenButCaught
    /// It runs into `RAISE(ROLLBACK)`, which ends the transaction of the whole group.
    case bomb
    /// It runs into `RAISE(ROLLBACK)`, and goes on as if nothing were.
    case bombButCaught
    /// It leaves a reference to nothing, which only COMMIT notices.
    case dangling

    var isStored: Bool { self == .stored || self == .brokenButCaught }
}

@Suite struct GroupCommitTests {
    private static let migrations =
        Scratch.migrations + [
            Migration(
                name: "2 traps",
                sql: """
                    CREATE TABLE reference (
                        noteId INTEGER NOT NULL REFERENCES note (id) DEFERRABLE INITIALLY DEFERRED
                    ) STRICT;
                    CREATE TRIGGER bomb BEFORE INSERT ON note WHEN NEW.body = 'bomb'
                    BEGIN
                        SELECT RAISE(ROLLBACK, 'bomb');
                    END;
                    """)
        ]

    private static func body(_ fate: Fate, _ name: String, _ write: WriteTransaction) throws -> Int64 {
        let id = write.newIdentifier()
        try write.run("INSERT INTO note (id, body) VALUES (\(id), \(name))")
        switch fate {
        case .stored: break
        case .refused: throw Refusal()
        case .broken: try write.run("INSERT INTO note (id, body) VALUES (\(id), 'again')")
        case .brokenButCaught: _ = try? write.run("INSERT INTO note (id, body) VALUES (\(id), 'again')")
        case .bomb: try write.run("INSERT INTO note (body) VALUES ('bomb')")
        case .bombButCaught:
            _ = try? write.run("INSERT INTO note (body) VALUES ('bomb')")
            // Outside a transaction this would be stored on its own.
            _ = try? write.run("INSERT INTO note (body) VALUES ('stray')")
        case .dangling: try write.run("INSERT INTO reference (noteId) VALUES (1)")
        }
        return id
    }

    @Test(arguments: 1...6)
    func `exactly what is acknowledged is stored, in order`(seed: UInt64) throws {
        let scratch = try Scratch(migrations: Self.migrations) { $0.groupLimit = 16 }
        let submitters = 8
        let each = 40
        let acknowledged = Mutex<[(id: Int64, name: String)]>([])
        let failed = Mutex<Set<String>>([])
        let done = DispatchGroup()
        // The writer is held until all have queued, so that the groups are full.
        let release = scratch.holdWriter()
        onThreads(submitters) { submitter in
            var random = SplitMix(state: seed &* 1_000 &+ UInt64(submitter))
            for index in 0..<each {
                // Most groups should have a good chance of holding no bomb at all.
                let fate: Fate =
                    random.next() % 3 > 0 ? .stored : Fate.allCases.randomElement(using: &random) ?? .stored
                let name = "\(submitter)/\(index)"
                done.enter()
                scratch.pool.submit({ try Self.body(fate, name, $0) }) { result in
                    switch result {
                    case .success(let id):
                        acknowledged.withLock { $0.append((id, name)) }
                        #expect(fate.isStored, "\(name) \(fate)")
                    case .failure:
                        failed.withLock { _ = $0.insert(name) }
                        #expect(!fate.isStored, "\(name) \(fate)")
                    }
                    done.leave()
                }
            }
        }
        release()
        #expect(done.wait(timeout: .now() + 60) == .success)

        let told = acknowledged.withLock { $0 }
        let stored = try scratch.pool.read {
            try $0.rows("SELECT id, body FROM note ORDER BY id") { (id: $0.int64(0), name: $0.text(1)) }
        }
        // Told in the order of the identifiers, which is the order of the writes; and nothing else is stored.
        #expect(told.map(\.id) == stored.map(\.id))
        #expect(told.map(\.name) == stored.map(\.name))
        #expect(told.count + failed.withLock(\.count) == submitters * each)
        #expect(zip(told, told.dropFirst()).allSatisfy { $0.id < $1.id })
        for submitter in 0..<submitters {
            let indices = told.filter { $0.name.hasPrefix("\(submitter)/") }.compactMap { Int($0.name.dropFirst(2)) }
            #expect(indices == indices.sorted(), "first in, first out")
        }
        let statistics = scratch.pool.statistics
        #expect(statistics.writes == told.count + 1)
        #expect(statistics.failures == failed.withLock(\.count))
        #expect(statistics.largestGroup == 16)
        #expect(statistics.rerunGroups > 0)
        #expect(statistics.groups > submitters * each / 16)
    }

    @Test func `a lost transaction costs only the write that lost it`() throws {
        let scratch = try Scratch(migrations: Self.migrations)
        let outcomes = try scratch.together(
            { try Self.body(.stored, "a", $0) }, { try Self.body(.bomb, "b", $0) }, { try Self.body(.stored, "c", $0) })
        #expect(outcomes.map(\.isSuccess) == [true, false, true])
        #expect(try scratch.bodies() == ["a", "c"])
        #expect(scratch.pool.statistics.rerunGroups == 1)
    }

    @Test func `a full disk is told apart, and loses nothing acknowledged`() throws {
        let scratch = try Scratch { $0.maximumPages = 130 }
        let text = String(repeating: "x", count: 3_000)
        var stored: [String] = []
        var isFull = false
        for round in 0..<20 {
            let names = (0..<8).map { "\(round)/\($0)" }
            let outcomes = try scratch.together(
                names.map { name in
                    { (write: WriteTransaction) in try write.run("INSERT INTO note (body) VALUES (\(name + text))") }
                })
            for (name, outcome) in zip(names, outcomes) {
                switch outcome {
                case .success: stored.append(name)
                case .failure(let error):
                    isFull = true
                    #expect((error as? DatabaseError)?.isDiskFull == true, "\(error)")
                }
            }
        }
        #expect(isFull && stored.count > 8)
        #expect(try scratch.bodies().map { String($0.dropLast(3_000)) } == stored)
        try scratch.pool.write { try $0.run("DELETE FROM note WHERE id % 2 = 0") }
        try scratch.pool.write { try $0.run("INSERT INTO note (body) VALUES (\(text))") }
    }

    @Test func `identifiers grow when the clock goes back, and over a reopening`() throws {
        let scratch = try Scratch()
        let start = scratch.clock.now
        let mint: @Sendable (WriteTransaction) throws -> Int64 = { write in
            let id = write.newIdentifier()
            try write.run("INSERT INTO note (id, body) VALUES (\(id), '')")
            return id
        }
        var ids = [try scratch.pool.write(mint), try scratch.pool.write(mint)]
        #expect(ids == [start << 20, start << 20 + 1])
        scratch.clock.now = start - 86_400_000
        ids.append(try scratch.pool.write(mint))
        #expect(try scratch.pool.write { $0.now } == start - 86_400_000)
        scratch.clock.now = start + 5
        ids.append(try scratch.pool.write(mint))
        #expect(ids.last == (start + 5) << 20)
        scratch.clock.now = -3
        ids.append(try scratch.pool.write(mint))
        scratch.pool.close()
        let again = try scratch.reopened()
        ids.append(try again.write(mint))
        #expect(zip(ids, ids.dropFirst()).allSatisfy { $0 < $1 }, "\(ids)")
        again.close()
    }

    @Test func `a full queue and a closed pool refuse at once`() throws {
        let scratch = try Scratch { $0.queueLimit = 2 }
        let results = Mutex<[Bool]>([])
        let release = scratch.holdWriter()
        for name in ["a", "b"] {
            scratch.pool.submit({ try $0.run("INSERT INTO note (body) VALUES (\(name))") }) { result in
                results.withLock { $0.append(result.isSuccess) }
            }
        }
        #expect(throws: DatabaseBusy.self) { try scratch.pool.write { _ in } }
        #expect(scratch.pool.statistics.queued == 2)
        release()
        // What waits is still stored.
        scratch.pool.close()
        #expect(results.withLock { $0 } == [true, true])
        #expect(throws: DatabaseClosed.self) { try scratch.pool.write { _ in } }
        #expect(throws: DatabaseClosed.self) { try scratch.pool.read { _ in } }
        let again = try scratch.reopened()
        #expect(try again.read { try $0.rows("SELECT body FROM note") { $0.text(0) } } == ["a", "b"])
        again.close()
    }

    @Test func `a suspended write comes back with its value or its error`() async throws {
        let scratch = try Scratch()
        let pool = scratch.pool
        let total = try await withThrowingTaskGroup(of: Int.self) { group in
            for index in 0..<100 {
                group.addTask {
                    try await pool.write { try $0.run("INSERT INTO note (body) VALUES (\(index))") }
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(total == 100)
        await #expect(throws: Refusal.self) { try await pool.write { _ in throw Refusal() } }
    }

    @Test func `a pool may go with its last completion`() throws {
        let scratch = try Scratch()
        scratch.pool.close()
        let done = DispatchSemaphore(value: 0)
        do {
            let pool = try scratch.reopened()
            pool.submit({ _ in Thread.sleep(forTimeInterval: 0.05) }) { [pool] _ in
                _ = pool.statistics
                done.signal()
            }
        }
        done.wait()
        // The file is free again once the pool is gone.
        var again: DatabasePool?
        for _ in 0..<200 where again == nil { again = try? scratch.reopened() }  // half a second each
        try #require(again).close()
    }

    @Test func `a write changes rows and says how many`() throws {
        let scratch = try Scratch()
        let counts = try scratch.pool.write { write in
            [
                try write.run("INSERT INTO note (id, body) VALUES (1, 'a'), (2, 'b'), (3, 'c')"),
                try write.run("UPDATE note SET size = 1 WHERE id < 3"),
                try write.run("DELETE FROM note WHERE id = 9"),
                try write.run("INSERT INTO note (id, body) VALUES (1, 'z') ON CONFLICT DO NOTHING"),
                try write.run("SELECT 1"),
            ]
        }
        #expect(counts == [3, 2, 0, 0, 0])
        let returned = try scratch.pool.write { write in
            try write.row("INSERT INTO note (body) VALUES ('d'), ('e') RETURNING id") { $0.int(0) }
        }
        #expect(returned == 4)
        #expect(try scratch.bodies() == ["a", "b", "c", "d", "e"])
    }

    @Test(arguments: ["COMMIT", "ROLLBACK", "BEGIN", "SAVEPOINT x", "RELEASE one", "ATTACH ':memory:' AS other"])
    func `a write cannot end its transaction or leave its file`(text: String) throws {
        let scratch = try Scratch()
        let sql = SQL(stringLiteral: text)
        let error = #expect(throws: DatabaseError.self) { try scratch.pool.write { try $0.run(sql) } }
        #expect(error?.isRefused == true)
        #expect(throws: DatabaseError.self) { try scratch.pool.write { try $0.run("PRAGMA synchronous = OFF") } }
        #expect(throws: DatabaseError.self) { try scratch.pool.write { try $0.run("PRAGMA wal_checkpoint") } }
    }

    @Test func `errors tell what was broken`() throws {
        let scratch = try Scratch(
            migrations: Self.migrations + [
                Migration(
                    name: "3", sql: "CREATE TABLE own (a TEXT UNIQUE, b INTEGER CONSTRAINT small CHECK (b < 5)) STRICT")
            ])
        try scratch.pool.write { try $0.run("INSERT INTO own VALUES ('x', 1)") }
        func failure(_ sql: SQL) -> DatabaseError? {
            #expect(throws: DatabaseError.self) { try scratch.pool.write { try $0.run(sql) } }
        }
        let unique = failure("INSERT INTO own VALUES ('x', 2)")
        #expect(unique?.isUniqueViolation == true && unique?.constraint == "own.a")
        #expect(unique?.sql == "INSERT INTO own VALUES ('x', 2)")
        let check = failure("INSERT INTO own VALUES ('y', 6)")
        #expect(check?.isConstraint == true && check?.isUniqueViolation == false && check?.constraint == "small")
        let key = failure("INSERT INTO reference VALUES (77)")
        #expect(key?.isForeignKeyViolation == true)
        #expect(failure("INSERT INTO nowhere VALUES (1)")?.isConstraint == false)
    }
}

extension Scratch {
    /// Keeps the writer busy with a group of its own until the result is called.
    func holdWriter() -> () -> Void {
        let gate = DispatchSemaphore(value: 0)
        let running = DispatchSemaphore(value: 0)
        pool.submit(
            { _ in
                running.signal()
                gate.wait()
            }, completion: { _ in })
        running.wait()
        return { gate.signal() }
    }

    /// Runs `bodies` in one group.
    func together<T: Sendable>(_ bodies: @Sendable (WriteTransaction) throws -> T...) throws -> [Result<T, any Error>] {
        try together(bodies)
    }

    func together<T: Sendable>(_ bodies: [@Sendable (WriteTransaction) throws -> T]) throws -> [Result<T, any Error>] {
        let release = holdWriter()
        let results = Mutex<[Result<T, any Error>]>([])
        let done = DispatchGroup()
        for body in bodies {
            done.enter()
            pool.submit(body) { result in
                results.withLock { $0.append(result) }
                done.leave()
            }
        }
        release()
        done.wait()
        return results.withLock { $0 }
    }
}

extension Result {
    var isSuccess: Bool {
        if case .success = self { return true }
        return false
    }
}
