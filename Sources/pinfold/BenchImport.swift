import Foundation
import Geo
import HTTP
import PinfoldServer

/// Landmark datasets from files of a million rows, beside `ogr2ogr` into a SpatiaLite file of its own, and what somebody
/// who asks for pins meanwhile notices.
@Sendable func measureImport(_ bench: Bench) throws -> [Figure] {
    var figures: [Figure] = []
    for kind in ImportFile.Kind.allCases {
        let file = try ImportFile(kind, rows: bench.size, bench)
        bench.say("\(kind.rawValue), \(file.bytes / 1_000_000) MB")
        let data = bench.temporary("data-\(kind.rawValue)")
        let first = try importFile(file.path, into: data)
        let theirs = try file.convertByGDAL(bench.temporary("\(kind.rawValue).sqlite"))
        let name = "\(bench.size) rows of \(kind.rawValue)"
        figures.append(
            Figure(
                name: name, value: first.seconds, unit: "s", reference: "ogr2ogr", referenceValue: theirs,
                goal: .ratioAtMost(0.6)))
        figures.append(
            Figure(name: "the same, most resident memory", value: first.megabytes, unit: "MB", goal: .atMost(150)))
        let again = try importFile(file.path, into: data)
        figures.append(
            Figure(
                name: "the same again, unchanged", value: again.seconds, unit: "s", reference: "the first time",
                referenceValue: first.seconds, goal: .ratioAtMost(1.0 / 3)))
        // So that each row is read and compared.
        try file.changeLastRow()
        let changed = try importFile(file.path, into: data)
        figures.append(
            Figure(
                name: "the same with one row changed", value: changed.seconds, unit: "s",
                reference: "the first time", referenceValue: first.seconds))
        figures.append(
            Figure(name: "the same, most resident memory", value: changed.megabytes, unit: "MB", goal: .atMost(150)))
        if kind == .csv { figures += try measurePinsMeanwhile(file, bench) }
        try? FileManager.default.removeItem(atPath: data)
    }
    return figures
}

/// Runs this very program as `import`.
///
/// - Returns: how long it took, and the most memory it had.
private func importFile(_ file: String, into data: String) throws -> (seconds: Double, megabytes: Double) {
    let process = try importProcess(file, data)
    let begin = Clock.monotonic()
    var most = 0.0
    while process.isRunning {
        most = max(most, process.residentMegabytes ?? 0)
        usleep(5_000)
    }
    let seconds = Clock.monotonic() - begin
    guard process.wait(seconds: 0) else { throw CommandFailure("an import has failed") }
    return (seconds, most)
}

private func importProcess(_ file: String, _ data: String) throws -> BenchProcess {
    let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return try BenchProcess(program, ["import", file, "--dataset", "bench", "--data", data])
}

/// The p99 of lists of pins, one asked for every 4 ms, while nothing else goes on and while a file is imported.
private func measurePinsMeanwhile(_ file: ImportFile, _ bench: Bench) throws -> [Figure] {
    let data = bench.temporary("data-served")
    let server = try BenchServer.pinfold(bench, data: data)
    defer { server.process.stop() }
    let client = BenchClient(port: server.port)
    let account = client?.post(
        "/v1/users", #"{"username": "bench", "email": "bench@example.org", "password": "correct horse"}"#)
    guard case .object(let members)? = account.flatMap({ try? JSONValue(parsing: $0.body) }),
        case .string(let token)? = members.first(where: { $0.name == "accessToken" })?.value
    else { throw CommandFailure("nobody can sign up") }
    let headers = ["Authorization: Bearer \(token)"]
    var random = BenchRandom(seed: 3)
    for _ in 0..<500 {
        let pin =
            #"{"name": "Pin", "latitude": \#(44 + random.unit()), "longitude": \#(-94 + random.unit()), "rating": 3}"#
        guard client?.post("/v1/pins", headers: headers, pin)?.status == 201 else {
            throw CommandFailure("no pin can be dropped")
        }
    }

    /// Milliseconds of each answer, until `isOver`.
    func times(_ isOver: (Int) -> Bool) throws -> [Double] {
        var times: [Double] = []
        var next = Clock.monotonic()
        while !isOver(times.count) {
            next += 0.004
            let now = Clock.monotonic()
            if next > now { usleep(UInt32((next - now) * 1e6)) }
            let begin = Clock.monotonic()
            guard client?.get("/v1/pins?bbox=-94,44,-93,45&limit=100", headers: headers)?.status == 200 else {
                throw CommandFailure("no list of pins")
            }
            times.append((Clock.monotonic() - begin) * 1000)
        }
        return times.sorted()
    }
    _ = try times { $0 >= 500 }
    let idle = try times { $0 >= 3_000 }
    let process = try importProcess(file.path, data)
    let busy = try times { _ in !process.isRunning }
    guard process.wait(seconds: 0) else { throw CommandFailure("an import has failed") }
    bench.say("\(busy.count) lists of pins while a file was imported")
    return [
        Figure(
            name: "pins meanwhile, p99", value: busy[busy.count * 99 / 100], unit: "ms", reference: "idle",
            referenceValue: idle[idle.count * 99 / 100], goal: .ratioAtMost(3)),
        Figure(
            name: "pins meanwhile, median", value: busy[busy.count / 2], unit: "ms", reference: "idle",
            referenceValue: idle[idle.count / 2]),
        Figure(name: "pins meanwhile, the slowest", value: busy.last ?? .nan, unit: "ms"),
    ]
}

/// A file of landmarks all over the Earth.
private struct ImportFile {
    enum Kind: String, CaseIterable {
        case csv, geojson
    }

    let kind: Kind
    let path: String
    let bytes: Int

    init(_ kind: Kind, rows: Int, _ bench: Bench) throws {
        self.kind = kind
        path = bench.temporary("landmarks.\(kind.rawValue)")
        guard let file = fopen(path, "w") else { throw CommandFailure("\(path) cannot be written") }
        defer { fclose(file) }
        var random = BenchRandom(seed: 7)
        let kinds = ["museum", "park", "station", "church", "hotel"]
        let words = ["Old", "New", "Great", "Saint", "Upper", "Lower"]
        func write(_ text: String) { fputs(text, file) }
        write(
            kind == .csv
                ? "id,name,category,address,website,latitude,longitude,elevation\n"
                : #"{"type": "FeatureCollection", "features": ["# + "\n")
        for row in 0..<rows {
            let latitude = (random.unit() * 160e6 - 80e6).rounded() / 1e6
            let longitude = (random.unit() * 360e6 - 180e6).rounded() / 1e6
            let category = kinds[random.below(kinds.count)]
            let name = "\(words[random.below(words.count)]) \(category.capitalized) \(row)"
            let address = "\(1 + random.below(999)) Main Street, Town \(row % 5000)"
            let elevation = random.below(4000)
            switch kind {
            case .csv:
                write(
                    """
                    \(row),\(name),\(category),"\(address)",https://example.org/\(row),\(latitude),\(longitude),\
                    \(elevation)

                    """)
            case .geojson:
                write(
                    """
                    {"type": "Feature", "id": "\(row)", "properties": {"name": "\(name)", "category": "\(category)", \
                    "address": "\(address)", "website": "https://example.org/\(row)", "elevation": \(elevation)}, \
                    "geometry": {"type": "Point", "coordinates": [\(longitude), \(latitude)]}}\
                    \(row + 1 < rows ? "," : "")

                    """)
            }
        }
        if kind == .geojson { write("]}\n") }
        bytes = ftell(file)
    }

    /// Gives the last row another name.
    func changeLastRow() throws {
        guard let file = FileHandle(forUpdatingAtPath: path) else { throw CommandFailure("\(path) cannot be changed") }
        defer { try? file.close() }
        let start = UInt64(max(0, bytes - 1_000))
        try file.seek(toOffset: start)
        let tail = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
        guard let place = tail.range(of: "Town ", options: .backwards) else {
            throw CommandFailure("\(path) is not as it was written")
        }
        try file.seek(toOffset: start + UInt64(tail[..<place.lowerBound].utf8.count))
        try file.write(contentsOf: Data("City ".utf8))
    }

    /// The time that GDAL takes to make a SpatiaLite file of it, spatial index included.
    func convertByGDAL(_ output: String) throws -> Double {
        let columns = ["-oo", "X_POSSIBLE_NAMES=longitude", "-oo", "Y_POSSIBLE_NAMES=latitude", "-a_srs", "EPSG:4326"]
        let process = try BenchProcess(
            "ogr2ogr",
            ["-f", "SQLite", "-dsco", "SPATIALITE=YES", output, path] + (kind == .csv ? columns : []))
        let begin = Clock.monotonic()
        guard process.wait(seconds: 1_000) else { throw CommandFailure("ogr2ogr has failed") }
        defer { unlink(output) }
        return Clock.monotonic() - begin
    }
}
