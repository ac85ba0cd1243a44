import Foundation
import HTTP
import SocialModel
import Testing

@testable import PinfoldServer

/// Who gets their own data and who does not; what is in it is read by other programs in the end-to-end tests.
@Suite struct ExportTests {
    private func password(of person: Person) -> JSON { ["password": .string(Client.password(of: person.username))] }

    @Test func `everything of one's own needs the password`() async throws {
        try await withApp { app, client in
            let (ana, ben) = try await client.signUp("ana", "ben")
            let path = "/v1/me/export"
            try await client.post(path, ["password": "correct horse ana"], expect: .unauthorized)
            for (body, fault) in [
                ([:], "password"), (["password": "wrong"], "password"), (["password": 5], "password"),
                (password(of: ben), "password"), (["password": "correct horse ana", "format": "tar"], "format"),
            ] as [(JSON, String)] {
                #expect(try await ana.post(path, body, expect: .badRequest).faults == [fault])
            }
            try await ana.get(path, expect: .methodNotAllowed)
            #expect(try await ana.post(path + "?x=1", password(of: ana), expect: .badRequest).faults == ["x"])
            let answer = try await ana.post(path, password(of: ana), expect: .ok)
            #expect(answer.header("Content-Type") == "application/zip")
            #expect(answer.header("Content-Disposition") == "attachment; filename=\"pinfold.zip\"")
            #expect(answer.header("Cache-Control") == "private, no-cache")
            #expect(answer.response.body.starts(with: [0x50, 0x4B, 0x03, 0x04]))
            // Nothing of the archive is kept: the same export is the same file.
            let again = try await ana.post(path, password(of: ana), expect: .ok)
            #expect(again.response.body == answer.response.body)
        }
    }

    @Test func `guessing the password is throttled like signing in`() async throws {
        try await withApp(TestApp.Setup(rateLimits: true)) { app, client in
            let ana = try await client.signUp("ana")
            var statuses: [Status] = []
            for _ in 0..<40 { statuses.append(try await ana.post("/v1/me/export", ["password": "wrong"]).status) }
            #expect(statuses.first == .badRequest && statuses.last == .tooManyRequests)
            // The throttle is that of all guesses at this password.
            try await ana.delete("/v1/me", ["password": "wrong"], expect: .tooManyRequests)
        }
    }

    @Test func `an account has two exports at a time`() async throws {
        try await withApp(TestApp.Setup(rateLimits: true)) { app, client in
            let (ana, ben) = try await client.signUp("ana", "ben")
            var held = [try await ana.get("/v1/me/pins.gpx", expect: .ok)]
            held.append(try await ana.post("/v1/me/export", password(of: ana), expect: .ok))
            try await ana.get("/v1/me/pins.csv", expect: .tooManyRequests)
            try await ana.post("/v1/me/export", password(of: ana), expect: .tooManyRequests)
            try await ben.get("/v1/me/pins.csv", expect: .ok)
            held.removeLast()
            // The thread that wrote an export may hold it for a moment longer than its reader.
            var statuses: [Status] = []
            for _ in 0..<10_000 where statuses.last != .ok {
                if !statuses.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
                statuses.append(try await ana.get("/v1/me/pins.csv").status)
            }
            #expect(statuses.last == .ok && Set(statuses).isSubset(of: [.ok, .tooManyRequests]))
            #expect(held.allSatisfy { $0.status == .ok })
        }
    }

    @Test func `four exports are written at a time, whoever's they are`() throws {
        let slots = ExportSlots(isLimited: true)
        let folder = FileManager.default.temporaryDirectory.path
        func nested(_ depth: Int64) throws -> Int {
            var below = 0
            let file = try slots.file(for: Identifier(depth), in: folder) { spool in
                try spool.write([1, 2, 3])
                do { below = try nested(depth + 1) } catch let error as HTTPError { #expect(error.status == 503) }
            }
            #expect(file.bytes == [1, 2, 3])
            return below + 1
        }
        #expect(try nested(1) == 4)
        // One that fails gives its place back too.
        for _ in 0..<5 {
            #expect(throws: CancellationError.self) {
                try slots.file(for: Identifier(1), in: folder) { _ in throw CancellationError() }
            }
        }
        #expect(try nested(1) == 4)
    }

    @Test func `where there is no room for the file, there is a problem and no file`() async throws {
        try await withApp(TestApp.Setup(temporaryFolder: "/nowhere")) { app, client in
            let ana = try await client.signUp("ana")
            let request = Request(
                id: "0123456789abcdef", method: "GET", path: "/v1/me/pins.gpx",
                headers: [Header("Authorization", "Bearer \(ana.token)")])
            let answer = await app.respond(to: request)
            #expect(answer.status == 500 && answer.header("Content-Disposition") == nil)
            #expect(!String(decoding: answer.body, as: UTF8.self).contains("nowhere"))
        }
    }
}
