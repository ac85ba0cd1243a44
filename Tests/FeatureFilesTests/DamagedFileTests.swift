import Foundation
import Testing

@testable import FeatureFiles

/// Files that are cut off or have wrong bytes end in a report or in what they still have, and never otherwise.
@Suite(.ownThreads) struct DamagedFileTests {
    private func samples(_ scratch: Scratch) throws -> [String] {
        let points = try scratch.file("p.geojson", ForeignFileTests.json(ForeignFileTests.places(["point"], count: 40)))
        let areas = try scratch.file(
            "a.geojson", ForeignFileTests.json(ForeignFileTests.places(["polygon", "multi"], count: 40)))
        try scratch.run("ogr2ogr", "-f", "LIBKML", "a.kml", areas)
        try scratch.run("ogr2ogr", "-f", "LIBKML", "a.kmz", areas)
        try scratch.run("ogr2ogr", "-f", "GPX", "a.gpx", points, "-dsco", "GPX_USE_EXTENSIONS=YES")
        try scratch.run("ogr2ogr", "-f", "ESRI Shapefile", "a.shp.zip", areas)
        try scratch.run("ogr2ogr", "-f", "ESRI Shapefile", "b.shp", areas)
        try scratch.run("ogr2ogr", "-f", "GPKG", "a.gpkg", areas)
        // Without checksums, so that what is wrong comes through to the readers.
        try scratch.run(
            "python3", "-c",
            """
            import zipfile
            with zipfile.ZipFile('stored.zip', 'w') as z:
                for n in ['b.shp', 'b.shx', 'b.dbf', 'b.prj']: z.write(n)
            """)
        let nodes = (1...40).map {
            "<node id=\"\($0)\" version=\"1\" lat=\"\($0)\" lon=\"\($0)\"><tag k=\"name\" v=\"n\($0)\"/></node>"
        }
        let osm = try scratch.file("a.osm", "<osm version=\"0.6\">\(nodes.joined())</osm>")
        try scratch.run("osmium", "cat", osm, "-o", "a.osm.pbf", "-f", "pbf,pbf_compression=none")
        try scratch.run("osmium", "cat", osm, "-o", "b.osm.pbf", "-f", "pbf,pbf_dense_nodes=false,pbf_compression=none")
        return [
            "a.kml", "a.kmz", "a.gpx", "a.shp.zip", "stored.zip", "a.gpkg", "a.osm", "a.osm.pbf", "b.osm.pbf",
        ].map { scratch.path + "/" + $0 }
    }

    /// - Returns: whether it ended in what it should, a report or some of its records.
    private func isSound(_ path: String, _ judge: ShapeJudge) -> Bool {
        do {
            let read = try ReadFile(path)
            for feature in read.features {
                guard case .shape(let shape) = feature.geometry else { continue }
                _ = try? judge.judge(shape, row: feature.row)
            }
            return read.features.count + read.faults.count <= 10_000
        } catch { return error is FeatureFileFault }
    }

    @Test(.timeLimit(.minutes(2))) func `cut off anywhere, a file is a report or a beginning`() throws {
        let scratch = try Scratch()
        var random = SplitMix(seed: 31)
        let judge = ShapeJudge()
        for path in try samples(scratch) {
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
            let lengths =
                [0, 1, 2, 4, 30, bytes.count - 1]
                + (0..<60).map { _ in Int.random(in: 0..<bytes.count, using: &random) }
            for length in lengths {
                let cut = try scratch.file("cut", Array(bytes[..<length]))
                #expect(isSound(cut, judge), "\(path) at \(length)")
            }
        }
    }

    @Test(.timeLimit(.minutes(4))) func `wrong bytes never end the process or go on for ever`() throws {
        let scratch = try Scratch()
        var random = SplitMix(seed: 37)
        let judge = ShapeJudge()
        for path in try samples(scratch) {
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
            for round in 0..<300 {
                var wrong = bytes
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    // Heads decide most.
                    let place = Int.random(
                        in: 0..<(round % 3 == 0 ? min(200, bytes.count) : bytes.count), using: &random)
                    wrong[place] = round % 2 == 0 ? UInt8.random(in: 0...255, using: &random) : 0xFF
                }
                let damaged = try scratch.file("wrong", wrong)
                #expect(isSound(damaged, judge), "\(path) in round \(round)")
            }
        }
    }

    @Test func `well-known binary of every dialect is one geometry`() throws {
        var random = SplitMix(seed: 41)
        for place in ForeignFileTests.places(count: 200) {
            let isLittle = Bool.random(using: &random)
            let dialect = Int.random(in: 0...6, using: &random)
            let bytes = Self.encoded(place.geometry, isLittle: isLittle, dialect: dialect)
            let found = try WellKnownBinary.geometry(of: bytes)
            #expect(found == place.geometry)
            for length in stride(from: 0, to: bytes.count, by: 7) {
                #expect(throws: GeometryTextFault.self) { try WellKnownBinary.geometry(of: Array(bytes[..<length])) }
            }
        }
        for kind: UInt8 in [0, 8, 9, 10, 15, 16, 17, 18] {
            #expect(throws: GeometryTextFault.self) {
                try WellKnownBinary.geometry(of: [1, kind, 0, 0, 0, 0, 0, 0, 0])
            }
        }
        // Counts that are not so make nothing large.
        #expect(throws: GeometryTextFault.self) {
            try WellKnownBinary.geometry(of: [1, 2, 0, 0, 0, 255, 255, 255, 255] + [UInt8](repeating: 0, count: 64))
        }
    }

    /// 0: as it is; 1 to 3: ISO's Z, M, ZM; 4 to 6: PostGIS's Z, M and both with an SRID.
    private static func encoded(_ geometry: PlanarGeometry, isLittle: Bool, dialect: Int) -> [UInt8] {
        func number(_ value: UInt32) -> [UInt8] {
            withUnsafeBytes(of: isLittle ? value.littleEndian : value.bigEndian) { Array($0) }
        }
        func double(_ value: Double) -> [UInt8] {
            let bits = value.bitPattern
            return withUnsafeBytes(of: isLittle ? bits.littleEndian : bits.bigEndian) { Array($0) }
        }
        let extra = dialect == 0 ? 0 : dialect == 3 || dialect == 6 ? 2 : 1
        func head(_ kind: UInt32) -> [UInt8] {
            let flags: [UInt32] = [0, 1000, 2000, 3000, 0x8000_0000, 0x4000_0000, 0xE000_0000]
            return [isLittle ? 1 : 0] + number(kind + flags[dialect]) + (dialect == 6 ? number(4326) : [])
        }
        func line(_ line: [PlanarGeometry.Position]) -> [UInt8] {
            number(UInt32(line.count)) + line.flatMap(position)
        }
        func position(_ position: PlanarGeometry.Position) -> [UInt8] {
            double(position.x) + double(position.y) + (0..<extra).flatMap { _ in double(.nan) }
        }
        switch geometry {
        case .point(let point): return head(1) + position(point)
        case .line(let positions): return head(2) + line(positions)
        case .polygon(let rings): return head(3) + number(UInt32(rings.count)) + rings.flatMap(line)
        case .collection(let parts):
            return head(6) + number(UInt32(parts.count))
                + parts.flatMap { encoded($0, isLittle: isLittle, dialect: dialect) }
        }
    }
}
