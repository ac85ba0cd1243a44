import Foundation
import PinfoldServer

extension Command {
    static let bench = Command(
        name: "bench", summary: "Measures against references in the same run; needs wrk and nginx.",
        options: [
            Option(name: "only", value: "NAME", help: "one of " + Benchmark.all.map(\.name).joined(separator: ", ")),
            Option(name: "size", value: "N", help: "how many pins the world of `pins` has (1000000)"),
            Option(name: "output", value: "DIR", help: "where NAME.json and the worlds go (.build/bench)"),
        ],
        run: { arguments in
            guard let size = Int(arguments["size"] ?? "1000000"), (10_000...100_000_000).contains(size) else {
                throw UsageError("--size must be 10000 to 100000000")
            }
            let chosen = arguments["only"].map { name in Benchmark.all.filter { $0.name == name } } ?? Benchmark.all
            guard !chosen.isEmpty else { throw UsageError("--only must be one of \(Benchmark.names)") }
            try startCrypto()
            let bench = try Bench(output: arguments["output"] ?? ".build/bench", size: size)
            defer { bench.clean() }
            for benchmark in chosen {
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
    let run: @Sendable (Bench) throws -> [Figure]

    static let all = [
        Benchmark(name: "hello", title: "hello: the smallest answer against nginx", run: measureHello),
        Benchmark(name: "reverse", title: "reverse: names for positions", run: measureReverse),
        Benchmark(name: "pins", title: "pins: lists of a viewer with 500 friends", run: measurePins),
        Benchmark(name: "commit", title: "commit: writers that wait together", run: measureCommit),
        Benchmark(name: "start", title: "start: ready, and what it takes of memory", run: measureStart),
    ]

    static var names: String { all.map(\.name).joined(separator: ", ") }
}

/// What the benchmarks share: where they write, and how large they are.
struct Bench: Sendable {
    /// Absolute. Holds the results, the worlds, and a data folder whose gazetteer is loaded.
    let output: String
    let size: Int
    private let scratch: String

    /// - Throws: `CommandFailure`.
    init(output: String, size: Int) throws {
        self.output = URL(fileURLWithPath: output).path
        self.size = size
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

    /// Folders of runs that were killed.
    private static func removeLeftovers(in output: String) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: output)) ?? [] {
            guard name.hasPrefix("run-"), let pid = pid_t(name.dropFirst(4)), kill(pid, 0) != 0, errno == ESRCH else {
                continue
            }
            try? FileManager.default.removeItem(atPath: "\(output)/\(name)")
        }
    }

    /// Tells on standard error what is going on.
    func say(_ line: String) { complain("bench: \(line)") }
}
