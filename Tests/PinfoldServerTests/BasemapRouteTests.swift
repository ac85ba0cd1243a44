import Geo
import HTTP
import Testing

@testable import PinfoldServer

/// The map over HTTP.
@Suite struct BasemapRouteTests {
    private let world = TestApp.Setup(basemap: MapFile.world)

    @Test func `a tile comes as it is stored, or unpacked for who takes no gzip`() async throws {
        try await withApp(world) { _, client in
            let path = "/tiles/6/15/23.mvt"
            let packed = try await client.get(path, headers: [("Accept-Encoding", "br, gzip;q=0.8")], expect: .ok)
            #expect(packed.header("Content-Encoding") == "gzip")
            #expect(packed.header("Content-Type") == "application/vnd.mapbox-vector-tile")
            #expect(packed.header("Cache-Control") == "public, max-age=86400")
            let inflated = try #require(Gunzip.inflate(packed.response.body, limit: 4 << 20))
            for codings in [nil, "", "identity", "gzip;q=0", "br", "gzip; q=0.000, *"] {
                let headers = codings.map { [("Accept-Encoding", $0)] } ?? []
                let plain = try await client.get(path, headers: headers, expect: .ok)
                #expect(plain.header("Content-Encoding") == nil, "\(codings ?? "none")")
                #expect(plain.response.body == inflated)
                #expect(plain.etag != packed.etag && plain.header("Vary") == "Accept-Encoding")
            }
            for codings in ["*", "GZIP", "deflate,gzip"] {
                let answer = try await client.get(path, headers: [("Accept-Encoding", codings)], expect: .ok)
                #expect(answer.header("Content-Encoding") == "gzip" && answer.etag == packed.etag)
            }
            let tag = try #require(packed.etag)
            try await client.get(
                path, headers: [("If-None-Match", tag), ("Accept-Encoding", "gzip")], expect: .notModified)
            #expect(try DecodedTile(inflated).layers.contains { $0.name == "place" })
        }
    }

    @Test func `coordinates that are none, zooms that are not there, and tiles without anything`() async throws {
        let file = try MapFile(
            [(try #require(TileCoordinate(zoom: 2, x: 1, y: 1)), MapFile.tile(named: "One"))],
            metadata: [("minzoom", "1"), ("maxzoom", "3")])
        defer { file.remove() }
        try await withApp(TestApp.Setup(basemap: file.path)) { _, client in
            for path in [
                "/tiles/2/4/0.mvt", "/tiles/2/0/4.mvt", "/tiles/23/0/0.mvt", "/tiles/-1/0/0.mvt", "/tiles/2/1/+1.mvt",
                "/tiles/02/1/1.mvt", "/tiles/2/1.0/1.mvt", "/tiles/a/b/c.mvt", "/tiles/2/1/1.mvt?x=1",
                "/tiles/2/1/99999999999999999999.mvt", "/tiles/2/1/1.png", "/tiles/2/1/%20.mvt",
            ] { #expect(try await client.get(path).status == .badRequest, "\(path)") }
            for path in ["/tiles/0/0/0.mvt", "/tiles/4/0/0.mvt", "/tiles/2/1/1", "/tiles/2/1", "/tiles"] {
                #expect(try await client.get(path).status == .notFound, "\(path)")
            }
            for path in ["/tiles/2/0/0.mvt", "/tiles/1/0/0.mvt", "/tiles/3/7/7.mvt?v=old", "/tiles/2/1/2.mvt"] {
                let answer = try await client.get(path, expect: .noContent)
                #expect(answer.header("Cache-Control") == "public, max-age=86400" && answer.response.body.isEmpty)
            }
            let tile = try await client.get("/tiles/2/1/1.mvt?v=", headers: [("Accept-Encoding", "gzip")], expect: .ok)
            #expect(tile.header("Content-Encoding") == nil, "it is stored as it is")
            #expect(try DecodedTile(tile.response.body).layers.first?.features.first?.text("name") == "One")
        }
    }

    @Test func `without a map there are no tiles, and a style of land alone`() async throws {
        try await withApp { _, client in
            try await client.get("/tiles/0/0/0.mvt", expect: .notFound)
            try await client.get("/tiles/0/0/0", expect: .notFound)
            try await client.get("/tiles.json", expect: .notFound)
            let style = try await client.get("/style.json", expect: .ok).json
            #expect(style["sources"]?.members.isEmpty == true)
            #expect(style["layers"]?.elements.map { $0["id"]?.text } == ["background"])
        }
    }

    @Test func `the description and the style lead to the tiles`() async throws {
        try await withApp(world) { _, client in
            let description = try await client.get("/tiles.json", expect: .ok)
            let tag = try #require(description.etag)
            try await client.get("/tiles.json", headers: [("If-None-Match", tag)], expect: .notModified)
            try await client.get("/tiles.json?x=1", expect: .badRequest)
            let json = description.json
            #expect(json["tilejson"]?.text == "3.0.0" && json["scheme"]?.text == "xyz")
            #expect(json["minzoom"]?.number == 0 && json["maxzoom"]?.number == 6)
            let plain = try await client.get("/style.json", expect: .ok)
            let packed = try await client.get("/style.json", headers: [("Accept-Encoding", "gzip")], expect: .ok)
            #expect(packed.header("Content-Encoding") == "gzip" && packed.etag != plain.etag)
            #expect(Gunzip.inflate(packed.response.body, limit: 1 << 20) == plain.response.body)
            #expect(json["bounds"]?.elements.compactMap(\.number).count == 4)
            let layers = Set(json["vector_layers"]?.elements.compactMap { $0["id"]?.text } ?? [])
            #expect(layers.isSuperset(of: ["water", "boundary", "place", "waterway", "water_name"]))

            let style = try await client.get("/style.json?theme=dark&lang=pl", expect: .ok).json
            let source = try #require(style["sources"]?["basemap"])
            #expect(source["tiles"] == json["tiles"] && source["attribution"] == json["attribution"])
            #expect(source["type"]?.text == "vector")
            let template = try #require(source["tiles"]?.elements.first?.text)
            let path = ["z": "3", "x": "1", "y": "2"].reduce(template) { $0.replacing("{\($1.key)}", with: $1.value) }
            #expect(path.hasPrefix("/tiles/3/1/2.mvt?v="))
            try await client.get(path, expect: .ok)
        }
    }

    @Test func `styles differ by theme and language, and what is neither is refused`() async throws {
        try await withApp(world) { _, client in
            func style(_ query: String) async throws -> String {
                try await client.get("/style.json" + query, expect: .ok).text
            }
            let plain = try await style("")
            #expect(try await style("?theme=light") == plain)
            #expect(try await style("?theme=dark") != plain)
            #expect(try await style("?lang=es").contains(#"["get", "name:es"]"#))
            #expect(try await style("?lang=pt-BR").contains(#"["get", "name:pt-BR"], ["get", "name:pt"]"#))
            #expect(try await style("?lang=ru").contains("name:latin") == false)
            for query in [
                "theme=sepia", "theme=", "theme=Dark", "lang=", "lang=%22", "lang=e%22%5D", "lang=123456789012",
                "lang=en_US", "language=en", "theme=dark&theme=light",
            ] { #expect(try await client.get("/style.json?\(query)").status == .badRequest, "\(query)") }
        }
    }
}
