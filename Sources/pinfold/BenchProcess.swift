import Foundation

/// A program that a benchmark runs: it ends with the benchmark, even if that is killed.
final class BenchProcess {
    let pid: pid_t
    private var status: Int32?
    private let stopSignal: Int32

    /// Starts `program` with its output in files.
    ///
    /// - Parameters:
    ///   - program: found on the PATH or in `/usr/sbin`.
    ///   - user: whom it runs as; nil for this process's own.
    ///   - stopSignal: what asks it to end: `SIGTERM` or `SIGINT`.
    /// - Throws: `CommandFailure`.
    init(
        _ program: String, _ arguments: [String], output: String = "/dev/null", errors: String = "/dev/null",
        user: String? = nil, stop stopSignal: Int32 = SIGTERM
    ) throws {
        self.stopSignal = stopSignal
        // So that no way for this process to end leaves the program behind: the kernel sends it the signal.
        guard let setpriv = Self.find("setpriv") else { throw CommandFailure("setpriv of util-linux is not found") }
        guard let path = Self.find(program) else {
            throw CommandFailure("\(program) is not found; `make bench` installs what the benchmarks need")
        }
        let identity = user.map { ["--reuid", $0, "--regid", $0, "--init-groups"] } ?? []
        let words = [setpriv] + identity + ["--pdeathsig", stopSignal == SIGINT ? "INT" : "TERM", path] + arguments
        // Options of the server and a proxy could come from there.
        let environment = ProcessInfo.processInfo.environment.filter { name, _ in
            !name.hasPrefix("PINFOLD_") && !name.lowercased().hasSuffix("_proxy")
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        var child = pid_t()
        var argv: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        var envp: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in argv + envp { free(text) } }
        let result = posix_spawn(&child, setpriv, &actions, nil, &argv, &envp)
        guard result == 0 else {
            throw CommandFailure("\(program) cannot be started: \(String(cString: strerror(result)))")
        }
        pid = child
    }

    deinit { stop() }

    static func find(_ program: String) -> String? {
        if program.contains("/") { return program }
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        for folder in path.split(separator: ":").map(String.init) + ["/usr/sbin"]
        where access("\(folder)/\(program)", X_OK) == 0 { return "\(folder)/\(program)" }
        return nil
    }

    var isRunning: Bool {
        if status == nil {
            var ended: Int32 = 0
            if waitpid(pid, &ended, WNOHANG) == pid { status = ended }
        }
        return status == nil
    }

    /// Waits for the end; ends the program itself when the time is up.
    ///
    /// - Returns: whether it ended by itself with exit code 0.
    func wait(seconds: Double) -> Bool {
        let end = Clock.monotonic() + seconds
        while isRunning, Clock.monotonic() < end { usleep(2000) }
        if isRunning {
            stop()
            return false
        }
        return status == 0
    }

    /// Asks it to end, and makes it after some seconds.
    func stop() {
        guard isRunning else { return }
        kill(pid, stopSignal)
        let end = Clock.monotonic() + 15
        while isRunning, Clock.monotonic() < end { usleep(2000) }
        guard isRunning else { return }
        kill(pid, SIGKILL)
        waitpid(pid, &status.fill, 0)
    }

    /// Seconds of CPU that it and its children have had, from the kernel's accounting (proc(5), `stat`).
    var cpuSeconds: Double {
        var ticks = 0.0
        for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? [] {
            guard let id = pid_t(name), let fields = Self.stat(id) else { continue }
            // Fields 4, 14 and 15 of the line: the parent, and the time in user and kernel mode.
            if id == pid || pid_t(fields[1]) == pid { ticks += (Double(fields[11]) ?? 0) + (Double(fields[12]) ?? 0) }
        }
        return ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// The fields behind the command's name, which may hold anything.
    private static func stat(_ id: pid_t) -> [Substring]? {
        guard let text = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8),
            let end = text.lastIndex(of: ")")
        else { return nil }
        let fields = text[text.index(after: end)...].split(separator: " ")
        return fields.count > 12 ? fields : nil
    }

    /// Resident memory in MB (1e6 bytes), from `/proc/PID/status`.
    var residentMegabytes: Double? {
        let text = (try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)) ?? ""
        return text.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }?
            .split(whereSeparator: { !$0.isNumber }).first.flatMap { Double($0) }.map { $0 * 1024 / 1e6 }
    }

    /// Of that what is mapped from a file, by the end of its path, from `/proc/PID/smaps`.
    func residentMegabytes(of file: String) -> Double? {
        guard let maps = fopen("/proc/\(pid)/smaps", "r") else { return nil }
        defer { fclose(maps) }
        var isFile = false
        var kilobytes = 0.0
        var buffer = [CChar](repeating: 0, count: 8192)
        while fgets(&buffer, Int32(buffer.count), maps) != nil {
            let bytes = buffer.prefix { $0 != 0 && $0 != 0x0A }.map(UInt8.init(bitPattern:))
            let line = String(decoding: bytes, as: UTF8.self)
            // A mapping begins with its addresses; what is told of it, with a name and a colon.
            if line.prefix(while: { $0 != " " }).contains("-") { isFile = line.hasSuffix(file) }
            guard isFile, line.hasPrefix("Rss:") else { continue }
            kilobytes += line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Double($0) } ?? 0
        }
        return kilobytes * 1024 / 1e6
    }
}

extension Int32? {
    /// Where a C function writes the number.
    fileprivate var fill: Int32 {
        get { self ?? 0 }
        set { self = newValue }
    }
}

/// The system's clocks, in seconds.
enum Clock {
    static func monotonic() -> Double { read(CLOCK_MONOTONIC) }

    /// CPU time of the calling thread.
    static func threadCPU() -> Double { read(CLOCK_THREAD_CPUTIME_ID) }

    /// CPU time of this process.
    static func processor() -> Double { read(CLOCK_PROCESS_CPUTIME_ID) }

    private static func read(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
