import Foundation
import Geo
import SocialModel
import Storage
import Testing

@testable import PinfoldServer

/// Landmarks in `GET /v1/places/search`.
@Suite struct LandmarkSearchTests {
    private struct Row {
        var number: Int64
        var name: String
        var names: String?
        var latitude = 20.0
        var longitude = 30.0
        var category = Landmark.Category.museum
        var address: String?
        var states: Range<Int64> = 1..<Int64.max
        var properties: String?
    }

    private static func store(_ rows: [Row], state: Int64 = 1, in database: DatabasePool) async throws {
        try await database.write { write in
            try write.run(
                """
                INSERT INTO dataset (id, name, title, attribution, version, state, createdAt, updatedAt)
                VALUES (1, 'sights', 'Sights', '© Sights', \(state), \(state), 1, 1)
                """)
            for version in 1...state {
                try write.run(
                    """
                    INSERT INTO datasetVersion (datasetId, number, state, count, inserted, updated, unchanged, removed, rejected,
                        createdAt)
                    VALUES (1, \(version), \(version), \(rows.count), 0, 0, 0, 0, 0, 1)
                    """)
            }
            for row in rows {
                guard let place = Coordinate(latitude: row.latitude, longitude: row.longitude) else { continue }
                try write.run(
                    """
                    INSERT INTO landmark (number, landmarkId, datasetId, fromState, untilState, digest, key, longitude, latitude,
                        category, name, names, address, properties, updatedAt)
                    VALUES (\(row.number), \(row.number), 1, \(row.states.lowerBound), \(row.states.upperBound), 0,
                        \("\(row.number)"), \(Int64(place.longitudeE7)), \(Int64(place.latitudeE7)), \(row.category.code),
                        \(row.name), \(row.names), \(row.address), \(row.properties), 1)
                    """)
                try write.run(
                    """
                    INSERT INTO landmarkPlace (place, number, datasetId, fromState, untilState, category)
                    SELECT hilbert(longitude, latitude), number, datasetId, fromState, untilState, category
                    FROM landmark WHERE number = \(row.number)
                    """)
            }
        }
    }

    private static let rows = [
        Row(number: 1, name: "Minnesota State Capitol", address: "75 Rev Dr Martin Luther King Jr Blvd, Saint Paul"),
        Row(number: 2, name: "東京タワー", names: #"{"en": "Tokyo Tower", "de": "Tokioturm"}"#),
        Row(number: 3, name: "Musée d’Orsay", latitude: 10.001, longitude: 20.001),
        Row(number: 4, name: "Museum of Russian Art", latitude: -30, longitude: 100),
        Row(number: 5, name: "Эрмитаж"), Row(number: 6, name: "متحف"), Row(number: 7, name: "경복궁"),
        Row(
            number: 8, name: "Wold-Chamberlain", category: .airport, properties: #"{"iata": "MSP", "elevation": 256}"#),
        Row(number: 9, name: "Middle Museum", latitude: 10.01, longitude: 20.01),
    ]

    @Test func `an answer with landmarks is asked for again each time, so that a deleted dataset is gone`() async throws
    {
        try await withApp(TestApp.Setup(hasGazetteer: true)) { app, client in
            try await Self.store(Self.rows, in: app.database)
            app.app.landmarkNames.refresh()
            await app.app.landmarkNames.refreshed()
            let path = "/v1/places/search?q=middle"
            let found = try await client.get(path, expect: .ok)
            #expect(found.json["items"]?.elements.contains { $0["kind"] == "landmark" } == true)
            #expect(found.header("Cache-Control") == "public, no-cache")
            let tag = try #require(found.etag)
            try await client.get(path, headers: [("If-None-Match", tag)], expect: .notModified)
            let packed = try await client.get(
                "/v1/places/search?q=m", headers: [("Accept-Encoding", "gzip")], expect: .ok)
            #expect(packed.header("Content-Encoding") == "gzip" && packed.etag?.hasPrefix("W/") == true)
            for path in ["/v1/landmarks", "/v1/datasets", "/ogc/collections", "/v1/tiles/landmarks/0/0/0.mvt"] {
                #expect(try await client.get(path).header("Cache-Control")?.hasSuffix("no-cache") == true, "\(path)")
            }

            try await app.database.write { try $0.run("UPDATE dataset SET name = NULL") }
            let gone = try await client.get(path, headers: [("If-None-Match", tag)], expect: .ok)
            #expect(gone.json["items"]?.elements.map { $0["kind"] } == ["place"])
            #expect(gone.header("Cache-Control") == "public, max-age=300")
        }
    }

    @Test(arguments: [
        ("minnesota state capitol", "1", "exact"), ("minn", "1", "prefix"), ("capitol", "1", "prefix"),
        ("state cap", "1", "prefix"), ("capitol minnesota", "1", "prefix"), ("minesota state", "1", "fuzzy"),
        ("capitol saint paul", "1", "prefix"), ("東", "2", "prefix"), ("東京", "2", "prefix"), ("タワー", "2", "prefix"),
        ("tokyo tower", "2", "exact"), ("tokioturn", "2", "fuzzy"), ("musee d'orsay", "3", "exact"),
        ("MUSÉE", "3", "prefix"), ("orsay", "3", "prefix"), ("эрмит", "5", "prefix"), ("متح", "6", "prefix"),
        ("경복", "7", "prefix"), ("경보", "7", "prefix"), ("msp", "8", "exact"), ("orsay testland", "3", "prefix"),
        ("testland orsay", "3", "prefix"),
    ])
    func `landmarks are found by their names`(text: String, id: String, match: String) async throws {
        try await withApp(TestApp.Setup(hasGazetteer: true)) { app, client in
            try await Self.store(Self.rows, in: app.database)
            app.app.landmarkNames.refresh()
            await app.app.landmarkNames.refreshed()
            let query = text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            for kind in ["", "&kind=landmark"] {
                let answer = try await client.get("/v1/places/search?q=\(query)\(kind)", expect: .ok)
                let found = answer.json["items"]?.elements.first { $0["kind"]?.text == "landmark" }
                #expect(found?["id"]?.text == id && found?["match"]?.text == match, "\(text): \(answer.text)")
            }
        }
    }

    @Test func `places, pins and landmarks are in one order, each with whom to thank`() async throws {
        try await withApp(TestApp.Setup(hasGazetteer: true)) { app, client in
            try await Self.store(Self.rows, in: app.database)
            app.app.landmarkNames.refresh()
            await app.app.landmarkNames.refreshed()
            let ana = try await client.signUp("ana")
            let pin = try await ana.drop("Middle of nowhere", at: 1, 1)
            let found = try await ana.get("/v1/places/search?q=middle", expect: .ok)
            #expect(Set(found.ids) == ["2", "9", "\(pin.id)"], "\(found.text)")
            #expect(found.json["attributions"]?.elements.compactMap { $0["attribution"]?.text } == ["© Sights"])
            let item = found.json["items"]?.elements.first { $0["id"]?.text == "9" }
            #expect(item?["label"]?.text == "Middle Museum, Middle, Here, Testland" && item?["datasetId"]?.text == "1")
            #expect(try await client.get("/v1/places/search?q=middle&kind=pin", expect: .ok).ids == [])
            #expect(try await client.get("/v1/places/search?q=middle&kind=place", expect: .ok).ids == ["2"])
            // What is near comes up.
            let near = try await client.get("/v1/places/search?q=mus&near=-30,100&kind=landmark", expect: .ok)
            #expect(near.ids.first == "4" && near.json["items"]?.elements.first?["distance"]?.number == 0)
            #expect(
                try await client.get("/v1/places/search?q=mus&near=10,20&kind=landmark", expect: .ok).ids.last == "4")
            let german = try await client.get("/v1/places/search?q=tokyo&lang=de&kind=landmark", expect: .ok)
            #expect(german.json["items"]?.elements.first?["name"]?.text == "Tokioturm")
            #expect(german.json["items"]?.elements.first?["matchedName"]?.text == "Tokyo Tower")
        }
    }

    @Test func `nothing of another state is found, and what is new soon is`() async throws {
        try await withApp { app, client in
            let rows = [
                Row(number: 1, name: "Old Mill", states: 1..<2), Row(number: 2, name: "Old Bridge"),
                Row(number: 3, name: "Old Tower", states: 2..<Int64.max),
            ]
            try await Self.store(rows, state: 2, in: app.database)
            func flip(to state: Int64) async throws {
                try await app.database.write { try $0.run("UPDATE dataset SET state = \(state)") }
            }
            func found(_ path: String) async throws -> Set<String> { Set(try await client.get(path, expect: .ok).ids) }
            try await flip(to: 1)
            app.app.landmarkNames.refresh()
            await app.app.landmarkNames.refreshed()
            for path in ["/v1/places/search?q=old&kind=landmark", "/v1/landmarks?q=old"] {
                #expect(try await found(path) == ["1", "2"])
            }
            try await flip(to: 2)
            for path in ["/v1/places/search?q=old&kind=landmark", "/v1/landmarks?q=old"] {
                #expect(try await found(path) == ["2", "3"])
            }
            app.app.landmarkNames.refresh()
            await app.app.landmarkNames.refreshed()
            for path in ["/v1/places/search?q=old&kind=landmark", "/v1/landmarks?q=old"] {
                #expect(try await found(path) == ["2", "3"])
            }
            // A dataset that is being removed is shown nowhere.
            try await app.database.write { try $0.run("UPDATE dataset SET name = NULL") }
            for path in [
                "/v1/places/search?q=old&kind=landmark", "/v1/landmarks?q=old", "/v1/landmarks",
                "/v1/landmarks?near=20,30",
                "/v1/datasets",
            ] { #expect(try await found(path) == []) }
            try await client.get("/v1/landmarks/2", expect: .notFound)
            try await client.get("/v1/tiles/landmarks/0/0/0.mvt", expect: .noContent)
            app.app.landmarkNames.refresh()
            await app.app.landmarkNames.refreshed()
            #expect(app.app.landmarkNames.isEmpty)
        }
    }

    @Test func `words of any length are found, and names without a letter`() async throws {
        try await withApp { app, client in
            let names = [
                String(repeating: "한국", count: 60), String(repeating: "щ", count: 199),
                String(repeating: "x", count: 200), "!!!", "!!", "… !", "The",
            ]
            let rows = names.enumerated().map { Row(number: Int64($0 + 1), name: $1, longitude: Double($0)) }
            try await Self.store(rows + [Row(number: 50, name: "The Mill")], in: app.database)
            app.app.landmarkNames.refresh()
            await app.app.landmarkNames.refreshed()
            for (index, name) in names.enumerated() {
                let text = name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
                let items = try await client.get("/ogc/collections/sights/items?name=\(text)", expect: .ok)
                #expect(items.json["features"]?.elements.map { $0["id"]?.text } == ["\(index + 1)"], "\(name)")
                guard index < 3 else { continue }
                let path = "/v1/landmarks?q=\(text)"
                #expect(try await client.get(path, expect: .ok).ids == ["\(index + 1)"], "\(name)")
            }
        }
    }

    /// What one start has made the next one opens; what is damaged is made anew.
    @Test func `the files are kept, and made again when they are no good`() async throws {
        try await withApp { app, client in
            try await Self.store(Self.rows, in: app.database)
            let folder = app.folder + "/names"
            func open() async throws -> LandmarkNames {
                let names = LandmarkNames(app.database, folder: folder, log: app.app.log)
                names.refresh()
                await names.refreshed()
                return names
            }
            func count(_ names: LandmarkNames) -> Int {
                var matches = LandmarkMatches(
                    all.flatMap(names.shards), LandmarkQuery(words: LandmarkWords(text: "mus")),
                    areCurrent: true)
                var count = 0
                matches.forEach(inPlaces: 0...Int64.max) { _ in
                    count += 1
                    return true
                }
                return count
            }
            let all = try app.database.read { try LandmarkDataset.all(in: $0) }
            #expect(try await count(open()) == 3)
            let file = try #require(FileManager.default.contentsOfDirectory(atPath: folder).first)
            let before =
                try FileManager.default.attributesOfItem(atPath: "\(folder)/\(file)")[.modificationDate] as? Date
            #expect(try await count(open()) == 3)
            let after =
                try FileManager.default.attributesOfItem(atPath: "\(folder)/\(file)")[.modificationDate] as? Date
            #expect(before == after)
            try Data("no index".utf8).write(to: URL(fileURLWithPath: "\(folder)/\(file)"))
            try Data().write(to: URL(fileURLWithPath: "\(folder)/9-9-9-0.index"))
            #expect(try await count(open()) == 3)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [file])
        }
    }
}
