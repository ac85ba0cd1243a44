import Foundation
import Geo
import PinfoldServer

/// Names for positions: over HTTP, in process one by one and many at once, the last beside scipy's k-d tree, which only
/// finds the nearest centre.
@Sendable func measureReverse(_ bench: Bench) throws -> [Figure] {
    let pinfold = try BenchServer.pinfold(bench, data: bench.places)
    _ = try pinfold.get("/v1/places/reverse?lat=44.9551&lon=-93.1022")
    let costs = try Load.compare(
        bench,
        [
            Load(server: pinfold, target: "/v1/places/reverse?lat=0&lon=0", script: randomPoints),
            Load(server: pinfold, target: "/health"),
        ])
    pinfold.process.stop()
    let figure = Figure(
        name: "reverse over HTTP", value: costs[0], unit: "µs CPU", reference: "hello", referenceValue: costs[1],
        goal: .atMost(35))
    return try [figure] + measureMemory(bench) + measureLoading(bench) + measureInProcess(bench)
}

/// What a server takes of memory after many look-ups all over the Earth, by position and by name.
private func measureMemory(_ bench: Bench) throws -> [Figure] {
    let server = try BenchServer.pinfold(bench, data: bench.places)
    defer { server.process.stop() }
    let idle = server.process.residentMegabytes ?? .nan
    let client = BenchClient(port: server.port)
    var random = BenchRandom(seed: 9)
    for index in 0..<10_000 {
        let letters = (0..<(2 + index % 3)).map { _ in Character(UnicodeScalar(UInt8(0x61 + random.below(26)))) }
        let target =
            index % 2 == 0
            ? "/v1/places/reverse?lat=\(random.unit() * 180 - 90)&lon=\(random.unit() * 360 - 180)"
            : "/v1/places/search?q=\(String(letters))"
        guard client?.get(target)?.status == 200 else { throw CommandFailure("no answer to \(target)") }
    }
    return [
        Figure(
            name: "resident, places.index after 10,000 look-ups",
            value: server.process.residentMegabytes(of: "/places.index") ?? .nan, unit: "MB", goal: .atMost(60)),
        Figure(
            name: "resident, all of the server then", value: server.process.residentMegabytes ?? .nan, unit: "MB",
            reference: "before", referenceValue: idle, goal: .below(100)),
    ]
}

/// How long `places.db` takes to be built and opened, and what it takes of memory.
private func measureLoading(_ bench: Bench) throws -> [Figure] {
    guard let bundle = GazetteerBundle.find() else { throw CommandFailure("data/gazetteer.tsv.zst is not found") }
    let path = bench.temporary("places.db")
    let begin = Clock.monotonic()
    try Gazetteer(path: path, bundle: bundle, clock: systemClock).close()
    let built = Clock.monotonic() - begin
    var times: [Double] = []
    for _ in 0..<10 {
        let begin = Clock.monotonic()
        let gazetteer = try Gazetteer(path: path, bundle: bundle, clock: systemClock)
        times.append((Clock.monotonic() - begin) * 1000)
        gazetteer.close()
    }
    return [
        Figure(name: "places.db built", value: built, unit: "s", goal: .atMost(60)),
        Figure(name: "places.db opened", value: median(times), unit: "ms", goal: .atMost(20)),
    ]
}

private func measureInProcess(_ bench: Bench) throws -> [Figure] {
    guard let bundle = GazetteerBundle.find() else { throw CommandFailure("data/gazetteer.tsv.zst is not found") }
    let geocoder = try ReverseGeocoder(bundle: bundle)
    let points = positions(geocoder.centres)

    var times: [Double] = []
    for point in points.prefix(20_000) {
        let begin = Clock.monotonic()
        let result = geocoder.reverse(point)
        times.append((Clock.monotonic() - begin) * 1e6)
        guard result.timezone != nil else { throw CommandFailure("a position has no time") }
    }
    times.sort()

    // By turns, so that all see the same machine.
    var ours: [Double] = []
    var work: [Double] = []
    var theirs: [Double] = []
    var theirsOnAll: [Double] = []
    let tree = try ScipyTree(bench, centres: geocoder.centres, points: points)
    for _ in 0..<5 {
        let (begin, used) = (Clock.monotonic(), Clock.processor())
        for start in stride(from: 0, to: points.count, by: 10_000) {
            _ = geocoder.json(Array(points[start..<min(start + 10_000, points.count)]))
        }
        ours.append(Double(points.count) / (Clock.monotonic() - begin))
        work.append((Clock.processor() - used) / Double(points.count) * 1e6)
        theirs.append(try tree.pointsPerSecond(workers: 1))
        theirsOnAll.append(try tree.pointsPerSecond(workers: -1))
    }
    let many = "reverse, 10,000 at once"
    return [
        Figure(name: "reverse in process, median", value: times[times.count / 2], unit: "µs", goal: .atMost(20)),
        Figure(name: "reverse in process, p99", value: times[times.count * 99 / 100], unit: "µs"),
        Figure(name: many, value: median(ours), unit: "/s", goal: .atLeast(300_000)),
        Figure(
            name: "the same, beside scipy", value: median(ours), unit: "/s", reference: "scipy's nearest centre",
            referenceValue: median(theirs), goal: .ratioAbove(1)),
        Figure(
            name: "the same, scipy on all cores", value: median(ours), unit: "/s",
            reference: "scipy, workers=-1", referenceValue: median(theirsOnAll)),
        Figure(name: "the same, work", value: median(work), unit: "µs CPU"),
    ]
}

/// Where people are: within some kilometres of places; one in ten anywhere on Earth.
private func positions(_ centres: [Coordinate]) -> [Coordinate] {
    var random = BenchRandom(seed: 5)
    return (0..<200_000).map { index in
        let centre = centres[random.below(centres.count)]
        let near = Coordinate(
            latitude: min(90, max(-90, centre.latitude + random.normal() * 0.05)),
            longitude: min(180, max(-180, centre.longitude + random.normal() * 0.05)))
        let anywhere = Coordinate(latitude: random.unit() * 180 - 90, longitude: random.unit() * 360 - 180)
        return (index % 10 == 0 ? anywhere : near) ?? centre
    }
}

/// scipy's `cKDTree` of the same places' unit vectors, in a process of its own for each measurement.
private struct ScipyTree {
    private let script: String
    private let output: String
    private let folder: String

    init(_ bench: Bench, centres: [Coordinate], points: [Coordinate]) throws {
        folder = bench.temporary("scipy")
        script = folder + "/nearest.py"
        output = folder + "/output"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (name, coordinates) in [("centres", centres), ("points", points)] {
            let degrees = coordinates.flatMap { [$0.latitude, $0.longitude] }
            try degrees.withUnsafeBytes { Data($0) }.write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
        }
        try Self.program.write(toFile: script, atomically: true, encoding: .utf8)
    }

    /// - Parameter workers: scipy's: how many threads, -1 for one a core.
    func pointsPerSecond(workers: Int) throws -> Double {
        let process = try BenchProcess(
            "/usr/bin/python3", [script, folder, String(workers)], output: output, errors: output + ".errors")
        guard process.wait(seconds: 120), let text = try? String(contentsOfFile: output, encoding: .utf8),
            let value = Double(text.trimmingCharacters(in: .whitespacesAndNewlines))
        else {
            let reason = try? String(contentsOfFile: output + ".errors", encoding: .utf8)
            throw CommandFailure("scipy does not answer: \(reason?.split(separator: "\n").last ?? "")")
        }
        return value
    }

    private static let program = """
        import sys, time
        import numpy
        from scipy.spatial import cKDTree

        def vectors(name):
            degrees = numpy.radians(numpy.fromfile(sys.argv[1] + "/" + name).reshape(-1, 2))
            latitude, longitude = degrees[:, 0], degrees[:, 1]
            return numpy.stack(
                [numpy.cos(latitude) * numpy.cos(longitude), numpy.cos(latitude) * numpy.sin(longitude),
                 numpy.sin(latitude)], 1)

        workers = int(sys.argv[2])
        tree = cKDTree(vectors("centres"))
        points = vectors("points")
        tree.query(points[:10000], workers=workers)
        begin = time.perf_counter()
        for start in range(0, len(points), 10000):
            tree.query(points[start:start + 10000], workers=workers)
        print(len(points) / (time.perf_counter() - begin))
        """
}

private let randomPoints = """
    local threads = 0
    function setup(thread)
        threads = threads + 1
        thread:set("seed", threads)
    end
    function init(args)
        math.randomseed(seed)
    end
    function request()
        local lat, lon
        if math.random() < 0.5 then
            lat, lon = 36 + 30 * math.random(), -9 + 39 * math.random()
        else
            lat, lon = 26 + 23 * math.random(), -124 + 57 * math.random()
        end
        return wrk.format("GET", string.format("/v1/places/reverse?lat=%.6f&lon=%.6f", lat, lon))
    end
    """
