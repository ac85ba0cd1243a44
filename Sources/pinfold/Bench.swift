import Foundation
import PinfoldServer

extension Command {
    static let bench = Command(
        name: "bench", summary: "Measures against references in the same run; needs wrk and nginx.",
        options: [
            Option(name: "only", value: "NAME", help: "one of " + Benchmark.all.map(\.name).joined(separator: ", ")),
            Option(name: "size", value: "N", help: "how many pins the world has (\(Benchmark.sizes))"),
            Option(name: "samples", value: "N", help: "how often `map` asks each list, `map-check` any (2000, 100000)"),
            Option(name: "output", value: "DIR", help: "where NAME.json and the worlds go (.build/bench)"),
        ],
        run: { arguments in
            let size = try arguments.number("size", 10_000...100_000_000)
            let samples = try arguments.number("samples", 10...10_000_000)
            let chosen = arguments["only"].map { name in Benchmark.all.filter { $0.name == name } } ?? Benchmark.all
            guard !chosen.isEmpty else { throw UsageError("--only must be one of \(Benchmark.names)") }
            try startCrypto()
            let output = arguments["output"] ?? ".build/bench"
            for benchmark in chosen {
                let bench = try Bench(output: output, size: size ?? benchmark.size, samples: samples)
                defer { bench.clean() }
                let figures = try benchmark.run(bench)
                Figure.printTable(figures, title: benchmark.title)
                try Figure.save(figures, to: "\(bench.output)/\(benchmark.name).json")
            }
        })
}

/// One named benchmark; a new one is a line here and a file beside this one.
struct Benchmark: Sendable {
    let name: String
    let title: String
    /// How many pins its world has if nobody says; 0 if it has none.
    var size = 0
    let run: @Sendable (Bench) throws -> [Figure]

    static let all = [
        Benchmark(name: "hello", title: "hello: the smallest answer against nginx", run: measureHello),
        Benchmark(name: "search", title: "search: places while typing, beside FTS5", run: measureSearch),
        Benchmark(name: "reverse", title: "reverse: names for positions", run: measureReverse),
        Benchmark(
            name: "pins", title: "pins: lists of a viewer with 500 friends", size: 1_000_000, run: measurePins),
        Benchmark(name: "commit", title: "commit: writers that wait together", run: measureCommit),
        Benchmark(name: "start", title: "start: ready, and what it takes of memory", run: measureStart),
        Benchmark(
            name: "map-check", title: "map-check: random lists against brute force", size: 50_000, run: checkMap),
        Benchmark(
            name: "map", title: "map: friends' pins beside PostGIS and beside arrays in memory", size: 5_000_000,
            run: measureMap),
        Benchmark(name: "live", title: "live: pins to friends who are connected, beside Redis", run: measureLive),
        Benchmark(
            name: "import", title: "import: landmark datasets from files, beside ogr2ogr", size: 1_000_000,
            run: measureImport),
        Benchmark(name: "web", title: "web: the client in a browser without a graphics card", run: measureWeb),
    ]

    static var names: String { all.map(\.name).joined(separator: ", ") }

    static var sizes: String {
        all.filter { $0.size > 0 }.map { "\($0.name): \($0.size)" }.joined(separator: ", ")
    }
}

extension Arguments {
    /// Nil if the option is not given.
    ///
    /// - Throws: `UsageError`.
    fileprivate func number(_ name: String, _ range: ClosedRange<Int>) throws -> Int? {
        guard let text = self[name] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw UsageError("--\(name) must be \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}

/// What the benchmarks share: where they write, and how large they are.
struct Bench: Sendable {
    /// Absolute. Holds the results, the worlds, and a data folder whose gazetteer is loaded.
    let output: String
    /// How many pins.
    let size: Int
    /// How many measurements of each kind; nil for as many as the benchmark's figures ask for.
    let samples: Int?
    private let scratch: String

    /// - Throws: `CommandFailure`.
    init(output: String, size: Int, samples: Int?) throws {
        self.output = URL(fileURLWithPath: output).path
        self.size = size
        self.samples = samples
        scratch = "\(self.output)/run-\(getpid())"
        do {
            Self.removeLeftovers(in: self.output)
            try FileManager.default.createDirectory(atPath: scratch, withIntermediateDirectories: true)
        } catch {
            throw CommandFailure("the folder \(output) cannot be made or written")
        }
    }

    /// A path in this run's own folder, which goes with the run.
    func temporary(_ name: String) -> String { "\(scratch)/\(name)" }

    /// The data folder for benchmarks that only read the gazetteer; it is kept, so that it is loaded once.
    var places: String { "\(output)/places" }

    func clean() {
        try? FileManager.default.removeItem(atPath: scratch)
    }

    /// Removes the folders of runs that were killed, which are named for their process.
    static func removeLeftovers(in output: String, prefix: String = "run-") {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: output)) ?? [] {
            guard name.hasPrefix(prefix), let pid = pid_t(name.dropFirst(prefix.count)), kill(pid, 0) != 0,
                errno == ESRCH
            else { continue }
            try? FileManager.default.removeItem(atPath: "\(output)/\(name)")
        }
    }

    /// Tells on standard error what is going on.
    func say(_ line: String) { complain("bench: \(line)") }
}
