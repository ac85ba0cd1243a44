import Foundation
import Geo
import HTTP
import Storage
import Testing

@testable import PinfoldServer

/// Rows of a dump of GeoNames.
enum Dump {
    static func row(
        _ id: Int, _ name: String, _ latitude: Double = 0, _ longitude: Double = 0, kind: String = "P.PPL",
        country: String = "XT", admin1: String = "", admin2: String = "", population: Int = 0,
        zone: String = "Etc/UTC", alternates: String = ""
    ) -> String {
        let kind = kind.split(separator: ".")
        return [
            String(id), name, name, alternates, String(latitude), String(longitude), String(kind[0]), String(kind[1]),
            country, "", admin1, admin2, "", "", String(population), "", "0", zone, "2026-11-30",
        ].joined(separator: "\t")
    }
}

@Suite struct PlacesAddedTests {
    private let clock: @Sendable () -> Int64 = { 0 }

    /// A data folder with the small gazetteer.
    private func withFolder(_ body: (_ folder: String, _ added: AddedGazetteers) throws -> Void) throws {
        let folder = try BundledGazetteer.temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try SmallGazetteer.write(to: folder)
        try body(folder, AddedGazetteers(beside: folder + "/places.db"))
    }

    private func open(_ folder: String) throws -> Gazetteer {
        try Gazetteer(path: folder + "/places.db", bundle: folder + "/gazetteer.tsv.zst", clock: clock)
    }

    private func write(_ name: String, _ bytes: some Sequence<UInt8>, _ folder: String) throws -> String {
        let path = folder + "/" + name
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    private func archive(_ files: [(String, [UInt8])]) throws -> [UInt8] {
        let spool = try Spool(folder: NSTemporaryDirectory())
        let archive = try ZipArchive(into: spool, at: 0)
        for (name, bytes) in files { try archive.add(name) { try archive.write(bytes) } }
        try archive.finish()
        return try spool.finish().bytes
    }

    private static let dump = [
        Dump.row(
            100, "Newtown", 30, 30, country: "XT", admin1: "02", admin2: "7", population: 900,
            alternates: "Neustadt,Новый"),
        Dump.row(2, "Centre", 10, 20, admin1: "01", population: 6000),
        Dump.row(101, "Far", -30, 40, kind: "P.PPLA", country: "XV", admin1: "00"),
        Dump.row(8002, "There", 11, 21, kind: "A.ADM1", admin1: "02", alternates: "Dort"),
        Dump.row(8, "Here anew", 11, 21, kind: "A.ADM1", admin1: "01"),
        Dump.row(9001, "Republic of Vee", kind: "A.PCLI", country: "XV", alternates: "Vee"),
        Dump.row(102, "Deep Lake", 12, 22, kind: "H.LK", admin1: "01"),
    ]

    // MARK: Dumps

    @Test(arguments: [false, true])
    func `a dump adds places and divisions and replaces those of the same id`(isReversed: Bool) throws {
        try withFolder { folder, added in
            let lines = isReversed ? Self.dump.reversed() : Self.dump
            let file = try write("XT.txt", (lines.joined(separator: "\n") + "\n").utf8, folder)
            let before = try open(folder)
            #expect(try before.place(2)?.label == "Middle, Here, Testland")
            before.close()

            let report = try added.add(file, as: "xt")
            #expect(report.places == 3 && report.divisions == 2 && report.passedOver == 1 && report.bad == 0)
            let gazetteer = try open(folder)
            #expect(try gazetteer.place(2)?.label == "Centre, Here anew, Testland")
            #expect(try gazetteer.place(100)?.label == "Newtown, There, Testland")
            #expect(try gazetteer.place(100)?.alternateNames == ["Neustadt", "Новый"])
            #expect(try gazetteer.place(100)?.parents.map(\.code) == ["XT.02", "XT"])
            #expect(try gazetteer.place(8002)?.label == "There, Testland")
            #expect(try gazetteer.place(101)?.label == "Far, Republic of Vee")
            #expect(try gazetteer.place(101)?.parents.map(\.id) == [9001])
            #expect(try gazetteer.place(102) == nil)
            #expect(try gazetteer.reverse(Coordinate(parsing: "10,20")).label == "Centre, Here anew, Testland")
            // What nobody replaced is as it was.
            #expect(try gazetteer.place(3)?.label == "Edge, Here anew, Testland")
            gazetteer.close()

            #expect(try added.list().map { [$0.name, "\($0.places)", "\($0.addresses)"] } == [["xt", "3", "0"]])
            #expect(try added.remove("xt"))
            #expect(try !added.remove("xt"))
            let after = try open(folder)
            #expect(try after.place(2)?.label == "Middle, Here, Testland")
            #expect(try after.place(100) == nil)
            after.close()
        }
    }

    @Test func `other classes are places that nobody lives in`() throws {
        try withFolder { folder, added in
            let file = try write("XT.txt", Self.dump.joined(separator: "\r\n").utf8, folder)
            var options = AddedGazetteers.Options()
            options.classes = ["P", "H"]
            options.leastPopulation = 1000
            let report = try added.add(file, as: "xt", options)
            #expect(report.places == 2 && report.passedOver == 2)
            let gazetteer = try open(folder)
            defer { gazetteer.close() }
            #expect(try gazetteer.place(102)?.label == "Deep Lake, Here anew, Testland")
            #expect(try gazetteer.place(100) == nil)
            #expect(try gazetteer.reverse(Coordinate(parsing: "12,22")).locality == nil)
        }
    }

    @Test func `bad rows are told and the others go in`() throws {
        try withFolder { folder, added in
            var lines = Self.dump.map { Array($0.utf8) }
            let bad: [([UInt8], String)] = [
                (Array("1\t2\t3".utf8), "it has 3 columns, not 19"),
                (Array(Dump.row(0, "Zero").utf8), "the id is none of GeoNames"),
                (Array(Dump.row(1 << 28, "Great").utf8), "the id is none of GeoNames"),
                (Array(Dump.row(200, "").utf8), "it has no name"),
                (Array(Dump.row(200, String(repeating: "x", count: 401)).utf8), "the name is longer than 400 bytes"),
                (Array(Dump.row(200, "North", 90.1).utf8), "the position is none in degrees"),
                (Array(Dump.row(200, "Nan", .nan).utf8), "the position is none in degrees"),
                (Array(Dump.row(200, "Land", country: "xt").utf8), "the country is no code such as DE"),
                (Array(Dump.row(200, "Late", zone: "").utf8), "the time zone is missing or none"),
                (Array(Dump.row(200, "Minus", population: -1).utf8), "the population is none"),
                (Array(Dump.row(100, "Again").utf8), "the id 100 comes a second time"),
                (
                    Array(Dump.row(200, "Long", alternates: String(repeating: "y", count: 1 << 18)).utf8),
                    "the line is longer than 256 KiB"
                ),
                (
                    Array(Dump.row(200, "Bytes").utf8).map { $0 == UInt8(ascii: "B") ? 0xFF : $0 },
                    "the name is not UTF-8"
                ),
            ]
            lines += bad.map(\.0)
            lines.append(Array(Dump.row(201, "Last").utf8))
            let file = try write("XT.txt", lines.joined(separator: [0x0A]), folder)
            let report = try added.add(file, as: "xt")
            #expect(report.places == 4)
            #expect(report.bad == bad.count)
            #expect(report.badRows.map(\.reason) == bad.map(\.1))
            #expect(report.badRows.map(\.line) == bad.indices.map { Self.dump.count + $0 + 1 })
            let gazetteer = try open(folder)
            defer { gazetteer.close() }
            #expect(try gazetteer.place(201)?.name == "Last")
            #expect(try gazetteer.place(200) == nil)

            let many = (0..<50).map { _ in "1\t2" }
            let more = try write("more.txt", ([Dump.row(300, "One")] + many).joined(separator: "\n").utf8, folder)
            let counted = try added.add(more, as: "more")
            #expect(counted.bad == 50 && counted.badRows.count == AdditionReport.badRowLimit)
        }
    }

    @Test func `an archive is read as it is downloaded`() throws {
        try withFolder { folder, added in
            let bytes = Array(Self.dump.joined(separator: "\n").utf8)
            let file = try write("XT.zip", archive([("readme.txt", Array("Readme".utf8)), ("XT.txt", bytes)]), folder)
            #expect(try added.add(file, as: "xt").places == 3)

            let whole = try Array(Data(contentsOf: URL(fileURLWithPath: file)))
            var generator = SystemRandomNumberGenerator()
            for round in 0..<200 {
                var bytes = whole
                if round.isMultiple(of: 2) {
                    bytes.removeLast(Int.random(in: 1..<bytes.count, using: &generator))
                } else {
                    bytes[Int.random(in: 0..<bytes.count, using: &generator)] ^=
                        1 << UInt8.random(in: 0..<8, using: &generator)
                }
                let damaged = try write("damaged.zip", bytes, folder)
                // Some changes of dates and names do no harm.
                do { #expect(try added.add(damaged, as: "damaged").places <= 3) } catch {
                    #expect(error is GazetteerError, "\(error)")
                    #expect(!"\(error)".contains("\n"))
                }
            }
            #expect(try added.list().contains { $0.name == "xt" && $0.places == 3 })
            let left = try FileManager.default.contentsOfDirectory(atPath: folder + "/gazetteers")
            #expect(!left.contains { $0.contains("partial") })
        }
    }

    @Test func `an archive that unpacks to a flood of nothing is soon given up`() throws {
        try withFolder { folder, added in
            let row = Array((Dump.row(100, "Newtown") + "\n").utf8)
            for flood in [[UInt8](repeating: 0, count: 80 << 20), [UInt8](repeating: 0x0A, count: 80 << 20)] {
                let bytes = try archive([("XT.txt", flood)])
                #expect(bytes.count < 1 << 20)
                let file = try write("bomb.zip", bytes, folder)
                #expect(throws: GazetteerError.self) { try added.add(file, as: "bomb") }
                let table = try write(
                    "table.zip", archive([("a.csv", Array("lon,lat,street\n".utf8) + flood)]), folder)
                #expect(throws: GazetteerError.self) { try added.add(table, as: "bomb") }
            }
            // Behind a good row it is read to its end in flat memory.
            let file = try write("bomb.zip", archive([("XT.txt", row + [UInt8](repeating: 0, count: 8 << 20))]), folder)
            let report = try added.add(file, as: "bomb")
            #expect(report.places == 1 && report.bad == 1)
        }
    }

    @Test func `a wrong file is one clear line and changes nothing`() throws {
        try withFolder { folder, added in
            let files: [([UInt8]?, String)] = [
                (nil, "cannot be read"), ([], "is empty"), ([0x1F, 0x8B, 8, 0], "gzip"),
                ([0x28, 0xB5, 0x2F, 0xFD, 4], "zstd"), (Array("BZh9".utf8), "bzip2"), (Array("{}".utf8), "neither"),
                (Array("name,lat,lon\nx,1,2\n".utf8), "neither"), (Array("\u{0}\u{1}\u{2}".utf8), "neither"),
                (Array("PK\u{5}\u{6}".utf8), "without files"), (Array("PK\u{3}\u{4}".utf8), "damaged"),
                (try archive([("readme.txt", [1]), ("picture.png", [2])]), "no table"),
                (Array(Dump.row(5, "Lake", kind: "H.LK").utf8), "no row is of the classes P"),
                (Array("lon,lat,street\n".utf8), "nothing to add"),
                (Array("lon,lat,street\n1,91,Main\n".utf8), "in line 2, the position is none"),
                (
                    try archive([("a.csv", Array("lon,lat,street\n".utf8)), ("b.txt", Array(Self.dump[0].utf8))]),
                    "one by one"
                ),
            ]
            for (bytes, reason) in files {
                let path = folder + "/file"
                try? FileManager.default.removeItem(atPath: path)
                if let bytes { _ = try write("file", bytes, folder) }
                let error = #expect(throws: GazetteerError.self) { try added.add(path, as: "wrong") }
                let line = error?.description ?? ""
                #expect(line.contains(reason) && !line.contains("\n"), "\(line)")
                #expect(try added.list().isEmpty)
            }
            for path in [folder, "/dev/zero"] {
                let error = #expect(throws: GazetteerError.self) { try added.add(path, as: "wrong") }
                #expect(error?.description == "\(path) is no file")
            }
        }
    }

    @Test func `names of gazetteers are plain`() {
        for name in ["us", "us-mn", "a.b_c-1", String(repeating: "a", count: 64)] {
            #expect(AddedGazetteers.isName(name))
        }
        for name in ["", "-a", ".a", "_a", "A", "a/b", "..", "a b", "ä", String(repeating: "a", count: 65), "a\u{0}"] {
            #expect(!AddedGazetteers.isName(name))
        }
        for path in ["/x/US.zip", "allCountries.txt", "a/../b", "Å b.csv", "..", "", "---", "/"] {
            #expect(AddedGazetteers.isName(AddedGazetteers.name(for: path)), "\(path)")
        }
        #expect(AddedGazetteers.name(for: "/x/US.zip") == "us")
    }

    @Test func `of several gazetteers each id comes once, from the last that has it`() throws {
        var generator = SystemRandomNumberGenerator()
        try withFolder { folder, added in
            var expected: [Int: String] = [1: "Pole", 2: "Middle", 3: "Edge"]
            for name in ["a", "b", "c"] {
                let ids = (20...60).filter { _ in Bool.random(using: &generator) }.shuffled()
                let rows = ids.map { Dump.row($0, "\(name)\($0)", Double($0), 5, admin1: "0\($0 % 4)") }
                let file = try write("file", rows.joined(separator: "\n").utf8, folder)
                #expect(try added.add(file, as: name).places == ids.count)
                for id in ids { expected[id] = "\(name)\(id)" }
            }
            let gazetteer = try open(folder)
            defer { gazetteer.close() }
            for id in [1, 2, 3] + (20...61) { #expect(try gazetteer.place(Int64(id))?.name == expected[id], "\(id)") }
            #expect(gazetteer.geocoder.points.nodes.count == expected.count)
            // A code that no row explains is known only if the bundle has it.
            for id in 20...60 where expected[id] != nil {
                let codes = try gazetteer.place(Int64(id))?.parents.map(\.code)
                #expect(codes == (id % 4 == 1 ? ["XT.01", "XT"] : ["XT"]), "\(id)")
            }
        }
    }

    // MARK: Addresses

    private static let addresses = """
        \u{FEFF}Hash,LON,lat,Number,STREET,unit,City,District,Region,Postcode,ID\r
        h1,20.0001,10.0001,12,"Main Street, North",,Middle,,Here,55101,1\r
        h2,20.0010,10.0010,7a,Oak Lane,,,Old District,Here,,2\r
        ,20.0020,10.0020,,Harbour,,Middle,,,,\r
        ,1000,10,1,Nowhere,,,,,,\r
        h5,20.01,10.01,5,,,Middle,,,,\r
        """

    @Test func `addresses come before the town, and are places`() throws {
        try withFolder { folder, added in
            let file = try write("xt.csv", Self.addresses.utf8, folder)
            let report = try added.add(file, as: "xt")
            #expect(report.addresses == 3 && report.bad == 2)
            #expect(report.badRows.map(\.line) == [5, 6])
            let gazetteer = try open(folder)
            defer { gazetteer.close() }
            func label(_ position: String) throws -> String? {
                try gazetteer.reverse(Coordinate(parsing: position)).label
            }
            #expect(try label("10.0001,20.0001") == "Main Street, North 12, Middle, Here, Testland")
            #expect(try label("10.0011,20.0010") == "Oak Lane 7a, Middle, Here, Testland")
            #expect(try label("10.0020,20.0021") == "Harbour, Middle, Here, Testland")
            #expect(try label("10.01,20.01") == "Middle, Here, Testland")
            #expect(try gazetteer.reverse(Coordinate(parsing: "10.0001,20.0001")).placeID == 2)

            let ids = try rows(folder)
            #expect(ids.count == 3 && Set(ids).count == 3 && ids.allSatisfy { $0 >= AddressRows.firstID })
            let places = try ids.map { try #require(try gazetteer.place($0)) }
            #expect(Set(places.map(\.name)) == ["Main Street, North 12", "Oak Lane 7a", "Harbour"])
            let oak = try #require(places.first { $0.name == "Oak Lane 7a" })
            #expect(oak.label == "Oak Lane 7a, Old District, Here, Testland")
            #expect(oak.timezone == "Africa/Ndjamena" && oak.featureCode == "address")
            #expect(oak.parents.map(\.kind) == [.place, .admin1, .country])
            #expect(try gazetteer.place(AddressRows.firstID) == nil)

            // Added again, even in another order, they keep their ids.
            let lines = Self.addresses.split(separator: "\r\n")
            let shuffled = [lines[0], lines[3], lines[1], lines[2]].joined(separator: "\n")
            _ = try added.add(write("other.csv", shuffled.utf8, folder), as: "xt")
            #expect(try Set(rows(folder)) == Set(ids))
        }
    }

    /// The ids of the addresses that are stored.
    private func rows(_ folder: String) throws -> [Int64] {
        var ids: [Int64] = []
        for file in AddedGazetteers(beside: folder + "/places.db").files {
            try file.forEachRow(progress: { _ in }) { if $0.equals(0, "address") { ids.append(try $0.identifier(1)) } }
        }
        return ids
    }

    @Test func `the nearest address is the one that comparing with all of them finds`() throws {
        var generator = SystemRandomNumberGenerator()
        try withFolder { folder, added in
            // Around the antimeridian, a pole and a place in between.
            let centres = [(-16.8, 179.9999), (89.9995, 10), (10, 20), (60, -180)]
            var points: [Coordinate] = []
            for _ in 0..<600 {
                let centre = centres.randomElement(using: &generator) ?? (0, 0)
                let latitude = min(90, centre.0 + .random(in: -0.002...0.002, using: &generator))
                var longitude = centre.1 + .random(in: -0.002...0.002, using: &generator)
                if longitude >= 180 { longitude -= 360 }
                if longitude < -180 { longitude += 360 }
                points.append(try #require(Coordinate(latitude: latitude, longitude: longitude)))
            }
            let rows = points.enumerated().map { "\($1.longitude),\($1.latitude),\($0),Street" }
            let file = try write("xt.csv", (["lon,lat,number,street"] + rows).joined(separator: "\n").utf8, folder)
            #expect(try added.add(file, as: "xt").addresses == points.count)
            try open(folder).close()
            let database = try DatabasePool(
                DatabasePool.Configuration(path: folder + "/places.db", clock: clock),
                migrations: GazetteerSchema.migrations)
            defer { database.close() }
            var found = 0
            for point in points {
                let position = Coordinate(
                    latitudeE7: min(900_000_000, point.latitudeE7 + .random(in: -5000...5000, using: &generator)),
                    longitudeE7: point.longitudeE7)
                let nearest = try database.read { try Address.nearest(to: position, in: $0) }
                let best = points.enumerated().map { (Geodesic.distance(position, $1), $0) }
                    .filter { $0.0 <= Address.reach }.min { $0 < $1 }
                #expect(nearest.map { Geodesic.distance(position, $0.coordinate) } == best?.0)
                if nearest != nil { found += 1 }
            }
            #expect(found > 500)
        }
    }

    @Test func `a number comes before or behind the street as the country has it`() throws {
        try withFolder { folder, added in
            let file = try write("xt.csv", Self.addresses.utf8, folder)
            _ = try added.add(file, as: "xt")
            let gazetteer = try open(folder)
            defer { gazetteer.close() }
            let address = try #require(
                try gazetteer.address(near: Coordinate(parsing: "10.0010,20.0010")))
            #expect(address.line(in: "US") == "7a Oak Lane")
            #expect(address.line(in: "DE") == "Oak Lane 7a")
            #expect(address.line(in: nil) == "Oak Lane 7a")
        }
    }

    // MARK: Replacing while it runs

    @Test func `a running server takes in what is added, and readers never notice`() async throws {
        let folder = try BundledGazetteer.temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try SmallGazetteer.write(to: folder)
        let current = CurrentGazetteer(try open(folder))
        defer { current.close() }
        let added = AddedGazetteers(beside: folder + "/places.db")
        #expect(try current.refresh() == false)
        let isDone = Progress()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    try await onThread {
                        while isDone.finished == 0 {
                            // As the route does it.
                            let name: String?
                            do { name = try current.gazetteer?.place(2)?.name } catch is DatabaseClosed {
                                name = try current.gazetteer?.place(2)?.name
                            }
                            #expect(name == "Middle" || name?.hasPrefix("Round") == true)
                            #expect(
                                current.gazetteer?.reverse(
                                    Coordinate(latitudeE7: 100_000_000, longitudeE7: 200_000_000)
                                ).locality != nil)
                        }
                    }
                }
            }
            group.addTask {
                try await onThread {
                    defer { isDone.note(1) }
                    for round in 0..<5 {
                        let path = folder + "/file"
                        try Data(Dump.row(2, "Round \(round)", 10, 20, admin1: "01").utf8).write(
                            to: URL(fileURLWithPath: path))
                        _ = try added.add(path, as: "xt")
                        #expect(try current.refresh())
                        #expect(try current.gazetteer?.place(2)?.name == "Round \(round)")
                        #expect(try !current.refresh())
                    }
                }
            }
            try await group.waitForAll()
        }
        // A file that is damaged is told once, and the old gazetteer stays.
        try Data("no gazetteer".utf8).write(to: URL(fileURLWithPath: folder + "/gazetteers/bad.tsv.zst"))
        _ = try? current.refresh()
        #expect(try current.gazetteer?.place(2)?.name == "Round 4")
        #expect(try current.refresh() == false)
        try FileManager.default.removeItem(atPath: folder + "/gazetteers/bad.tsv.zst")
        try SmallGazetteer.packed("#pinfold-gazetteer\t1\nplace\t7\n")
            .write(to: URL(fileURLWithPath: folder + "/gazetteers/bad.tsv.zst"))
        #expect(throws: GazetteerError.self) { try current.refresh() }
        #expect(try current.refresh() == false)
        #expect(try current.gazetteer?.place(2)?.name == "Round 4")
    }
}
