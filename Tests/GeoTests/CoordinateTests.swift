import Geo
import Testing

@Suite struct CoordinateTests {
    @Test(
        arguments: [
            (.nan, 0), (0, .nan), (.infinity, 0), (0, -.infinity), (90.0000001, 0), (-90.1, 0), (0, 180.0000001),
            (0, -181), (1e300, 0),
        ] as [(Double, Double)])
    func `what is no position is refused`(latitude: Double, longitude: Double) {
        #expect(Coordinate(latitude: latitude, longitude: longitude) == nil)
    }

    @Test func `longitude 180 is longitude -180`() throws {
        let east = try #require(Coordinate(latitude: 10, longitude: 180))
        #expect(east == Coordinate(latitude: 10, longitude: -180))
        #expect(east.longitude == -180)
        #expect(Coordinate(latitude: 10, longitude: 179.99999999) == east)
        #expect(Coordinate(latitudeE7: 100_000_000, longitudeE7: 1_800_000_000) == east)
    }

    @Test func `degrees print short and come back`() throws {
        let saintPaul = try #require(Coordinate(latitude: 44.94441, longitude: -93.09327))
        #expect(saintPaul.description == "44.94441,-93.09327")
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<10_000 {
            let coordinate = generator.coordinate()
            #expect(try Coordinate(parsing: coordinate.description) == coordinate)
            let decimals = "\(coordinate.longitude)".split(separator: ".").last ?? ""
            #expect(decimals.count <= 7 || decimals.contains("e"))
            #expect(Coordinate(latitude: coordinate.latitude, longitude: coordinate.longitude) == coordinate)
        }
    }

    @Test(arguments: [
        "", "1", "1,2,3", "1,", ",1", "a,b", "nan,0", "0,inf", "0x10,0", " 1,2", "1, 2", "1,2 ", "+1,2", "1.,2", ".5,2",
        "1,2e", "1,2e+", "--1,2", "1,2\n", "１,2", "1;2", "1_0,2", "1,2e999",
    ])
    func `text that is no pair of degrees is refused`(text: String) {
        #expect(throws: CoordinateTextError(reason: "must be latitude,longitude in degrees")) {
            try Coordinate(parsing: text)
        }
    }

    @Test func `degrees out of range name the side at fault`() throws {
        #expect(throws: CoordinateTextError(reason: "must have a latitude from -90 to 90")) {
            try Coordinate(parsing: "91,0")
        }
        #expect(throws: CoordinateTextError(reason: "must have a longitude from -180 to 180")) {
            try Coordinate(parsing: "0,181")
        }
        #expect(try Coordinate(parsing: "1e-7,-0") == Coordinate(latitudeE7: 1, longitudeE7: 0))
    }
}
