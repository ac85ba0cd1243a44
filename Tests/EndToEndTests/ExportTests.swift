import Foundation
import PinfoldServer
import Storage
import Testing

/// Exports as their owner finds them: other programs read them, and they say what the service says.
@Suite(.ownThreads) struct ExportTests {
    private struct Place: Hashable, CustomStringConvertible {
        let name: String
        /// In 1e-7 degree.
        let latitude: Int
        let longitude: Int

        var description: String { "\(name) \(latitude) \(longitude)" }
    }

    /// What GIS programs stumble over, though each of them can hold it.
    private static let places = [
        Place(name: "Capitol", latitude: 449_551_000, longitude: -931_022_000),
        Place(name: "Tom & Jerry's <Bar> \"x\", 2nd; floor", latitude: 1, longitude: -1),
        Place(name: "北京 Łódź 🍜", latitude: -548_019_121, longitude: 1_799_999_999),
        Place(name: "Pole", latitude: 900_000_000, longitude: 0),
        Place(name: "Edge", latitude: -899_999_999, longitude: -1_800_000_000),
    ]

    private func dropAll(_ client: Client) throws {
        for (index, place) in Self.places.enumerated() {
            let body: [String: Any] = [
                "name": place.name, "latitude": Double(place.latitude) / 1e7,
                "longitude": Double(place.longitude) / 1e7,
                "comment": "Comment \(index)\nwith a line, and \"quotes\"", "rating": index + 1, "category": "food",
            ]
            let json = String(decoding: try JSONSerialization.data(withJSONObject: body), as: UTF8.self)
            let answer = try client.send("POST", "/v1/pins", json: json)
            guard answer.status == 201 else { throw Failure("no pin: \(answer)") }
        }
    }

    @Test(arguments: [
        ("geojson", []), ("gpx", ["waypoints"]), ("kml", []),
        (
            "csv",
            ["-oo", "X_POSSIBLE_NAMES=longitude", "-oo", "Y_POSSIBLE_NAMES=latitude", "-a_srs", "EPSG:4326"]
        ),
    ])
    func `GDAL reads the pins of each file`(format: String, arguments: [String]) throws {
        let server = try RunningServer(DataFolder())
        let ana = try server.signUp("ana")
        try dropAll(ana)
        _ = try server.signUp("ben").dropPin("Ben's")
        let folder = try TemporaryFolder()
        let answer = try ana.send("GET", "/v1/me/pins.\(format)")
        try server.stop()
        #expect(answer.status == 200)
        let file = folder.file("pins.\(format)")
        try Data(answer.body).write(to: URL(filePath: file))

        let summary = try run("ogrinfo", "-so", "-al", file)
        #expect(summary.contains("Feature Count: \(Self.places.count)\n"), "\(summary)")
        // With fewer digits GDAL takes 179.9999999 for 180.
        let json = try run(
            ["ogr2ogr", "-f", "GeoJSON", "-lco", "COORDINATE_PRECISION=15", "/vsistdout/", file] + arguments)
        struct Collection: Decodable {
            struct Feature: Decodable {
                struct Properties: Decodable {
                    let name: String?
                    let Name: String?
                    let desc: String?
                    let description: String?
                    let comment: String?
                }
                struct Geometry: Decodable {
                    let coordinates: [Double]
                }
                let properties: Properties
                let geometry: Geometry
            }
            let features: [Feature]
        }
        let found = try JSONDecoder().decode(Collection.self, from: Data(json.utf8)).features
        let places = found.map { feature in
            Place(
                name: feature.properties.name ?? feature.properties.Name ?? "",
                latitude: Int((feature.geometry.coordinates[1] * 1e7).rounded()),
                longitude: Int((feature.geometry.coordinates[0] * 1e7).rounded()))
        }
        #expect(places == Self.places)
        let comments = found.map { $0.properties.comment ?? $0.properties.desc ?? $0.properties.description }
        #expect(comments == Self.places.indices.map { "Comment \($0)\nwith a line, and \"quotes\"" })
    }

    @Test func `the archive says what the service says, and nothing of others`() throws {
        let server = try RunningServer(DataFolder(), "--rate-limits", "off")
        let people = try ["ana", "ben", "cat", "dan", "eve"].map { try server.signUp($0) }
        let (ana, ben) = (people[0], people[1])
        let ids = try people.map { try $0.send("GET", "/v1/me").decoded(Identified.self).id }
        // A friend, somebody who was asked, somebody who asks, somebody who is blocked.
        try ask(ana, ids[1], expect: 201)
        try ask(ben, ids[0], expect: 200)
        try ask(ana, ids[2], expect: 201)
        try ask(people[3], ids[0], expect: 201)
        #expect(try ana.send("PUT", "/v1/blocks/\(ids[4])").status == 204)
        let privacy = #"{"discoverable": "exact", "receipts": false}"#
        #expect(try ana.send("PATCH", "/v1/me/privacy", json: privacy).status == 200)
        let circle = try ana.send("POST", "/v1/circles", json: #"{"name": "Close", "members": ["\#(ids[1])"]}"#)
        #expect(circle.status == 201)
        let token = try ana.send("POST", "/v1/me/tokens", json: #"{"name": "QGIS", "scopes": ["read"]}"#)
        #expect(token.status == 201)
        try dropAll(ana)
        for person in people.dropFirst() { _ = try person.dropPin("Somebody else's") }

        let files = try archive(of: ana, "ana")
        #expect(
            files.keys.sorted() == [
                "README.txt", "api-tokens.json", "blocks.json", "circles.json", "friend-requests.json", "friends.json",
                "pins.geojson", "pins.gpx", "pins.json", "privacy.json", "profile.json", "sessions.json",
            ])
        for (name, path) in [
            ("profile.json", "me"), ("privacy.json", "me/privacy"), ("friends.json", "friends?limit=500"),
            ("blocks.json", "blocks?limit=500"),
            ("friend-requests.json", "friend-requests?limit=500"), ("circles.json", "circles?limit=500"),
            ("sessions.json", "sessions?limit=500"), ("api-tokens.json", "me/tokens?limit=500"),
            ("pins.geojson", "me/pins.geojson"), ("pins.gpx", "me/pins.gpx"),
        ] {
            let answer = try ana.send("GET", "/v1/\(path)")
            #expect(answer.status == 200 && files[name] == answer.text, "\(name)")
        }
        let pins = try JSONDecoder().decode(Page<PinBody>.self, from: Data((files["pins.json"] ?? "").utf8))
        let own = try ana.pins().filter { $0.ownerId == ids[0] }
        #expect(pins.next == nil && pins.items == own.reversed())
        #expect(pins.items.map(\.name) == Self.places.map(\.name))
        let guide = files["README.txt"] ?? ""
        for name in files.keys where name != "README.txt" { #expect(guide.contains("\n\(name) "), "\(name)") }
        let all = files.values.joined()
        for secret in ["Somebody else's", "argon2", "ana secret", ana.token ?? "?", "ben@example.org"] {
            #expect(!all.contains(secret), "\(secret)")
        }
        // Who has nothing gets lists of nothing.
        let empty = try archive(of: try server.signUp("fay"), "fay")
        #expect(empty["friends.json"] == #"{"items":[],"next":null}"# && empty["pins.json"] == empty["friends.json"])
        #expect(Set(empty.keys) == Set(files.keys))
        try server.stop()
    }

    @Test func `lists of more than a page are whole`() throws {
        let folder = try DataFolder()
        let server = try RunningServer(folder)
        let ana = try server.signUp("ana")
        let id = try #require(Int64(try ana.send("GET", "/v1/me").decoded(Identified.self).id))
        try server.stop()
        let database = try DatabasePool(
            Schema.configuration(path: folder.database) { 1_795_953_600_000 }, migrations: Schema.migrations)
        try database.write { write in
            for other in Int64(1)...1_234 {
                let name = "person\(other)"
                try write.run(
                    """
                    INSERT INTO account (id, username, usernameFolded, email, emailFolded, displayName, usernameSearch,
                        displayNameSearch, passwordHash, createdAt, updatedAt)
                    VALUES (\(other), \(name), \(name), \(name), \(name), \(name), \(name), \(name), '', 0, 0)
                    """)
                try write.run(
                    """
                    INSERT INTO friendship (accountId, friendId, since) VALUES (\(id), \(other), 0), (\(other), \(id), 0)
                    """)
                try write.run(
                    """
                    INSERT INTO friendRequest (id, fromId, toId, status, createdAt, respondedAt)
                    VALUES (\(other), \(other), \(id), 'accepted', 0, 0)
                    """)
                try write.run("INSERT INTO block (blockerId, blockedId, createdAt) VALUES (\(id), \(other), 0)")
            }
        }
        database.close()
        let second = try RunningServer(folder)
        let files = try archive(of: Client(port: second.port, token: ana.token), "ana")
        try second.stop()
        let byName: [String] = (1...1_234).map { String($0) }.sorted()
        let newestFirst: [String] = (1...1_234).reversed().map { String($0) }
        for (name, expected) in [
            ("friends.json", byName), ("blocks.json", byName), ("friend-requests.json", newestFirst),
        ] {
            let found = try JSONDecoder().decode(Page<Identified>.self, from: Data((files[name] ?? "").utf8))
            #expect(found.items.map(\.id) == expected, "\(name)")
        }
    }

    private struct Identified: Decodable {
        let id: String
    }

    private func ask(_ person: Client, _ id: String, expect status: Int) throws {
        #expect(try person.send("POST", "/v1/friend-requests", json: #"{"to": "\#(id)"}"#).status == status)
    }

    /// The files of somebody's archive, as `unzip` unpacks them.
    private func archive(of person: Client, _ name: String) throws -> [String: String] {
        let answer = try person.send("POST", "/v1/me/export", json: #"{"password": "\#(name) secret"}"#)
        guard answer.status == 200 else { throw Failure("no archive: \(answer)") }
        let folder = try TemporaryFolder()
        let file = folder.file("pinfold.zip")
        try Data(answer.body).write(to: URL(filePath: file))
        #expect(try run("unzip", "-t", file).contains("No errors detected"))
        try run("unzip", "-q", file, "-d", folder.file("files"))
        var files: [String: String] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.file("files")) {
            files[name] = try String(contentsOfFile: folder.file("files/\(name)"), encoding: .utf8)
        }
        return files
    }

    @discardableResult
    private func run(_ words: String...) throws -> String { try run(words) }

    private func run(_ words: [String]) throws -> String {
        let process = try ChildProcess(words)
        #expect(try process.wait() == .exit(0), "\(process.error)")
        // GDAL takes what has only digits in GPX's extensions for numbers of 32 bits.
        let complaints = process.error.split(separator: "\n").filter { !$0.contains("of field waypoints.pinfold_id") }
        #expect(complaints.isEmpty)
        return process.output
    }
}
