import Geo
import Testing

@Suite struct BoundingBoxTests {
    private func box(_ text: String) throws -> BoundingBox { try BoundingBox(parsing: text) }

    @Test(arguments: [
        ("170,-10,180,10", "0,-180", true), ("170,-10,180,10", "0,180", true), ("170,-10,180,10", "0,-179.9", false),
        ("-180,-90,180,90", "-90,12", true), ("-180,-90,180,90", "5,-180", true),
        ("-180,-1,180,1", "0,179.9999999", true),
        ("180,-10,-170,10", "0,-180", true), ("180,-10,-170,10", "0,-175", true), ("180,-10,-170,10", "0,175", false),
        ("170,-10,-170,10", "0,175", true), ("170,-10,-170,10", "0,-175", true), ("170,-10,-170,10", "0,-180", true),
        ("170,-10,-170,10", "0,0", false), ("170,-10,-170,10", "11,175", false),
        ("180,-1,180,1", "0,-180", true), ("180,-1,180,1", "0,0", false), ("-180,-1,-180,1", "0,1", false),
        ("170,-1,-180,1", "0,-180", true), ("170,-1,-180,1", "0,0", false),
        ("10,10,10,10", "10,10", true), ("10,10,10,10", "10,10.0000001", false), ("1,2,3,4", "2,1", true),
        ("1,2,3,4", "4,3", true), ("1,2,3,4", "4.0000001,3", false),
    ])
    func `edges belong to the box and the antimeridian has two names`(
        text: String, point: String, inside: Bool
    ) throws {
        #expect(try box(text).contains(Coordinate(parsing: point)) == inside)
    }

    @Test func `equal areas are equal boxes`() throws {
        #expect(try box("180,0,20,1") == box("-180,0,20,1"))
        #expect(try box("20,0,180,1") == box("20,0,-180,1"))
        #expect(try box("180,0,180,1") == box("-180,0,-180,1"))
        #expect(try box("180,0,-180,1") == box("180,0,180,1"))
        #expect(try box("-180,-90,180,90") == .world)
        #expect(try !box("20,0,180,1").crossesAntimeridian)
        #expect(try box("20,0,10,1").crossesAntimeridian)
        #expect(try box("170.5,-1,-170.25,1").description == "170.5,-1.0,-170.25,1.0")
    }

    @Test(arguments: [
        "", "1,2,3", "1,2,3,4,5", "1,2,3,", "1,2,3,x", "nan,0,1,1", "0,0,inf,1", "0x1,0,1,1", "1, 2,3,4", " 1,2,3,4",
        "1,2,3,4 ", "+1,2,3,4", "1,2,3,4.", "1,,3,4",
    ])
    func `text that is no box is refused`(text: String) {
        #expect(throws: CoordinateTextError(reason: "must be west,south,east,north in degrees")) {
            try BoundingBox(parsing: text)
        }
    }

    @Test func `a box that cannot be says why`() {
        for (text, reason) in [
            ("-181,0,1,1", "must have west and east from -180 to 180"),
            ("0,0,180.1,1", "must have west and east from -180 to 180"),
            ("0,-91,1,1", "must have south and north from -90 to 90"),
            ("0,2,1,1", "must not have south above north"),
        ] {
            #expect(throws: CoordinateTextError(reason: reason)) { try BoundingBox(parsing: text) }
        }
        #expect(BoundingBox(west: .nan, south: 0, east: 1, north: 1) == nil)
        #expect(BoundingBox(west: 0, south: 0, east: 1, north: .infinity) == nil)
    }

    @Test func `the ranges of longitude say the same as contains`() throws {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<20_000 {
            let (a, b, point) = (generator.coordinate(), generator.coordinate(), generator.coordinate())
            let east = Bool.random(using: &generator) && b.longitude == -180 ? 180 : b.longitude
            let box = try #require(BoundingBox(west: a.longitude, south: -90, east: east, north: 90))
            #expect(box.longitudeRanges.contains { $0.contains(point.longitudeE7) } == box.contains(point))
            #expect(try BoundingBox(parsing: box.description) == box)
        }
    }

    /// A point `metres` from `a` towards `b` or less, by bisection on the segment of degrees between them.
    private func point(within metres: Double, of a: Coordinate, towards b: Coordinate) -> Coordinate {
        var (low, high) = (0.0, 1.0)
        var best = a
        for _ in 0..<40 {
            let t = (low + high) / 2
            let turn = (b.longitude - a.longitude).remainder(dividingBy: 360)
            let longitude = (a.longitude + turn * t).remainder(dividingBy: 360)
            guard let c = Coordinate(latitude: a.latitude + (b.latitude - a.latitude) * t, longitude: longitude) else {
                return best
            }
            if Geodesic.distance(a, c) <= metres { (best, low) = (c, t) } else { high = t }
        }
        return best
    }

    @Test func `the box around a circle misses nothing and is not much too large`() throws {
        var generator = SeededGenerator(seed: 4)
        for _ in 0..<4_000 {
            let centre = generator.coordinate()
            let scale = [1, 500, 50_000, 3e6, 2.1e7][Int.random(in: 0..<5, using: &generator)]
            let metres = Double.random(in: 0...scale, using: &generator)
            let box = BoundingBox(around: centre, metres: metres)
            #expect(box.contains(centre))
            for _ in 0..<10 {
                let edge = point(within: metres, of: centre, towards: generator.coordinate())
                #expect(box.contains(edge), "\(edge) is within \(metres) m of \(centre), outside \(box)")
            }
            // Where the sides are straight steps from the centre, they end at most 0.4 % too far.
            let tooFar = metres * 1.004 + 0.05
            let north = Coordinate(latitudeE7: box.north, longitudeE7: centre.longitudeE7)
            #expect(Geodesic.distance(centre, north) <= tooFar)
        }
    }

    @Test func `the box around a circle over a pole goes all round`() throws {
        let box = try BoundingBox(around: Coordinate(parsing: "89.99,10"), metres: 5_000)
        #expect(try box.contains(Coordinate(parsing: "89.98,-170")))
        #expect(box.west == -1_800_000_000 && box.east == 1_800_000_000 && box.north == 900_000_000)
        #expect(try BoundingBox(around: Coordinate(parsing: "0,0"), metres: .infinity) == .world)
        let point = try BoundingBox(around: Coordinate(parsing: "-16.8,-179.9999"), metres: 100_000)
        #expect(point.crossesAntimeridian)
        #expect(try point.contains(Coordinate(parsing: "-16.8,179.9")))
        #expect(try !point.contains(Coordinate(parsing: "-16.8,0")))
        #expect(try BoundingBox(around: Coordinate(parsing: "1,2"), metres: .nan).contains(Coordinate(parsing: "1,2")))
    }
}
