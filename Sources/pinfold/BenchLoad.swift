import Foundation

/// Load on a server by wrk, and what it cost the server.
struct Load {
    let server: BenchServer
    let target: String
    var headers: [String] = []
    /// Lua for wrk, where requests vary.
    var script: String?
    var connections = 64

    /// Microseconds of the server's CPU for one request, over `seconds` of load.
    ///
    /// The process's own accounting is the honest figure on a machine that runs the load generator as well.
    /// - Throws: `CommandFailure`, also if any request was not answered with 2xx.
    func cpuPerRequest(_ bench: Bench, seconds: Int) throws -> Double {
        let output = bench.temporary("wrk.txt")
        var arguments = ["-t2", "-c\(connections)", "-d\(seconds)s", "--timeout", "10s"]
        for header in headers { arguments += ["-H", header] }
        if let script {
            let path = bench.temporary("wrk.lua")
            try script.write(toFile: path, atomically: true, encoding: .utf8)
            arguments += ["-s", path]
        }
        let before = server.process.cpuSeconds
        let wrk = try BenchProcess("wrk", arguments + [server.url + target], output: output, errors: output)
        guard wrk.wait(seconds: Double(seconds) + 20) else { throw CommandFailure("wrk fails: \(Self.read(output))") }
        let spent = server.process.cpuSeconds - before
        let text = Self.read(output)
        if text.contains("Non-2xx") || text.contains("Socket errors") {
            throw CommandFailure("the load met errors:\n\(text)")
        }
        guard let requests = Self.requests(text), requests > 0 else {
            throw CommandFailure("wrk does not say how many requests it made:\n\(text)")
        }
        return spent / Double(requests) * 1e6
    }

    private static func read(_ path: String) -> String {
        (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    }

    /// `  123456 requests in 3.00s, 12.34MB read`
    private static func requests(_ text: String) -> Int? {
        text.split(separator: "\n").first { $0.contains(" requests in ") }?
            .split(separator: " ").first.flatMap { Int($0) }
    }

    /// Medians of the loads' costs, which take turns, so that whatever disturbs the machine disturbs all alike.
    static func compare(_ bench: Bench, _ loads: [Load], rounds: Int = 5, seconds: Int = 2) throws -> [Double] {
        for load in loads { _ = try load.cpuPerRequest(bench, seconds: 1) }
        var costs = [[Double]](repeating: [], count: loads.count)
        for _ in 0..<rounds {
            for (index, load) in loads.enumerated() {
                costs[index].append(try load.cpuPerRequest(bench, seconds: seconds))
            }
        }
        return costs.map(median)
    }
}
