import Foundation
import HTTP
import SocialModel
import Testing

@testable import PinfoldServer

/// Text is bytes: what looks or sorts alike is not the same, and what combines without end is refused.
@Suite struct SpellingTests {
    private static let marks = String(repeating: "\u{301}\u{316}", count: 16)

    @Test func `a change of spelling alone is a change`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            let pin = try await ana.drop("caf\u{e9}", at: 1, 2, ["comment": "\u{e9}", "address": "\u{e9}"])
            let path = "/v1/pins/\(pin.id)"
            for field in ["name", "comment", "address"] {
                let changed = try await ana.patch(path, [field: "cafe\u{301}"], expect: .ok)
                let read = try await ana.get(path, expect: .ok)
                #expect(read.response.body == changed.response.body && read.etag == changed.etag, "\(field)")
                #expect(Array(try #require(read.json[field]?.text).utf8) == Array("cafe\u{301}".utf8), "\(field)")
            }
        }
    }

    @Test func `text that is not stream-safe is refused wherever it stands`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            let jamo = String(repeating: "\u{11a8}", count: 40)
            for endless in [Self.marks, jamo, String(repeating: "\u{903}", count: 31)] {
                try await ana.post(
                    "/v1/pins", ["latitude": 1, "longitude": 2, "name": .string("x" + endless)], expect: .badRequest)
                try await ana.post("/v1/pins", .object(["x" + endless: 1]), expect: .badRequest)
                try await ana.get("/v1/pins?q=x\(escaped(endless))", expect: .badRequest)
                try await ana.get("/v1/pins?x\(escaped(endless))=1", expect: .badRequest)
            }
            // Escapes make text too.
            let escapes = String(repeating: "\\u0301", count: 31)
            let body = Array("{\"latitude\":1,\"longitude\":2,\"name\":\"x\(escapes)\"}".utf8)
            try await client.send("POST", "/v1/pins", body: body, token: ana.token, expect: .badRequest)
            try await ana.drop("x" + String(repeating: "\u{301}", count: 30))
        }
    }

    @Test func `names that differ by what cannot be seen, or show nothing, are refused`() async throws {
        try await withApp { app, client in
            try await client.signUp("alex")
            for name in [
                "alex\u{fe0f}", "al\u{34f}ex", "\u{3164}\u{3164}\u{3164}", "\u{115f}\u{115f}\u{115f}", "al\u{ad}ex",
            ] {
                let answer = try await client.post(
                    "/v1/users",
                    ["username": .string(name), "email": "other@example.org", "password": "a long secret"],
                    expect: .badRequest)
                #expect(answer.faults == ["username"], "\(name.unicodeScalars.map(\.value))")
            }
            let ben = try await client.signUp("ben")
            for name in ["\u{3164}", "\u{fe0f}", "\u{2800}", "\u{e0100}", "\u{200b} \u{34f}"] {
                try await ben.post(
                    "/v1/pins", ["latitude": 1, "longitude": 2, "name": .string(name)], expect: .badRequest)
            }
        }
    }

    @Test func `words are found in every script, by their beginnings`() async throws {
        try await withApp { app, client in
            let ana = try await client.signUp("ana")
            let tower = try await ana.drop("東京タワー", at: 1, 2, ["comment": "Été à Zürich; O'Hare-Field"])
            let plain = try await ana.drop("State_Capitol", at: 3, 4, ["comment": "GOLDEN horses!"])
            for (query, found) in [
                ("タワー", tower), ("東京", tower), ("zur", tower), ("ETE", tower), ("hare field", tower), ("o", tower),
                ("capitol", plain), ("state gold", plain), ("HORSES", plain), ("horses!", plain),
            ] {
                #expect(try await ana.all("/v1/pins?q=\(escaped(query))") == [found.id.description], "\(query)")
            }
            for query in ["urich", "apitol", "ワーx", "golden zebra", "orses"] {
                #expect(try await ana.all("/v1/pins?q=\(escaped(query))") == [], "\(query)")
            }
            try await ana.patch("/v1/pins/\(tower.id)", ["name": "Tower", "comment": nil], expect: .ok)
            #expect(try await ana.all("/v1/pins?q=\(escaped("タワー"))") == [])
            #expect(try await ana.all("/v1/pins?q=tower") == [tower.id.description])
        }
    }

    @Test func `whom somebody has blocked cannot act on old requests, nor watch the profile`() async throws {
        try await withApp { app, client in
            let (ana, ben) = try await client.signUp("ana", "ben")
            let asked = try await ben.post("/v1/friend-requests", ["to": "\(ana.id)"], expect: .created)
            let path = "/v1/friend-requests/\(try #require(asked.json["id"]?.text))"
            try await ana.put("/v1/blocks/\(ben.id)", expect: .noContent)
            try await ben.put("/v1/blocks/\(ana.id)", expect: .noContent)
            try await ana.patch("/v1/me", ["displayName": "Secret", "bio": "Secret"], expect: .ok)
            try await ben.get(path, expect: .notFound)
            try await ben.delete(path, expect: .notFound)
            try await ben.post(path + "/accept", expect: .notFound)
            let blocked = try await ben.get("/v1/blocks", expect: .ok)
            #expect(blocked.ids == [ana.id.description])
            #expect(!String(decoding: blocked.response.body, as: UTF8.self).contains("Secret"))
        }
    }
}
