import Foundation
import PinfoldServer
import Storage

extension Command {
    static let places = Command(
        name: "places", summary: "Adds gazetteers of one's own region to the bundled one, lists and removes them.",
        options: [
            Option(name: "data", value: "DIR", help: "the server's data folder (./var)"),
            Option(name: "name", value: "NAME", help: "what the gazetteer is called (the file's name)"),
            Option(
                name: "classes", value: "P,S,…", help: "GeoNames's feature classes that become places (P: towns)"),
            Option(name: "min-population", value: "N", help: "leaves out towns with fewer people (0)"),
            Option(name: "gazetteer", value: "FILE", help: "the bundled gazetteer (data/gazetteer.tsv.zst)"),
        ],
        operands: "add FILE | list | remove NAME",
        run: { arguments in
            let operands = arguments.operands
            switch (operands.first, operands.count) {
            case ("add", 2): try addPlaces(operands[1], arguments)
            case ("list", 1): try listPlaces(arguments)
            case ("remove", 2): try removePlaces(operands[1], arguments)
            default: throw UsageError("give add FILE, list, or remove NAME")
            }
        })

    private static func addPlaces(_ file: String, _ arguments: Arguments) throws {
        let name = arguments["name"] ?? AddedGazetteers.name(for: file)
        guard AddedGazetteers.isName(name) else {
            throw UsageError("--name must be 1 to 64 small letters, digits, hyphens, full stops and underscores")
        }
        var options = AddedGazetteers.Options()
        if let text = arguments["classes"] {
            let classes = text.uppercased().split(separator: ",").map(String.init)
            guard !classes.isEmpty, classes.allSatisfy({ $0.count == 1 && "AHLPRSTUV".contains($0) }) else {
                throw UsageError("--classes must be letters of A, H, L, P, R, S, T, U and V between commas")
            }
            options.classes = Set(classes.joined())
        }
        if let text = arguments["min-population"] {
            guard let least = Int(text), (0...100_000_000).contains(least) else {
                throw UsageError("--min-population must be 0 to 100000000")
            }
            options.leastPopulation = least
        }
        try startCrypto()
        let folder = try DataFolder(arguments["data"] ?? "./var")
        let bar = ProgressBar("Reading \(URL(fileURLWithPath: file).lastPathComponent)")
        let report: AdditionReport
        do {
            report = try AddedGazetteers(beside: folder.places).add(file, as: name, options) { bar.show($0) }
        } catch {
            bar.end()
            throw error
        }
        for row in report.badRows {
            complain("\(row.entry.map { "\($0), " } ?? "")line \(row.line): left out: \(row.reason)")
        }
        if report.bad > report.badRows.count { complain("… and \(report.bad - report.badRows.count) more") }
        let counts = [
            (report.places, "places"), (report.divisions, "divisions"), (report.addresses, "addresses"),
            (report.passedOver, "rows of other kinds passed over"), (report.bad, "bad rows left out"),
        ]
        print("\(name): " + counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", "))
        try takeIn(folder, arguments)
    }

    private static func listPlaces(_ arguments: Arguments) throws {
        let folder = try DataFolder(arguments["data"] ?? "./var")
        for entry in try AddedGazetteers(beside: folder.places).list() {
            print("\(entry.name)\t\(entry.places) places\t\(entry.addresses) addresses\t\(entry.bytes) bytes")
        }
    }

    private static func removePlaces(_ name: String, _ arguments: Arguments) throws {
        let folder = try DataFolder(arguments["data"] ?? "./var")
        guard try AddedGazetteers(beside: folder.places).remove(name) else {
            throw CommandFailure("there is no gazetteer \(name); `pinfold places list` shows those that are there")
        }
        try takeIn(folder, arguments)
    }

    /// Builds `places.db` anew, or leaves that to the server that runs on the folder.
    private static func takeIn(_ folder: DataFolder, _ arguments: Arguments) throws {
        do {
            try folder.loadGazetteer(arguments["gazetteer"])
            print("\(folder.places) is up to date.")
        } catch let error as DatabaseOpenError where error.reason == .locked {
            print("The server that runs on \(folder.path) takes it in by itself within a minute.")
        }
    }
}
