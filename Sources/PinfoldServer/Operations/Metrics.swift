import Foundation
import HTTP
import Storage
import Synchronization

/// What the service counts of itself, as OpenMetrics text (OpenMetrics 1.0).
package final class Metrics: Sendable {
    private struct Key: Hashable {
        let method: String
        let route: String
        let status: Int
    }

    private struct Histogram {
        var counts = [UInt64](repeating: 0, count: Metrics.bounds.count + 1)
        var sum = 0.0
    }

    /// The upper bounds of the duration buckets, in seconds.
    private static let bounds = [0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5]
    /// Methods that have a row of their own; a client may send any word as a method.
    private static let methods: Set<String> = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

    private struct State {
        var requests: [Key: UInt64] = [:]
        var durations: [String: Histogram] = [:]
        var bytes: UInt64 = 0
    }

    private let state = Mutex(State())
    private let openConnections = Mutex<@Sendable () -> Int>({ 0 })

    package init() {}

    /// Says where the number of open connections is to be had.
    package func watchConnections(_ count: @escaping @Sendable () -> Int) {
        openConnections.withLock { $0 = count }
    }

    package func count(_ exchange: Exchange) {
        let route = exchange.pattern ?? "none"
        let method = Self.methods.contains(exchange.method) ? exchange.method : "other"
        let seconds = exchange.duration / .seconds(1)
        let bucket = Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count
        state.withLock { state in
            state.requests[Key(method: method, route: route, status: exchange.status), default: 0] += 1
            state.durations[route, default: Histogram()].counts[bucket] += 1
            state.durations[route, default: Histogram()].sum += seconds
            state.bytes += UInt64(exchange.bytes)
        }
    }

    /// The exposition, ending in `# EOF`.
    func text(_ database: DatabasePool.Statistics) -> String {
        let state = state.withLock { $0 }
        var text = """
            # TYPE pinfold_http_requests counter
            # HELP pinfold_http_requests Requests answered.

            """
        for (key, count) in state.requests.sorted(by: { ($0.key.route, $0.key.status) < ($1.key.route, $1.key.status) })
        {
            text += "pinfold_http_requests_total{method=\"\(key.method)\",route=\"\(key.route)\""
            text += ",status=\"\(key.status)\"} \(count)\n"
        }
        text += """
            # TYPE pinfold_http_request_duration_seconds histogram
            # UNIT pinfold_http_request_duration_seconds seconds
            # HELP pinfold_http_request_duration_seconds From the request line to the last byte of the answer.

            """
        for (route, histogram) in state.durations.sorted(by: { $0.key < $1.key }) {
            let name = "pinfold_http_request_duration_seconds"
            var running: UInt64 = 0
            for (bound, count) in zip(Self.bounds.map(\.description) + ["+Inf"], histogram.counts) {
                running += count
                text += "\(name)_bucket{route=\"\(route)\",le=\"\(bound)\"} \(running)\n"
            }
            text += "\(name)_sum{route=\"\(route)\"} \(histogram.sum)\n"
            text += "\(name)_count{route=\"\(route)\"} \(running)\n"
        }
        text += single("http_response_bytes", "counter", "Bytes of bodies sent.", Double(state.bytes), unit: "bytes")
        text += single(
            "http_open_connections", "gauge", "Connections open now.", Double(openConnections.withLock { $0 }()))
        text += single("database_groups", "counter", "Transactions of the writer.", Double(database.groups))
        text += single("database_writes", "counter", "Writes committed in them.", Double(database.writes))
        text += single("database_failures", "counter", "Writes that failed.", Double(database.failures))
        text += single("database_queued_writes", "gauge", "Writes that wait.", Double(database.queued))
        text += single(
            "database_size_bytes", "gauge", "Size of the database.", Double(database.databaseBytes), unit: "bytes")
        text += single("database_wal_pages", "gauge", "Pages in the write-ahead log.", Double(database.walPages))
        let process = ProcessFigures()
        text += single(
            "process_cpu_seconds", "counter", "CPU time of the process.", process.cpuSeconds, prefix: "",
            unit: "seconds")
        text += single(
            "process_resident_memory_bytes", "gauge", "Resident memory.", process.residentBytes, prefix: "",
            unit: "bytes")
        return text + "# EOF\n"
    }

    private func single(
        _ name: String, _ type: String, _ help: String, _ value: Double, prefix: String = "pinfold_",
        unit: String? = nil
    ) -> String {
        let name = prefix + name
        let unit = unit.map { "# UNIT \(name) \($0)\n" } ?? ""
        let number = value == value.rounded() ? String(Int64(value)) : value.description
        return "# TYPE \(name) \(type)\n\(unit)# HELP \(name) \(help)\n"
            + "\(name)\(type == "counter" ? "_total" : "") \(number)\n"
    }
}

/// The process's own accounting, from the kernel.
struct ProcessFigures {
    let cpuSeconds: Double
    let residentBytes: Double

    init() {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        cpuSeconds = seconds(usage.ru_utime) + seconds(usage.ru_stime)
        // proc(5): the second number of statm is the resident pages.
        let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?
            .split(separator: " ").dropFirst().first.flatMap { Double($0) }
        residentBytes = (pages ?? 0) * Double(sysconf(Int32(_SC_PAGESIZE)))
    }
}
