import Foundation
import Testing

@testable import FeatureFiles

@Suite(.ownThreads) struct CoordinateTransformerTests {
    /// GDAL's own way from degrees to a system, whose area of use is given as west, south, east, north.
    @Test(
        arguments: [
            ("EPSG:2154", -4.0, 42.0, 8.0, 50.0), ("EPSG:3857", -179, -80, 179, 80), ("EPSG:27700", -6, 50.5, 1, 58),
            ("EPSG:2180", 15, 50, 23, 54), ("EPSG:32615", -95, 1, -91, 80), ("EPSG:4258", -10, 36, 30, 70),
            ("EPSG:3035", 0, 40, 25, 65), ("EPSG:2056", 6, 46, 10, 47.5), ("EPSG:3034", 0, 40, 20, 60),
            ("EPSG:3067", 20, 60, 31, 69),
        ] as [(String, Double, Double, Double, Double)])
    func `positions agree with GDAL's to a micrometre of degree`(
        _ system: String, _ west: Double, _ south: Double, _ east: Double, _ north: Double
    ) throws {
        let scratch = try Scratch()
        var random = SplitMix(seed: 3)
        let places = (0..<100).map { _ in
            (Double.random(in: west...east, using: &random), Double.random(in: south...north, using: &random))
        }
        let input = places.map { "\($0.0) \($0.1)" }.joined(separator: "\n")
        let output = try scratch.run(
            "gdaltransform", "-s_srs", "OGC:CRS84", "-t_srs", system, "-output_xy", input: input + "\n")
        let lines = output.split(separator: "\n")
        try #require(lines.count == places.count)
        let transformer = try CoordinateTransformer(from: system)
        for (line, place) in zip(lines, places) {
            let numbers = line.split(separator: " ").compactMap { Double($0) }
            let found = try #require(transformer.position(x: numbers[0], y: numbers[1]))
            #expect(abs(found.longitude - place.0) < 2e-7 && abs(found.latitude - place.1) < 2e-7, "\(system) \(place)")
            let area = try #require(transformer.areaOfUse)
            #expect(area.contains(longitude: found.longitude, latitude: found.latitude))
        }
    }

    @Test func `known places of national systems are where they are`() throws {
        // The Eiffel Tower and the cathedral of Saint Paul.
        let paris = try CoordinateTransformer(from: "EPSG:2154").position(x: 648_237.1029, y: 6_862_249.4434)
        #expect(abs((paris?.longitude ?? 0) - 2.2945) < 1e-7 && abs((paris?.latitude ?? 0) - 48.8582) < 1e-7)
        let mercator = try CoordinateTransformer(from: "EPSG:3857").position(x: -10_363_499.5024, y: 5_612_033.4754)
        #expect(abs((mercator?.longitude ?? 0) + 93.0969) < 1e-7 && abs((mercator?.latitude ?? 0) - 44.9397) < 1e-7)
    }

    @Test(arguments: [
        "EPSG:4326", "epsg:4326", "4326", "urn:ogc:def:crs:EPSG::4326", "urn:ogc:def:crs:EPSG:9.9.1:4326",
        "http://www.opengis.net/def/crs/EPSG/0/4326", "https://www.opengis.net/def/crs/OGC/1.3/CRS84",
        "urn:ogc:def:crs:OGC:1.3:CRS84", "urn:ogc:def:crs:OGC::CRS84", "OGC:CRS84", "CRS84", "crs:84", "WGS84",
        "http://www.opengis.net/gml/srs/epsg.xml#4326", " EPSG:4326\r\n",
        """
        GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],\
        UNIT["Degree",0.0174532925199433]]
        """,
    ])
    func `WGS 84 by any name calculates nothing`(_ name: String) throws {
        let transformer = try CoordinateTransformer(from: name)
        #expect(transformer.isIdentity)
        let position = try #require(transformer.position(x: -93.0969, y: 44.9397))
        #expect(position.longitude == -93.0969 && position.latitude == 44.9397)
    }

    @Test(arguments: [
        "EPSG:2154", "2154", "urn:ogc:def:crs:EPSG::2154", "http://www.opengis.net/def/crs/EPSG/0/2154",
        "http://www.opengis.net/gml/srs/epsg.xml#2154",
        """
        PROJCS["RGF_1993_Lambert_93",GEOGCS["GCS_RGF_1993",DATUM["D_RGF_1993",SPHEROID["GRS_1980",6378137.0,298.257222101]],\
        PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Lambert_Conformal_Conic"],\
        PARAMETER["False_Easting",700000.0],PARAMETER["False_Northing",6600000.0],PARAMETER["Central_Meridian",3.0],\
        PARAMETER["Standard_Parallel_1",44.0],PARAMETER["Standard_Parallel_2",49.0],\
        PARAMETER["Latitude_Of_Origin",46.5],UNIT["Meter",1.0]]
        """,
    ])
    func `a system is known by its codes and by Esri's text`(_ name: String) throws {
        let transformer = try CoordinateTransformer(from: name)
        let paris = try #require(transformer.position(x: 648_237.1029, y: 6_862_249.4434))
        #expect(abs(paris.longitude - 2.2945) < 1e-7 && abs(paris.latitude - 48.8582) < 1e-7)
        #expect(transformer.areaOfUse?.contains(longitude: 2.3, latitude: 48.9) == true)
        #expect(transformer.areaOfUse?.contains(longitude: -93, latitude: 45) == false)
        #expect(!transformer.isGeographic)
    }

    @Test(arguments: [
        "EPSG:999999", "EPSG:", "nonsense", "", "   ", "+proj=longlat +datum=WGS84", "+init=/etc/passwd:1",
        "+proj=pipeline +step +proj=hgridshift +grids=/etc/passwd", "EPSG:5773", "EPSG:4978", "EPSG:4326+5773",
        "GEOGCS[", "PROJCS[\"x\"]", "LOCAL_CS[\"x\",UNIT[\"metre\",1]]", "urn:ogc:def:crs:EPSG::",
        "{\"type\": \"GeographicCRS\"}", "EPSG\0:4326", "http://example.org/x", "IGNF:../../x",
        String(repeating: "GEOGCS[", count: 5000), String(repeating: "x", count: 100_000),
    ])
    func `what is no system of the Earth's surface is refused with what to do`(_ name: String) {
        #expect(throws: ReferenceSystemFault.self) { try CoordinateTransformer(from: name) }
    }

    @Test func `what cannot be calculated is no position`() throws {
        let lambert = try CoordinateTransformer(from: "EPSG:2154")
        let identity = try CoordinateTransformer(from: nil)
        for (x, y) in [(Double.nan, 1.0), (1, .nan), (.infinity, 0), (0, -.infinity), (1e300, 1e300)] {
            #expect(lambert.position(x: x, y: y) == nil)
            #expect(identity.position(x: x, y: y) == nil)
        }
        #expect(identity.position(x: 180, y: -90) != nil)
        #expect(identity.position(x: 180.0000001, y: 0) == nil)
        #expect(identity.position(x: 45, y: 93) == nil)
    }

    @Test func `an area of use may go across the antimeridian`() throws {
        let area = try #require(try CoordinateTransformer(from: "EPSG:3832").areaOfUse)
        #expect(area.west > area.east)
        #expect(area.contains(longitude: 174, latitude: -18))
        #expect(area.contains(longitude: -178, latitude: -18))
        #expect(!area.contains(longitude: 0, latitude: -18))
        #expect(AreaOfUse.world.contains(longitude: -180, latitude: 90))
    }

    @Test func `whole shapes are taken along`() throws {
        let transformer = try CoordinateTransformer(from: "EPSG:3857")
        let metres = PlanarGeometry.polygon([
            [(0.0, 0.0), (111_319.49079327358, 0), (111_319.49079327358, 111_325.14286638486), (0, 0)].map {
                PlanarGeometry.Position(x: $0.0, y: $0.1)
            }
        ])
        let moved = try transformer.geometry(.shape(ShapeBinary.bytes(of: [metres])), row: 1)
        guard case .shape(let bytes) = moved, case .polygon(let rings) = try WellKnownBinary.geometry(of: bytes) else {
            Issue.record("no polygon")
            return
        }
        #expect(abs(rings[0][2].x - 1) < 1e-9 && abs(rings[0][2].y - 1) < 1e-9)
        #expect(throws: FeatureFault.self) {
            try transformer.geometry(.shape(Array(ShapeBinary.bytes(of: [metres]).dropLast())), row: 1)
        }
    }
}
