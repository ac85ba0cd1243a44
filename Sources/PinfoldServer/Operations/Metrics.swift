import Foundation
import HTTP
import Storage
import Synchronization

/// What the service counts of itself, as OpenMetrics text (OpenMetrics 1.0).
package final class Metrics: Sendable {
    /// What is counted of one route: one look-up a request.
    private struct RouteCounts {
        struct Row {
            let method: String
            let status: Int
            var count: UInt64
        }

        /// Few, so they are searched from the front.
        var requests: [Row] = []
        var counts = [UInt64](repeating: 0, count: Metrics.bounds.count + 1)
        var sum = 0.0

        mutating func count(_ method: String, _ status: Int, bucket: Int, seconds: Double) {
            counts[bucket] += 1
            sum += seconds
            if let row = requests.firstIndex(where: { $0.status == status && $0.method == method }) {
                requests[row].count += 1
            } else {
                requests.append(Row(method: method, status: status, count: 1))
            }
        }
    }

    /// The upper bounds of the duration buckets, in seconds.
    private static let bounds = [0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5]
    /// Methods that have a row of their own; a client may send any word as a method.
    private static let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

    private struct State {
        var routes: [String: RouteCounts] = [:]
        var bytes: UInt64 = 0
    }

    private let state = Mutex(State())
    private let openConnections = Mutex<@Sendable () -> (http: Int, live: Int)>({ (0, 0) })

    package init() {}

    /// Says where the numbers of open connections are to be had: of HTTP, and of WebSockets and event streams.
    package func watchConnections(_ count: @escaping @Sendable () -> (http: Int, live: Int)) {
        openConnections.withLock { $0 = count }
    }

    package func count(_ exchange: Exchange) {
        let route = exchange.pattern ?? "none"
        let method = Self.methods.contains(exchange.method) ? exchange.method : "other"
        let seconds = Double(exchange.nanoseconds) / 1e9
        let bucket = Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count
        state.withLock { state in
            state.routes[route, default: RouteCounts()]
                .count(method, exchange.status, bucket: bucket, seconds: seconds)
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
        let routes = state.routes.sorted { $0.key < $1.key }
        for (route, counts) in routes {
            for row in counts.requests.sorted(by: { ($0.status, $0.method) < ($1.status, $1.method) }) {
                text += "pinfold_http_requests_total{method=\"\(row.method)\",route=\"\(route)\""
                text += ",status=\"\(row.status)\"} \(row.count)\n"
            }
        }
        text += """
            # TYPE pinfold_http_request_duration_seconds histogram
            # UNIT pinfold_http_request_duration_seconds seconds
            # HELP pinfold_http_request_duration_seconds From the request line to the last byte of the answer.

            """
        for (route, histogram) in routes {
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
        let open = openConnections.withLock { $0 }()
        text += single("http_open_connections", "gauge", "Connections open now.", Double(open.http))
        text += single("live_open_connections", "gauge", "WebSockets and event streams open now.", Double(open.live))
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
