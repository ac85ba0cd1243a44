import Foundation
import Geo
import Testing

@testable import PinfoldServer

@Suite struct PlacesBorderTests {
    /// A border as a file has it.
    struct Arc {
        let left, right: Int
        let points: [BorderIndex.Vertex]
    }

    private static let data = URL(fileURLWithPath: BundledGazetteer.path).deletingLastPathComponent().path

    /// Which area holds a point: the one whose borders a ray to the west crosses an odd number of times.
    private func oracle(_ arcs: [Arc], _ point: Coordinate) -> Int {
        let (x, y) = (Int(point.longitudeE7), Int(point.latitudeE7))
        var odd: Set<Int> = []
        for arc in arcs {
            for (a, b) in zip(arc.points, arc.points.dropFirst()) where (Int(a.y) > y) != (Int(b.y) > y) {
                let part = Double(y - Int(a.y)) / Double(Int(b.y) - Int(a.y))
                guard Double(a.x) + part * Double(Int(b.x) - Int(a.x)) < Double(x) else { continue }
                for area in [arc.left, arc.right] where area > 0 {
                    if odd.remove(area) == nil { odd.insert(area) }
                }
            }
        }
        return odd.min() ?? 0
    }

    private func index(_ arcs: [Arc], areaCount: Int) throws -> BorderIndex {
        var builder = BorderIndexBuilder(areaCount: areaCount)
        for arc in arcs { builder.add(arc.points, left: arc.left, right: arc.right) }
        return try builder.finish()
    }

    /// Triangles all over the Earth, none of which meets another.
    private func triangles(_ generator: inout some RandomNumberGenerator) -> [Arc] {
        (0..<120).map { number in
            let (column, row) = (number % 12, number / 12)
            // Each in a box of its own of 30 by 18 degrees; the outermost reach the antimeridian and the poles.
            func vertex() -> BorderIndex.Vertex {
                let x = Int.random(in: 0...299_999, using: &generator) * 1000
                let y = Int.random(in: 0...179_999, using: &generator) * 1000
                return BorderIndex.Vertex(
                    x: Int32(column * 300_000_000 - 1_800_000_000 + x), y: Int32(row * 180_000_000 - 900_000_000 + y))
            }
            let (a, b, c) = (vertex(), vertex(), vertex())
            let turn =
                (Int(b.x) - Int(a.x)) * (Int(c.y) - Int(a.y)) - (Int(b.y) - Int(a.y)) * (Int(c.x) - Int(a.x))
            return Arc(left: turn > 0 ? number + 1 : 0, right: turn > 0 ? 0 : number + 1, points: [a, b, c, a])
        }
    }

    @Test func `an area is the one that counting crossings tells`() throws {
        var generator = SystemRandomNumberGenerator()
        let arcs = triangles(&generator)
        let index = try index(arcs, areaCount: 120)
        for _ in 0..<3000 {
            let point = Coordinate(
                latitudeE7: .random(in: -899_999_999...899_999_999, using: &generator),
                longitudeE7: .random(in: -1_799_999_999...1_799_999_999, using: &generator))
            #expect(index.area(at: point) == oracle(arcs, point), "at \(point)")
        }
    }

    @Test func `boxes of a cell that have a point in common meet, those well apart do not`() {
        var generator = SystemRandomNumberGenerator()
        // Also from beyond the cell, of which only what is in it counts.
        func offset() -> Int { .random(in: -1_000_000..<BorderIndex.cell + 1_000_000, using: &generator) }
        func part(_ a: Int, _ b: Int) -> ClosedRange<Int> {
            (min(a, b)...max(a, b)).clamped(to: 0...BorderIndex.cell - 1)
        }
        let step = BorderIndex.cell / 128
        for _ in 0..<20_000 {
            let points = (0..<4).map { _ in (x: offset(), y: offset()) }
            let (a, b) = (CellBox(points[0], points[1]), CellBox(points[2], points[3]))
            let x = (part(points[0].x, points[1].x), part(points[2].x, points[3].x))
            let y = (part(points[0].y, points[1].y), part(points[2].y, points[3].y))
            if x.0.overlaps(x.1), y.0.overlaps(y.1) { #expect(a.meets(b) && b.meets(a), "\(points)") }
            let gaps = [x, y].flatMap { [$0.0.lowerBound - $0.1.upperBound, $0.1.lowerBound - $0.0.upperBound] }
            if gaps.contains(where: { $0 > step }) { #expect(!a.meets(b) && !b.meets(a), "\(points)") }
            var union = a
            union.formUnion(b)
            let other = CellBox((offset(), offset()), (offset(), offset()))
            if a.meets(other) || b.meets(other) { #expect(union.meets(other), "\(points)") }
        }
    }

    @Test func `the bundled borders tell what counting crossings tells`() async throws {
        try await onThread {
            var arcs: [Arc] = []
            let file = GazetteerFile.borders(beside: BundledGazetteer.path).divisions
            try file.forEachRow(progress: { _ in }) { row in
                guard row.equals(0, "arc") else { return }
                arcs.append(
                    Arc(left: try row.integer(1), right: try row.integer(2), points: try row.line(3, unit: 1000)))
            }
            let index = try BorderTable(file).index
            var generator = SystemRandomNumberGenerator()
            var wrong: [Coordinate] = []
            // At a vertex's side, where borders are.
            for round in 0..<40 {
                let vertex = index.vertices.elements[Int.random(in: 0..<index.vertices.count, using: &generator)]
                let point = Coordinate(
                    latitudeE7: min(
                        max(vertex.y + .random(in: -200_000...200_000, using: &generator), -899_999_999), 899_999_999),
                    longitudeE7: round % 2 == 0
                        ? .random(in: -1_799_999_999...1_799_999_999, using: &generator)
                        : min(
                            max(vertex.x + .random(in: -200_000...200_000, using: &generator), -1_799_999_999),
                            1_799_999_999))
                if index.area(at: point) != oracle(arcs, point) { wrong.append(point) }
            }
            // Lines that were simplified may cross in spots some metres wide, where either answer is as good.
            #expect(wrong.count <= 2, "\(wrong)")
        }
    }

    @Test func `edges along the antimeridian and around the poles hold what is within`() throws {
        let folder = try BundledGazetteer.temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let files = GazetteerFile.borders(beside: try SmallGazetteer.write(to: folder))
        let index = try BorderTable(files.zones).index
        for (position, area) in [
            ("90,0", 2), ("90,-180", 2), ("85.1,180", 2), ("89,179.9999999", 2), ("84.9,180", 0), ("-90,0", 0),
            ("-16.5,180", 3), ("-16.5,-179.5", 3), ("-16.5,179.5", 3), ("-16.5,178.9", 0), ("-16.5,-178.9", 0),
            ("10,20", 1), ("7.9,20", 0), ("12.1,20", 0), ("10,22.1", 0),
        ] {
            #expect(try index.area(at: Coordinate(parsing: position)) == area, "\(position)")
        }
    }

    @Test(arguments: [
        ("-29.31,27.48", "LS"), ("41.9023,12.4575", "VA"), ("41.9000,12.4700", "IT"), ("43.9363,12.4464", "SM"),
        ("47.6967,8.6900", "DE"), ("42.4642,1.9819", "ES"), ("45.9697,8.9711", "IT"), ("51.4383,4.9300", "BE"),
        ("51.4463,4.9283", "NL"), ("-90,0", "AQ"), ("-89.5,180", "AQ"), ("-85,-179.999", "AQ"), ("71.2,180", "RU"),
        ("71.2,-179.5", "RU"), ("71.2,179.5", "RU"), ("-12.5,177.07", "FJ"), ("5.16,-52.65", "GF"),
        ("-37.1,-12.28", "SH"),
        ("-49.35,70.22", "TF"), ("42.6629,21.1655", "XK"), ("20.8449,106.6881", "VN"), ("22.1987,113.5439", "MO"),
    ])
    func `enclaves, dependencies and the ends of the map have their country`(position: String, code: String)
        async throws
    {
        let result = try await BundledGazetteer.loaded.reverse(Coordinate(parsing: position))
        #expect(result.countryCode == code)
    }

    // MARK: The public cases

    /// A row of `Tests/Cases/reverse.tsv`: the public cases of Pinfold's issue on places, whose facts are of GeoNames and
    /// general geography.
    private struct Case {
        let id: String
        let position: Coordinate
        let countries, admin1, localities: [String]

        init(_ line: Substring) throws {
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            id = fields[0]
            position = try Coordinate(parsing: "\(fields[1]),\(fields[2])")
            func list(_ index: Int) -> [String] { fields[index].split(separator: "|").map(String.init) }
            (countries, admin1, localities) = (list(3), list(4).map(words), list(5).map(words))
        }
    }

    @Test func `the public cases have their country, division and locality`() async throws {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Cases/reverse.tsv")
        let cases = try String(contentsOf: path, encoding: .utf8).split(separator: "\n").dropFirst().map(Case.init)
        #expect(cases.count == 107)
        let gazetteer = try await BundledGazetteer.loaded
        var wrong: (country: [String], locality: [String], admin1: [String]) = ([], [], [])
        var asked: (locality: Int, admin1: Int) = (0, 0)
        for each in cases {
            let result = gazetteer.reverse(each.position)
            if each.countries.isEmpty {
                #expect(result.countryCode == nil && result.locality == nil && result.admin1 == nil, "\(each.id)")
                continue
            }
            let isHome = each.countries.contains(result.countryCode ?? "")
            if !isHome { wrong.country.append(each.id) }
            if !each.localities.isEmpty {
                asked.locality += 1
                if !isHome || !each.localities.contains(words(result.locality ?? "")) { wrong.locality.append(each.id) }
            }
            if !each.admin1.isEmpty {
                asked.admin1 += 1
                let found = Set(words(result.admin1 ?? "").split(separator: " "))
                let isRight = each.admin1.contains { name in
                    let name = Set(name.split(separator: " "))
                    return !found.isEmpty && (name.isSubset(of: found) || found.isSubset(of: name))
                }
                if !isHome || !isRight { wrong.admin1.append(each.id) }
            }
        }
        #expect(Double(wrong.country.count) <= 0.02 * 107, "\(wrong.country)")
        #expect(Double(wrong.locality.count) <= 0.03 * Double(asked.locality), "\(wrong.locality)")
        #expect(Double(wrong.admin1.count) <= 0.03 * Double(asked.admin1), "\(wrong.admin1)")
    }

    @Test func `nearly every place is in its own country and division`() async throws {
        let geocoder = try await BundledGazetteer.loaded.geocoder
        try await onThread {
            let sample = Array(stride(from: 0, to: geocoder.places.count, by: 59))
            var (abroad, elsewhere) = (0, 0)
            for number in sample {
                let place = geocoder.places.elements[number]
                let match = geocoder.match(geocoder.coordinate(of: number))
                if match.country != geocoder.mark(of: number).country { abroad += 1 }
                if match.division != place.admin1 { elsewhere += 1 }
            }
            #expect(sample.count > 3900)
            #expect(abroad * 500 <= sample.count, "\(abroad)")
            #expect(elsewhere * 200 <= sample.count, "\(elsewhere)")
        }
    }

    // MARK: Damage

    @Test func `a file of borders that is missing or damaged is one clear line`() throws {
        let folder = try BundledGazetteer.temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let bundle = try SmallGazetteer.write(to: folder)
        let whole = try SmallGazetteer.packed(SmallGazetteer.divisions)
        let head = "#pinfold-borders\t1\tdivisions\n"
        let cases: [(Data?, String)] = [
            (nil, "cannot be read"), (Data(), "is damaged"), (whole.dropLast(5), "is damaged"),
            (try SmallGazetteer.packed("#pinfold-gazetteer\t1\n"), "it is no table of borders"),
            (try SmallGazetteer.packed("#pinfold-borders\t7\n"), "has another form"),
            (try SmallGazetteer.packed(head + "arc\t0\t0\t1 1 1 1\n"), "unknown table"),
            (try SmallGazetteer.packed(head + "unit\t1\narc\t1\t0\t1 1 1 1\n"), "its area is unknown"),
            (try SmallGazetteer.packed(head + "area\t2\tXT\t\n"), "not numbered"),
            (try SmallGazetteer.packed(head + "unit\t1\narc\t0\t0\t1 1\n"), "no two points"),
            (try SmallGazetteer.packed(head + "unit\t1\narc\t0\t0\t1 1 1\n"), "no two points"),
            (try SmallGazetteer.packed(head + "unit\t1\narc\t0\t0\t1 1 x 1\n"), "a number is not one"),
            (try SmallGazetteer.packed(head + "unit\t1\narc\t0\t0\t1 1  1\n"), "a number is missing"),
            (try SmallGazetteer.packed(head + "unit\t999999999999\narc\t0\t0\t1 1 1 1\n"), "a position is not one"),
            (try SmallGazetteer.packed(head + "unit\t10000000\narc\t0\t0\t1 1 180 1\n"), "a position is not one"),
        ]
        for (content, reason) in cases {
            let path = folder + "/borders.divisions.zst"
            try? FileManager.default.removeItem(atPath: path)
            try content?.write(to: URL(fileURLWithPath: path))
            let error = #expect(throws: GazetteerError.self) {
                try Gazetteer(path: folder + "/places.db", bundle: bundle, clock: { 0 })
            }
            let line = error?.description ?? ""
            #expect(line.contains(reason) && line.contains("borders.divisions.zst") && !line.contains("\n"), "\(line)")
        }
    }

    @Test func `no damage to a stored index can make a look-up go astray`() throws {
        var generator = SystemRandomNumberGenerator()
        let whole = try index(triangles(&generator), areaCount: 120).parts("x")
        #expect(try BorderIndex(MappedParts(whole), "x").parts("x").map(\.content) == whole.map(\.content))
        for part in ["x.rowRuns", "x.cells"] {
            let without = whole.filter { $0.name != part }
            #expect(throws: GazetteerError.self) { try BorderIndex(MappedParts(without), "x") }
        }
        for round in 0..<60 {
            // Any byte may be anything, and what is looked up in may end anywhere.
            var damaged = whole
            for part in damaged.indices {
                for _ in 0..<(round % 3 == 0 ? 2000 : 3) {
                    let place = Int.random(in: damaged[part].content.indices, using: &generator)
                    damaged[part].content[place] = .random(in: 0...255, using: &generator)
                }
                if ["x.vertices", "x.runs"].contains(damaged[part].name), round % 2 == 0 {
                    damaged[part].content.removeLast(.random(in: 0...damaged[part].content.count, using: &generator))
                }
            }
            let index = try BorderIndex(MappedParts(damaged), "x")
            for _ in 0..<200 {
                let point = Coordinate(
                    latitudeE7: .random(in: -900_000_000...900_000_000, using: &generator),
                    longitudeE7: .random(in: -1_800_000_000..<1_800_000_000, using: &generator))
                #expect(index.area(at: point) <= index.areaCount)
            }
        }
    }
}

/// A name as the cases compare it: words of letters and digits without case and accents.
private func words(_ name: String) -> String {
    var folded = name.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    for (letter, plain) in [("ß", "ss"), ("ł", "l"), ("ø", "o"), ("đ", "d"), ("ı", "i"), ("æ", "ae")] {
        folded = folded.replacing(letter, with: plain)
    }
    for mark in ["'", "’", "‘", "ʻ", "`"] { folded = folded.replacing(mark, with: "") }
    return folded.split { !$0.isLetter && !$0.isNumber }.joined(separator: " ")
}
