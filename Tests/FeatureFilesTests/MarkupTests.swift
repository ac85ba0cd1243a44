import Foundation
import Testing

@testable import FeatureFiles

/// KML and GPX as people and programs write them, and as attackers do.
@Suite(.ownThreads) struct MarkupTests {
    private func kml(_ body: String) -> String {
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<kml xmlns=\"http://www.opengis.net/kml/2.2\"><Document>\(body)</Document></kml>"
    }

    private func read(_ text: String, _ name: String = "a.kml") throws -> ReadFile {
        let scratch = try Scratch()
        return try withExtendedLifetime(scratch) { try ReadFile(try scratch.file(name, text)) }
    }

    private func fault(_ bytes: [UInt8], _ name: String = "a.kml") throws -> String? {
        let scratch = try Scratch()
        let path = try scratch.file(name, bytes)
        do {
            _ = try ReadFile(path)
            return nil
        } catch let fault as FeatureFileFault {
            return fault.description
        }
    }

    @Test func `placemarks have their folders, data and geometries`() throws {
        let scratch = try Scratch()
        let text = kml(
            """
            <!-- a comment > with < signs --><name>Not a folder</name><Folder><name>Outer</name><Folder><name>In &amp; out</name>
            <Placemark id="p1"><name> Spire <![CDATA[<1>&amp;]]]><![CDATA[]]><![CDATA[]x]]></name><description><![CDATA[<b>x</b>]]></description>
            <Style><name>no</name></Style>
            <ExtendedData><Data name="height"><displayName>d</displayName><value>12</value></Data>
            <SchemaData schemaUrl="#s"><SimpleData name="kind">church</SimpleData></SchemaData>
            <my:colour xmlns:my="x">red</my:colour></ExtendedData>
            <Point><coordinates> 2.5 , 48.5 , 100
            </coordinates></Point></Placemark></Folder></Folder>
            <Placemark><name>Line</name><LineString><coordinates>1,2,3 4,5,6\n\t7,8</coordinates></LineString></Placemark>
            <Placemark><MultiGeometry><Point><coordinates>1,2</coordinates></Point><MultiGeometry><Polygon>
            <innerBoundaryIs><LinearRing><coordinates>1,1 2,1 2,2 1,1</coordinates></LinearRing></innerBoundaryIs>
            <outerBoundaryIs><LinearRing><coordinates>0,0 9,0 9,9 0,0</coordinates></LinearRing></outerBoundaryIs>
            </Polygon></MultiGeometry></MultiGeometry></Placemark>
            <Placemark><name>nowhere</name></Placemark>
            <Placemark><name>empty</name><Point><coordinates/></Point></Placemark>
            <Placemark><name>odd</name><Point><coordinates>a,b</coordinates></Point></Placemark>
            <Placemark><name>half</name><Point><coordinates>5</coordinates></Point></Placemark>
            <Placemark><name>model</name><Model><Location><longitude>1</longitude></Location></Model></Placemark>
            <NetworkLink><Link><href>http://example.org/</href></Link></NetworkLink>
            """)
        let read = try ReadFile(try scratch.file("a.kml", text))
        #expect(read.file.columns == ["name", "description", "folder", "height", "kind", "colour"])
        try #require(read.features.count == 5)
        let spire = read.features[0]
        #expect(spire.id == "p1")
        let texts = read.file.columns.map { read.text(spire, $0) }
        #expect(texts == ["Spire <1>&amp;]]x", "<b>x</b>", "Outer/In & out", "12", "church", "red"])
        #expect(spire.geometry == .point(x: 2.5, y: 48.5))
        #expect(
            try ForeignFileTests.parsed(read.features[1].geometry)
                == .line([.init(x: 1, y: 2), .init(x: 4, y: 5), .init(x: 7, y: 8)]))
        #expect(read.text(read.features[1], "folder") == nil)
        let mixed = try ForeignFileTests.parsed(read.features[2].geometry).parts
        #expect(mixed.count == 2)
        if case .polygon(let rings) = mixed[1] {
            #expect(rings.map { $0[0].x } == [0, 1])
        } else {
            Issue.record("no area")
        }
        #expect(read.features[3].geometry == nil && read.features[4].geometry == nil)
        #expect(read.faults.map(\.row) == [6, 7, 8])
        #expect(read.file.warnings.contains { $0.contains("NetworkLink") })
    }

    @Test func `waypoints have their position and texts`() throws {
        let read = try read(
            """
            <gpx version="1.1" creator="x"><metadata><name>m</name></metadata>
            <wpt lat="44.9" lon="-93.1"><ele>200.5</ele><name>A</name><link href="http://a.example"><text>t</text></link>
            <extensions><x:height>3</x:height></extensions></wpt>
            <wpt lat="44.9"><name>B</name></wpt><wpt lat="1e999" lon="0"/><wpt lat="1" lon="2"/>
            <trk><trkseg><trkpt lat="1" lon="2"><name>no</name></trkpt></trkseg></trk></gpx>
            """, "a.gpx")
        #expect(read.features.map(\.row) == [1, 4])
        #expect(read.faults.map(\.row) == [2, 3])
        #expect(read.faults.map(\.field) == ["lon", "lat"])
        let first = read.features[0]
        #expect(
            ["name", "ele", "link", "height"].map { read.text(first, $0) } == ["A", "200.5", "http://a.example", "3"])
        #expect(read.file.warnings.count == 1)
    }

    @Test(arguments: ["utf-16", "utf-16-be", "utf-16-le", "cp1251", "utf-8-sig", "utf-8", "koi8-r"])
    func `text comes in the encoding that it says`(_ encoding: String) throws {
        let scratch = try Scratch()
        let name = encoding.hasPrefix("utf-16") ? "UTF-16" : encoding.hasPrefix("utf-8") ? "UTF-8" : encoding
        let text = kml("<Placemark><name>Плёс</name><Point><coordinates>1,2</coordinates></Point></Placemark>")
            .replacingOccurrences(of: "UTF-8", with: name == "cp1251" ? "windows-1251" : name)
        let path = try scratch.file("a.kml", text)
        try scratch.run(
            "python3", "-c",
            "import sys;t=open(sys.argv[1],encoding='utf-8').read();open(sys.argv[1],'w',encoding=sys.argv[2]).write(t)",
            path, encoding)
        let read = try ReadFile(path)
        #expect(read.features.count == 1)
        #expect(read.text(try #require(read.features.first), "name") == "Плёс")
    }

    @Test func `what harms is refused, with a reason`() throws {
        let bomb = """
            <?xml version="1.0"?><!DOCTYPE kml [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>
            <kml><Placemark><name>&b;</name></Placemark></kml>
            """
        #expect(try #require(try fault(Array(bomb.utf8))).contains("document type"))
        let outside = """
            <?xml version="1.0"?><!DOCTYPE kml SYSTEM "file:///etc/passwd"><kml/>
            """
        #expect(try #require(try fault(Array(outside.utf8))).contains("document type"))
        let unknown = kml("<Placemark><name>&xxe;</name></Placemark>")
        #expect(try #require(try fault(Array(unknown.utf8))).contains("entity"))
        let deep = kml(String(repeating: "<Folder>", count: 100_000))
        #expect(try #require(try fault(Array(deep.utf8))).contains("deeper"))
        let wide = kml("<Placemark \((0..<1000).map { "a\($0)='1'" }.joined(separator: " "))/>")
        #expect(try #require(try fault(Array(wide.utf8))).contains("attributes"))
        let long = kml("<Placemark a='\(String(repeating: "x", count: 3 << 20))'/>")
        #expect(try #require(try fault(Array(long.utf8))).contains("tag"))
        #expect(try fault(Array(kml("<Placemark><name>a\0b</name></Placemark>").utf8)) != nil)
        let foreign = Array("<kml><name>".utf8) + [0xFF] + Array("</name></kml>".utf8)
        #expect(try #require(try fault(foreign)).contains("UTF-8"))
        #expect(try #require(try fault(Array(kml("<Placemark>").dropLast(20).utf8))).contains("ends too early"))
        #expect(try fault(Array(kml("<!-- no end").utf8)) != nil)
        let encoding = kml("").replacingOccurrences(of: "UTF-8", with: "UTF-7")
        #expect(try #require(try fault(Array(encoding.utf8))).contains("UTF-7"))
    }

    @Test(.timeLimit(.minutes(2))) func `long pieces cost no more than their length`() throws {
        let piece = String(repeating: "- ]] ?", count: 1 << 20)
        for text in [
            "<!--\(piece)-->", "<?pi \(piece)?>", "<Placemark><name><![CDATA[\(piece)]]></name></Placemark>",
            "<Placemark><name>\(piece)</name></Placemark>", "<name>\(piece)</name>",
            "<Placemark><LineString><coordinates>\(piece)</coordinates></LineString></Placemark>",
        ] {
            let read = try read(kml(text))
            #expect(read.features.count + read.faults.count <= 1)
        }
        let positions = String(repeating: "1.5,2.5 ", count: 300_000)
        let many = try read(
            kml("<Placemark><LineString><coordinates>\(positions)</coordinates></LineString></Placemark>"))
        #expect(many.faults.count == 1)
    }

    @Test func `ten thousand columns become a thousand`() throws {
        let data = (0..<10_000).map { "<Data name=\"c\($0)\"><value>\($0)</value></Data>" }.joined()
        let read = try read(kml("<Placemark><ExtendedData>\(data)</ExtendedData></Placemark>"))
        #expect(read.file.columns.count == 1000)
        let feature = try #require(read.features.first)
        #expect(read.text(feature, "c5") == "5")
        let rest = try #require(read.text(feature, "tags"))
        let object = try JSONSerialization.jsonObject(with: Data(rest.utf8)) as? [String: String]
        #expect(object?.count == 10_000 - (1000 - 4))
        #expect(object?["c9999"] == "9999")
    }
}
