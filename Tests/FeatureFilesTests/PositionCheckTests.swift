import Testing

@testable import FeatureFiles

@Suite(.ownThreads) struct PositionCheckTests {
    /// Places in France, as longitude and latitude.
    private static let french: [(Double, Double)] = (0..<200).map { number in
        let (column, row) = (Double(number % 20), Double(number / 20))
        return (0.5 + column / 5, 44 + row / 3)
    }

    private func refusal(
        _ system: String?, _ places: [(Double, Double)], isLand: ((Double, Double) -> Bool)? = nil
    ) throws -> String? {
        let transformer = try CoordinateTransformer(from: system)
        var check = PositionCheck(system, transformer)
        for (x, y) in places { check.take(x: x, y: y, as: transformer.position(x: x, y: y)) }
        return check.refusalOfZeros ?? check.refusal(isLand: isLand)
    }

    private func projected(_ system: String) throws -> [(Double, Double)] {
        let scratch = try Scratch()
        let input = Self.french.map { "\($0.0) \($0.1)\n" }.joined()
        let output = try scratch.run(
            "gdaltransform", "-s_srs", "OGC:CRS84", "-t_srs", system, "-output_xy", input: input)
        return output.split(separator: "\n").map { line in
            let numbers = line.split(separator: " ").compactMap { Double($0) }
            return (numbers[0], numbers[1])
        }
    }

    @Test func `what fits passes, some strays with it`() throws {
        #expect(try refusal(nil, Self.french) == nil)
        #expect(try refusal("EPSG:4326", Self.french + [(200, 10), (0, 0)]) == nil)
        #expect(try refusal("EPSG:4258", Self.french) == nil)
        #expect(try refusal("EPSG:2154", try projected("EPSG:2154")) == nil)
        #expect(try refusal(nil, []) == nil)
    }

    @Test func `metres taken for degrees are told, with the systems that they fit`() throws {
        let lambert = try #require(try refusal(nil, try projected("EPSG:2154")))
        #expect(lambert.contains("metres") && lambert.contains("EPSG:2154"))
        let mercator = try #require(try refusal("EPSG:4326", try projected("EPSG:3857")))
        #expect(mercator.contains("EPSG:3857"))
    }

    @Test func `degrees taken for metres are told`() throws {
        let reason = try #require(try refusal("EPSG:2154", Self.french))
        #expect(reason.contains("degrees") && reason.contains("4326"))
    }

    @Test func `the wrong projected system is told, with one that fits`() throws {
        let reason = try #require(try refusal("EPSG:27700", try projected("EPSG:2154")))
        #expect(reason.contains("EPSG:2154"))
    }

    @Test func `swapped axes are told`() throws {
        let american = Self.french.map { ($0.1, -95 - $0.0) }
        #expect(try #require(try refusal(nil, american)).contains("swapped"))
        #expect(
            try #require(try refusal("EPSG:2154", try projected("EPSG:2154").map { ($0.1, $0.0) })).contains("swapped"))
        // Both ways are degrees: the coast decides.
        let swapped = Self.french.map { ($0.1, $0.0) }
        let isFrance = { (x: Double, y: Double) in (-5...9).contains(x) && (42...51).contains(y) }
        #expect(try refusal(nil, swapped) == nil)
        #expect(try #require(try refusal(nil, swapped, isLand: isFrance)).contains("swapped"))
        #expect(try refusal(nil, Self.french, isLand: isFrance) == nil)
    }

    @Test func `other units and nothing but zeros are told`() throws {
        #expect(try #require(try refusal(nil, Self.french.map { _ in (0, 0) })).contains("0, 0"))
        #expect(try #require(try refusal(nil, Self.french.map { ($0.0 + 300, $0.1) })).contains("beyond 180"))
        #expect(try refusal(nil, Self.french.map { _ in (.nan, .nan) }) != nil)
    }

    @Test func `one position at 0, 0 is meant, and so is a shape that begins there`() throws {
        #expect(try refusal(nil, [(0, 0)]) == nil)
        #expect(try refusal(nil, [(0, 0), (0, 0)])?.contains("say force") == true)
        #expect(try refusal(nil, [(0, 0), (0, 0), (1, 2), (3, 4)]) == nil)
        let transformer = try CoordinateTransformer(from: nil)
        var check = PositionCheck(nil, transformer)
        let line = PlanarGeometry.line([.init(x: 0, y: 0), .init(x: 3, y: 4)])
        for _ in 0..<3 { check.take(.shape(ShapeBinary.bytes(of: [line]))) }
        #expect(check.refusalOfZeros == nil && check.refusal() == nil)
    }

    @Test func `a shape counts by its first position`() throws {
        let transformer = try CoordinateTransformer(from: nil)
        var check = PositionCheck(nil, transformer)
        let line = PlanarGeometry.line([.init(x: 500, y: 1), .init(x: 3, y: 4)])
        for shape in [[line], [line, line], [.polygon([[.init(x: 500, y: 1)]])]] {
            let isInside = check.take(.shape(ShapeBinary.bytes(of: shape)))
            #expect(!isInside)
        }
        #expect(check.refusal() != nil)
    }
}
