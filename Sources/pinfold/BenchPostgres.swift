import Foundation

/// A PostgreSQL with PostGIS of the benchmark's own, tuned for the machine, on a socket that nobody else finds. It ends
/// with the benchmark, even if that is killed; what was loaded stays for the next run.
final class BenchPostgres {
    private let process: BenchProcess
    private let socket: String
    let folder: String
    /// 15.8 and so on, with PostGIS's.
    private(set) var version = ""

    /// Starts it on the cluster in a folder, which it makes if there is none.
    ///
    /// - Throws: `CommandFailure`, `PostgresError`.
    init(_ bench: Bench, name: String) throws {
        guard let programs = Self.programs() else {
            throw CommandFailure("PostgreSQL is not found; `make bench` installs what the benchmarks need")
        }
        folder = try Self.folder(bench, name)
        if !FileManager.default.fileExists(atPath: "\(folder)/data/PG_VERSION") {
            let log = bench.temporary("initdb.log")
            let initdb = try BenchProcess(
                "\(programs)/initdb",
                ["-D", "\(folder)/data", "-U", "bench", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8"],
                output: log, errors: log, user: Self.user)
            guard initdb.wait(seconds: 120) else {
                throw CommandFailure("initdb fails: \((try? String(contentsOfFile: log, encoding: .utf8)) ?? "")")
            }
        }
        // Short, for a socket's path has at most 107 bytes.
        Bench.removeLeftovers(in: "/tmp", prefix: "pinfold-bench-")
        socket = "/tmp/pinfold-bench-\(getpid())"
        try Self.make(socket)
        let settings = Self.settings(socket).flatMap { ["-c", "\($0)=\($1)"] }
        let log = bench.temporary("postgres.log")
        process = try BenchProcess(
            "\(programs)/postgres", ["-D", "\(folder)/data"] + settings, output: log, errors: log, user: Self.user,
            stop: SIGINT)
        let end = Clock.monotonic() + 60
        while true {
            do {
                let connection = try connect()
                try connection.run("CREATE EXTENSION IF NOT EXISTS postgis")
                version = try connection.run(
                    "SELECT current_setting('server_version') || ', PostGIS ' || postgis_lib_version()"
                ).text(0, 0)
                break
            } catch  where process.isRunning && Clock.monotonic() < end {
                usleep(50_000)
            } catch {
                let reason = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
                throw CommandFailure("PostgreSQL does not start: \(error)\n\(reason.suffix(2000))")
            }
        }
    }

    deinit {
        process.stop()
        try? FileManager.default.removeItem(atPath: socket)
    }

    /// libpq's connection string.
    var target: String { "host=\(socket) user=bench dbname=postgres options='-c client_min_messages=warning'" }

    func connect() throws -> PostgresConnection { try PostgresConnection(target) }

    /// The newest version's folder that Debian has.
    private static func programs() -> String? {
        let root = "/usr/lib/postgresql"
        let versions = ((try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []).compactMap { Int($0) }
        return versions.max().map { "\(root)/\($0)/bin" }
    }

    /// PostgreSQL does not run as root; Debian's package has made a user for it.
    private static var user: String? { geteuid() == 0 ? "postgres" : nil }

    /// Where its data goes: with the other results, or, where its user may not enter there, in `/var/tmp`.
    private static func folder(_ bench: Bench, _ name: String) throws -> String {
        let beside = "\(bench.output)/\(name)"
        var above = URL(fileURLWithPath: bench.output)
        var isOpen = true
        while above.path != "/" {
            var status = stat()
            isOpen = isOpen && stat(above.path, &status) == 0 && status.st_mode & 0o001 != 0
            above.deleteLastPathComponent()
        }
        let folder = user == nil || isOpen ? beside : "/var/tmp/pinfold-bench-\(name)"
        try make(folder)
        return folder
    }

    /// A folder for the user that PostgreSQL runs as.
    private static func make(_ path: String) throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        guard let user, let entry = getpwnam(user)?.pointee else { return }
        guard chown(path, entry.pw_uid, entry.pw_gid) == 0 else {
            throw CommandFailure("\(path) cannot be given to the user \(user)")
        }
    }

    private static func settings(_ socket: String) -> [(String, String)] {
        let megabytes = Int(ProcessInfo.processInfo.physicalMemory >> 20)
        return [
            ("listen_addresses", ""), ("unix_socket_directories", socket), ("unix_socket_permissions", "0700"),
            ("shared_buffers", "\(min(4_096, megabytes / 4))MB"), ("effective_cache_size", "\(megabytes * 3 / 4)MB"),
            ("work_mem", "256MB"), ("maintenance_work_mem", "1GB"), ("max_wal_size", "8GB"),
            ("random_page_cost", "1.1"), ("jit", "off"), ("max_parallel_workers", "2"),
            ("max_parallel_workers_per_gather", "2"), ("synchronous_commit", "on"), ("fsync", "on"),
            ("wal_compression", "off"), ("max_connections", "60"), ("huge_pages", "try"), ("logging_collector", "off"),
        ]
    }
}
