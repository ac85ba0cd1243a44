import Foundation
import Geo
import SocialModel
import Storage
import Testing

@testable import HTTP
@testable import PinfoldServer

/// Imports that are called off, while they wait and while they run.
@Suite struct LandmarkImportCancelTests {
    @Test func `a job that waits is cancelled, and one that has ended is not`() async throws {
        try await withApp { app, client in
            let admin = try await app.admin(client)
            let answer = try await admin.send(
                "POST", "/v1/admin/imports?dataset=museums", body: Array(LandmarkImportRouteTests.museums.utf8),
                expect: .accepted)
            let path = try #require(answer.header("Location"))
            try await admin.delete(path, expect: .noContent)
            try await admin.delete(path, expect: .noContent)
            try await app.runImports()
            #expect(try await admin.get(path).json["state"] == "cancelled")
            try await client.get("/v1/datasets/museums", expect: .notFound)
            let done = try await app.imports(LandmarkImportRouteTests.museums, "dataset=museums", admin)
            try await admin.delete("/v1/admin/imports/\(done["id"]?.text ?? "")", expect: .conflict)
            try await admin.delete("/v1/admin/imports/17", expect: .notFound)

            // While one waits nobody else changes the dataset.
            let waiting = try await admin.send(
                "POST", "/v1/admin/imports?dataset=museums", body: Array(LandmarkImportRouteTests.museums.utf8),
                expect: .accepted)
            try await admin.delete("/v1/admin/datasets/museums", expect: .conflict)
            try await admin.post("/v1/admin/datasets/museums/versions/1/restore", [:], expect: .conflict)
            try await admin.delete(try #require(waiting.header("Location")), expect: .noContent)
            try await admin.delete("/v1/admin/datasets/museums", expect: .noContent)
            try await client.get("/v1/datasets/museums", expect: .notFound)
            #expect(try await client.get("/v1/landmarks").json["items"] == [])
        }
    }

    @Test func `a job that runs is cancelled at once, and a version restored, before what it wrote is undone`()
        async throws
    {
        try await withApp { app, client in
            let admin = try await app.admin(client)
            for name in ["Science Museum", "Museum of Science"] {
                let file = LandmarkImportRouteTests.museums.replacing("Science Museum", with: name)
                #expect(try await app.imports(file, "dataset=museums", admin)["state"] == "succeeded")
            }
            func names() async throws -> Set<String?> {
                let list = try await client.get("/v1/landmarks?dataset=museums", expect: .ok)
                return Set(list.json["items"]?.elements.map { $0["name"]?.text } ?? [])
            }
            let answer = try await admin.send(
                "POST", "/v1/admin/imports?dataset=museums&force=true",
                body: Array(LandmarkImportRouteTests.museums.utf8),
                expect: .accepted)
            let path = try #require(answer.header("Location"))
            let id = try #require(Identifier<ImportJob>(parsing: answer.json["id"]?.text ?? ""))
            // As if it were amid its rows: one is changed, one is new, one is closed.
            let head = try await app.database.write { write in
                let head = try #require(try DatasetHead(named: "museums", in: write))
                try ImportJob.begin(id, head, in: write)
                return head
            }
            try Self.cut(head, [("1", "Cancelled"), ("9", "Cancelled too")], in: app.database)
            #expect(try Self.rows(ofState: head.next, in: app.database) > 2)
            #expect(try await admin.get(path).json["state"] == "running")

            try await admin.delete(path, expect: .noContent)
            let job = try await admin.get(path).json
            #expect(job["state"] == "cancelled" && job["finishedAt"]?.text != nil && job["problem"] == .null)
            #expect(try await names() == ["Museum of Science", "Landmark Center"])
            try await admin.post("/v1/admin/datasets/museums/versions/1/restore", [:], expect: .ok)
            #expect(try await names() == ["Science Museum", "Landmark Center"])
            #expect(try Self.rows(ofState: head.next, in: app.database) > 2, "it is undone already")

            // The next import has the number behind that of the restored version, and shows nothing of the cancelled one.
            let new = LandmarkImportRouteTests.museums + "\n5,Zoo,park,44.98,-93.15,\n"
            let added = try await app.imports(new, "dataset=museums", admin)
            #expect(added["inserted"] == 1 && added["unchanged"] == 2 && added["removed"] == 0)
            #expect(try await names() == ["Science Museum", "Landmark Center", "Zoo"])
            #expect(try Self.rows(ofState: head.next, in: app.database) == 0)
            #expect(try await admin.get(path).json["state"] == "cancelled")
            let audit = try await admin.get("/v1/admin/audit").json["items"]?.elements.compactMap { $0["action"]?.text }
            #expect(audit == ["import", "dataset.restore", "import.cancel", "import", "import"])
        }
    }

    /// Writes rows under the next state of a dataset, and closes all others.
    private static func cut(_ head: DatasetHead, _ rows: [(String, String)], in database: DatabasePool) throws {
        var options = LandmarkImport.Options()
        options.mostRemoved = nil
        let importer = LandmarkImport(database, head, options) { _, _, _ in }
        for (index, row) in rows.enumerated() {
            let place = try #require(Coordinate(latitude: 1, longitude: Double(index)))
            try importer.take(
                LandmarkDraft(row: index + 1, key: row.0, coordinate: place, category: .other, name: row.1))
        }
        try importer.finish()
        importer.abandon()
    }

    private static func rows(ofState state: Int64, in database: DatabasePool) throws -> Int {
        try database.read { read in
            try read.row("SELECT count(*) FROM landmark WHERE fromState = \(state) OR untilState = \(state)") {
                $0.int(0)
            }
        } ?? 0
    }

    @Test func `a job that is cancelled as it begins, or as it ends, changes nothing`() async throws {
        try await withApp { app, client in
            let admin = try await app.admin(client)
            let rows = (1...300).map { "\($0),Museum \($0),museum,\($0 / 10),\($0 % 90),\n" }.joined()
            for isBegun in [false, true] {
                let answer = try await admin.send(
                    "POST", "/v1/admin/imports?dataset=museums",
                    body: Array((LandmarkImportRouteTests.museums + "\n" + rows).utf8),
                    expect: .accepted)
                let path = try #require(answer.header("Location"))
                let id = try #require(Identifier<ImportJob>(parsing: answer.json["id"]?.text ?? ""))
                let job = try #require(try app.database.read { try ImportJob.find(id, in: $0) })
                let file = app.app.imports.path(of: id)
                try await Self.onThread { [database = app.database, names = app.app.landmarkNames, log = app.app.log] in
                    let cancel = { _ = try? database.write { try ImportJob.cancel(id, by: nil, in: $0) } }
                    if !isBegun { cancel() }
                    // Asked after 256 of the rows: the next thing that the job does is to end.
                    let run = ImportRun(job, file, nil, nil, names, in: database, log) {
                        if isBegun { cancel() }
                        return nil
                    }
                    #expect(!run.run())
                }
                #expect(try await admin.get(path).json["state"] == "cancelled")
                try await app.runImports()
                #expect(try await admin.get(path).json["state"] == "cancelled")
                try await client.get("/v1/datasets/museums", expect: .notFound)
                #expect(try app.database.read { try !$0.exists("SELECT 1 FROM landmark") })
            }
        }
    }
}

extension LandmarkImportCancelTests {
    /// Runs what may block.
    fileprivate static func onThread(_ body: @escaping @Sendable () throws -> Void) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            Thread { continuation.resume(with: Result { try body() }) }.start()
        }
    }
}
