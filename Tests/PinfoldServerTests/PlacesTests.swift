import Foundation
import Geo
import HTTP
import Testing

@testable import PinfoldServer

/// The bundled gazetteer, loaded once for all tests.
enum BundledGazetteer {
    /// `data/gazetteer.tsv.zst` of this checkout.
    static let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("data/gazetteer.tsv.zst").path

    /// Built in a folder that goes when the process ends.
    static var loaded: Gazetteer {
        get async throws { try await load.value }
    }

    private static let load = Task {
        try await onThread {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            atexit { try? FileManager.default.removeItem(atPath: BundledGazetteer.folder) }
            return try Gazetteer(path: folder + "/places.db", bundle: path, clock: { 0 })
        }
    }

    private static let folder = NSTemporaryDirectory() + "pinfold-places-\(getpid())"

    static func temporaryFolder() throws -> String {
        let folder = NSTemporaryDirectory() + "pinfold-places-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return folder
    }
}

/// Runs `body`, which takes seconds, on a thread of its own: the few threads of tasks are for all tests.
func onThread<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
    }
}

@Suite struct PlacesTests {
    private func point(_ text: String) throws -> Coordinate { try Coordinate(parsing: text) }

    @Test func `Saint Paul has its names, parents and time zone`() async throws {
        let gazetteer = try await BundledGazetteer.loaded
        let result = try gazetteer.reverse(point("44.9444,-93.0933"))
        #expect(result.label == "Saint Paul, Minnesota, United States")
        #expect(result.locality == "Saint Paul")
        #expect(result.admin1 == "Minnesota")
        #expect(result.admin2 == "Ramsey County")
        #expect(result.countryCode == "US")
        #expect(result.timezone == "America/Chicago")
        #expect(result.placeID == 5_045_360)
        let distance = try #require(result.distance)
        #expect(distance < 10)

        let id = try #require(result.placeID)
        let place = try #require(try gazetteer.place(id))
        #expect(place.label == result.label)
        #expect(place.population > 300_000)
        #expect(place.featureCode == "PPLA")
        #expect(place.alternateNames.contains("圣保罗"))
        #expect(place.parents.map(\.code) == ["US.MN.123", "US.MN", "US"])
        #expect(try gazetteer.place(1) == nil)
    }

    @Test(arguments: [
        ("40,-40", "Etc/GMT+3"), ("90,0", "Etc/GMT"), ("-40,179", "Etc/GMT-12"), ("0,-180", "Etc/GMT+12"),
    ])
    func `at sea there is nothing but the time`(position: String, zone: String) async throws {
        let result = try await BundledGazetteer.loaded.reverse(point(position))
        let expected = ReverseResult(
            label: nil, locality: nil, admin1: nil, admin2: nil, country: nil, countryCode: nil, timezone: zone,
            placeID: nil, distance: nil)
        #expect(result == expected)
    }

    @Test func `empty land has a country and a division, but no locality`() async throws {
        let result = try await BundledGazetteer.loaded.reverse(point("-24.5,128.5"))
        #expect(result.label == "Western Australia, Australia")
        #expect(result.timezone == "Australia/Perth")
        #expect(result.locality == nil && result.placeID == nil && result.distance == nil)
    }

    @Test func `a quarter stands before its city`() async throws {
        let result = try await BundledGazetteer.loaded.reverse(point("52.499,13.403"))
        #expect(result.label == "Kreuzberg, Berlin, Germany")
        #expect(result.locality == "Berlin")
    }

    @Test func `no part of a label repeats the one before it`() async throws {
        let gazetteer = try await BundledGazetteer.loaded
        #expect(try gazetteer.reverse(point("49.6117,6.13")).label == "Luxembourg")
        let singapore = try #require(try gazetteer.reverse(point("1.2897,103.8501")).label)
        #expect(singapore.hasSuffix("Singapore"))
        for coordinate in gazetteer.geocoder.centres.prefix(500) {
            let parts = try #require(gazetteer.reverse(coordinate).label).split(separator: ", ")
            #expect(zip(parts, parts.dropFirst()).allSatisfy { $0 != $1 })
        }
    }

    @Test func `a part of a label that repeats the one before is left out`() {
        #expect(ReverseGeocoder.label(["Singapore", nil, "Singapore"]) == "Singapore")
        #expect(ReverseGeocoder.label(["Québec", "Quebec", "Canada"]) == "Québec, Canada")
        #expect(ReverseGeocoder.label(["Luxembourg", "Luxembourg", "Luxembourg"]) == "Luxembourg")
        #expect(ReverseGeocoder.label(["Paris", "Île-de-France", "France"]) == "Paris, Île-de-France, France")
        #expect(ReverseGeocoder.label(["Lima", "Lama", "Peru"]) == "Lima, Lama, Peru")
        #expect(ReverseGeocoder.label([nil, nil, nil]) == "")
    }

    @Test func `a search finds what comparing with all places finds`() async throws {
        let geocoder = try await BundledGazetteer.loaded.geocoder
        try await onThread { compare(geocoder) }
    }

    private func compare(_ geocoder: ReverseGeocoder) {
        let nodes = geocoder.points.nodes.elements
        let places = geocoder.places.elements
        // Other points in each run; a failure names its point.
        var generator = SystemRandomNumberGenerator()
        for round in 0..<24 {
            // Half of them anywhere, half of them near a place, where many are close to each other.
            let anywhere = Coordinate(
                latitudeE7: .random(in: -900_000_000...900_000_000, using: &generator),
                longitudeE7: .random(in: -1_800_000_000..<1_800_000_000, using: &generator))
            let number = Int.random(in: 0..<nodes.count, using: &generator)
            let centre = geocoder.coordinate(of: number)
            let beside = Coordinate(
                latitudeE7: min(
                    max(centre.latitudeE7 + .random(in: -300_000...300_000, using: &generator), -900_000_000),
                    900_000_000),
                longitudeE7: centre.longitudeE7)
            let coordinate = round % 2 == 0 ? anywhere : beside
            let place = places[number]
            let mark = geocoder.mark(of: number)
            let (country, zone) = (round % 3 == 0 ? nil : mark.country, round % 4 == 0 ? nil : mark.zone)
            let search = NearbyPlaces(
                around: coordinate, within: ReverseGeocoder.reach, country: country, zone: zone, division: place.admin1,
                in: geocoder)
            let (x, y, z) = PointIndex.vector(coordinate)
            let limit = Float(2 * sin(ReverseGeocoder.reach / Geodesic.meanRadius / 2))
            var nearest: (Float, Int)?
            var inCountry: (Float, Int)?
            var inDivision: (Float, Int)?
            func keep(_ best: inout (Float, Int)?, _ value: (Float, Int)) {
                if best.map({ value < $0 }) ?? true { best = value }
            }
            for (row, node) in nodes.enumerated() {
                let (dx, dy, dz) = (node.x - x, node.y - y, node.z - z)
                let chord = (dx * dx + dy * dy + dz * dz).squareRoot()
                let (other, mark) = (places[row], ReverseGeocoder.Mark(bits: node.mark))
                guard chord <= limit, country ?? mark.country == mark.country, zone ?? mark.zone == mark.zone else {
                    continue
                }
                keep(&nearest, (chord, row))
                guard !mark.isPart else { continue }
                let score = PlaceSize.score(chord, PlaceSize.radii[Int(mark.size)])
                keep(&inCountry, (score, row))
                if place.admin1 > 0, other.admin1 == place.admin1 { keep(&inDivision, (score, row)) }
            }
            #expect(search.nearest.row == nearest?.1 ?? -1, "at \(coordinate)")
            #expect(search.inCountry.row == inCountry?.1 ?? -1, "at \(coordinate)")
            #expect(search.inDivision.row == inDivision?.1 ?? -1, "at \(coordinate)")
        }
    }

    @Test func `many positions are answered as each alone is, in their order`() async throws {
        let geocoder = try await BundledGazetteer.loaded.geocoder
        try await onThread {
            var generator = SystemRandomNumberGenerator()
            let points = (0..<10_000).map { number in
                // A third anywhere, mostly at sea; the others at a place and some kilometres beside one, where people are.
                let centre = geocoder.coordinate(of: .random(in: 0..<geocoder.points.count, using: &generator))
                let anywhere = Coordinate(
                    latitudeE7: .random(in: -900_000_000...900_000_000, using: &generator),
                    longitudeE7: .random(in: -1_800_000_000..<1_800_000_000, using: &generator))
                let beside = Coordinate(
                    latitude: centre.latitude + .random(in: -0.1...0.1, using: &generator),
                    longitude: centre.longitude + .random(in: -0.1...0.1, using: &generator))
                return number % 3 == 0 ? anywhere : number % 3 == 1 ? centre : beside ?? centre
            }
            for count in [0, 1, 2, 199, 3000, 10_000] {
                let points = Array(points.prefix(count))
                let many = Array(geocoder.json(points).joined(separator: [UInt8(ascii: ",")]))
                var each = JSONWriter()
                each.array { json in for point in points { geocoder.reverse(point).write(to: &json) } }
                #expect(many == Array(each.bytes.dropFirst().dropLast()))
                let named = geocoder.json(points) { geocoder.reverse($0) }
                #expect(many == Array(named.joined(separator: [UInt8(ascii: ",")])))
            }
        }
    }

    @Test func `no damage to the stored geocoder can make a look-up go astray`() throws {
        let folder = try BundledGazetteer.temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let bundle = try SmallGazetteer.write(to: folder)
        var builder = try ReverseGeocoderBuilder(beside: bundle)
        try GazetteerFile(path: bundle).forEachRow(progress: { _ in }) { try builder.add($0) }
        let whole = try builder.parts()
        let expected = try ReverseGeocoder(MappedParts(whole)).reverse(point("10,20"))
        #expect(expected.label == "Middle, Here, Testland")
        var generator = SystemRandomNumberGenerator()
        var answers = 0
        for round in 0..<60 {
            var parts = whole
            for _ in 0..<(1 + round % 40) {
                let part = Int.random(in: parts.indices, using: &generator)
                guard !parts[part].content.isEmpty else { continue }
                let place = Int.random(in: parts[part].content.indices, using: &generator)
                parts[part].content[place] = .random(in: 0...255, using: &generator)
                if round % 5 == 0 { parts[part].content.removeLast(.random(in: 0...min(9, place), using: &generator)) }
            }
            guard let geocoder = try? ReverseGeocoder(MappedParts(parts)) else { continue }
            let points = try ["10,20", "10,20.01", "-16.5,179.5", "85.2,10", "-16.5,-179.9", "12.05,20"].map(point)
            for point in points { _ = geocoder.reverse(point) }
            // Names may be any bytes then, but all else is as ever.
            let text = String(decoding: geocoder.json(points).flatMap { $0 }, as: UTF8.self)
            let json = try JSONSerialization.jsonObject(with: Data("[\(text)]".utf8))
            answers += (json as? [Any])?.count == points.count ? 1 : 0
        }
        // Most with few bytes changed still open, those with another number of areas do not.
        #expect(answers > 5)
    }

    @Test func `a second start compares and loads nothing`() throws {
        let folder = try BundledGazetteer.temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let bundle = try SmallGazetteer.write(to: folder)
        let path = folder + "/places.db"
        let loads = Progress()
        for _ in 0..<2 {
            let gazetteer = try Gazetteer(path: path, bundle: bundle, clock: { 0 }, progress: { loads.note($0) })
            #expect(try gazetteer.reverse(point("10,20")).label == "Middle, Here, Testland")
            gazetteer.close()
        }
        #expect(loads.finished == 1)
        // Another bundle is loaded in its place, and so is the same one over a damaged database.
        try SmallGazetteer.write(to: folder, name: "Centre")
        let newer = try Gazetteer(path: path, bundle: bundle, clock: { 0 }, progress: { loads.note($0) })
        #expect(try newer.reverse(point("10,20")).locality == "Centre")
        newer.close()
        #expect(loads.finished == 2)
        try Data("no database".utf8).write(to: URL(fileURLWithPath: path))
        let again = try Gazetteer(path: path, bundle: bundle, clock: { 0 }, progress: { loads.note($0) })
        #expect(try again.place(2)?.name == "Centre")
        again.close()
        #expect(loads.finished == 3)
        let left = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.contains("partial") }
        #expect(left.isEmpty)
    }

    @Test func `a bundle that is missing or damaged is one clear line and leaves nothing`() throws {
        let folder = try BundledGazetteer.temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let bundle = try SmallGazetteer.write(to: folder)
        let whole = try Data(contentsOf: URL(fileURLWithPath: bundle))
        var flipped = whole
        flipped[whole.count / 2] ^= 0x40
        let cases: [(Data?, String)] = [
            (nil, "cannot be read"), (Data(), "is damaged"), (Data("text, not packed".utf8), "is damaged"),
            (whole.dropLast(7), "is damaged"), (flipped, "is damaged"),
            (try SmallGazetteer.packed("#other\t1\n"), "it is no gazetteer"),
            (try SmallGazetteer.packed("#pinfold-gazetteer\t9\n"), "has another form"),
            (try SmallGazetteer.packed("#pinfold-gazetteer\t1\nplace\t1\n"), "is damaged"),
            (try SmallGazetteer.packed("#pinfold-gazetteer\t1\n"), "no places"),
        ]
        for (content, reason) in cases {
            try? FileManager.default.removeItem(atPath: bundle)
            try content?.write(to: URL(fileURLWithPath: bundle))
            let error = #expect(throws: GazetteerError.self) {
                try Gazetteer(path: folder + "/places.db", bundle: bundle, clock: { 0 })
            }
            let line = error?.description ?? ""
            #expect(line.contains(reason) && !line.contains("\n"), "\(line)")
            let left = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(left.filter { $0.hasPrefix("places.db") }.isEmpty)
        }
    }
}
