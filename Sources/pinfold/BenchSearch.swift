import Foundation
import Geo
import PinfoldServer
import Storage

/// Search while typing: how right it is and what it costs, beside FTS5 over the same names, ranked by population.
@Sendable func measureSearch(_ bench: Bench) throws -> [Figure] {
    guard let bundle = GazetteerBundle.find() else { throw CommandFailure("data/gazetteer.tsv.zst is not found") }
    let folder = bench.temporary("places")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let path = folder + "/places.db"

    bench.say("building the database of places")
    var begin = Clock.monotonic()
    try Gazetteer(path: path, bundle: bundle, clock: systemClock).close()
    let build = Clock.monotonic() - begin
    var opening: [Double] = []
    for _ in 0..<9 {
        begin = Clock.monotonic()
        try Gazetteer(path: path, bundle: bundle, clock: systemClock).close()
        opening.append((Clock.monotonic() - begin) * 1000)
    }
    let before = residentMegabytes()
    let gazetteer = try Gazetteer(path: path, bundle: bundle, clock: systemClock)
    let search = gazetteer.search
    defer { gazetteer.close() }

    bench.say("searching")
    let texts = BenchTexts(search, seed: 1)
    let warm = texts.typed(2000)
    for text in warm { _ = search.items(text, near: nil, limit: 10) }
    let times = onTwoThreads { thread in
        BenchTexts(search, seed: UInt64(thread) + 2).typed(bench.samples ?? 20_000)
    } ask: {
        _ = search.items($0, near: nil, limit: 10)
    }
    let resident = residentMegabytes() - before

    bench.say("making the reference, FTS5")
    let reference = try FullTextReference(search, path: bench.temporary("fts.db"))
    let referenceTimes = try texts.typed(1000).map { text in
        let begin = threadSeconds()
        _ = try reference.ids(text, limit: 10)
        return (threadSeconds() - begin) * 1e6
    }
    func right(_ cases: [(text: String, id: Int64)], _ answer: (String) throws -> [Int64]) rethrows -> Double {
        let hits = try cases.count { try answer($0.text).first == $0.id }
        return 100 * Double(hits) / Double(max(cases.count, 1))
    }
    let (names, errors) = (texts.prefixes(of: 500), texts.withErrors(of: 2000))

    let server = try BenchServer.pinfold(bench, data: bench.places)
    _ = try server.get("/v1/places/search?q=san&limit=10")
    let costs = try Load.compare(
        bench,
        [
            Load(server: server, target: "/v1/places/search?q=san", script: texts.script()),
            Load(server: server, target: "/health"),
        ])
    return [
        Figure(
            name: "any prefix or error, p99", value: percentile99(times) / 1000, unit: "ms", reference: "FTS5",
            referenceValue: percentile99(referenceTimes) / 1000, goal: .atMost(2)),
        Figure(
            name: "… median", value: median(times), unit: "µs", reference: "FTS5",
            referenceValue: median(referenceTimes)),
        Figure(name: "… slowest", value: (times.max() ?? 0) / 1000, unit: "ms", goal: .atMost(20)),
        Figure(
            name: "three letters over HTTP", value: costs[0], unit: "µs CPU", reference: "hello",
            referenceValue: costs[1], goal: .atMost(60)),
        Figure(
            name: "prefixes of 500 cities, first", value: right(names) { search.ids($0, limit: 1) }, unit: "%",
            reference: "FTS5", referenceValue: try right(names) { try reference.ids($0, limit: 1) }),
        Figure(
            name: "one error in 2000 cities, first", value: right(errors) { search.ids($0, limit: 1) }, unit: "%",
            reference: "FTS5", referenceValue: try right(errors) { try reference.ids($0, limit: 1) }),
        Figure(name: "places.db and its index, built", value: build, unit: "s", goal: .atMost(60)),
        Figure(name: "… opened", value: median(opening), unit: "ms", goal: .atMost(20)),
        Figure(name: "… resident", value: resident, unit: "MB", goal: .atMost(60)),
    ]
}

/// This thread's own time: while both cores are busy, others on the machine take some of a wall clock's.
private func threadSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Microseconds of each call, of two threads at once.
private func onTwoThreads(
    _ texts: @escaping @Sendable (Int) -> [String], ask: @escaping @Sendable (String) -> Void
) -> [Double] {
    let results = (0..<2).map { _ in ThreadResult() }
    let group = DispatchGroup()
    for (number, result) in results.enumerated() {
        group.enter()
        Thread.detachNewThread {
            for text in texts(number) {
                let begin = threadSeconds()
                ask(text)
                result.times.append((threadSeconds() - begin) * 1e6)
            }
            group.leave()
        }
    }
    group.wait()
    return results.flatMap(\.times)
}

/// Unchecked: one thread writes, and it is read when that has ended.
private final class ThreadResult: @unchecked Sendable {
    var times: [Double] = []
}

/// What people type, made of the gazetteer's names.
private struct BenchTexts {
    private let places: [(id: Int64, name: String)]
    private let largest: [(id: Int64, name: String)]
    private let seed: UInt64

    init(_ search: PlaceSearch, seed: UInt64) {
        var random = BenchRandom(seed: seed)
        places = (0..<5000).map { _ in search.place(random.below(search.count)) }
        largest = search.largest(2000)
        self.seed = seed
    }

    /// Prefixes of names of every length, one in two with a random error.
    func typed(_ count: Int) -> [String] {
        var random = BenchRandom(seed: seed)
        return (0..<count).map { _ in
            let name = places[random.below(places.count)].name.lowercased()
            let text = String(name.prefix(1 + random.below(name.count)))
            return random.below(2) == 0 ? text : Self.withError(text, &random)
        }
    }

    /// Each prefix from three letters on of the largest places' names.
    func prefixes(of count: Int) -> [(text: String, id: Int64)] {
        largest.prefix(count).flatMap { place in
            let name = place.name.lowercased()
            return (3...max(3, name.count)).map { (String(name.prefix($0)), place.id) }
        }
    }

    func withErrors(of count: Int) -> [(text: String, id: Int64)] {
        var random = BenchRandom(seed: seed)
        return largest.prefix(count).filter { $0.name.count > 4 }.map {
            (Self.withError($0.name.lowercased(), &random), $0.id)
        }
    }

    private static func withError(_ text: String, _ random: inout BenchRandom) -> String {
        var letters = Array(text)
        guard letters.count > 1 else { return text }
        let letter = Character(Unicode.Scalar(UInt8(ascii: "a") + UInt8(random.below(26))))
        let place = random.below(letters.count - 1)
        switch random.below(4) {
        case 0: letters.remove(at: place)
        case 1: letters.insert(letter, at: place)
        case 2: letters[place] = letter
        default: letters.swapAt(place, place + 1)
        }
        return String(letters)
    }

    /// Three letters at a time, for wrk.
    func script() -> String {
        let texts = places.map { place in
            place.name.lowercased().filter { $0.isASCII && $0.isLetter }.prefix(3)
        }.filter { $0.count == 3 }
        return """
            local texts = {\(texts.map { "\"\($0)\"" }.joined(separator: ","))}
            function init(args) math.randomseed(os.time()) end
            function request()
                return wrk.format("GET", "/v1/places/search?limit=10&q=" .. texts[math.random(#texts)])
            end
            """
    }
}

/// The simple way: SQLite's full-text index over all names, prefix by prefix, ranked by population.
private struct FullTextReference {
    private let database: DatabasePool

    init(_ search: PlaceSearch, path: String) throws {
        let schema = """
            CREATE VIRTUAL TABLE name USING fts5(names, tokenize = "unicode61 remove_diacritics 2", prefix = '2 3');
            CREATE TABLE entry (number INTEGER PRIMARY KEY, id INTEGER NOT NULL, population INTEGER NOT NULL) STRICT;
            """
        database = try DatabasePool(
            DatabasePool.Configuration(path: path, clock: systemClock),
            migrations: [Migration(name: "names", sql: schema)])
        try database.write { write in
            for number in 0..<search.count {
                let place = search.place(number)
                let names = ([place.name] + search.alternateNames(number)).joined(separator: " | ")
                try write.run("INSERT INTO name (rowid, names) VALUES (\(number), \(names))")
                try write.run("INSERT INTO entry VALUES (\(number), \(place.id), \(search.population(number)))")
            }
        }
    }

    func ids(_ text: String, limit: Int) throws -> [Int64] {
        let words = text.split { !$0.isLetter && !$0.isNumber }.map { "\"\($0)\"" }
        guard !words.isEmpty else { return [] }
        let query = words.joined(separator: " ") + "*"
        return try database.read { read in
            try read.rows(
                """
                SELECT entry.id FROM name JOIN entry ON entry.number = name.rowid
                WHERE name.names MATCH \(query) ORDER BY entry.population DESC LIMIT \(limit)
                """
            ) { $0.int64(0) }
        }
    }
}

private func residentMegabytes() -> Double {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? .nan
    return pages * Double(sysconf(Int32(_SC_PAGESIZE))) / 1e6
}
