import CLinux
import Foundation

/// The program `chromedriver`, which starts Chromiums and passes commands on to them. It ends, and all its Chromiums with
/// it, when the last reference goes or this process ends, however it ends.
package final class ChromeDriver: Sendable {
    let port: UInt16
    /// Holds the Chromiums' profiles; goes with them.
    let folder: String
    /// The end of this pipe is the sign to stop.
    private let lifeline: Int32
    private let shell: pid_t

    /// A shell that reads from the lifeline outlives this process by a moment, and ends what it started.
    private static let script = """
        setsid chromedriver --port=0 --log-level=SEVERE >"$1/chromedriver.log" 2>&1 </dev/null &
        read -r _
        kill -s KILL -- -$!
        wait
        rm -rf "$1"
        """

    /// - Throws: `WebDriverError`, which says what to install if the program is missing.
    package init() throws {
        try Self.requireInstalled()
        folder = FileManager.default.temporaryDirectory.appending(path: "pinfold-browser-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        (shell, lifeline) = try Self.start(["/bin/sh", "-c", Self.script, "sh", folder])
        do { port = try Self.port(in: folder + "/chromedriver.log") } catch {
            close(lifeline)
            waitpid(shell, nil, 0)
            throw error
        }
    }

    deinit {
        close(lifeline)
        waitpid(shell, nil, 0)
    }

    private static func requireInstalled() throws {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        for program in ["chromedriver", "chromium"] {
            guard folders.contains(where: { access("\($0)/\(program)", X_OK) == 0 }) else {
                throw WebDriverError(
                    "\(program) is not installed; install the Debian packages chromium and chromium-driver, "
                        + "as `make test` does")
            }
        }
    }

    /// Starts a program in a process group of its own, so that a Ctrl-C in the terminal leaves it the time to clear up.
    ///
    /// - Returns: its id, and the writing end of a pipe to its standard input, which no other program inherits.
    private static func start(_ words: [String]) throws -> (pid_t, Int32) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw WebDriverError("chromedriver: there is no pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
        // Whoever reads the output of this process waits for the shell as well otherwise.
        for descriptor in Int32(1)...2 {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
        }
        // A connection that another program holds too does not end when this one closes it.
        posix_spawn_file_actions_addclosefrom_np(&actions, 3)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigaddset(&signals, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))

        // Chromium reads more of it than is worth naming; a proxy of the outside is none of the tests' business.
        let environment = ProcessInfo.processInfo.environment.filter { !$0.key.lowercased().hasSuffix("_proxy") }
        var argv = words.map { strdup($0) } + [nil]
        var envp = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in argv + envp { free(text) } }
        var id: pid_t = 0
        let result = posix_spawn(&id, words[0], &actions, &attributes, &argv, &envp)
        close(ends[0])
        guard result == 0 else {
            close(ends[1])
            throw WebDriverError("chromedriver cannot be started: \(String(cString: strerror(result)))")
        }
        return (id, ends[1])
    }

    /// The free port that the program took, which it writes to its log.
    private static func port(in log: String) throws -> UInt16 {
        let end = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < end {
            let text = String(decoding: FileManager.default.contents(atPath: log) ?? Data(), as: UTF8.self)
            if let range = text.range(of: "started successfully on port "),
                let port = UInt16(text[range.upperBound...].prefix { $0.isNumber }),
                text[range.upperBound...].contains("\n")
            {
                return port
            }
            usleep(5_000)
        }
        let text = String(decoding: FileManager.default.contents(atPath: log) ?? Data(), as: UTF8.self)
        throw WebDriverError("chromedriver did not start: \(text)")
    }

    /// Sends one command of the standard (W3C WebDriver 2, 6) and gives its `value`.
    ///
    /// - Throws: `WebDriverError`, with the standard's code where the driver or the browser refuses.
    func command(_ method: String, _ path: String, _ body: JSON? = nil) throws -> JSON {
        let data = method == "POST" ? try JSONEncoder().encode(body ?? [:]) : nil
        let answer = try PlainHTTP.exchange(port: port, method, path, body: data, limit: .seconds(120))
        guard let value = try JSONDecoder().decode(JSON.self, from: answer.body)["value"] else {
            throw WebDriverError("chromedriver answered \(method) \(path) without a value")
        }
        guard answer.status == 200 else {
            throw WebDriverError(
                code: value["error"]?.text, value["message"]?.text ?? "chromedriver answered \(answer.status)")
        }
        return value
    }
}
