import Testing

@testable import FeatureFiles

@Suite struct DelimitedTests {
    @Test(arguments: [",", ";", "\t", "|"], ["\n", "\r\n", "\r"])
    func `what is written is read, whatever delimits it`(_ delimiter: String, _ newline: String) throws {
        var random = SeededRandom(UInt64(delimiter.utf8.first ?? 0) &* 31 &+ UInt64(newline.utf8.count))
        let pieces = ["a", "Ł", "😀", " ", "\"", ",", ";", "\t", "|", "\n", "\r\n", "x y", "1.5", "'"]
        var expected: [[String: String]] = []
        var text = ["name", "latitude", "note", "longitude"].joined(separator: delimiter) + newline
        var lines = 2
        var rows: [Int] = []
        for _ in 0..<200 {
            var values: [String] = []
            for _ in 0..<2 {
                values.append(
                    (0..<Int.random(in: 0...5, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
                        .joined())
            }
            func quoted(_ value: String) -> String {
                let needs =
                    value.unicodeScalars.contains { "\",;\t|\n\r".unicodeScalars.contains($0) }
                    || Bool.random(using: &random)
                return needs ? "\"" + value.replacing("\"", with: "\"\"") + "\"" : value
            }
            let record = [quoted(values[0]), "1.5", quoted(values[1]), "-2"].joined(separator: delimiter)
            rows.append(lines)
            lines += 1 + record.replacing("\r\n", with: "\n").unicodeScalars.count { $0 == "\n" }
            text += record + newline
            var named: [String: String] = [:]
            if !values[0].isEmpty { named["name"] = values[0] }
            if !values[1].isEmpty { named["note"] = values[1] }
            expected.append(named)
        }
        let file = try ReadText(text)
        #expect(file.format == .csv)
        #expect(file.fault == nil)
        #expect(file.faults.isEmpty, "\(file.faults.prefix(3))")
        #expect(file.features.indices.map { file.named($0) } == expected)
        #expect(file.features.map(\.row) == rows)
        #expect(file.features.allSatisfy { $0.geometry == .point(x: -2, y: 1.5) })
        // Without the last line break it is the same.
        #expect(try ReadText(Array(text.utf8.dropLast(newline.utf8.count))).features.count == 200)
    }

    private static let positionNames: [(String, String)] = [
        ("Latitude", "Longitude"), ("lat", "lng"), ("BREITE", "Länge"), ("Breitengrad", "Längengrad"),
        ("latitud", "longitud"),
        ("Szerokość", "Długość"), ("szerokosc geograficzna", "dlugosc geograficzna"), ("y", "x"), ("широта", "долгота"),
        ("纬度", "经度"), ("緯度", "経度"), ("stop_lat", "stop_lon"), ("Latitude (deg)", "Longitude (deg)"),
        ("decimalLatitude", "decimalLongitude"), ("northing", "easting"), ("geo_lat", "geo_lng"),
    ]

    @Test(arguments: positionNames)
    func `columns of a position are found by name`(_ latitude: String, _ longitude: String) throws {
        let file = try ReadText("id;\(longitude);name;\(latitude)\n1;10.5;A;50.25\n")
        #expect(file.features.map(\.geometry) == [.point(x: 10.5, y: 50.25)])
        #expect(file.positionColumns == [.latitude: latitude, .longitude: longitude])
        #expect(file.named(0) == ["id": "1", "name": "A"])
    }

    private static let positionsInOne: [(String, String)] = [
        ("coordinates", "51.5, -0.25"), ("location", "51.5 -0.25"), ("Geo Point", "51,5; -0,25"),
        ("latlon", "[-0.25, 51.5]"),
        ("position", "51°30'N 0°15'W"), ("geo", "(51.5,-0.25)"), ("lonlat", "-0.25,51.5"), ("coords", "N 51 30 W 0 15"),
        ("wkt", "POINT (-0.25 51.5)"), ("the_geom", "SRID=4326;POINT(-0.25 51.5)"),
        ("geometry", "POINT Z (-0.25 51.5 9)"),
        ("geom", "0101000000000000000000D0BF0000000000C04940"),
        ("geojson", #"{""type"":""Point"",""coordinates"":[-0.25,51.5]}"#),
        ("koordinaten", "51,5, -0,25"),
    ]

    @Test(arguments: positionsInOne)
    func `a position may be in one column`(_ name: String, _ value: String) throws {
        let file = try ReadText("name,\(name),x1\nA,\"\(value)\",2\n")
        #expect(file.fault == nil && file.faults.isEmpty, "\(file)")
        #expect(file.features.map(\.geometry) == [.point(x: -0.25, y: 51.5)])
        #expect(file.positionColumns == [.geometry: name])
    }

    @Test func `well-known text gives all kinds of geometry, and its SRID the reference system`() throws {
        var random = SeededRandom(3)
        let geometries = (0..<300).map { _ in TestGeometry.random(&random) }
        let rows = geometries.map { "\"SRID=2154;\($0.text)\"" }.joined(separator: "\n")
        let file = try ReadText("wkt\n" + rows)
        #expect(file.fault == nil && file.faults.isEmpty, "\(file.faults.prefix(2))")
        #expect(file.features.map(\.geometry) == geometries.map { Optional($0.expected) })
        #expect(file.referenceSystem == "EPSG:2154")
        let hexadecimal = geometries.map {
            $0.binary.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
        }
        let binary = try ReadText("geom\n" + hexadecimal.joined(separator: "\n"))
        // What is nested in it comes without the nesting.
        #expect(binary.features.map(\.geometry) == geometries.map { Optional($0.flattened) })
    }

    @Test func `columns can be named`() throws {
        var options = FeatureFile.Options()
        options.columns = [.latitude: "a", .longitude: "b"]
        let file = try ReadText("lat,lon,a,b\n1,2,3,4\n", options)
        #expect(file.features.map(\.geometry) == [.point(x: 4, y: 3)])
        #expect(file.named(0) == ["lat": "1", "lon": "2"])
        options.columns = [.latitude: "missing"]
        #expect(try ReadText("lat,lon\n1,2\n", options).fault?.description.contains("has no column “missing”") == true)
        options.columns = [.geometry: "g", .latitude: "lat"]
        #expect(try ReadText("lat,g\n1,2\n", options).fault != nil)
        #expect(
            try ReadText("name,place\nA,B\n").fault?.description.contains("Its columns: name, place") == true)
        // A column of addresses is no position.
        #expect(try ReadText("name,location\nA,\"Main Street 5, Town\"\n").fault != nil)
    }

    @Test func `encodings are told by the content`() throws {
        let text = "name,lat,lon\nCafé Żółw,1,2\nnaïve,3,4\n"
        let units = Array(text.utf16)
        let little = units.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
        let big = units.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
        for bytes in [
            Array(text.utf8), [0xEF, 0xBB, 0xBF] + Array(text.utf8), little, big, [0xFF, 0xFE] + little,
            [0xFE, 0xFF] + big,
        ] {
            let file = try ReadText(bytes)
            #expect(file.features.indices.map { file.named($0)["name"] } == ["Café Żółw", "naïve"])
            #expect(file.columns == ["name", "lat", "lon"])
            #expect(file.warnings.isEmpty)
        }
        let single = try ReadText([UInt8]("name,lat,lon\nCaf".utf8) + [0xE9, 0x80] + [UInt8](",1,2\n".utf8))
        #expect(single.named(0)["name"] == "Café€")
        #expect(single.warnings.count == 1)
    }

    @Test func `a row in another encoding is a fault of its own`() throws {
        var bytes = [UInt8]("name,lat,lon\nŁódź,1,2\nKraków,3,4\n".utf8)
        bytes += [UInt8]("K".utf8) + [0xF3] + [UInt8](",5,6\nGdańsk,7,8\n".utf8)
        let file = try ReadText(bytes)
        #expect(file.features.map(\.row) == [2, 3, 5])
        #expect(file.faults == [FeatureFault(row: 4, field: "name", message: "is not UTF-8")])
    }

    private static let badRows: [(String, String, String)] = [
        ("A,north,2", "lat", "“north” is no coordinate"), ("A,,2", "lat", "is missing"),
        ("A,1", "feature", "has 2 fields"),
        ("A,1,2,3", "feature", "has 4 fields"), ("A,nan,2", "lat", "is no coordinate"),
        ("A,1e999,2", "lat", "is no coordinate"),
        ("\"A\"b,1,2", "feature", "closing quotation mark"), ("A\u{0},1,2", "feature", "NUL"),
        ("A,0x10,2", "lat", "is no coordinate"),
        ("A,10°E,2", "lat", "is a longitude"), ("A,1,-5W", "lon", "both a sign and a letter"),
        ("A,1,5 O", "lon", "east in some"),
        ("A,10°61',2", "lat", "minutes or seconds of 60"),
    ]

    @Test(arguments: badRows)
    func `a bad row is told, and those around it are read`(_ row: String, _ field: String, _ message: String) throws {
        let file = try ReadText("name,lat,lon\nX,1,2\n\(row)\nY,1,2\n")
        #expect(file.fault == nil)
        #expect(file.features.map(\.row) == [2, 4])
        #expect(file.faults.count == 1)
        #expect(file.faults.first?.row == 3 && file.faults.first?.field == field, "\(file.faults)")
        #expect(file.faults.first?.message.contains(message) == true, "\(file.faults)")
    }

    @Test func `a row without a position has no geometry`() throws {
        #expect(try ReadText("name,lat,lon\nX, ,\n").features.map(\.geometry) == [nil])
        #expect(try ReadText("name,lat,lon\nX,1,2\n\n\nY,3,4,,\n").features.map(\.row) == [2, 5])
    }

    @Test func `a file that is no table is refused`() throws {
        #expect(try ReadText("name,lat,lon\n\"A,1,2\nB,3,4\n").fault?.description.contains("never closed") == true)
        let columns = (0..<10_000).map { "c\($0)" }.joined(separator: ",")
        #expect(try ReadText(columns + "\n").fault?.description == "has 10000 columns; at most 1000 are read")
        let long = try ReadText("name,lat,lon\nA,1,2\n" + String(repeating: "x", count: 9 << 20) + ",1,2\n")
        #expect(long.fault?.description.contains("a record of more than 8 MB in line 3") == true)
        #expect(long.features.count == 1)
        var random = SeededRandom(1)
        let noise = (0..<4000).map { _ in UInt8.random(in: 0...255, using: &random) }
        #expect(try ReadText(noise).fault != nil)
    }

    @Test func `columns of one name are told apart, and one without a name has one`() throws {
        let file = try ReadText("name,name,,lat,lon\nA,B,C,1,2\n")
        #expect(file.named(0) == ["name": "A", "name 2": "B", "column 3": "C"])
        #expect(file.warnings.count == 1)
    }

    @Test func `a line for Excel names the delimiter`() throws {
        let file = try ReadText("sep=;\r\nname;lat;lon\r\nA,B,C;1,5;2,5\r\n")
        #expect(file.features.map(\.geometry) == [.point(x: 2.5, y: 1.5)])
        #expect(file.features.map(\.row) == [3])
    }
}

@Suite struct PositionTextTests {
    private static let written: [(String, Double)] = [
        ("51.5", 51.5), ("-51,5", -51.5), ("+7", 7), ("51°28'38\"N", 51.477222222222224),
        ("51 28 38 N", 51.477222222222224), ("N 51 28.633", 51.47721666666667), ("S51°30′", -51.5),
        ("51º 28’ 38,5” s", -51.477361111111115), ("51d28m38sN", 51.477222222222224),
        ("51:30:00", 51.5),
        ("−51.5°", -51.5), ("51° 28' 38''N", 51.477222222222224),
    ]

    @Test(arguments: written)
    func `coordinates are read as people write them`(_ text: String, _ degrees: Double) throws {
        let value = try PositionText.coordinate(text, .latitude)
        #expect(abs(value - degrees) < 1e-12, "\(value)")
    }

    @Test(arguments: [
        "", "abc", "1.2.3", "51°28'38\"7", "51.5 30", "--5", "1,234,567", "N", "5 N S", "1e5e",
        String(repeating: "1", count: 200),
    ])
    func `what is no coordinate is refused`(_ text: String) {
        #expect(throws: GeometryTextFault.self) { try PositionText.coordinate(text, .latitude) }
    }

    @Test func `numbers are the nearest doubles`() {
        var random = SeededRandom(5)
        for _ in 0..<20_000 {
            let value: Double
            switch Int.random(in: 0..<3, using: &random) {
            case 0: value = Double.random(in: -180...180, using: &random)
            case 1: value = Double(Int.random(in: -1_800_000_000...1_800_000_000, using: &random)) / 1e7
            default: value = Double(bitPattern: UInt64.random(in: 0...UInt64.max, using: &random))
            }
            guard value.isFinite else { continue }
            let text = Array(value.description.utf8)
            text.withUnsafeBufferPointer { bytes in
                var index = 0
                #expect(DecimalText.number(bytes.baseAddress!, &index, end: bytes.count) == value)  // it is not empty
                #expect(index == bytes.count)
            }
        }
    }
}
