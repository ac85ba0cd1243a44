import Foundation
import Geo
import HTTP
import Storage
import Testing

@testable import PinfoldServer

@Suite struct PlacesAddedTests {
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
        try AddedFolder.with { folder, added in
            let lines = isReversed ? Self.dump.reversed() : Self.dump
            let file = try AddedFolder.write("XT.txt", (lines.joined(separator: "\n") + "\n").utf8, folder)
            let before = try AddedFolder.open(folder)
            #expect(try before.place(2)?.label == "Middle, Here, Testland")
            before.close()

            let report = try added.add(file, as: "xt")
            #expect(report.places == 3 && report.divisions == 2 && report.passedOver == 1 && report.bad == 0)
            let gazetteer = try AddedFolder.open(folder)
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
            let after = try AddedFolder.open(folder)
            #expect(try after.place(2)?.label == "Middle, Here, Testland")
            #expect(try after.place(100) == nil)
            after.close()
        }
    }

    @Test func `other classes are places that nobody lives in`() throws {
        try AddedFolder.with { folder, added in
            let file = try AddedFolder.write("XT.txt", Self.dump.joined(separator: "\r\n").utf8, folder)
            var options = AddedGazetteers.Options()
            options.classes = ["P", "H"]
            options.leastPopulation = 1000
            let report = try added.add(file, as: "xt", options)
            #expect(report.places == 2 && report.passedOver == 2)
            let gazetteer = try AddedFolder.open(folder)
            defer { gazetteer.close() }
            #expect(try gazetteer.place(102)?.label == "Deep Lake, Here anew, Testland")
            #expect(try gazetteer.place(100) == nil)
            #expect(try gazetteer.reverse(Coordinate(parsing: "12,22")).locality == nil)
        }
    }

    @Test func `bad rows are told and the others go in`() throws {
        try AddedFolder.with { folder, added in
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
            let file = try AddedFolder.write("XT.txt", lines.joined(separator: [0x0A]), folder)
            let report = try added.add(file, as: "xt")
            #expect(report.places == 4)
            #expect(report.bad == bad.count)
            #expect(report.badRows.map(\.reason) == bad.map(\.1))
            #expect(report.badRows.map(\.line) == bad.indices.map { Self.dump.count + $0 + 1 })
            let gazetteer = try AddedFolder.open(folder)
            defer { gazetteer.close() }
            #expect(try gazetteer.place(201)?.name == "Last")
            #expect(try gazetteer.place(200) == nil)

            let many = (0..<50).map { _ in "1\t2" }
            let more = try AddedFolder.write(
                "more.txt", ([Dump.row(300, "One")] + many).joined(separator: "\n").utf8, folder)
            let counted = try added.add(more, as: "more")
            #expect(counted.bad == 50 && counted.badRows.count == AdditionReport.badRowLimit)
        }
    }

    @Test func `an archive is read as it is downloaded`() throws {
        try AddedFolder.with { folder, added in
            let bytes = Array(Self.dump.joined(separator: "\n").utf8)
            let file = try AddedFolder.write(
                "XT.zip", archive([("readme.txt", Array("Readme".utf8)), ("XT.txt", bytes)]), folder)
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
                let damaged = try AddedFolder.write("damaged.zip", bytes, folder)
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
        try AddedFolder.with { folder, added in
            let row = Array((Dump.row(100, "Newtown") + "\n").utf8)
            for flood in [[UInt8](repeating: 0, count: 80 << 20), [UInt8](repeating: 0x0A, count: 80 << 20)] {
                let bytes = try archive([("XT.txt", flood)])
                #expect(bytes.count < 1 << 20)
                let file = try AddedFolder.write("bomb.zip", bytes, folder)
                #expect(throws: GazetteerError.self) { try added.add(file, as: "bomb") }
                let table = try AddedFolder.write(
                    "table.zip", archive([("a.csv", Array("lon,lat,street\n".utf8) + flood)]), folder)
                #expect(throws: GazetteerError.self) { try added.add(table, as: "bomb") }
            }
            // Behind a good row it is read to its end in flat memory.
            let file = try AddedFolder.write(
                "bomb.zip", archive([("XT.txt", row + [UInt8](repeating: 0, count: 8 << 20))]), folder)
            let report = try added.add(file, as: "bomb")
            #expect(report.places == 1 && report.bad == 1)
        }
    }

    @Test func `a wrong file is one clear line and changes nothing`() throws {
        try AddedFolder.with { folder, added in
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
                if let bytes { _ = try AddedFolder.write("file", bytes, folder) }
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
        try AddedFolder.with { folder, added in
            var expected: [Int: String] = [1: "Pole", 2: "Middle", 3: "Edge"]
            for name in ["a", "b", "c"] {
                let ids = (20...60).filter { _ in Bool.random(using: &generator) }.shuffled()
                let rows = ids.map { Dump.row($0, "\(name)\($0)", Double($0), 5, admin1: "0\($0 % 4)") }
                let file = try AddedFolder.write("file", rows.joined(separator: "\n").utf8, folder)
                #expect(try added.add(file, as: name).places == ids.count)
                for id in ids { expected[id] = "\(name)\(id)" }
            }
            let gazetteer = try AddedFolder.open(folder)
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

    @Test func `names with control characters are left out, and said where`() throws {
        try AddedFolder.with { folder, added in
            let rows = [
                Dump.row(200, "A\u{1}B"), Dump.row(201, "Good"), Dump.row(202, "A", alternates: "B\u{7F}"),
                Dump.row(203, "A\u{202E}B"), Dump.row(8003, "A\u{85}B", kind: "A.ADM1", admin1: "03"),
            ]
            let file = try AddedFolder.write("xt.txt", rows.joined(separator: "\n").utf8, folder)
            let report = try added.add(file, as: "xt")
            #expect(report.places == 1 && report.badRows.map(\.line) == [1, 3, 4, 5])
            #expect(
                report.badRows.map(\.reason) == [
                    "the name has a control character (U+0001)", "an alternate name has a control character (U+007F)",
                    "the name has a control character (U+202E)", "the name has a control character (U+0085)",
                ])
            let table = "lon,lat,number,street,city\n1,2,3,\"A\nB\",C\n1,2,3,Good,\"C\u{2066}\"\n1,2,3,Good,C\n"
            let addresses = try added.add(AddedFolder.write("xt.csv", table.utf8, folder), as: "addresses")
            #expect(addresses.addresses == 1)
            #expect(
                addresses.badRows.map(\.reason) == [
                    "the street has a control character (U+000A)", "the city has a control character (U+2066)",
                ])
        }
    }

    @Test func `more places than can be searched are refused when they are added`() throws {
        try AddedFolder.with { folder, _ in
            let added = AddedGazetteers(folder: folder + "/gazetteers", placeLimit: 3)
            func add(_ ids: ClosedRange<Int>, as name: String) throws {
                let rows = ids.map { Dump.row($0, "Place") }.joined(separator: "\n")
                _ = try added.add(AddedFolder.write("file", rows.utf8, folder), as: name)
            }
            try add(101...102, as: "a")
            let error = #expect(throws: GazetteerError.self) { try add(201...202, as: "b") }
            #expect(error?.description.contains("than 3 can be added, of which those added before have 2") == true)
            try add(201...201, as: "b")
            // What is replaced does not count.
            try add(301...302, as: "a")
            #expect(try added.list().map(\.places) == [2, 1])
        }
    }

    // MARK: Replacing while it runs

    @Test func `a running server takes in what is added, and readers never notice`() async throws {
        let folder = try BundledGazetteer.temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try SmallGazetteer.write(to: folder)
        let current = CurrentGazetteer(try AddedFolder.open(folder))
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
        // A new one that cannot be stored leaves the old one as it is, and one that cannot be opened for as long as that
        // lasts.
        for (obstacle, isLasting) in [("places.index.\(getpid()).partial-replaced", false), ("places.db-wal", true)] {
            let file = folder + "/" + obstacle
            // A folder where a file should be.
            unlink(file)
            try FileManager.default.createDirectory(atPath: file + "/full", withIntermediateDirectories: true)
            try Data(Dump.row(2, obstacle, 10, 20, admin1: "01").utf8).write(to: URL(fileURLWithPath: folder + "/file"))
            _ = try added.add(folder + "/file", as: "xt")
            #expect(throws: (any Error).self) { try current.refresh() }
            let place = Coordinate(latitudeE7: 100_000_000, longitudeE7: 200_000_000)
            #expect(current.gazetteer?.reverse(place).locality == "Round 4")
            if isLasting { #expect(throws: (any Error).self) { try current.refresh() } }
            try FileManager.default.removeItem(atPath: file)
            #expect(try current.refresh() == false)
            #expect(try current.gazetteer?.place(2)?.name == "Round 4")
        }
        try Data(Dump.row(2, "Round 4", 10, 20, admin1: "01").utf8).write(to: URL(fileURLWithPath: folder + "/file"))
        _ = try added.add(folder + "/file", as: "xt")
        _ = try current.refresh()
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
