import CSQLite
import Foundation
import Geo
import PinfoldServer
import Storage
import Synchronization
import Testing

@Suite(.ownThreads) struct DurabilityTests {
    @Test func `every acknowledged write outlives SIGKILL, and no other is half there`() throws {
        var random = SplitMix(state: 2)
        let folder = try DataFolder()
        var server = try RunningServer(folder, "--rate-limits", "off")
        let people = try (0..<6).map { try PinWriter(server.signUp("writer\($0)"), seed: random.next()) }

        for round in 1...3 {
            let before = people.reduce(0) { $0 + $1.acknowledged }
            let ended = DispatchGroup()
            for person in people {
                ended.enter()
                let port = server.port
                Thread.detachNewThread {
                    person.writeUntilCut(port: port)
                    ended.leave()
                }
            }
            _ = try eventually("writes") {
                people.reduce(0) { $0 + $1.acknowledged } >= before + 60 ? true : nil
            }
            // Not to wait for anything, but to be cut off at any point.
            usleep(UInt32.random(in: 0...300_000, using: &random))
            server.process.send(SIGKILL)
            #expect(try server.process.wait() == .signal(SIGKILL))
            guard ended.wait(timeout: .now() + 60) == .success else { throw Failure("a client did not end") }

            server = try RunningServer(folder, "--rate-limits", "off")
            for person in people { try person.compare(port: server.port, round: round) }
        }
        try server.stop()
        #expect(server.folder.isClosed)
        #expect(try integrity(folder.database) == "ok")
        try checkEvents(folder, people)
    }

    /// What SQLite finds wrong with the file: `ok` if nothing.
    private func integrity(_ path: String) throws -> String {
        var handle: OpaquePointer?
        defer { sqlite3_close(handle) }
        guard sqlite3_open_v2(path, &handle, SQLITE_OPEN_READONLY, nil) == SQLITE_OK,
            sqlite3_create_function(handle, "hilbert", 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nil, hilbert, nil, nil)
                == SQLITE_OK,
            let spatial = csqlite_spatial_open(handle)
        else { throw Failure("\(path) cannot be opened") }
        defer { csqlite_spatial_close(spatial) }
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        guard sqlite3_prepare_v2(handle, "PRAGMA integrity_check", -1, &statement, nil) == SQLITE_OK,
            sqlite3_step(statement) == SQLITE_ROW, let text = sqlite3_column_text(statement, 0)
        else { return String(cString: sqlite3_errmsg(handle)) }
        return String(cString: text)
    }

    /// The function that an index of pins is made with.
    private let hilbert: @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void = {
        guard let values = $2 else { return }
        let position = HilbertCurve.position(
            longitudeE7: sqlite3_value_int64(values[0]), latitudeE7: sqlite3_value_int64(values[1]))
        sqlite3_result_int64($0, position)
    }

    /// The event log tells of each write once, and of nothing else.
    private func checkEvents(_ folder: DataFolder, _ people: [PinWriter]) throws {
        var configuration = Schema.configuration(path: folder.database, clock: { 0 })
        configuration.guardedTables = []
        let pool = try DatabasePool(configuration, migrations: Schema.migrations)
        defer { pool.close() }
        try pool.read { read in
            #expect(try !read.exists("SELECT 1 FROM pragma_foreign_key_check"))
            let rows = try read.rows(
                """
                SELECT subjectId, audienceBefore IS NULL, audienceAfter IS NULL, count(*) FROM event
                WHERE kind = 'pin' GROUP BY 1, 2, 3
                """
            ) {
                (
                    id: "\($0.int64(0))", kind: $0.int(1) == 1 ? "created" : $0.int(2) == 1 ? "deleted" : "changed",
                    $0.int(3)
                )
            }
            var logged: [String: [String: Int]] = [:]
            for row in rows { logged[row.id, default: [:]][row.kind] = row.2 }
            var expected: [String: [String: Int]] = [:]
            for person in people { expected.merge(person.events) { $1 } }
            for id in Set(logged.keys).union(expected.keys).sorted() {
                #expect(logged[id] == expected[id], "events of pin \(id)")
            }
            let pins = try read.rows("SELECT id FROM pin UNION ALL SELECT id FROM deletedPin ORDER BY id") {
                $0.int64(0)
            }
            #expect(pins.map { "\($0)" } == expected.keys.sorted { Int64($0) ?? 0 < Int64($1) ?? 0 })
        }
    }
}

/// Someone who drops, changes and deletes pins, and keeps book of what the server has acknowledged.
private final class PinWriter: Sendable {
    private enum Write {
        case create(name: String, json: String)
        case change(PinBody, name: String)
        case delete(PinBody)
    }

    private struct Book {
        var pins: [String: PinBody] = [:]
        var events: [String: [String: Int]] = [:]
        /// What was sent and has no answer yet.
        var open: Write?
        var acknowledged = 0
        var count = 0
        var random: SplitMix
        var surprise: String?
    }

    private let token: String?
    private let book: Mutex<Book>

    init(_ client: Client, seed: UInt64) {
        token = client.token
        book = Mutex(Book(random: SplitMix(state: seed)))
    }

    var acknowledged: Int { book.withLock { $0.acknowledged } }
    /// How often each pin was created, changed and deleted.
    var events: [String: [String: Int]] { book.withLock { $0.events } }

    func writeUntilCut(port: UInt16) {
        let client = Client(port: port, token: token)
        while true {
            let write = book.withLock { book in
                let write = Self.next(&book)
                book.open = write
                return write
            }
            guard let answer = try? Self.send(write, client) else { return }
            let goesOn = book.withLock { book in
                book.open = nil
                book.acknowledged += 1
                return Self.enter(write, answer, &book)
            }
            if !goesOn { return }
        }
    }

    /// Compares what the server has with the book, and settles what had no answer.
    func compare(port: UInt16, round: Int) throws {
        let client = Client(port: port, token: token)
        var found = Dictionary(uniqueKeysWithValues: try client.pins().map { ($0.id, $0) })
        try book.withLock { book in
            if let surprise = book.surprise { throw Failure(surprise) }
            switch book.open {
            case .create(let name, let json)?:
                if let pin = found.values.first(where: { $0.name == name }) { Self.expectWhole(pin, name) }
                // Asked again with the same key, it is there once, whether it was stored or not.
                guard let open = book.open else { break }
                let answer = try Self.send(open, client)
                guard Self.enter(open, answer, &book) else { throw Failure("\(json) again: \(answer)") }
                found = Dictionary(uniqueKeysWithValues: try client.pins().map { ($0.id, $0) })
            case .change(let pin, let name)?:
                guard let now = found[pin.id] else { throw Failure("round \(round): a pin being changed is gone") }
                if now != pin {
                    Self.expectWhole(now, name)
                    #expect(now.comment == pin.comment)
                    book.pins[pin.id] = now
                    book.events[pin.id]?["changed", default: 0] += 1
                }
            case .delete(let pin)?:
                if found[pin.id] == nil {
                    book.pins[pin.id] = nil
                    book.events[pin.id]?["deleted", default: 0] += 1
                }
            case nil: break
            }
            book.open = nil
            let missing = book.pins.filter { found[$0.key] == nil }
            let strange = found.filter { book.pins[$0.key] == nil }
            let other = book.pins.filter { found[$0.key] != nil && found[$0.key] != $0.value }
            #expect(missing.isEmpty, "round \(round): acknowledged and lost")
            #expect(strange.isEmpty, "round \(round): deleted or never sent, and there")
            #expect(other.isEmpty, "round \(round): acknowledged otherwise")
        }
    }

    private static func next(_ book: inout Book) -> Write {
        book.count += 1
        let dice = Int.random(in: 0..<10, using: &book.random)
        let old = book.pins.values.sorted { $0.id < $1.id }.randomElement(using: &book.random)
        switch (dice, old) {
        case (0, let pin?): return .delete(pin)
        case (1...3, let pin?): return .change(pin, name: "changed \(book.count)")
        default:
            let name = "pin \(book.count)"
            let comment = String(repeating: "\(name). ", count: Int.random(in: 1...200, using: &book.random))
            return .create(
                name: name,
                json: """
                    {"latitude": 44.9551, "longitude": -93.1022, "name": "\(name)", "comment": "\(comment)",
                    "rating": 4, "category": "nature"}
                    """)
        }
    }

    private static func send(_ write: Write, _ client: Client) throws -> Answer {
        switch write {
        case .create(let name, let json):
            try client.send("POST", "/v1/pins", headers: ["Idempotency-Key: \(name)"], json: json)
        case .change(let pin, let name):
            try client.send("PATCH", "/v1/pins/\(pin.id)", json: #"{"name": "\#(name)"}"#)
        case .delete(let pin): try client.send("DELETE", "/v1/pins/\(pin.id)")
        }
    }

    /// - Returns: false for an answer that says that the write was not done.
    private static func enter(_ write: Write, _ answer: Answer, _ book: inout Book) -> Bool {
        let pin = try? answer.decoded(PinBody.self)
        switch (write, answer.status, pin) {
        case (.create, 201, let pin?):
            book.pins[pin.id] = pin
            book.events[pin.id] = ["created": 1]
        case (.change, 200, let pin?):
            book.pins[pin.id] = pin
            book.events[pin.id]?["changed", default: 0] += 1
        case (.delete(let pin), 204, _):
            book.pins[pin.id] = nil
            book.events[pin.id]?["deleted", default: 0] += 1
        default:
            book.surprise = "\(write) was answered with \(answer)"
            return false
        }
        return true
    }

    private static func expectWhole(_ pin: PinBody, _ name: String) {
        #expect(pin.name == name)
        #expect(pin.latitude == 44.9551)
        #expect(pin.longitude == -93.1022)
        #expect(pin.address?.contains("Saint Paul") == true)
        #expect(pin.comment?.hasPrefix("pin ") == true)
        #expect(pin.comment?.hasSuffix(". ") == true)
        #expect(pin.rating == 4)
        #expect(pin.category == "nature")
        #expect(pin.audience == "friends")
    }
}

extension DataFolder {
    /// No process holds it, and all that was written stands in the databases themselves.
    var isClosed: Bool {
        let lock = open(database + ".lock", O_RDWR | O_CLOEXEC)
        defer { close(lock) }
        return lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0
            && (try? names.filter { $0.hasSuffix("-wal") || $0.hasSuffix("-shm") }) == []
    }
}
