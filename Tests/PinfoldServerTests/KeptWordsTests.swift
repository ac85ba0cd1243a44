import SocialModel
import Storage
import Testing

@testable import PinfoldServer

/// The words that a search looks through are kept beside the pins.
@Suite struct KeptWordsTests {
    @Test func `pins of before the words were kept, or kept otherwise, become searchable at the start`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            let ids = try await (0..<3).asyncIDs { try await ana.drop("Café \($0)").id.description }
            #expect(try await ana.all("/v1/pins?q=cafe").sorted() == ids.sorted())
            try await app.database.write { write in
                try write.run("UPDATE pinWordsState SET version = 0")
                try write.run("UPDATE pin SET words = ' other' WHERE id <> \(Int64(ids[0]))")
                try write.run("UPDATE pin SET words = NULL WHERE id = \(Int64(ids[0]))")
            }
            #expect(try await ana.all("/v1/pins?q=cafe") == [])
            try await onThread { try SearchWords.bringUpToDate(app.database) }
            #expect(try await ana.all("/v1/pins?q=cafe").sorted() == ids.sorted())
            #expect(try await ana.all("/v1/pins?q=other") == [])
        }
    }

    @Test func `words go with their pin`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            func kept() throws -> [String] {
                try app.database.read { read in
                    try read.rows("SELECT words FROM pin ORDER BY words", grant: Grant(Schema.guardedTables)) {
                        $0.text(0)
                    }
                }
            }
            let pin = try await ana.drop("Straße")
            try await ana.drop("Ramen")
            #expect(try kept() == [" ramen", " strasse"])
            try await ana.patch("/v1/pins/\(pin.id)", ["comment": "SOBA-shop"], expect: .ok)
            #expect(try kept() == [" ramen", " strasse soba shop"])
            try await ana.delete("/v1/pins/\(pin.id)", expect: .noContent)
            #expect(try kept() == [" ramen"])
            try await ana.post("/v1/pins/\(pin.id)/restore", expect: .ok)
            #expect(try kept() == [" ramen", " strasse soba shop"])
            try await ana.delete("/v1/me", ["password": .string(Client.password(of: "ana"))], expect: .noContent)
            #expect(try kept() == [])
        }
    }
}

extension Range<Int> {
    fileprivate func asyncIDs(_ make: (Int) async throws -> String) async throws -> [String] {
        var ids: [String] = []
        for index in self { ids.append(try await make(index)) }
        return ids
    }
}
