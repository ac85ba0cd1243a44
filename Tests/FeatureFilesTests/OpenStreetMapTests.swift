import Foundation
import Testing

@testable import FeatureFiles

@Suite(.ownThreads) struct OpenStreetMapTests {
    private static let xml = """
        <?xml version='1.0' encoding='UTF-8'?>
        <osm version="0.6" generator="a &amp; b"><bounds minlat="44" minlon="-94" maxlat="46" maxlon="-92"/>
        <node id="1" version="1" lat="44.9397" lon="-93.0969"/>
        <node id="240109189" version="3" lat="44.9553" lon="-93.1022"><tag k="name" v="Capitole &lt;d’État&gt;"/>
        <tag k="tourism" v="attraction"/></node>
        <node id="-5" version="1" lat="-90" lon="180"><tag k="name:ja" v="南極"/><tag k="" v="nothing"/></node>
        <node id="7" version="2" visible="false"><tag k="name" v="gone"/></node>
        <way id="8" version="1"><nd ref="1"/><nd ref="240109189"/><tag k="highway" v="path"/></way>
        <way id="9" version="1"><nd ref="1"/><nd ref="240109189"/></way>
        <relation id="10" version="1"><member type="way" ref="8" role=""/><tag k="type" v="route"/></relation>
        </osm>
        """

    private func expectNodes(_ read: ReadFile) throws {
        #expect(read.faults.isEmpty)
        #expect(read.features.map(\.id) == ["node/240109189", "node/-5"])
        #expect(read.features.map(\.geometry) == [.point(x: -93.1022, y: 44.9553), .point(x: 180, y: -90)])
        let (first, second) = (read.features[0], read.features[1])
        #expect(read.text(first, "name") == "Capitole <d’État>")
        #expect(read.text(first, "tourism") == "attraction")
        #expect(read.text(second, "name") == nil)
        #expect(read.text(second, "name:ja") == "南極")
        #expect(read.file.referenceSystem == "OGC:CRS84")
        #expect(read.file.warnings.contains { $0.hasPrefix("2 ways and relations") })
        #expect(read.file.bytesRead == read.file.byteCount)
    }

    @Test func `nodes with tags are read from XML`() throws {
        let scratch = try Scratch()
        let read = try ReadFile(try scratch.file("a.osm", Self.xml))
        #expect(read.file.format == .osm)
        try expectNodes(read)
    }

    @Test(arguments: ["pbf", "pbf,pbf_dense_nodes=false", "pbf,pbf_compression=none", "pbf,add_metadata=false"])
    func `nodes with tags are read from what osmium wrote`(_ form: String) throws {
        let scratch = try Scratch()
        // Without metadata there are no deleted objects.
        let xml = Self.xml.split(separator: "\n").filter { !$0.contains("visible") }.joined(separator: "\n")
        try scratch.run("osmium", "cat", try scratch.file("a.osm", xml), "-o", "a.osm.pbf", "-f", form)
        let read = try ReadFile(scratch.path + "/a.osm.pbf")
        #expect(read.file.format == .pbf)
        try expectNodes(read)
    }

    @Test func `deleted nodes of a file with history are left out`() throws {
        let scratch = try Scratch()
        try scratch.run("osmium", "cat", try scratch.file("a.osh", Self.xml), "-o", "a.osh.pbf")
        try expectNodes(try ReadFile(scratch.path + "/a.osh.pbf"))
    }

    @Test func `many nodes come back one by one, with the tags of few beyond a thousand columns`() throws {
        let scratch = try Scratch()
        var random = SplitMix(seed: 21)
        var lines = ["<osm version=\"0.6\">"]
        var places: [(x: Double, y: Double)] = []
        for number in 1...20_000 {
            let (x, y) = (
                Int.random(in: -1_800_000_000...1_800_000_000, using: &random),
                Int.random(in: -900_000_000...900_000_000, using: &random)
            )
            places.append((Double(x) / 1e7, Double(y) / 1e7))
            lines.append(
                "<node id=\"\(number * 7)\" version=\"1\" lat=\"\(places[number - 1].y)\" lon=\"\(places[number - 1].x)\">"
                    + "<tag k=\"key\(number)\" v=\"\(number)&quot;\"/><tag k=\"other\(number)\" v=\"\\\"/></node>")
        }
        lines.append("</osm>")
        let path = try scratch.file("a.osm", lines.joined(separator: "\n"))
        try scratch.run("osmium", "cat", path, "-o", "a.osm.pbf", "-f", "pbf,add_metadata=false")
        for file in [path, scratch.path + "/a.osm.pbf"] {
            let read = try ReadFile(file)
            #expect(read.file.columns.count == 1000)
            try #require(read.features.count == places.count)
            for (number, (feature, place)) in zip(read.features, places).enumerated() {
                guard case .point(let x, let y) = feature.geometry else { continue }
                #expect(abs(x - place.x) < 1e-9 && abs(y - place.y) < 1e-9)
                #expect(feature.id == "node/\((number + 1) * 7)")
                #expect(feature.values.count <= 1000)
            }
            let last = try #require(read.features.last)
            #expect(read.text(last, "tags") == #"{"key20000":"20000\"","other20000":"\\"}"#)
            #expect(read.text(read.features[0], "key1") == "1\"")
        }
    }

    @Test func `a node without a position or number is a fault of its own`() throws {
        let scratch = try Scratch()
        let read = try ReadFile(
            try scratch.file(
                "a.osm",
                """
                <osm><node id="1"><tag k="a" v="b"/></node><node lat="1" lon="2"><tag k="a" v="b"/></node>
                <node id="x" lat="1" lon="2"><tag k="a" v="b"/></node><node id="4" lat="nan" lon="2"><tag k="a" v="b"/></node>
                <node id="5" lat="1" lon="2"><tag k="a" v="b"/></node></osm>
                """))
        #expect(read.faults.map(\.row) == [1, 2, 3, 4])
        #expect(read.features.map(\.row) == [5])
    }
}
