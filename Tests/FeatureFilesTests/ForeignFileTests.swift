import Foundation
import Testing

@testable import FeatureFiles

/// Files that GDAL wrote, compared record by record with what they were made from.
@Suite(.ownThreads) struct ForeignFileTests {
    struct Place: Sendable {
        var name: String
        var size: Int
        var geometry: PlanarGeometry
    }

    typealias Position = PlanarGeometry.Position

    static let names = ["Café", "Łódź", "東京タワー", "Плёс", "a, \"b\" <&> c", "Ørsted’s", "x"]

    static func places(_ kinds: Set<String> = ["point", "line", "polygon", "multi"], count: Int = 60) -> [Place] {
        var random = SplitMix(seed: 7)
        let sorted = kinds.sorted()
        return (0..<count).map { number in
            let x = Double(Int.random(in: -1_700_000_000...1_700_000_000, using: &random)) / 1e7
            let y = Double(Int.random(in: -800_000_000...800_000_000, using: &random)) / 1e7
            let name = "\(names[number % names.count]) \(number)"
            return Place(name: name, size: number * 3, geometry: geometry(sorted[number % sorted.count], x, y))
        }
    }

    static func geometry(_ kind: String, _ x: Double, _ y: Double) -> PlanarGeometry {
        func at(_ dx: Double, _ dy: Double) -> Position {
            Position(x: ((x + dx) * 1e7).rounded() / 1e7, y: ((y + dy) * 1e7).rounded() / 1e7)
        }
        // Outer rings go round clockwise, as shapefiles have it; comparison does not mind.
        func box(_ dx: Double, _ size: Double) -> [Position] {
            [at(dx, 0), at(dx, size), at(dx + size, size), at(dx + size, 0), at(dx, 0)]
        }
        let hole = [at(0.2, 0.2), at(0.4, 0.2), at(0.4, 0.4), at(0.2, 0.4), at(0.2, 0.2)]
        switch kind {
        case "point": return .point(at(0, 0))
        case "line": return .line([at(0, 0), at(1, 0.5), at(2, 0.25)])
        case "polygon": return .polygon([box(0, 1), hole])
        default: return .collection([.polygon([box(0, 1), hole]), .polygon([box(2, 0.5)])])
        }
    }

    static func json(_ places: [Place]) -> String {
        func text(_ position: Position) -> String { "[\(position.x),\(position.y)]" }
        func text(_ line: [Position]) -> String { "[\(line.map(text).joined(separator: ","))]" }
        func text(_ rings: [[Position]]) -> String { "[\(rings.map(text).joined(separator: ","))]" }
        func geometry(_ geometry: PlanarGeometry) -> String {
            switch geometry {
            case .point(let position): "{\"type\":\"Point\",\"coordinates\":\(text(position))}"
            case .line(let line): "{\"type\":\"LineString\",\"coordinates\":\(text(line))}"
            case .polygon(let rings): "{\"type\":\"Polygon\",\"coordinates\":\(text(rings))}"
            case .collection(let parts):
                "{\"type\":\"MultiPolygon\",\"coordinates\":["
                    + parts.map { part in
                        if case .polygon(let rings) = part { text(rings) } else { "" }
                    }.joined(separator: ",") + "]}"
            }
        }
        let features = places.map { place in
            let name = place.name.replacingOccurrences(of: "\"", with: "\\\"")
            return
                "{\"type\":\"Feature\",\"properties\":{\"name\":\"\(name)\",\"size\":\(place.size)},\"geometry\":\(geometry(place.geometry))}"
        }
        return "{\"type\":\"FeatureCollection\",\"features\":[\(features.joined(separator: ",\n"))]}"
    }

    /// The parts, each ring beginning at its smallest position and in one direction.
    static func plain(_ geometry: PlanarGeometry) -> [[[Position]]] {
        func ring(_ ring: [Position]) -> [Position] {
            var open = Array(ring.dropLast())
            let area = zip(ring, ring.dropFirst()).reduce(0) { $0 + $1.0.x * $1.1.y - $1.1.x * $1.0.y }
            if area < 0 { open.reverse() }
            let start = open.indices.min { (open[$0].x, open[$0].y) < (open[$1].x, open[$1].y) } ?? 0
            open = Array(open[start...] + open[..<start])
            return open
        }
        return geometry.parts.map { part in
            switch part {
            case .point(let position): [[position]]
            case .line(let line): [line]
            case .polygon(let rings): rings.map(ring)
            case .collection: []
            }
        }.sorted { ($0.first?.first?.x ?? 0) < ($1.first?.first?.x ?? 0) }
    }

    static func parsed(_ geometry: Feature.Geometry?) throws -> PlanarGeometry {
        switch geometry {
        case .point(let x, let y): .point(Position(x: x, y: y))
        case .shape(let bytes): try WellKnownBinary.geometry(of: bytes)
        case nil: .collection([])
        }
    }

    static func expectSame(_ read: ReadFile, _ places: [Place], nameColumn: String = "name", sized: Bool = true) throws
    {
        #expect(read.faults.isEmpty)
        try #require(read.features.count == places.count)
        for (index, (feature, place)) in zip(read.features, places).enumerated() {
            #expect(feature.row == index + 1)
            #expect(read.text(feature, nameColumn) == place.name)
            if sized { #expect(read.text(feature, "size") == "\(place.size)") }
            let (found, meant) = (plain(try parsed(feature.geometry)), plain(place.geometry))
            try #require(found.map { $0.map(\.count) } == meant.map { $0.map(\.count) })
            for (a, b) in zip(found.joined().joined(), meant.joined().joined()) {
                #expect(abs(a.x - b.x) <= 1e-7 && abs(a.y - b.y) <= 1e-7)
            }
        }
    }

    @Test(arguments: ["kml", "gpkg"]) func `KML and GeoPackages have what GDAL put in`(_ name: String) throws {
        let scratch = try Scratch()
        let places = Self.places()
        let source = try scratch.file("in.geojson", Self.json(places))
        if name == "kml" {
            try scratch.run("ogr2ogr", "-f", "LIBKML", "out.kml", source)
        } else {
            try scratch.run("ogr2ogr", "-f", "GPKG", "out.gpkg", source)
        }
        let read = try ReadFile(scratch.path + "/out.\(name)")
        #expect(read.file.format == (name == "kml" ? .kml : .geopackage))
        try Self.expectSame(read, places)
        if name == "gpkg" {
            #expect(read.file.recordCount == places.count)
            #expect(read.file.referenceSystem == "EPSG:4326")
            #expect(read.features.map(\.id) == (1...places.count).map { "\($0)" })
        }
    }

    @Test func `KMZ and GPX have what GDAL put in`() throws {
        let scratch = try Scratch()
        let places = Self.places(["point"])
        let source = try scratch.file("in.geojson", Self.json(places))
        try scratch.run("ogr2ogr", "-f", "LIBKML", "out.kmz", source)
        let packed = try ReadFile(scratch.path + "/out.kmz")
        #expect(packed.file.format == .kmz)
        try scratch.run("ogr2ogr", "-f", "GPX", "out.gpx", source, "-dsco", "GPX_USE_EXTENSIONS=YES")
        let waypoints = try ReadFile(scratch.path + "/out.gpx")
        #expect(waypoints.file.format == .gpx)
        try Self.expectSame(waypoints, places)
    }

    @Test(arguments: ["point", "line", "polygon"]) func `shapefiles have what GDAL put in`(_ kind: String) throws {
        let scratch = try Scratch()
        let places = Self.places(kind == "polygon" ? ["polygon", "multi"] : [kind])
        let source = try scratch.file("in.geojson", Self.json(places))
        try scratch.run("ogr2ogr", "-f", "ESRI Shapefile", "out.shp.zip", source, "-lco", "ENCODING=UTF-8")
        let read = try ReadFile(scratch.path + "/out.shp.zip")
        #expect(read.file.format == .shapefile)
        #expect(read.file.recordCount == places.count)
        #expect(read.file.referenceSystem?.hasPrefix("GEOGCS[") == true)
        #expect(read.file.warnings == [])
        #expect(try CoordinateTransformer(from: read.file.referenceSystem).isIdentity)
        try Self.expectSame(read, places)
    }

    @Test func `a shapefile of another system comes back to where it was`() throws {
        let scratch = try Scratch()
        let places = (0..<50).map { number in
            Place(
                name: "Lieu \(number)", size: number,
                geometry: .point(Position(x: 1 + Double(number) / 10, y: 44 + Double(number % 7) / 2)))
        }
        let source = try scratch.file("in.geojson", Self.json(places))
        try scratch.run("ogr2ogr", "-f", "ESRI Shapefile", "out.shp.zip", source, "-t_srs", "EPSG:2154")
        let read = try ReadFile(scratch.path + "/out.shp.zip")
        let transformer = try CoordinateTransformer(from: read.file.referenceSystem)
        #expect(!transformer.isIdentity)
        #expect(transformer.areaOfUse?.contains(longitude: 2, latitude: 47) == true)
        var moved = read
        moved.features = try read.features.map { feature in
            var feature = feature
            feature.geometry = try feature.geometry.map { try transformer.geometry($0, row: feature.row) }
            return feature
        }
        try Self.expectSame(moved, places)
    }
}
