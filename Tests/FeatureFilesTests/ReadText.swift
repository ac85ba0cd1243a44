import Foundation

@testable import FeatureFiles

/// A file that was read to its end, or to where it cannot be read on.
struct ReadText {
    var format: FeatureFormat?
    var columns: [String] = []
    var positionColumns: [FeatureFile.PositionPart: String] = [:]
    var referenceSystem: String?
    var warnings: [String] = []
    var features: [Feature] = []
    var faults: [FeatureFault] = []
    var fault: FeatureFileFault?
    var bytesRead = 0
    var byteCount = 0

    init(_ text: String, _ options: FeatureFile.Options = FeatureFile.Options()) throws {
        try self.init(Array(text.utf8), options)
    }

    /// - Throws: Anything but `FeatureFileFault`, which is kept.
    init(_ bytes: [UInt8], _ options: FeatureFile.Options = FeatureFile.Options()) throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("features-\(UUID().uuidString)").path
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        do {
            let file = try FeatureFile(path: path, options)
            format = file.format
            byteCount = file.byteCount
            defer {
                columns = file.columns
                positionColumns = file.positionColumns
                referenceSystem = file.referenceSystem
                warnings = file.warnings
                bytesRead = file.bytesRead
            }
            try file.read { item in
                switch item {
                case .feature(let feature): features.append(feature)
                case .fault(let fault): faults.append(fault)
                }
            }
        } catch let fault as FeatureFileFault {
            self.fault = fault
        }
    }

    /// The values of a feature by the names of their columns; null values are left out.
    func named(_ index: Int) -> [String: String] {
        var values: [String: String] = [:]
        for (name, value) in zip(columns, features[index].values) {
            switch value {
            case .null: break
            case .text(let text): values[name] = text
            case .json(let json): values[name] = "json:" + json
            }
        }
        return values
    }
}

/// Random numbers that a seed repeats (SplitMix64).
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}

/// Geometries as tests write them down.
indirect enum TestGeometry: Equatable {
    case point(Double, Double)
    case line([[Double]])
    case polygon([[[Double]]])
    case multi(String, [TestGeometry])

    private static let codes = ["MultiPoint": 4, "MultiLineString": 5, "MultiPolygon": 6, "GeometryCollection": 7]

    /// Well-known binary by its definition.
    var binary: [UInt8] {
        func integer(_ value: Int) -> [UInt8] { withUnsafeBytes(of: UInt32(value).littleEndian) { Array($0) } }
        func number(_ value: Double) -> [UInt8] { withUnsafeBytes(of: value.bitPattern.littleEndian) { Array($0) } }
        func positions(_ positions: [[Double]]) -> [UInt8] {
            integer(positions.count) + positions.flatMap { number($0[0]) + number($0[1]) }
        }
        return switch self {
        case .point(let x, let y): [1] + integer(1) + number(x) + number(y)
        case .line(let line): [1] + integer(2) + positions(line)
        case .polygon(let rings): [1] + integer(3) + integer(rings.count) + rings.flatMap(positions)
        case .multi(let name, let parts):
            [1] + integer(Self.codes[name] ?? 0) + integer(parts.count) + parts.flatMap(\.binary)
        }
    }

    private var leaves: [TestGeometry] {
        if case .multi(_, let parts) = self { parts.flatMap(\.leaves) } else { [self] }
    }

    /// Its parts, however deep they were: one as itself, those of a kind as that kind's multiple.
    var flattened: Feature.Geometry {
        let leaves = leaves
        if leaves.count == 1 { return leaves[0].expected }
        let kinds = Set(leaves.map { $0.binary[1] })
        let names: [UInt8: String] = [1: "MultiPoint", 2: "MultiLineString", 3: "MultiPolygon"]
        let name = kinds.count == 1 ? kinds.first.flatMap { names[$0] } : nil
        return .shape(TestGeometry.multi(name ?? "GeometryCollection", leaves).binary)
    }

    var expected: Feature.Geometry {
        if case .point(let x, let y) = self { return .point(x: x, y: y) }
        if case .multi("MultiPoint", let parts) = self, parts.count == 1 { return parts[0].expected }
        return .shape(binary)
    }

    var geoJSON: String {
        switch self {
        case .point: #"{"type":"Point","coordinates":\#(coordinates)}"#
        case .line: #"{"type":"LineString","coordinates":\#(coordinates)}"#
        case .polygon: #"{"type":"Polygon","coordinates":\#(coordinates)}"#
        case .multi("GeometryCollection", let parts):
            #"{"geometries":[\#(parts.map(\.geoJSON).joined(separator: ","))], "type":"GeometryCollection"}"#
        case .multi(let name, _): #"{"coordinates": \#(coordinates), "type":"\#(name)"}"#
        }
    }

    private var coordinates: String {
        switch self {
        case .point(let x, let y): "[\(x), \(y)]"
        case .line(let line): "\(line)"
        case .polygon(let rings): "\(rings)"
        case .multi(_, let parts): "[" + parts.map(\.coordinates).joined(separator: " , ") + "]"
        }
    }

    var text: String {
        func list(_ positions: [[Double]]) -> String {
            "(" + positions.map { "\($0[0]) \($0[1])" }.joined(separator: ", ") + ")"
        }
        func tail(_ geometry: TestGeometry) -> String {
            switch geometry {
            case .point(let x, let y): "(\(x) \(y))"
            case .line(let line): list(line)
            case .polygon(let rings): "(" + rings.map(list).joined(separator: ",") + ")"
            case .multi("GeometryCollection", let parts): "(" + parts.map(\.text).joined(separator: ",") + ")"
            case .multi(_, let parts): "(" + parts.map(tail).joined(separator: ",") + ")"
            }
        }
        return switch self {
        case .point: "POINT" + tail(self)
        case .line: "LINESTRING " + tail(self)
        case .polygon: "Polygon" + tail(self)
        case .multi(let name, _): name.uppercased() + " " + tail(self)
        }
    }

    static func random(_ random: inout SeededRandom, depth: Int = 0) -> TestGeometry {
        func position(_ random: inout SeededRandom) -> [Double] {
            [Double.random(in: -180...180, using: &random), Double(Int.random(in: -900...900, using: &random)) / 10]
        }
        func positions(_ count: ClosedRange<Int>, _ random: inout SeededRandom) -> [[Double]] {
            (0..<Int.random(in: count, using: &random)).map { _ in position(&random) }
        }
        func polygon(_ random: inout SeededRandom) -> TestGeometry {
            .polygon(
                (0..<Int.random(in: 1...3, using: &random)).map { _ in
                    let corners = positions(3...6, &random)
                    return corners + [corners[0]]
                })
        }
        func point(_ random: inout SeededRandom) -> TestGeometry {
            let place = position(&random)
            return .point(place[0], place[1])
        }
        func parts(_ name: String, _ part: (inout SeededRandom) -> TestGeometry) -> TestGeometry {
            .multi(name, (0..<Int.random(in: 1...4, using: &random)).map { _ in part(&random) })
        }
        switch Int.random(in: 0..<(depth < 3 ? 7 : 6), using: &random) {
        case 0: return point(&random)
        case 1: return .line(positions(2...5, &random))
        case 2: return polygon(&random)
        case 3: return parts("MultiPoint") { point(&$0) }
        case 4: return parts("MultiLineString") { .line(positions(2...5, &$0)) }
        case 5: return parts("MultiPolygon") { polygon(&$0) }
        default:
            return parts("GeometryCollection") {
                let geometry = TestGeometry.random(&$0, depth: depth + 1)
                // One point in a collection of points is a point.
                if case .multi("MultiPoint", let parts) = geometry, parts.count == 1 { return parts[0] }
                return geometry
            }
        }
    }
}
