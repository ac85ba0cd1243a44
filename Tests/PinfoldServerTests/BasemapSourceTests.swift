import Foundation
import Geo
import HTTP
import Testing

@testable import PinfoldServer

/// Maps of one's own: files of all kinds, and addresses.
@Suite struct BasemapSourceTests {
    private let origin = TileCoordinate(zoom: 0, x: 0, y: 0)

    private func fault(_ location: String) -> String {
        do {
            _ = try Basemap(location)
            return "none"
        } catch { return String(describing: error) }
    }

    @Test func `a file that says strange things of itself is still drawn`() throws {
        let tile = try #require(TileCoordinate(zoom: 5, x: 3, y: 4))
        let strange: [(metadata: [(String, String)], zooms: ClosedRange<Int>)] = [
            ([], 5...5),
            ([("minzoom", "9"), ("maxzoom", "2")], 5...5),
            ([("minzoom", "-3"), ("maxzoom", "99999999999999999999")], 5...5),
            ([("minzoom", "2"), ("maxzoom", "8"), ("bounds", "nan,1,2,3"), ("center", "1,2")], 2...8),
            ([("bounds", "20,1,10,3"), ("center", "500,2,1"), ("json", "{"), ("json", "[[[")], 5...5),
            ([("json", #"{"vector_layers": [{"id": 7}, {"id": ""}, 3, {"fields": {}}]}"#)], 5...5),
            ([("json", #"{"vector_layers": "none"}"#), ("attribution", "   ")], 5...5),
            ([("bounds", ",,,"), ("bounds", "1,2,3,4,5"), ("minzoom", ""), ("maxzoom", "six")], 5...5),
        ]
        for (metadata, zooms) in strange {
            let file = try MapFile([(tile, MapFile.tile(named: "Somewhere"))], metadata: metadata)
            defer { file.remove() }
            let opened = try TileFile(path: file.path)
            #expect(opened.metadata.zooms == zooms, "\(metadata)")
            #expect(opened.metadata.bounds == nil && opened.metadata.center == nil && opened.metadata.layers.isEmpty)
            #expect(opened.metadata.attribution == nil)
            #expect(try opened.bytes(of: tile) == MapFile.tile(named: "Somewhere"))
            #expect(throws: Never.self) { try JSONValue(parsing: opened.tileJSON) }
        }
        let bare = try MapFile([(tile, MapFile.tile(named: "Bare"))], metadata: nil)
        defer { bare.remove() }
        #expect(try TileFile(path: bare.path).metadata.zooms == 5...5)
    }

    @Test func `a file's own words are told, and its layers`() throws {
        let json = #"""
            {"vector_layers": [{"id": "water", "description": "wet", "fields": {"class": "String", "x": 1},
              "minzoom": 0, "maxzoom": 14}, {"id": "poi", "fields": {}, "minzoom": 2.5}]}
            """#
        let file = try MapFile(
            [(try #require(origin), MapFile.tile(named: "All"))],
            metadata: [
                ("name", "My \"town\""), ("bounds", " -94, 44 ,-92.5,46"), ("center", "-93,45,10"), ("json", json),
                (
                    "attribution",
                    "<a href=\"https://www.openstreetmap.org/copyright\" onclick='x()'>© OSM</a><script>1</script>"
                ),
            ])
        defer { file.remove() }
        let opened = try TileFile(path: file.path)
        #expect(opened.metadata.bounds == [-94, 44, -92.5, 46] && opened.metadata.center == [-93, 45, 10])
        #expect(opened.metadata.layers.map(\.id) == ["water", "poi"])
        #expect(opened.metadata.layers.first?.zooms == 0...14 && opened.metadata.layers.last?.zooms == nil)
        let told = try JSON(parsing: opened.tileJSON)
        #expect(told["name"]?.text == "My \"town\"")
        #expect(told["vector_layers"]?.elements.first?["fields"]?.members == ["class": "String"])
        #expect(
            told["attribution"]?.text
                == "<a href=\"https://www.openstreetmap.org/copyright\" rel=\"noopener\" target=\"_blank\">© OSM</a>1")
        let layers = BasemapStyle(theme: .light, language: nil).layers(of: try Basemap(file.path))
        #expect(Set(layers.compactMap(\.source)) == ["water"], "only what the file has is drawn")
    }

    @Test func `images are drawn as images`() async throws {
        let kinds: [(bytes: [UInt8], type: String)] = [
            ([0x89, 0x50, 0x4E, 0x47, 1, 2], "image/png"), ([0xFF, 0xD8, 0xFF, 0xE0], "image/jpeg"),
            (Array("RIFF1234WEBPVP8 ".utf8), "image/webp"),
        ]
        for (bytes, type) in kinds {
            let file = try MapFile([(try #require(origin), bytes)], metadata: [("format", "pbf")])
            defer { file.remove() }
            try await withApp(TestApp.Setup(basemap: file.path)) { _, client in
                let image = try await client.get("/tiles/0/0/0", expect: .ok)
                #expect(image.header("Content-Type") == type && image.response.body == bytes)
                try await client.get("/tiles/0/0/0.mvt", expect: .notFound)
                try await client.get("/tiles/0/0/0.png", expect: .badRequest)
                let style = try await client.get("/style.json?theme=dark", expect: .ok).json
                #expect(style["sources"]?["basemap"]?["type"]?.text == "raster")
                #expect(style["layers"]?.elements.map { $0["type"]?.text } == ["background", "raster"])
            }
        }
    }

    @Test func `what is no map is refused with a reason`() throws {
        let tile = try #require(origin)
        let none = try MapFile(nil)
        let empty = try MapFile([])
        let odd = try MapFile([(tile, Array("{\"type\": \"FeatureCollection\"}".utf8))])
        defer {
            for file in [none, empty, odd] { file.remove() }
        }
        #expect(fault(none.path).hasSuffix("is no MBTiles file: it has no table of tiles"))
        #expect(fault(empty.path).hasSuffix("has no tiles"))
        #expect(fault(odd.path).contains("neither vector tiles nor"))
        #expect(fault("/nowhere/map.mbtiles").contains("cannot be opened"))
        #expect(fault(none.folder).contains("cannot be opened") || fault(none.folder).contains("cannot be read"))
    }

    @Test func `a damaged file is refused or its tiles fail, and nothing else`() throws {
        var random = SplitMix64(seed: 3)
        let whole = try #require(FileManager.default.contents(atPath: MapFile.world))
        let folder = FileManager.default.temporaryDirectory.appending(path: "pinfold-map-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var refused = 0
        for round in 0..<24 {
            // The first pages hold the schema and the top of the trees.
            var bytes = round % 4 == 3 ? whole.prefix(random.int(1..<400_000)) : whole
            for _ in 0..<random.int(1..<400) {
                bytes[random.int(0..<min(bytes.count, round % 2 == 0 ? 40_000 : whole.count))] = UInt8(
                    random.int(0..<256))
            }
            let path = folder.appending(path: "\(round).mbtiles").path
            try bytes.write(to: URL(filePath: path))
            guard let file = try? TileFile(path: path) else {
                refused += 1
                continue
            }
            for _ in 0..<40 {
                let zoom = random.int(0..<7)
                guard let tile = TileCoordinate(zoom: zoom, x: random.int(0..<1 << zoom), y: random.int(0..<1 << zoom))
                else { continue }
                if let bytes = try? file.bytes(of: tile) { _ = Gunzip.inflate(bytes, limit: 4 << 20) }
            }
            #expect(throws: Never.self) { try JSONValue(parsing: file.tileJSON) }
        }
        #expect((1..<24).contains(refused), "\(refused)")
    }

    @Test(
        arguments: [
            ("https://tiles.example.org/{z}/{x}/{y}.mvt", .vector, "https://tiles.example.org"),
            ("HTTPS://Tiles.Example.org:8443/a/{z}/{x}/{y}.pbf?key=a1&b=2", .vector, "https://tiles.example.org:8443"),
            ("http://192.0.2.7/{z}/{x}/{y}.png", .image, "http://192.0.2.7"),
            ("http://[2001:db8::1]:80/{z}/{y}/{x}.WebP", .image, "http://[2001:db8::1]:80"),
            ("https://tiles.example.org/planet.json?key=k", .description, "https://tiles.example.org"),
            ("https://xn--bcher-kva.example/t", .description, "https://xn--bcher-kva.example"),
        ] as [(String, TileAddress.Kind, String)])
    func `addresses`(text: String, kind: TileAddress.Kind, origin: String) throws {
        let address = try TileAddress(text)
        #expect(address.kind == kind && address.origin == origin)
        #expect(try Basemap(text).origin == origin)
    }

    @Test(
        arguments: [
            "https://tiles.example.org/{z}/{x}", "https://tiles.example.org/{z}/{x}/{q}", "https:///{z}/{x}/{y}",
            "https://a b/{z}/{x}/{y}", "https://a.example/{z}/{x}/{y}\";x", "https://user:pass@a.example/{z}/{x}/{y}",
            "https://{z}{x}{y}{", "https://a.example;script-src/{z}/{x}/{y}", "https://", "http://exämple.org/t.json",
            "https://a.example,b.example/t.json", "https://a.example/{z}/{x}/{y}}", "https://a'b/t.json",
        ])
    func `what is no address`(text: String) {
        #expect(throws: BasemapError.self) { try Basemap(text) }
    }

    @Test func `tiles of another server are named as they are`() async throws {
        let template = "https://tiles.example.org/{z}/{x}/{y}.mvt"
        try await withApp(TestApp.Setup(basemap: template)) { app, client in
            #expect(app.app.basemap?.origin == "https://tiles.example.org")
            let style = try await client.get("/style.json", expect: .ok).json
            #expect(style["sources"]?["basemap"]?["tiles"]?.elements == [.string(template)])
            #expect(try await client.get("/tiles.json", expect: .ok).json["tiles"]?.elements == [.string(template)])
            try await client.get("/tiles/0/0/0.mvt", expect: .notFound)
        }
        try await withApp(TestApp.Setup(basemap: "https://tiles.example.org/planet.json")) { _, client in
            let answer = try await client.get("/tiles.json")
            #expect(answer.status.rawValue == 307)
            #expect(answer.header("Location") == "https://tiles.example.org/planet.json")
            let style = try await client.get("/style.json", expect: .ok).json
            #expect(style["sources"]?["basemap"]?["url"]?.text == "https://tiles.example.org/planet.json")
        }
        try await withApp(TestApp.Setup(basemap: "https://tiles.example.org/{z}/{x}/{y}.png")) { _, client in
            let style = try await client.get("/style.json", expect: .ok).json
            #expect(style["sources"]?["basemap"]?["type"]?.text == "raster")
        }
    }

    @Test(
        arguments: [
            ("© OpenStreetMap", "© OpenStreetMap"),
            ("a < b & c &amp; d > \"e\"", "a &lt; b &amp; c &amp; d &gt; &quot;e&quot;"),
            ("<img src=x onerror=alert(1)>x", "x"),
            ("<a href=\"javascript:alert(1)\">x</a>", "x"),
            ("<a href=' https://a'>x</a>", "x"),
            ("<A HREF='https://a?b=1&c=\"2\"'>x</A>", link("https://a?b=1&amp;c=&quot;2&quot;", "x")),
            ("<a href=\"https://a\"><b>x</b>", link("https://a", "x")),
            ("<a href=\"https://a\">x<a href=\"https://b\">y</a></a>", link("https://a", "xy")),
            ("<a\nclass=x href=\"http://a\">x</a>", link("http://a", "x")),
            ("<script>alert(1)</script", "alert(1)&lt;/script"),
            ("<<a href=\"https://a\">x", "&lt;" + link("https://a", "x")),
            ("&#60;img&#62; &lt;", "&#60;img&#62; &lt;"),
        ])
    func `an attribution keeps text and links`(source: String, html: String) {
        #expect(AttributionMarkup(source).html == html)
        #expect(AttributionMarkup(html).html.filter { $0 == "<" }.count == html.filter { $0 == "<" }.count)
    }
}

private func link(_ address: String, _ text: String) -> String {
    "<a href=\"\(address)\" rel=\"noopener\" target=\"_blank\">\(text)</a>"
}
