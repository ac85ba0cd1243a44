import Foundation

/// A server that is measured, on a port of its own.
struct BenchServer {
    let process: BenchProcess
    let port: UInt16

    var url: String { "http://127.0.0.1:\(port)" }

    /// This very program as `serve`, with its access log in a file and without rate limits.
    ///
    /// - Parameter patience: seconds to wait for it; the first start in a folder loads the gazetteer.
    /// - Throws: `CommandFailure`.
    static func pinfold(_ bench: Bench, data: String, patience: Double = 300) throws -> BenchServer {
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let port = Loopback.freePort()
        let log = bench.temporary("access-\(port).log")
        let process = try BenchProcess(
            program, ["serve", "--data", data, "--port", String(port), "--rate-limits", "off"], errors: log)
        let server = BenchServer(process: process, port: port)
        guard server.isReady(at: "/ready", within: patience, poll: 1000) else {
            let reason = (try? String(contentsOfFile: log, encoding: .utf8))?.split(separator: "\n").last ?? ""
            throw CommandFailure("the server to measure does not start: \(reason)")
        }
        return server
    }

    /// nginx serving one static file at `/hello`, as it comes from Debian but for its access log, which it writes to a
    /// file in pieces as ours is written.
    ///
    /// - Throws: `CommandFailure`.
    static func nginx(_ bench: Bench, file: [UInt8]) throws -> BenchServer {
        let port = Loopback.freePort()
        let folder = bench.temporary("nginx-\(port)")
        try FileManager.default.createDirectory(atPath: "\(folder)/html", withIntermediateDirectories: true)
        try Data(file).write(to: URL(fileURLWithPath: "\(folder)/html/hello"))
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map {
            "\($0)_temp_path \(folder)/\($0);"
        }
        let configuration = """
            \(geteuid() == 0 ? "user root;" : "")
            worker_processes \(max(2, ProcessInfo.processInfo.activeProcessorCount));
            daemon off;
            pid \(folder)/pid;
            error_log \(folder)/error.log;
            events { worker_connections 1024; }
            http {
                access_log \(folder)/access.log combined buffer=64k flush=1s;
                sendfile on;
                tcp_nopush on;
                keepalive_timeout 65;
                keepalive_requests 1000000000;
                default_type application/json;
                \(temporary.joined(separator: "\n    "))
                server {
                    listen 127.0.0.1:\(port) reuseport backlog=4096;
                    root \(folder)/html;
                }
            }
            """
        try configuration.write(toFile: "\(folder)/nginx.conf", atomically: true, encoding: .utf8)
        let process = try BenchProcess(
            "nginx", ["-e", "\(folder)/error.log", "-p", folder, "-c", "\(folder)/nginx.conf"],
            errors: "\(folder)/start.log")
        let server = BenchServer(process: process, port: port)
        guard server.isReady(at: "/hello", within: 10, poll: 5000) else {
            let reason = try? String(contentsOfFile: "\(folder)/error.log", encoding: .utf8)
            throw CommandFailure("nginx does not start: \(reason?.split(separator: "\n").last ?? "")")
        }
        return server
    }

    /// Asks again until the answer is 200; `poll` in microseconds.
    func isReady(at target: String, within seconds: Double, poll: UInt32) -> Bool {
        let end = Clock.monotonic() + seconds
        while process.isRunning, Clock.monotonic() < end {
            if let answer = BenchClient(port: port)?.get(target), answer.status == 200 { return true }
            usleep(poll)
        }
        return false
    }

    /// One answer.
    ///
    /// - Throws: `CommandFailure` unless it is 200.
    func get(_ target: String, headers: [String] = []) throws -> [UInt8] {
        guard let answer = BenchClient(port: port)?.get(target, headers: headers) else {
            throw CommandFailure("no answer to \(target)")
        }
        guard answer.status == 200 else {
            throw CommandFailure("\(target): \(answer.status) \(String(decoding: answer.body, as: UTF8.self))")
        }
        return answer.body
    }
}
