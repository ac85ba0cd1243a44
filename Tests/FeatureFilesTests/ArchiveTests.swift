import Foundation
import Testing

@testable import FeatureFiles

/// ZIP archives and databases that are incomplete, odd or hostile.
@Suite(.ownThreads) struct ArchiveTests {
    private static let kml =
        "<kml><Placemark><name>x</name><Point><coordinates>1,2</coordinates></Point></Placemark></kml>"

    /// Makes an archive by Python's `zipfile`, which asks no questions.
    private func archive(_ scratch: Scratch, _ name: String, _ script: String) throws -> String {
        try scratch.run(
            "python3", "-c",
            """
            import zipfile, sys
            kml = \"\"\"\(Self.kml)\"\"\"
            with zipfile.ZipFile('\(name)', 'w', zipfile.ZIP_DEFLATED) as z:
            \(script.split(separator: "\n").map { "    " + $0 }.joined(separator: "\n"))
            """)
        return scratch.path + "/" + name
    }

    private func fault(_ path: String, layer: String? = nil) -> String? {
        do {
            _ = try ReadFile(path, layer: layer)
            return nil
        } catch {
            return (error as? FeatureFileFault)?.description ?? "another error: \(error)"
        }
    }

    @Test func `the first document of a KMZ is read, and others are told`() throws {
        let scratch = try Scratch()
        let path = try archive(
            scratch, "a.kmz",
            "z.writestr('img/a.png', b'x')\nz.writestr('doc.kml', kml)\nz.writestr('other/b.kml', kml.replace('x', 'y'))"
        )
        let read = try ReadFile(path)
        #expect(read.features.count == 1)
        #expect(read.file.warnings.contains { $0.contains("b.kml") })
        let other = try ReadFile(path, layer: "b")
        #expect(other.text(other.features[0], "name") == "y")
        #expect(fault(path, layer: "nowhere")?.contains("doc.kml") == true)
    }

    @Test func `names that point elsewhere write nothing anywhere`() throws {
        let scratch = try Scratch()
        let name = "pinfold-\(UUID().uuidString).kml"
        let path = try archive(
            scratch, "a.kmz", "z.writestr('../../../../../../tmp/\(name)', kml)\nz.writestr('/tmp/\(name)', kml)")
        #expect(try ReadFile(path).features.count == 1)
        #expect(!FileManager.default.fileExists(atPath: "/tmp/\(name)"))
    }

    @Test(.timeLimit(.minutes(5))) func `bombs are refused`() throws {
        let scratch = try Scratch()
        let spaces = try archive(scratch, "a.kmz", "z.writestr('doc.kml', '<kml>' + ' ' * 100000000 + '</kml>')")
        #expect(fault(spaces)?.contains("200 times") == true)
        let zeros = try archive(
            scratch, "b.zip", "z.writestr('a.shp', bytes([0, 0, 39, 10]) + bytes(100000000))")
        #expect(fault(zeros)?.hasPrefix("another") == false)
        let many = try archive(scratch, "c.kmz", "for i in range(20000): z.writestr(f'{i}.kml', '')")
        #expect(fault(many)?.contains("files") == true)
    }

    @Test func `archives without anything to read say what they hold`() throws {
        let scratch = try Scratch()
        #expect(
            fault(try archive(scratch, "a.zip", "z.writestr('data/table.csv', 'a,b')"))?.contains("table.csv") == true)
        #expect(fault(try archive(scratch, "b.zip", "pass"))?.contains("without files") == true)
        let packed = try archive(scratch, "c.kmz", "z.writestr('a.kml', kml, zipfile.ZIP_BZIP2)")
        #expect(fault(packed)?.contains("method") == true)
    }

    // MARK: Large archives

    @Test func `sizes and places of 64 bits are read`() throws {
        let scratch = try Scratch()
        // As if each file were too large for 32 bits; and with something ahead of the archive.
        let path = try archive(
            scratch, "a.kmz",
            """
            zipfile.ZIP64_LIMIT = 10
            z.writestr('readme.txt', b'x' * 100)
            with z.open('doc.kml', 'w', force_zip64=True) as f: f.write(kml.encode())
            z.writestr('stored.kml', kml.replace('x', 'y'), zipfile.ZIP_STORED)
            """)
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let ahead = try scratch.file("b.kmz", Array("PK and a program\n".utf8) + bytes)
        for path in [path, ahead] {
            let read = try ReadFile(path)
            #expect(read.text(read.features[0], "name") == "x")
            let stored = try ReadFile(path, layer: "stored")
            #expect(stored.text(stored.features[0], "name") == "y")
        }
        // Larger than any that is there.
        try scratch.run(
            "python3", "-c",
            """
            d = bytearray(open('a.kmz', 'rb').read())
            at = d.index(b'PK\\x01\\x02')
            at = d.index((100).to_bytes(8, 'little'), at)
            d[at:at + 8] = (5 << 30).to_bytes(8, 'little')
            open('c.kmz', 'wb').write(d)
            """)
        let large = try ArchiveListing(path: scratch.path + "/c.kmz")
        #expect(large.entries.map(\.size).max() == 5 << 30)
        let entry = try #require(large.entries.first)
        let file = try large.open(entry)
        #expect(throws: FeatureFileFault.self) { while try !file.bytes(50).isEmpty {} }
    }

    @Test func `whatever byte of an archive is wrong, it is read or refused`() throws {
        let scratch = try Scratch()
        let path = try archive(
            scratch, "a.kmz",
            "zipfile.ZIP64_LIMIT = 10\nz.writestr('doc.kml', kml)\nz.writestr('b.kml', kml, zipfile.ZIP_STORED)")
        let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        var refused = 0
        for place in whole.indices {
            var bytes = whole
            switch place % 4 {
            case 0: bytes.removeLast(place)
            case 1: bytes[place] = 0
            case 2: bytes[place] = 0xFF
            default: bytes[place] ^= 1
            }
            let fault = fault(try scratch.file("damaged.kmz", bytes))
            #expect(fault?.hasPrefix("another error") != true)
            if fault != nil { refused += 1 }
        }
        // Some bytes, such as those of dates, say nothing that matters.
        #expect(refused > whole.count / 4)
    }

    // MARK: Shapefiles

    private func shapefile(_ scratch: Scratch, _ arguments: String..., encoding: String = "UTF-8") throws {
        let places = ForeignFileTests.places(["point"], count: 14)
        let source = try scratch.file("in.geojson", ForeignFileTests.json(places))
        try scratch.run("ogr2ogr", "-f", "ESRI Shapefile", "places.shp", source, "-lco", "ENCODING=\(encoding)")
    }

    private func pack(_ scratch: Scratch, _ names: String...) throws -> String {
        let list = names.map { "'\($0)'" }.joined(separator: ", ")
        return try archive(scratch, "\(UUID().uuidString).zip", "for n in [\(list)]: z.write(n, 'folder/' + n.upper())")
    }

    @Test func `a shapefile needs nothing but its shapes`() throws {
        let scratch = try Scratch()
        try shapefile(scratch)
        let places = ForeignFileTests.places(["point"], count: 14)
        let whole = try ReadFile(
            try pack(scratch, "places.shp", "places.shx", "places.dbf", "places.prj", "places.cpg"))
        try ForeignFileTests.expectSame(whole, places)
        #expect(whole.file.warnings == [])
        let withoutIndex = try ReadFile(try pack(scratch, "places.shp", "places.dbf"))
        try ForeignFileTests.expectSame(withoutIndex, places)
        #expect(withoutIndex.file.referenceSystem == nil)
        #expect(withoutIndex.file.warnings.contains { $0.contains(".prj") })
        let alone = try ReadFile(try pack(scratch, "places.shp", "places.prj"))
        #expect(alone.features.count == places.count)
        #expect(alone.file.columns == [])
        #expect(alone.file.warnings.contains { $0.contains(".dbf") })
        #expect(fault(try pack(scratch, "places.dbf", "places.prj")) != nil)
    }

    @Test(arguments: ["CP1251", "CP1252", "ISO-8859-1", "CP437", "CP850"])
    func `tables come in the code page that they say`(_ encoding: String) throws {
        let scratch = try Scratch()
        let name = encoding == "CP1251" ? "Плёс" : "Café Ö"
        let place = ForeignFileTests.Place(name: name, size: 1, geometry: .point(.init(x: 1, y: 2)))
        let source = try scratch.file("in.geojson", ForeignFileTests.json([place]))
        try scratch.run("ogr2ogr", "-f", "ESRI Shapefile", "places.shp", source, "-lco", "ENCODING=\(encoding)")
        // The same by the language byte, where there is no .cpg.
        var table = [UInt8](try Data(contentsOf: URL(fileURLWithPath: scratch.path + "/places.dbf")))
        let languages: [String: UInt8] = ["CP1251": 0xC9, "CP1252": 0x03, "CP437": 0x01, "CP850": 0x02]
        table[29] = languages[encoding] ?? 0
        _ = try scratch.file("places.dbf", table)
        for (number, list) in ["'places.shp', 'places.dbf', 'places.cpg'", "'places.shp', 'places.dbf'"].enumerated() {
            let read = try ReadFile(try archive(scratch, "\(number).zip", "for n in [\(list)]: z.write(n)"))
            #expect(read.text(read.features[0], "name") == name, "\(encoding) \(list)")
        }
    }

    @Test func `records that were deleted or moved are no trap`() throws {
        let scratch = try Scratch()
        try shapefile(scratch)
        let shapes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: scratch.path + "/places.shp")))
        var table = [UInt8](try Data(contentsOf: URL(fileURLWithPath: scratch.path + "/places.dbf")))
        let (header, length) = (Int(table[8]) | Int(table[9]) << 8, Int(table[10]) | Int(table[11]) << 8)
        table[header + 3 * length] = UInt8(ascii: "*")
        _ = try scratch.file("places.dbf", table)
        let read = try ReadFile(try pack(scratch, "places.shp", "places.dbf"))
        #expect(read.features.map(\.row) == [1, 2, 3] + (5...14).map { $0 })
        // The first record has moved to the end.
        var index = [UInt8](try Data(contentsOf: URL(fileURLWithPath: scratch.path + "/places.shx")))
        let end = shapes.count / 2
        index.replaceSubrange(100..<104, with: [0, 0, UInt8(end >> 8), UInt8(end & 255)])
        _ = try scratch.file("places.shx", index)
        _ = try scratch.file("places.shp", shapes + shapes[100..<128])
        #expect(fault(try pack(scratch, "places.shp", "places.shx", "places.dbf"))?.contains("order") == true)
        // What is left between others is passed over.
        index = [UInt8](try Data(contentsOf: URL(fileURLWithPath: scratch.path + "/places.shx")))
        index.removeSubrange(100..<116)
        _ = try scratch.file("places.shx", index)
        _ = try scratch.file("places.shp", shapes)
        let rest = try ReadFile(try pack(scratch, "places.shp", "places.shx"))
        #expect(rest.features.count == 12)
    }

    @Test func `shapes and table of different lengths are told`() throws {
        let scratch = try Scratch()
        try shapefile(scratch)
        let shapes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: scratch.path + "/places.shp")))
        _ = try scratch.file("places.shp", Array(shapes.dropLast(28)))
        #expect(fault(try pack(scratch, "places.shp", "places.dbf"))?.contains("fewer") == true)
        #expect(fault(try pack(scratch, "places.shp", "places.shx", "places.dbf"))?.contains("too early") == true)
    }

    @Test func `several layers are listed and chosen from`() throws {
        let scratch = try Scratch()
        let source = try scratch.file("in.geojson", ForeignFileTests.json(ForeignFileTests.places(["point"], count: 3)))
        for name in ["one", "two"] {
            try scratch.run("ogr2ogr", "-f", "ESRI Shapefile", "\(name).shp", source)
            let mode = name == "one" ? "-overwrite" : "-update"
            try scratch.run("ogr2ogr", "-f", "GPKG", "a.gpkg", source, "-nln", name, mode)
        }
        let zip = try archive(
            scratch, "a.zip", "for n in ['one.shp', 'one.dbf', 'two.shp', 'two.dbf']: z.write(n)")
        for path in [zip, scratch.path + "/a.gpkg"] {
            let message = try #require(fault(path))
            #expect(message.contains("one") && message.contains("two"))
            #expect(try ReadFile(path, layer: "two").features.count == 3)
            #expect(fault(path, layer: "three")?.contains("one") == true)
        }
    }

    // MARK: GeoPackages

    private func package(_ scratch: Scratch, _ statements: String) throws -> String {
        let source = try scratch.file(
            "in.geojson", ForeignFileTests.json(ForeignFileTests.places(["point"], count: 5)))
        try scratch.run("ogr2ogr", "-f", "GPKG", "a.gpkg", source, "-nln", "places")
        try scratch.run(
            "python3", "-c",
            """
            import sqlite3
            db = sqlite3.connect('a.gpkg')
            db.create_function('ST_IsEmpty', 1, lambda b: 0)
            for f in ['ST_MinX', 'ST_MaxX', 'ST_MinY', 'ST_MaxY']: db.create_function(f, 1, lambda b: 0.0)
            db.executescript(\"\"\"\(statements)\"\"\")
            db.commit()
            """)
        return scratch.path + "/a.gpkg"
    }

    @Test func `views are not read, which may never end`() throws {
        let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
        for statements in [
            "ALTER TABLE places RENAME TO p; CREATE VIEW places AS \(endless) SELECT i AS fid, NULL AS geom FROM n;"
                + "UPDATE gpkg_contents SET table_name = 'places'; UPDATE gpkg_geometry_columns SET table_name = 'places'",
            "DROP TABLE gpkg_ogr_contents; CREATE VIEW gpkg_ogr_contents AS \(endless) SELECT 'x' AS table_name, i AS feature_count FROM n;"
                + "ALTER TABLE gpkg_geometry_columns RENAME TO g; CREATE VIEW gpkg_geometry_columns AS \(endless) SELECT 'x' AS table_name, 'y' AS column_name, i AS srs_id FROM n",
        ] {
            let scratch = try Scratch()
            let path = try package(scratch, "PRAGMA foreign_keys = OFF; PRAGMA legacy_alter_table = ON; \(statements)")
            #expect(fault(path)?.hasPrefix("another") == false)
        }
    }

    @Test func `a package in the form that programs leave open is read`() throws {
        let scratch = try Scratch()
        let path = try package(scratch, "PRAGMA journal_mode = WAL")
        #expect(try ReadFile(path).features.count == 5)
    }

    @Test func `geometries that are none are faults of their records`() throws {
        let scratch = try Scratch()
        let path = try package(
            scratch,
            """
            UPDATE places SET geom = NULL WHERE fid = 1; UPDATE places SET geom = x'00' WHERE fid = 2;
            UPDATE places SET geom = substr(geom, 1, 20) WHERE fid = 3; UPDATE places SET geom = 'text' WHERE fid = 4;
            """)
        let read = try ReadFile(path)
        #expect(read.features.map(\.id) == ["1", "5"])
        #expect(read.features.first?.geometry == nil)
        #expect(read.faults.map(\.row) == [2, 3, 4])
    }

    @Test func `other databases are refused`() throws {
        let scratch = try Scratch()
        try scratch.run(
            "python3", "-c",
            "import sqlite3; db = sqlite3.connect('a.gpkg'); db.execute('CREATE TABLE t (a)'); db.commit()")
        #expect(fault(scratch.path + "/a.gpkg")?.contains("no GeoPackage") == true)
        #expect(fault(try scratch.file("b.gpkg", "SQLite format 3\0 and no more")) != nil)
    }
}
