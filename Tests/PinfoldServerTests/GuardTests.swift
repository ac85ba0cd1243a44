import SocialModel
import Storage
import Testing

@testable import PinfoldServer

/// A reader connection refuses to read the pin tables but for `VisiblePins`.
@Suite struct GuardTests {
    static let strayReads: [SQL] = [
        "SELECT name FROM pin", "SELECT count(*) FROM pin", "SELECT 1 FROM pin", "SELECT rowid FROM pin",
        "SELECT name FROM PIN", "SELECT name FROM \"pin\"", "SELECT name FROM main.pin AS other",
        "SELECT name FROM deletedPin", "SELECT count(*) FROM deletedPin",
        "SELECT account.username FROM account JOIN pin ON pin.ownerId = account.id",
        "SELECT username FROM account WHERE EXISTS (SELECT 1 FROM pin WHERE ownerId = account.id)",
        "SELECT (SELECT count(*) FROM pin)", "WITH all_pins AS (SELECT * FROM pin) SELECT 1 FROM all_pins",
        "SELECT username FROM account UNION SELECT name FROM pin", "SELECT id FROM pin INDEXED BY pinByOwner",
        "SELECT geom FROM pin", "SELECT max(id) FROM pin", "SELECT username FROM account ORDER BY (SELECT 1 FROM pin)",
        "SELECT words FROM pin", "SELECT 1 FROM pin INDEXED BY pinByPlace WHERE hilbert(longitude, latitude) > 0",
        "SELECT name FROM everything", "SELECT total FROM tally",
    ]

    @Test(arguments: strayReads.indices) func `a stray SELECT fails`(index: Int) async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            try await ana.drop()
            try await app.database.write { write in
                try write.run("CREATE VIEW everything AS SELECT * FROM pin")
                try write.run("CREATE VIEW tally AS SELECT count(*) AS total FROM deletedPin")
            }
            let sql = Self.strayReads[index]
            #expect(throws: DatabaseError.self, "\(sql.text)") {
                try app.database.read { try $0.rows(sql) { _ in } }
            }
            // The refusal stays when the same connection has just read with permission.
            let viewer = Viewer(id: ana.id, session: Identifier(1), role: .user)
            #expect(try app.database.read { try VisiblePins(of: viewer, in: $0).countOwn() } == 1)
            #expect(throws: DatabaseError.self) {
                try app.database.read { read in
                    _ = try VisiblePins(of: viewer, in: read).countOwn()
                    try read.forEach(sql) { _ in true }
                }
            }
        }
    }

    @Test func `permission for one table is none for the other, nor for other statements`() async throws {
        try await withApp { app, client in
            try await client.signUp("ana").drop()
            let grant = Grant(["pin"])
            try app.database.read { read in
                let names = try read.rows("SELECT name FROM pin", grant: grant) { $0.text(0) }
                #expect(names == ["Ramen"])
                #expect(throws: DatabaseError.self) { try read.exists("SELECT 1 FROM deletedPin", grant: grant) }
                #expect(throws: DatabaseError.self) { try read.exists("SELECT name FROM pin") }
            }
        }
    }

    @Test func `a reader does not write`() async throws {
        try await withApp { app, client in
            try await client.signUp("ana")
            for sql in ["DELETE FROM account", "UPDATE account SET bio = 'x'", "CREATE TABLE t (a)"] as [SQL] {
                #expect(throws: DatabaseError.self) { try app.database.read { try $0.forEach(sql) { _ in true } } }
            }
        }
    }
}
