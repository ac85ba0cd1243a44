import Testing

@testable import FeatureFiles

@Suite struct GeoJSONTests {
    private func collection(_ features: String..., crs: String = "") -> String {
        #"{"type":"FeatureCollection",\#(crs)"features":[\#(features.joined(separator: ",\n"))]}"#
    }

    private func feature(_ geometry: String, _ properties: String = "{}", id: String = "null") -> String {
        #"{"type":"Feature","id":\#(id),"properties":\#(properties),"geometry":\#(geometry)}"#
    }

    private let point = #"{"type":"Point","coordinates":[1,2]}"#

    @Test func `all kinds of geometry come out as well-known binary`() throws {
        var random = SeededRandom(7)
        for _ in 0..<200 {
            let geometries = (0..<Int.random(in: 1...5, using: &random)).map { _ in TestGeometry.random(&random) }
            let features = geometries.map { feature($0.geoJSON) }
            let file = try ReadText(#"{"features":[\#(features.joined(separator: ","))],"type":"FeatureCollection"}"#)
            #expect(file.fault == nil && file.faults.isEmpty)
            #expect(file.features.map(\.geometry) == geometries.map { Optional($0.expected) })
        }
    }

    @Test func `values keep their kinds, and columns come in the order of appearance`() throws {
        let file = try ReadText(
            collection(
                feature(point, #"{"name":"A \"q\" \u00e9\ud83d\ude00\n","n":1.50e2,"ok":true,"no":null}"#, id: "\"x\""),
                feature(point, #"{"list": [1, {"a": "]"}], "name": "B", "späť": "ž"}"#, id: "17")))
        #expect(file.format == .geojson)
        #expect(file.columns == ["name", "n", "ok", "no", "list", "späť"])
        #expect(file.named(0) == ["name": "A \"q\" é😀\n", "n": "json:1.50e2", "ok": "json:true"])
        #expect(file.named(1) == ["name": "B", "list": #"json:[1, {"a": "]"}]"#, "späť": "ž"])
        #expect(file.features.map(\.id) == ["x", "17"])
        #expect(file.features.map(\.row) == [1, 2])
        #expect(file.bytesRead == file.byteCount)
    }

    @Test func `members may stand in any order, before and after the features`() throws {
        let file = try ReadText(
            #"""
            { "name": {"deep": [[]]}, "bbox": [1,2,3,4],
              "features": [ {"geometry": {"coordinates": [3, 4, 99], "type": "Point"}, "bbox": [], "properties": {"a": 1},
                             "more": {"type": "x"}, "type": "Feature"} ],
              "more": [{}, null], "type": "FeatureCollection" }

            """#)
        #expect(file.fault == nil && file.faults.isEmpty)
        #expect(file.features == [Feature(row: 1, values: [.json("1")], geometry: .point(x: 3, y: 4))])
    }

    @Test func `a feature or a geometry alone is a file too`() throws {
        #expect(try ReadText(feature(point)).features.map(\.geometry) == [.point(x: 1, y: 2)])
        #expect(try ReadText(point).features.map(\.geometry) == [.point(x: 1, y: 2)])
        let collection = #"{"geometries":[\#(point)],"type":"GeometryCollection"}"#
        #expect(
            try ReadText(collection).features.map(\.geometry) == [
                TestGeometry.multi("GeometryCollection", [.point(1, 2)]).expected
            ])
        #expect(try ReadText(#"{"type":"FeatureCollection","features":[]}"#).fault == nil)
    }

    @Test func `features in lines and in text sequences are one file, whatever is wrong with some`() throws {
        let lines = [
            feature(point), "", #"{"type":"Feature","geometry":nan}"#, feature("null"), "[1]", feature(point), "{",
            point,
        ]
        let file = try ReadText(lines.joined(separator: "\n") + "\n")
        #expect(file.format == .geojsonseq)
        #expect(file.fault == nil)
        #expect(file.features.map(\.row) == [1, 4, 6, 8])
        #expect(file.faults.map(\.row) == [3, 5, 7])

        let sequence = try ReadText(
            "\u{1E}" + [feature(point), "{\n\"type\"", feature(point)].joined(separator: "\n\u{1E}"))
        #expect(sequence.format == .geojsonseq)
        #expect(sequence.features.count == 2)
        #expect(sequence.faults.count == 1)
    }

    @Test func `the reference system of the older specification is told before the features are read`() throws {
        func crs(_ name: String) -> String { #""crs":{"type":"name","properties":{"name":"\#(name)"}}"# }
        for (name, expected) in [
            ("urn:ogc:def:crs:EPSG::2154", "EPSG:2154"), ("EPSG:3857", "EPSG:3857"),
            ("urn:ogc:def:crs:OGC:1.3:CRS84", "EPSG:4326"),
        ] {
            #expect(try ReadText(collection(feature(point), crs: crs(name) + ",")).referenceSystem == expected)
            let behind = #"{"type":"FeatureCollection","features":[\#(feature(point))],\#(crs(name))}"#
            let file = try ReadText(behind)
            #expect(file.referenceSystem == expected)
            #expect(file.fault == nil)
        }
        #expect(try ReadText(collection(feature(point))).referenceSystem == nil)
        let far =
            #"{"type":"FeatureCollection","features":[\#(feature(point))],\#(crs("EPSG:2154")),"x":"\#(String(repeating: "x", count: 9000))"}"#
        #expect(try ReadText(far).fault?.description.contains("only behind its features") == true)
    }

    @Test func `what is empty has no geometry`() throws {
        let empty = [
            "null", #"{"type":"Point","coordinates":[]}"#, #"{"type":"LineString","coordinates":[]}"#,
            #"{"type":"Polygon","coordinates":[[]]}"#, #"{"type":"MultiPolygon","coordinates":[[],[[]]]}"#,
            #"{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[]}]}"#,
        ]
        for geometry in empty {
            let file = try ReadText(collection(feature(geometry)))
            #expect(file.features.count == 1 && file.features[0].geometry == nil, "\(geometry)")
        }
    }

    @Test func `an open ring is closed`() throws {
        let file = try ReadText(collection(feature(#"{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1]]]}"#)))
        #expect(file.features[0].geometry == TestGeometry.polygon([[[0, 0], [1, 0], [1, 1], [0, 0]]]).expected)
    }

    private static let badGeometries: [(String, String, String)] = [
        (#"{"type":"Point","coordinates":[NaN,1]}"#, "feature", "“NaN” is no finite number"),
        (#"{"type":"Point","coordinates":[1e999,1]}"#, "feature", "“1e999” is no finite number"),
        (#"{"type":"Point","coordinates":[-Infinity,1]}"#, "feature", "“-Infinity” is no finite number"),
        (#"{"type":"Point","coordinates":[01,1]}"#, "feature", "“01” is no finite number"),
        (#"{"type":"Point","coordinates":["1","2"]}"#, "geometry", "not made of numbers"),
        (#"{"type":"Point","coordinates":[1]}"#, "geometry", "a position of one number"),
        (#"{"type":"Point"}"#, "geometry", "has no coordinates"),
        (#"{"coordinates":[1,2]}"#, "geometry", "has no type"),
        (#"{"type":"Circle","coordinates":[1,2]}"#, "geometry", "is a Circle"),
        (#"{"type":"LineString","coordinates":[[1,2]]}"#, "geometry", "a line of one position"),
        (#"{"type":"Polygon","coordinates":[[[1,2],[3,4],[1,2]]]}"#, "geometry", "fewer than three corners"),
        (#""POINT(1 2)""#, "geometry", "is no object"),
        (#"{"type":"Point","coordinates":[1,2]"x":1}"#, "feature", "“}” is missing"),
        ("{\"type\":\"Point\",\"coordinates\":[1,2],\"x\":\"\\q\"}", "feature", "a bad escape"),
        ("{\"type\":\"Point\",\"coordinates\":[1,2],\"x\":\"a\nb\"}", "feature", "a control character"),
    ]

    @Test(arguments: badGeometries)
    func `a bad feature is told, and those around it are read`(_ geometry: String, _ field: String, _ message: String)
        throws
    {
        let file = try ReadText(collection(feature(point), feature(geometry), feature(point)))
        #expect(file.fault == nil)
        #expect(file.features.map(\.row) == [1, 3])
        #expect(file.faults.count == 1)
        #expect(file.faults.first?.row == 2)
        #expect(file.faults.first?.field == field)
        #expect(file.faults.first?.message.contains(message) == true, "\(file.faults)")
    }

    @Test func `text that is not UTF-8 is told`() throws {
        var bytes = Array(collection(feature(point, #"{"name":"Caf@"}"#), feature(point)).utf8)
        bytes[try #require(bytes.firstIndex(of: UInt8(ascii: "@")))] = 0xE9
        let file = try ReadText(bytes)
        #expect(file.faults.map(\.message) == ["is no JSON: a string is not UTF-8"])
        #expect(file.features.count == 1)
    }

    @Test func `UTF-16 is read`() throws {
        let text = collection(feature(point, #"{"name":"Żółw 😀"}"#))
        let units = Array(text.utf16)
        for bytes in [
            units.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }, units.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] },
        ] {
            let file = try ReadText(bytes)
            #expect(file.fault == nil)
            #expect(file.named(0) == ["name": "Żółw 😀"])
        }
    }

    private static let noFiles: [(String, String)] = [
        ("", "is empty"), (" \n ", "has nothing but white space"),
        ("<!DOCTYPE html>\n<html><body>404</body></html>", "is an HTML page"), ("<HTML><HEAD>", "is an HTML page"),
        ("[{}]", "is a JSON array"), (#"{"a": 1}"#, "its type is missing"), (#"{"type":"Topology"}"#, "TopoJSON"),
        (#"{"type":"FeatureCollection"}"#, "its features are missing"),
        (#"{"type":"FeatureCollection","features":[}"#, "is no JSON at byte"),
    ]

    @Test(arguments: noFiles)
    func `a file that is none is refused`(_ text: String, _ message: String) throws {
        let fault = try ReadText(text).fault
        #expect(fault?.description.contains(message) == true, "\(String(describing: fault))")
    }

    @Test func `a cut file says where it ends`() throws {
        let whole = collection(feature(point, #"{"name":"é"}"#), feature(point), feature(point))
        let bytes = Array(whole.utf8)
        for length in 1..<bytes.count {
            let file = try ReadText(Array(bytes[..<length]))
            #expect(file.fault != nil, "\(length)")
            #expect(file.features.count <= 3)
            if !file.features.isEmpty {
                let message = "ends too early, at byte \(length), after \(file.features.count) features"
                #expect(file.fault?.description.contains(message) == true, "\(String(describing: file.fault))")
            }
        }
    }

    @Test func `nesting and names have limits`() throws {
        let deep = String(repeating: "[", count: 5000) + String(repeating: "]", count: 5000)
        let nested = try ReadText(collection(feature(point, #"{"a":\#(deep)}"#), feature(point)))
        #expect(nested.faults.map(\.message) == ["is no JSON: it is nested more than 100 deep"])
        #expect(nested.features.count == 1)

        let names = (0..<10_000).map { #""c\#($0)":1"# }.joined(separator: ",")
        let wide = try ReadText(collection(feature(point, "{\(names)}"), feature(point)))
        #expect(wide.faults.count == 1)
        #expect(wide.faults.first?.message.contains("more than 1000 names") == true)
        #expect(wide.features.count == 1)
        #expect(wide.columns.count == 1000)
    }

    @Test func `a feature has a limit`() throws {
        let long = String(repeating: "x", count: 9 << 20)
        let file = try ReadText(collection(feature(point), feature(point, #"{"a":"\#(long)"}"#)))
        #expect(file.fault?.description.contains("has a feature of more than 8 MB at byte") == true)
        #expect(file.features.count == 1)
    }

    @Test func `of two members of one name the last counts`() throws {
        let file = try ReadText(collection(feature(point, #"{"a":"1","b":"2","a":"3"}"#)))
        #expect(file.named(0) == ["a": "3", "b": "2"])
    }

    @Test func `features of different names keep their own`() throws {
        var random = SeededRandom(11)
        var expected: [[String: String]] = []
        var features: [String] = []
        for _ in 0..<500 {
            let names = (0..<12).map { "n\($0)" }.shuffled(using: &random).prefix(
                Int.random(in: 0...12, using: &random))
            var values: [String: String] = [:]
            for name in names { values[name] = "v\(Int.random(in: 0...999, using: &random))" }
            expected.append(values)
            features.append(
                feature(point, "{" + names.map { #""\#($0)":"\#(values[$0] ?? "")""# }.joined(separator: ", ") + "}"))
        }
        let file = try ReadText(#"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#)
        #expect(file.features.indices.map { file.named($0) } == expected)
    }
}
