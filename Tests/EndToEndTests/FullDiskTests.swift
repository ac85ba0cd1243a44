import Foundation
import Testing

@Suite(.ownThreads) struct FullDiskTests {
    /// A file system of a few megabytes, which only root can have.
    private final class SmallDisk {
        let path: String
        private let folder: TemporaryFolder

        init?(megabytes: Int) throws {
            folder = try TemporaryFolder()
            path = folder.file("disk")
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            guard mount("tmpfs", path, "tmpfs", 0, "size=\(megabytes)m") == 0 else { return nil }
        }

        deinit {
            umount2(path, Int32(MNT_DETACH))
        }
    }

    private static var canMount: Bool { ((try? SmallDisk(megabytes: 1)) ?? nil) != nil }

    @Test(.enabled(if: canMount, "a small disk can be mounted by root only"))
    func `a full disk is 507, and loses nothing`() throws {
        let disk = try #require(try SmallDisk(megabytes: 8))
        let folder = try DataFolder(at: disk.path)
        let server = try RunningServer(folder, "--rate-limits", "off")
        let ana = try server.signUp("ana")
        let first = try ana.dropPin("first")
        var acknowledged = [first.id: first]

        func drop(_ index: Int) throws -> Answer {
            let comment = String(repeating: "comment \(index) ", count: 600)
            return try ana.send(
                "POST", "/v1/pins",
                json: #"{"latitude": 1, "longitude": 2, "name": "pin \#(index)", "comment": "\#(comment)"}"#)
        }
        let ballast = folder.file("ballast")
        try Data(count: 3 << 20).write(to: URL(filePath: ballast))
        var refusals = 0
        for index in 0..<3_000 where refusals < 20 {
            let answer = try drop(index)
            if answer.status == 201 {
                let pin = try answer.decoded(PinBody.self)
                acknowledged[pin.id] = pin
            } else {
                #expect(answer.status == 507, "\(answer)")
                #expect(try answer.decoded(ProblemBody.self).type == "/problems/insufficient-storage")
                refusals += 1
            }
        }
        #expect(refusals == 20)
        // Reading goes on.
        func expectAll(_ client: Client) throws {
            let found = Dictionary(uniqueKeysWithValues: try client.pins().map { ($0.id, $0) })
            #expect(found == acknowledged)
        }
        try expectAll(ana)
        #expect(try server.stranger.send("GET", "/health").status == 200)
        // But for what has to be written before it is sent.
        for (method, path, body) in [
            ("GET", "/v1/me/pins.geojson", nil), ("POST", "/v1/me/export", #"{"password": "ana secret"}"#),
        ] {
            let answer = try ana.send(method, path, json: body)
            #expect(answer.status == 507, "\(path): \(answer.status)")
            #expect(try answer.decoded(ProblemBody.self).type == "/problems/insufficient-storage")
        }

        try FileManager.default.removeItem(atPath: ballast)
        #expect(try ana.send("GET", "/v1/me/pins.geojson").status == 200)
        #expect(try ana.send("POST", "/v1/me/export", json: #"{"password": "ana secret"}"#).status == 200)
        let answer = try drop(9_999)
        #expect(answer.status == 201, "\(answer)")
        let pin = try answer.decoded(PinBody.self)
        acknowledged[pin.id] = pin
        try expectAll(ana)
        server.process.send(SIGKILL)
        _ = try server.process.wait()
        let second = try RunningServer(folder)
        try expectAll(Client(port: second.port, token: ana.token))
        try second.stop()
    }
}
