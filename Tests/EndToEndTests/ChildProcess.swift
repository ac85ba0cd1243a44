import CLinux
import Foundation
import Synchronization

/// A program that runs beside the tests, its output in files; killed when the last reference goes.
final class ChildProcess: Sendable {
    enum Ending: Equatable {
        case exit(Int32)
        case signal(Int32)
    }

    private struct State {
        var ending: Ending?
    }

    let id: pid_t
    private let files: TemporaryFolder
    private let state = Mutex(State())

    /// - Parameter environment: all that it gets, beside PATH and HOME: no proxy and no `PINFOLD_*` of the outside.
    init(_ words: [String], environment: [String: String] = [:]) throws {
        files = try TemporaryFolder()
        var all = ["LC_ALL": "C.UTF-8"]
        for name in ["PATH", "HOME", "TMPDIR"] { all[name] = ProcessInfo.processInfo.environment[name] }
        all.merge(environment) { $1 }

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, files.file("output"), O_WRONLY | O_CREAT, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, files.file("error"), O_WRONLY | O_CREAT, 0o600)
        // Other tests have sockets open, and a connection that another program holds too does not end when this one
        // closes it.
        posix_spawn_file_actions_addclosefrom_np(&actions, 3)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        // A server that ran in this process may have had it ignored.
        var ignored = sigset_t()
        sigemptyset(&ignored)
        sigaddset(&ignored, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &ignored)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        var argv = words.map { strdup($0) } + [nil]
        var envp = all.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in argv + envp { free(text) } }
        var id: pid_t = 0
        let result = posix_spawnp(&id, words[0], &actions, &attributes, &argv, &envp)
        guard result == 0 else { throw Failure("\(words[0]) cannot be started: \(String(cString: strerror(result)))") }
        self.id = id
    }

    deinit {
        guard ending == nil else { return }
        kill(id, SIGKILL)
        waitpid(id, nil, 0)
    }

    var output: String { text("output") }
    var error: String { text("error") }

    /// How it ended, nil while it runs.
    var ending: Ending? {
        state.withLock { state in
            var status: Int32 = 0
            if state.ending == nil, waitpid(id, &status, WNOHANG) == id {
                state.ending = status & 0x7f == 0 ? .exit(status >> 8 & 0xff) : .signal(status & 0x7f)
            }
            return state.ending
        }
    }

    func send(_ signal: Int32) {
        state.withLock { if $0.ending == nil { _ = kill(id, signal) } }
    }

    func wait(within limit: Duration = .seconds(60)) throws -> Ending {
        try eventually("the end of process \(id)", within: limit) { ending }
    }

    private func text(_ name: String) -> String {
        String(decoding: FileManager.default.contents(atPath: files.file(name)) ?? Data(), as: UTF8.self)
    }
}
