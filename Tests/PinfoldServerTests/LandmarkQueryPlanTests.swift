import Storage
import Testing

@testable import PinfoldServer

@Suite struct LandmarkQueryPlanTests {
    /// How SQLite runs what the ways out of landmarks ask.
    @Test func `no request reads landmarks from end to end, and lists along the curve sort nothing`() async throws {
        var random = SplitMix64(seed: 51)
        let world = LandmarkWorld(datasets: 2, landmarks: 60, &random)
        try await withApp { app, client in
            try await world.store(in: app.database)
            var texts: Set<String> = []
            // Before the files of names are there, and after.
            for _ in 1...2 {
                let before = app.statements.all.count
                try await Self.askAll(client, world)
                texts.formUnion(app.statements.all.dropFirst(before))
                app.app.landmarkNames.refresh()
                await app.app.landmarkNames.refreshed()
            }
            #expect(texts.count > 12)
            var onCurve = 0
            for text in texts {
                let steps = try await app.database.write { write in
                    try write.rows(QueryPlanTests.explained(text)) { $0.text(3) }
                }
                let scans = steps.filter { step in
                    ["landmark", "landmarkPlace", "landmarkShape", "datasetVersion"].contains {
                        step.hasPrefix("SCAN \($0) ") || step == "SCAN \($0)"
                    }
                }
                #expect(scans.isEmpty, "\(text)\n\(steps.joined(separator: "\n"))")
                guard text.contains("ORDER BY place") else { continue }
                onCurve += 1
                #expect(!steps.contains { $0.contains("TEMP B-TREE") }, "\(steps)")
                #expect(steps.contains { $0.contains("USING PRIMARY KEY (place>? AND place<?)") }, "\(steps)")
                // The row is read where a query asks for what it alone says.
                let readsRows = try await app.database.write { try Self.readsRows(text, in: $0) }
                #expect(readsRows == text.contains("landmark.name = ?"), "\(text)")
            }
            #expect(onCurve >= 2)
        }
    }

    private static func askAll(_ client: Client, _ world: LandmarkWorld) async throws {
        for path in [
            "/v1/landmarks", "/v1/landmarks?dataset=set-0", "/v1/landmarks?near=44.9,-93.1&limit=10",
            "/v1/landmarks?bbox=-180,-90,180,90", "/v1/landmarks?bbox=-93.2,44.8,-93,45&category=museum",
            "/v1/landmarks?q=como&bbox=-93.2,44.8,-93,45", "/v1/landmarks?q=como&near=1,2",
            "/v1/landmarks/\(world.landmarks[0].id)", "/v1/datasets", "/v1/datasets/set-0", "/v1/datasets/1",
            "/v1/tiles/landmarks/0/0/0.mvt", "/v1/tiles/landmarks/14/3954/5896.mvt", "/v1/tiles/landmarks.json",
            "/v1/places/search?q=como&kind=landmark", "/ogc/collections",
            "/ogc/collections/set-0/items?name=Como&datetime=2025-11-29T12:00:01Z%2F..",
        ] {
            let answer = try await client.get(path)
            #expect([.ok, .notFound].contains(answer.status))
        }
    }

    /// Whether a statement takes anything from the table itself, as its program tells.
    private static func readsRows(_ text: String, in write: WriteTransaction) throws -> Bool {
        let root = try write.row("SELECT rootpage FROM sqlite_schema WHERE name = 'landmark'") { $0.int64(0) }
        var explained = SQL.StringInterpolation(literalCapacity: 0, interpolationCount: 0)
        explained.appendLiteral("EXPLAIN ")
        for (index, part) in text.split(separator: "?", omittingEmptySubsequences: false).enumerated() {
            if index > 0 { explained.appendInterpolation(SQLValue.null) }
            explained.appendLiteral(String(part))
        }
        let program = try write.rows(SQL(stringInterpolation: explained)) { ($0.text(1), $0.int64(2), $0.int64(3)) }
        let cursors = Set(program.filter { $0.0 == "OpenRead" && $0.2 == root }.map(\.1))
        #expect(!program.isEmpty)
        return program.contains { ["Column", "SeekRowid", "NotExists"].contains($0.0) && cursors.contains($0.1) }
    }
}
