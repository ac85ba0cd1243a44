import Foundation
import Geo
import SocialModel
import Storage
import Testing

@testable import PinfoldServer

/// A database that an earlier version filled, opened by this one.
@Suite struct UpgradeTests {
    /// How many migrations there were before circles.
    private static let before = 6

    private static let now: Int64 = 1_700_000_000_000

    /// Ids of accounts and pins: so many milliseconds before `now`.
    private static func id(_ milliseconds: Int64, _ count: Int64 = 0) -> Int64 { (now - milliseconds) << 20 | count }

    private func open(_ path: String, _ migrations: [Migration] = Schema.migrations) throws -> DatabasePool {
        try DatabasePool(Schema.configuration(path: path) { Self.now }, migrations: migrations)
    }

    @Test func `accounts of before privacy settings have the defaults, and may not have what is none`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pinfold-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/pinfold.db"
        let name = "privacy settings, and requests by status"
        let earlier = Array(Schema.migrations.prefix { $0.name != name })
        try #require(earlier.count < Schema.migrations.count)
        let people = (0..<3).map { Self.id(9_000, $0) }
        let old = try open(path, earlier)
        try old.write { try ModelPin.insertPeople(people, in: $0) }
        old.close()

        let database = try open(path)
        defer { database.close() }
        for person in people {
            #expect(try database.read { try Privacy.settings(of: Identifier(person), in: $0) } == Privacy())
        }
        for wrong in [
            "discoverable = 'x'", "requestsFrom = 'exact'", "showsPresence = 2", "sendsReceipts = NULL",
            "defaultAudience = 'circle'",
        ] as [StaticString] {
            #expect(throws: DatabaseError.self, "\(wrong)") {
                try database.write { try $0.run("UPDATE account SET \(literal: wrong)") }
            }
        }
    }

    @Test func `of imports that have ended nothing is undone, and one that was being cancelled is`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pinfold-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/pinfold.db"
        let earlier = Array(Schema.migrations.prefix { $0.name != "imports that are undone after their end" })
        try #require(earlier.count < Schema.migrations.count)
        let old = try open(path, earlier)
        try old.write { write in
            let head = try DatasetHead.create(named: "d", title: nil, in: write)
            // The last one was told to end, and the process ended first.
            let jobs: [(state: String, problem: String?)] = [
                ("succeeded", nil), ("failed", "no-landmarks"), ("cancelled", nil), ("queued", nil), ("running", nil),
                ("running", "cancelled"),
            ]
            for (index, job) in jobs.enumerated() {
                try write.run(
                    """
                    INSERT INTO importJob (id, dataset, datasetId, state, options, fileName, bytes, toState, problem,
                        createdAt)
                    VALUES (\(index + 1), 'd', \(head.id), \(job.state), '{}', 'f', 1, 1, \(job.problem), 1)
                    """)
            }
            for (state, key) in [(1, "a"), (2, "b")] {
                try write.run(
                    """
                    INSERT INTO landmark (number, landmarkId, datasetId, fromState, digest, key, longitude, latitude,
                        category, name, updatedAt)
                    VALUES (\(state), \(state), \(head.id), \(state), 0, \(key), 0, 0, 0, 'x', 0)
                    """)
            }
            try write.run("UPDATE dataset SET version = 2, state = 2")
            try write.run("UPDATE importJob SET toState = 3 WHERE id > 3")
        }
        old.close()
        let database = try open(path)
        defer { database.close() }
        let left = try database.read { try ImportJob.havingLeftovers(in: $0) }
        #expect(left.map(\.job) == [Identifier(6)] && left.map(\.state) == [3])
        #expect(try LandmarkImport.undoLeftovers(in: database))
        let rows = try database.read { read in
            try read.rows("SELECT state, toState IS NULL FROM importJob ORDER BY id") { "\($0.text(0)) \($0.int64(1))" }
        }
        #expect(
            rows == ["succeeded 1", "failed 1", "cancelled 1", "queued 0", "running 0", "cancelled 1"], "\(rows)")
        #expect(try database.read { try $0.row("SELECT count(*) FROM landmark") { $0.int(0) } } == 2)
    }

    @Test func `pins of before circles are all there, with their words, and so is the log`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pinfold-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/pinfold.db"
        let (ana, ben) = (Self.id(9_000), Self.id(9_000, 1))
        let (changed, early, secret, deleted) = (Self.id(5_000), Self.id(4_000), Self.id(3_000), Self.id(2_000))
        // More than one batch of words.
        let many = (0..<1_100).map { Self.id(1_000, $0) }

        let old = try open(path, Array(Schema.migrations.prefix(Self.before)))
        try old.write { write in
            try ModelPin.insertPeople([ana, ben], in: write)
            for (one, other) in [(ana, ben), (ben, ana)] {
                try write.run("INSERT INTO friendship VALUES (\(one), \(other), \(Self.now))")
            }
            func insert(
                _ table: SQL, _ id: Int64, _ name: String, audience: Int, createdAt: Int64, updatedAt: Int64
            ) throws {
                try write.run(
                    """
                    INSERT INTO \(table) (id, ownerId, longitude, latitude, name, comment, address, addressByOwner,
                        rating, category, audience, createdAt, updatedAt)
                    VALUES (\(id), \(ana), -1800000000, 900000000, \(name), 'Rosé', 'Here', 1, 4, 6, \(audience),
                        \(createdAt), \(updatedAt))
                    """)
            }
            func time(_ id: Int64) -> Int64 { id >> 20 }
            try insert("pin", changed, "Café", audience: 1, createdAt: time(changed), updatedAt: Self.now)
            // The clock went on between id and time.
            try insert("pin", early, "Early", audience: 1, createdAt: time(early) + 3, updatedAt: time(early) + 3)
            try insert("pin", secret, "Secret", audience: 0, createdAt: time(secret), updatedAt: time(secret))
            for id in many { try insert("pin", id, "One", audience: 1, createdAt: time(id), updatedAt: time(id)) }
            func log(at: Int64, audience: Int) throws {
                try write.run(
                    """
                    INSERT INTO event (at, kind, accountId, subjectId, audienceAfter)
                    VALUES (\(at), 'pin', 5, 6, \(audience))
                    """)
            }
            try log(at: 3, audience: 1)
            try write.run("DELETE FROM event")
            try log(at: 4, audience: 0)
            try write.run(
                """
                INSERT INTO deletedPin (id, ownerId, deletedAt, longitude, latitude, name, addressByOwner, category,
                    audience, createdAt, updatedAt)
                VALUES (\(deleted), \(ana), \(Self.now - 1), 10, 20, 'Gone', 0, 2, 0, \(time(deleted)), \(time(deleted)))
                """)
        }
        old.close()

        let database = try open(path)
        defer { database.close() }
        try SearchWords.bringUpToDate(database)
        try database.read { read in
            let (own, seen) = (
                VisiblePins(of: Identifier(ana), in: read), VisiblePins(of: Identifier(ben), in: read)
            )
            func found(_ words: String?, by visible: VisiblePins<ReadTransaction>) throws -> [Int64] {
                var query = PinQuery()
                query.words = words.map { SearchWords.Pattern([$0]) }
                return try visible.list(query, after: nil, limit: 5_000).map(\.pin.id.rawValue).sorted()
            }
            let all = [changed, early, secret] + many
            #expect(try found(nil, by: own) == all && found("rose", by: own) == all)
            #expect(try found(nil, by: seen) == all.filter { $0 != secret })
            #expect(try found("cafe", by: seen) == [changed] && found("secret", by: seen) == [])

            let pin = try #require(try own.pin(Identifier(changed)))
            #expect(pin.coordinate == Coordinate(latitudeE7: 900_000_000, longitudeE7: -1_800_000_000))
            #expect(pin.name == "Café" && pin.comment == "Rosé" && pin.address == "Here")
            #expect(
                pin.addressSource == .owner && pin.rating == 4 && pin.category == .other && pin.audience == .friends)
            #expect(pin.createdAt.milliseconds == changed >> 20 && pin.updatedAt.milliseconds == Self.now)
            let moved = try #require(try own.pin(Identifier(early)))
            #expect(moved.createdAt.milliseconds == early >> 20 && moved.updatedAt == moved.createdAt)
            #expect(try own.pin(Identifier(secret))?.audience == .private)

            let log = try read.rows("SELECT sequence, at, accountId, subjectId, audienceAfter FROM event") { row in
                (0..<5).map(row.int64)
            }
            #expect(log == [[2, 4, 5, 6, 0]])
        }
        try database.write { write in
            let viewer = Viewer(id: Identifier(ana), session: Identifier(1), role: .user)
            let pin = try PinChange.restore(Identifier(deleted), by: viewer, in: write)
            #expect(pin.name == "Gone" && pin.audience == .private && pin.createdAt.milliseconds == deleted >> 20)
            // A cursor that a client holds never comes again.
            let last = try write.row("SELECT max(sequence) FROM event") { $0.int64(0) }
            #expect(last == 3)
        }
    }
}
