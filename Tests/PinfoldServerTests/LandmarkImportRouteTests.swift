import Foundation
import Geo
import SocialModel
import Storage
import Testing

@testable import HTTP
@testable import PinfoldServer

/// Imports by the API: from the upload to what everybody sees.
@Suite struct LandmarkImportRouteTests {
    static let museums = """
        id,name,category,lat,lon,website
        1,Science Museum,museum,44.9426,-93.0986,https://smm.org
        2,Landmark Center,monument,44.9457,-93.0972,
        3,Nowhere,museum,95,-93,
        """

    @Test func `a file becomes landmarks, once, and again as it changes`() async throws {
        try await withApp { app, client in
            let admin = try await app.admin(client)
            let job = try await app.imports(Self.museums, "dataset=museums&title=Museums&attribution=The%20city", admin)
            #expect(job["state"] == "succeeded" && job["rejected"] == 1 && job["inserted"] == 2)
            #expect(job["errors"]?.elements.first?["row"] == 4)
            #expect(job["errors"]?.elements.first?["field"] != nil)
            #expect(job["format"] == "csv" && job["mapping"]?["latitude"] == "lat" && job["mapping"]?["name"] == "name")

            let list = try await client.get("/v1/landmarks?bbox=-94,44,-93,45", expect: .ok)
            let items = try #require(list.json["items"]?.elements)
            #expect(Set(items.map { $0["name"]?.text }) == ["Science Museum", "Landmark Center"])
            let museum = try #require(items.first { $0["key"] == "1" })
            #expect(museum["category"] == "museum" && museum["website"] == "https://smm.org")
            let dataset = try await client.get("/v1/datasets/museums", expect: .ok)
            #expect(dataset.json["count"] == 2 && dataset.json["attribution"] == "The city")

            // The same again, then another: ids stay.
            let again = try await app.imports(Self.museums, "dataset=museums", admin)
            #expect(again["unchanged"] == 2 && again["inserted"] == 0 && again["rejected"] == 1)
            #expect(again["errors"]?.elements.count == 1)
            let changed = Self.museums.replacing("Science Museum", with: "Science Museum of Minnesota")
                .replacing(
                    "2,Landmark Center,monument,44.9457,-93.0972,", with: "4,Union Depot,station,44.9477,-93.0861,")
            let refused = try await app.imports(changed, "dataset=museums", admin)
            #expect(refused["state"] == "failed")
            #expect(refused["problem"]?["type"] == "/problems/too-many-removed")
            #expect(try await client.get("/v1/landmarks?dataset=museums").json["items"]?.elements.count == 2)
            let forced = try await app.imports(changed, "dataset=museums&force=true", admin)
            #expect(forced["updated"] == 1 && forced["inserted"] == 1 && forced["removed"] == 1)
            let new = try await client.get("/v1/landmarks/\(museum["id"]?.text ?? "")", expect: .ok)
            #expect(new.json["name"] == "Science Museum of Minnesota")
            #expect(
                try await client.get("/v1/places/search?q=union%20dep&kind=landmark").json["items"]?.elements.count == 1
            )

            // Back, at once, with the ids that they had.
            let versions = try await admin.get("/v1/admin/datasets/museums/versions", expect: .ok)
            #expect(versions.json["items"]?.elements.map { $0["number"] } == [2, 1])
            let restored = try await admin.post("/v1/admin/datasets/museums/versions/1/restore", [:], expect: .ok)
            #expect(restored.json["version"] == 3 && restored.json["count"] == 2)
            let old = try await client.get("/v1/landmarks?dataset=museums")
            #expect(Set(old.json["items"]?.elements.map { $0["id"] } ?? []) == Set(items.map { $0["id"] }))
            try await admin.post("/v1/admin/datasets/museums/versions/9/restore", [:], expect: .notFound)

            let audit = try await admin.get("/v1/admin/audit", expect: .ok)
            let actions = audit.json["items"]?.elements.compactMap { $0["action"]?.text }
            #expect(actions == ["dataset.restore", "import", "import", "import", "import"])
            #expect(audit.json["items"]?.elements.allSatisfy { $0["username"] == "boss" } == true)
        }
    }

    @Test func `a dry run says what it would do, and its file can be imported then`() async throws {
        try await withApp { app, client in
            let admin = try await app.admin(client)
            let job = try await app.imports(Self.museums, "dataset=museums&dryRun=true", admin)
            #expect(job["state"] == "succeeded" && job["inserted"] == 2 && job["dryRun"] == true)
            #expect(job["sample"]?.elements.map { $0["name"] } == ["Science Museum", "Landmark Center"])
            try await client.get("/v1/datasets/museums", expect: .notFound)
            let from = job["id"]?.text ?? ""
            let path = "/v1/admin/imports?from=\(from)&dataset=museums&mapping=name%3Dwebsite,website%3Dname"
            let answer = try await admin.send("POST", path, body: [], expect: .accepted)
            try await app.runImports()
            let real = try await admin.get(try #require(answer.header("Location")), expect: .ok)
            #expect(real.json["state"] == "succeeded" && real.json["inserted"] == 1)
            #expect(real.json["mapping"]?["name"] == "website")
        }
    }

    @Test func `to others than curators and admins nothing of it exists`() async throws {
        try await withApp { app, client in
            let admin = try await app.admin(client)
            _ = try await app.imports(Self.museums, "dataset=museums", admin)
            let ana = try await client.signUp("ana")
            let calls = [
                ("POST", "/v1/admin/imports?dataset=x"), ("GET", "/v1/admin/imports"), ("GET", "/v1/admin/imports/1"),
                ("GET", "/v1/admin/imports/1/errors"), ("DELETE", "/v1/admin/imports/1"),
                ("PATCH", "/v1/admin/datasets/museums"), ("DELETE", "/v1/admin/datasets/museums"),
                ("GET", "/v1/admin/datasets/museums/versions"),
                ("POST", "/v1/admin/datasets/museums/versions/1/restore"), ("GET", "/v1/admin/users"),
                ("PATCH", "/v1/admin/users/\(ana.id)"), ("GET", "/v1/admin/audit"),
            ]
            for (method, path) in calls {
                let body: [UInt8]? = method == "PATCH" ? Array("{}".utf8) : nil
                try await client.send(method, path, body: body, expect: .unauthorized)
                try await ana.send(method, path, body: body, expect: .notFound)
            }
            // A curator imports, and no more than that.
            try await admin.patch("/v1/admin/users/\(ana.id)", ["role": "curator"], expect: .ok)
            let job = try await app.imports(Self.museums, "dataset=museums2", ana)
            #expect(job["state"] == "succeeded" && job["createdBy"] == "ana")
            try await ana.get("/v1/admin/users", expect: .notFound)
            try await ana.get("/v1/admin/audit", expect: .notFound)
        }
    }

    @Test func `a key makes one import of a file that is sent twice, and none of another file`() async throws {
        try await withApp { app, client in
            let admin = try await app.admin(client)
            func send(_ file: String, expect: Status) async throws -> Answer {
                try await admin.send(
                    "POST", "/v1/admin/imports?dataset=museums", body: Array(file.utf8),
                    headers: [("Idempotency-Key", "nightly")], expect: expect)
            }
            let first = try await send(Self.museums, expect: .accepted)
            #expect(try await send(Self.museums, expect: .accepted).json["id"] == first.json["id"])
            _ = try await send(Self.museums + "5,E,park,1,2,\n", expect: .unprocessable)
            #expect(try await admin.get("/v1/admin/imports").json["items"]?.elements.count == 1)
            // No file stays that nobody will read.
            let files = try FileManager.default.contentsOfDirectory(atPath: app.app.imports.folder)
            #expect(files == [first.json["id"]?.text])
            try await app.runImports()
            #expect(try FileManager.default.contentsOfDirectory(atPath: app.app.imports.folder).isEmpty)
        }
    }

    @Test(arguments: ["suspended", "demoted", "deleted"])
    func `what somebody wants imported who may not any more is not`(way: String) async throws {
        try await withApp { app, client in
            let admin = try await app.admin(client)
            let ana = try await client.signUp("ana")
            try await admin.patch("/v1/admin/users/\(ana.id)", ["role": "curator"], expect: .ok)
            let answer = try await ana.send(
                "POST", "/v1/admin/imports?dataset=museums", body: Array(Self.museums.utf8), expect: .accepted)
            switch way {
            case "suspended": try await admin.patch("/v1/admin/users/\(ana.id)", ["suspended": true], expect: .ok)
            case "demoted": try await admin.patch("/v1/admin/users/\(ana.id)", ["role": "user"], expect: .ok)
            default:
                let password: JSON = ["password": .string(Client.password(of: "ana"))]
                try await ana.delete("/v1/me", password, expect: .noContent)
            }
            try await app.runImports()
            let job = try await admin.get(try #require(answer.header("Location")), expect: .ok).json
            #expect(job["state"] == "cancelled")
            try await client.get("/v1/datasets/museums", expect: .notFound)
            let audit = try await admin.get("/v1/admin/audit").json["items"]?.elements.map { $0["action"]?.text }
            #expect(audit?.contains("import.cancel") == true)
        }
    }

    @Test func `texts of a dataset are clean, and its source is an address`() async throws {
        try await withApp { app, client in
            let admin = try await app.admin(client)
            let query = "dataset=museums&title=a%E2%80%AEb%07%0Ac&attribution=%1B[31mCity"
            _ = try await app.imports(Self.museums, query, admin)
            let dataset = try await client.get("/v1/datasets/museums", expect: .ok).json
            #expect(dataset["title"] == "ab c" && dataset["attribution"] == "[31mCity")
            let path = "/v1/admin/datasets/museums"
            let changed = try await admin.patch(
                path, ["title": "x\u{202E}\ny", "description": "one\ntwo\u{7}"], expect: .ok)
            #expect(changed.json["title"] == "x y" && changed.json["description"] == "one\ntwo")
            for address in [
                "http://", "https://a b", "http://\" onmouseover=1", "javascript:x", "https://x\u{0}",
                "https://x/\u{202E}", "http:\u{F}\u{F}x", "https://x/\u{85}",
            ] {
                let answer = try await admin.patch(path, ["sourceURL": .string(address)], expect: .badRequest)
                #expect(answer.faults == ["sourceURL"])
            }
            try await admin.patch(path, ["sourceURL": "https://example.org/a?b=c"], expect: .ok)
        }
    }

    @Test func `a form has its options as fields`() async throws {
        try await withApp { app, client in
            let admin = try await app.admin(client)
            func form(_ parts: [(String, String?, String)]) -> [UInt8] {
                let text = parts.map { name, file, value in
                    "--b0undary\r\nContent-Disposition: form-data; name=\"\(name)\""
                        + (file.map { "; filename=\"\($0)\"" } ?? "") + "\r\n\r\n\(value)\r\n"
                }
                return Array((text.joined() + "--b0undary--\r\n").utf8)
            }
            let type = [("Content-Type", "multipart/form-data; boundary=b0undary")]
            let body = form([("dataset", nil, "museums"), ("file", "m.csv", Self.museums), ("mode", nil, "merge")])
            let answer = try await admin.send(
                "POST", "/v1/admin/imports", body: body, headers: type, expect: .accepted)
            #expect(answer.json["fileName"] == "m.csv" && answer.json["state"] == "queued")
            try await app.runImports()
            let job = try await admin.get(try #require(answer.header("Location")), expect: .ok)
            #expect(job.json["state"] == "succeeded" && job.json["inserted"] == 2)

            // What stands ahead of the first boundary says nothing, nor do blanks behind one.
            let lines = ["Nothing to see", "--b0undaryX", "", ""].joined(separator: "\r\n")
            let padded = String(decoding: body, as: UTF8.self).replacing("--b0undary\r\n", with: "--b0undary \t\r\n")
            for odd in [Array(lines.utf8) + body, Array(("\r\n" + padded).utf8)] {
                let answer = try await admin.send(
                    "POST", "/v1/admin/imports", body: odd, headers: type, expect: .accepted)
                #expect(answer.json["fileName"] == "m.csv" && answer.json["bytes"] == job.json["bytes"])
            }
            let long = [UInt8](repeating: 0x20, count: 70_000) + Array("\r\n".utf8)
            try await admin.send("POST", "/v1/admin/imports", body: long + body, headers: type, expect: .badRequest)

            for bad in [
                Array("x".utf8) + body,
                form([("dataset", nil, "museums")]), form([("file", "m.csv", "a"), ("file", "m.csv", "a")]),
                Array("--b0undary\r\n".utf8), Array(form([("file", "m.csv", Self.museums)]).dropLast(20)), [],
                form([("dataset", nil, "museums"), ("file", "m.csv", "x"), ("nonsense", nil, "1")]),
                form([("dataset", nil, "museums"), ("dataset", nil, "museums"), ("file", "m.csv", "x")]),
            ] {
                try await admin.send("POST", "/v1/admin/imports", body: bad, headers: type, expect: .badRequest)
            }
        }
    }

    @Test(arguments: [
        ("dataset=", "dataset"), ("", "dataset"), ("dataset=A", "dataset"), ("dataset=pins", "dataset"),
        ("dataset=x&format=doc", "format"), ("dataset=x&mode=all", "mode"), ("dataset=x&strict=1", "strict"),
        ("dataset=x&maxRemoved=101", "maxRemoved"), ("dataset=x&mapping=name", "mapping"),
        ("dataset=x&categories=%7B%22a%22:%22b%22%7D", "categories"), ("dataset=x&sourceURL=javascript:1", "sourceURL"),
        ("dataset=x&nope=1", "nope"), ("dataset=x&dataset=y", "dataset"), ("dataset=x&from=12", "from"),
    ])
    func `what is wrong with an option is named`(query: String, field: String) async throws {
        try await withApp { app, client in
            let admin = try await app.admin(client)
            let body: [UInt8] = query.contains("from=") ? [] : Array("a".utf8)
            let answer = try await admin.send("POST", "/v1/admin/imports?\(query)", body: body, expect: .badRequest)
            #expect(answer.json["errors"]?.elements.map { $0["field"]?.text } == [field])
        }
    }

    @Test(arguments: [
        ("<!DOCTYPE html><html><body>404</body></html>", "", "unreadable-file"),
        ("", "", ""), ("\u{0}\u{0}\u{0}\u{0}", "", "unreadable-file"),
        (#"{"type":"FeatureCollection","features":[{"type":"Feature","#, "", "unreadable-file"),
        ("name,lat,lon\nA,x,y\n", "", "no-landmarks"), ("name,lat,lon\n", "", "no-landmarks"),
        ("name,lat,lon\nA,1,2\n", "&crs=EPSG:999999", "unknown-reference-system"),
        ("name,lat,lon\nA,1,2\n", "&mapping=name%3Dnope", "invalid-mapping"),
        ("name,lat,lon\nA,1,2\nB,x,2\n", "&strict=true", "rejected-rows"),
        ("name,lat,lon\nA,448000,4900000\nB,449000,4910000\n", "", "implausible-positions"),
    ])
    func `a bad file fails with its reason, and the dataset is as before`(
        file: String, options: String, problem: String
    ) async throws {
        try await withApp { app, client in
            let admin = try await app.admin(client)
            _ = try await app.imports(Self.museums, "dataset=museums", admin)
            if file.isEmpty {
                try await admin.send("POST", "/v1/admin/imports?dataset=museums", body: [], expect: .badRequest)
                return
            }
            for dataset in ["museums", "new"] {
                let job = try await app.imports(file, "dataset=\(dataset)\(options)", admin)
                #expect(job["state"] == "failed" && job["problem"]?["type"]?.text == "/problems/\(problem)", "\(job)")
                #expect(job["problem"]?["detail"]?.text?.isEmpty == false)
            }
            #expect(try await client.get("/v1/landmarks?dataset=museums").json["items"]?.elements.count == 2)
            try await client.get("/v1/datasets/new", expect: .notFound)
            let left = try app.database.read { read in
                try read.rows("SELECT count(*), max(untilState) FROM landmark") { [$0.int64(0), $0.int64(1)] }
            }
            #expect(left == [[2, .max]])
        }
    }

    @Test func `the last admin cannot go while there are others, and the last of all can`() async throws {
        try await withApp { app, client in
            let admin = try await app.admin(client)
            let ana = try await client.signUp("ana")
            func remove(_ person: Person, expect: Status) async throws -> Answer {
                let password: JSON = ["password": .string(Client.password(of: person.id == admin.id ? "boss" : "ana"))]
                return try await person.delete("/v1/me", password, expect: expect)
            }
            let refused = try await remove(admin, expect: .conflict)
            #expect(refused.json["type"] == "/problems/last-admin")
            try await admin.get("/v1/admin/users", expect: .ok)
            // A suspended admin is none.
            try await admin.patch("/v1/admin/users/\(ana.id)", ["role": "admin", "suspended": true], expect: .ok)
            _ = try await remove(admin, expect: .conflict)
            try await admin.patch("/v1/admin/users/\(ana.id)", ["suspended": false], expect: .ok)
            _ = try await remove(admin, expect: .noContent)
            let last = try await client.signIn("ana", expect: .created)
            _ = try await client.send(
                "DELETE", "/v1/me", body: Array(#"{"password": "\#(Client.password(of: "ana"))"}"#.utf8),
                token: try #require(last.json["accessToken"]?.text), expect: .noContent)
        }
    }

    @Test func `what cannot be changed may come along as it is`() async throws {
        try await withApp { app, client in
            let admin = try await app.admin(client)
            _ = try await app.imports(Self.museums, "dataset=museums", admin)
            let ana = try await client.signUp("ana")
            let person = try await admin.get("/v1/admin/users?q=ana").json["items"]?.elements.first
            let dataset = try await client.get("/v1/datasets/museums").json
            for (path, whole, readOnly) in [
                (
                    "/v1/admin/users/\(ana.id)", try #require(person),
                    ["id", "username", "displayName", "email", "createdAt"]
                ),
                (
                    "/v1/admin/datasets/museums", dataset,
                    ["id", "name", "version", "count", "extent", "createdAt", "updatedAt"]
                ),
            ] {
                try await admin.patch(path, whole, expect: .ok)
                for field in readOnly {
                    let value = try #require(whole[field])
                    let other: JSON = value.number.map { .number($0 + 1) } ?? "other"
                    let answer = try await admin.patch(path, [field: other], expect: .badRequest)
                    #expect(answer.faults == [field], "\(path) \(field)")
                }
            }
            // The order of members says nothing.
            let extent = try #require(dataset["extent"])
            let edges = ["south", "north", "west", "east"].map { #""\#($0)": \#(extent[$0]?.number ?? 0)"# }
            let turned = #"{"extent": {\#(edges.joined(separator: ","))}}"#
            try await admin.send("PATCH", "/v1/admin/datasets/museums", body: Array(turned.utf8), expect: .ok)
        }
    }

    @Test func `positions at 0, 0 are taken where they are said to be meant`() async throws {
        try await withApp { app, client in
            let admin = try await app.admin(client)
            let buoys = "id,name,lat,lon\n1,Buoy,0,0\n"
            #expect(try await app.imports(buoys, "dataset=one", admin)["state"] == "succeeded")
            let two = buoys + "2,Station,0,0\n"
            let refused = try await app.imports(two, "dataset=two", admin)
            #expect(refused["problem"]?["type"] == "/problems/positions-at-zero")
            #expect(refused["problem"]?["detail"]?.text?.contains("force") == true)
            #expect(try await app.imports(two, "dataset=two&force=true", admin)["inserted"] == 2)
            let area = #"{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}"#
            let areas = (1...3).map { #"{"type":"Feature","id":\#($0),"properties":{"name":"A"},"geometry":\#(area)}"# }
            let file = #"{"type":"FeatureCollection","features":[\#(areas.joined(separator: ","))]}"#
            #expect(try await app.imports(file, "dataset=areas", admin)["inserted"] == 3)
        }
    }

    @Test func `a table with a NUL loses that row, and is told so`() async throws {
        try await withApp { app, client in
            let admin = try await app.admin(client)
            let job = try await app.imports("name,lat,lon\nA,1,2\nB\u{0},3,4\n", "dataset=x", admin)
            #expect(job["state"] == "succeeded" && job["inserted"] == 1 && job["rejected"] == 1)
            let fault = job["errors"]?.elements.first
            #expect(fault?["row"] == 3 && fault?["message"]?.text?.contains("NUL") == true)
            for (file, reason) in [
                ("na\u{0}me,lat,lon\nA,1,2\n", "a NUL in its header, in line 1"),
                ("a\n\u{0}\u{0}\u{1}\u{2}\u{3}", "a NUL at byte 3, in line 2"),
            ] {
                let job = try await app.imports(file, "dataset=x", admin)
                #expect(job["problem"]?["detail"]?.text?.contains(reason) == true, "\(job)")
            }
        }
    }

    @Test func `who is suspended is out at once, and the last admin stays`() async throws {
        try await withApp { app, client in
            let admin = try await app.admin(client)
            let ana = try await client.signUp("ana")
            let token = try await ana.post("/v1/me/tokens", ["name": "x", "scopes": ["read"]], expect: .created)
            let secret = try #require(token.json["token"]?.text)
            let changed = try await admin.patch("/v1/admin/users/\(ana.id)", ["suspended": true], expect: .ok)
            #expect(changed.json["suspended"] == true)
            try await ana.get("/v1/me", expect: .unauthorized)
            try await client.send("GET", "/v1/pins", token: secret, expect: .unauthorized)
            let refused = try await client.signIn("ana", expect: .forbidden)
            #expect(refused.json["type"] == "/problems/suspended")
            try await client.signIn("ana", password: "wrong horse", expect: .unauthorized)
            try await admin.patch("/v1/admin/users/\(ana.id)", ["suspended": false], expect: .ok)
            try await client.signIn("ana", expect: .created)
            try await client.send("GET", "/v1/pins", token: secret, expect: .ok)

            try await admin.patch("/v1/admin/users/\(admin.id)", ["role": "user"], expect: .conflict)
            try await admin.patch("/v1/admin/users/\(admin.id)", ["suspended": true], expect: .conflict)
            try await admin.get("/v1/me", expect: .ok)
            let found = try await admin.get("/v1/admin/users?q=an", expect: .ok)
            #expect(found.json["items"]?.elements.map { $0["username"] } == ["ana"])
            #expect(try await admin.get("/v1/admin/users").json["items"]?.elements.count == 2)
        }
    }

    @Test func `an import that the process did not end is done when it starts again`() async throws {
        try await withApp { app, client in
            let admin = try await app.admin(client)
            let answer = try await admin.send(
                "POST", "/v1/admin/imports?dataset=museums", body: Array(Self.museums.utf8), expect: .accepted)
            // As if it had been cut after the first rows.
            let id = Identifier<ImportJob>(parsing: answer.json["id"]?.text ?? "") ?? Identifier(0)
            try await app.database.write { write in
                let head = try DatasetHead.create(named: "museums", title: nil, in: write)
                try ImportJob.begin(id, head, in: write)
                try write.run(
                    """
                    INSERT INTO landmark (number, landmarkId, datasetId, fromState, digest, key, longitude, latitude,
                        category, name, updatedAt)
                    VALUES (5, 5, \(head.id), 1, 0, '1', 0, 0, 0, 'Science Museum', 0)
                    """)
            }
            try await client.get("/v1/datasets/museums", expect: .notFound)
            try await app.runImports()
            let job = try await admin.get(try #require(answer.header("Location")), expect: .ok)
            #expect(job.json["state"] == "succeeded" && job.json["inserted"] == 2 && job.json["unchanged"] == 0)
            #expect(try await client.get("/v1/landmarks").json["items"]?.elements.count == 2)
        }
    }
}
