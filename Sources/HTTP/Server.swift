import CMicroHTTPD
import Glibc
import Synchronization

/// An HTTP/1.1 server: libmicrohttpd, and in front of it all the checks and deadlines that it leaves to its user.
///
/// Each of its threads has its own listening socket, epoll set and connections. TLS and HTTP/2 are a proxy's business.
package final class Server: Sendable {
    /// A library's daemon, used from the thread that starts and stops it.
    private struct Daemon: @unchecked Sendable {  // the library locks for itself what is called here
        let pointer: OpaquePointer
    }

    private enum State {
        case new
        case running([Daemon], port: UInt16)
        case stopped(port: UInt16)
    }

    let configuration: Configuration
    let router: Router
    let respond: @Sendable (any Error, Request) -> Response
    let observe: @Sendable (Exchange) -> Void
    let peers = PeerTable()
    /// Serves the connections that have become WebSockets or event streams.
    package let live: LiveLoop
    let pool: WorkerPool
    let bodies: BodyBudget
    let identifiers = RequestIdentifiers()
    /// Requests whose connections are suspended. The library aborts the process if one is left when it stops.
    let suspended = Mutex<[ObjectIdentifier: Completion]>([:])
    let isDraining = Atomic(false)
    /// Set when stopping waits no longer. Nothing is suspended from then on, which `suspended`'s lock sees to.
    let isAbandoning = Atomic(false)
    private let isStopped = Atomic(false)
    private let state = Mutex(State.new)

    /// - Parameters:
    ///   - respond: makes the answer of every error, those included that are found before there is a whole request:
    ///     then the request has what could be read. Called on any thread.
    ///   - observe: called after an answer was sent, on the HTTP thread.
    package init(
        _ configuration: Configuration, router: Router,
        respond: @escaping @Sendable (any Error, Request) -> Response,
        observe: @escaping @Sendable (Exchange) -> Void = { _ in }
    ) {
        self.configuration = configuration
        self.router = router
        self.respond = respond
        self.observe = observe
        live = LiveLoop(configuration.live)
        bodies = BodyBudget(limit: configuration.bodyBudget)
        pool = WorkerPool(threads: configuration.poolThreads, capacity: configuration.poolQueue)
    }

    /// The port that is listened on; 0 before `start`.
    package var port: UInt16 {
        state.withLock { state in
            switch state {
            case .new: 0
            case .running(_, let port), .stopped(let port): port
            }
        }
    }

    /// Connections for requests, and event streams.
    package var openConnections: Int { peers.count }

    /// Listens, and serves from then on. A server starts once.
    ///
    /// Writing to a closed connection must not end the process, so `SIGPIPE` is ignored from here on.
    /// - Throws: `ListenError`.
    package func start() throws {
        signal(SIGPIPE, SIG_IGN)
        try state.withLock { state in
            guard case .new = state else { throw ListenError(description: "the server was started before") }
            let threads = max(1, configuration.threads)
            let (descriptors, port) = try ListeningSockets.open(
                host: configuration.host, port: configuration.port, count: threads)
            do { try live.start() } catch {
                for descriptor in descriptors { close(descriptor) }
                throw error
            }
            var daemons: [Daemon] = []
            for (index, descriptor) in descriptors.enumerated() {
                guard let daemon = startDaemon(on: descriptor) else {
                    for descriptor in descriptors[index...] { close(descriptor) }
                    for daemon in daemons { MHD_stop_daemon(daemon.pointer) }
                    live.stop(grace: .zero)
                    throw ListenError(description: "cannot start an HTTP thread: \(String(cString: strerror(errno)))")
                }
                daemons.append(Daemon(pointer: daemon))
            }
            state = .running(daemons, port: port)
        }
        _ = startThread { [self] in reap() }
        // The daemons call back with a pointer to this server.
        _ = Unmanaged.passRetained(self)
    }

    /// Stops: takes no new connections, answers what has begun for at most `drain`, then ends the rest; requests that
    /// are still being worked on are answered with 503. Live connections are closed with 1001 at the beginning. Returns when all threads have left the server. Not to be called
    /// from a handler. A second call does nothing.
    package func stop(drain: Duration) {
        let daemons: [Daemon] = state.withLock { state in
            switch state {
            case .running(let daemons, let port):
                state = .stopped(port: port)
                return daemons
            case .new:
                state = .stopped(port: 0)
                return []
            case .stopped: return []
            }
        }
        if daemons.isEmpty { return }
        isDraining.store(true, ordering: .releasing)
        let listening = daemons.map { MHD_quiesce_daemon($0.pointer) }.filter { $0 >= 0 }
        // Refuses clients from here on. The descriptors stay until the threads are gone: one may be about to accept, and
        // must not find a socket that was opened since under the same number.
        for descriptor in listening { shutdown(descriptor, Int32(SHUT_RDWR)) }
        // Live connections would go on for ever. They are told while the requests under way are answered.
        live.stop(grace: min(max(drain, Self.shortestGoodbye), Self.longestGoodbye))
        let end = monotonicNow() + drain.nanoseconds
        while peers.count > 0, monotonicNow() < end {
            peers.cutIdle(since: monotonicNow() - Self.idleGrace)
            usleep(5000)
        }
        while !live.isOver { usleep(1000) }
        abandonSuspended()
        peers.cutAll()
        for daemon in daemons { MHD_stop_daemon(daemon.pointer) }
        for descriptor in listening { close(descriptor) }
        isStopped.store(true, ordering: .releasing)
        pool.close()
        Unmanaged.passUnretained(self).release()
    }

    /// Answers for those who work too long, until no connection is suspended.
    private func abandonSuspended() {
        isAbandoning.store(true, ordering: .releasing)
        while true {
            let left = suspended.withLock { Array($0.values) }
            if left.isEmpty { break }
            for completion in left { completion.complete(.failure(HTTPError.unavailable(retryAfter: 1))) }
            usleep(1000)
        }
        // What was resumed has yet to be answered by its HTTP thread.
        let end = monotonicNow() + Self.lastAnswers
        while peers.isAnyAnswering, monotonicNow() < end { usleep(1000) }
    }

    private func reap() {
        let times = [configuration.headerTime, configuration.bodyTime, configuration.idleTime]
        let shortest = times.map(\.nanoseconds).min() ?? 0
        let tick = UInt32(max(2000, min(250_000, shortest / 4000)))
        while !isStopped.load(ordering: .acquiring) {
            usleep(tick)
            peers.cutExpired(now: monotonicNow()) { farewell(.requestTimeout) }
        }
    }

    /// How long a connection without a request is left alone when the server stops: its request may be on the way.
    private static let idleGrace = Duration.milliseconds(50).nanoseconds
    /// For live connections to close when the server stops.
    private static let shortestGoodbye = Duration.milliseconds(100)
    private static let longestGoodbye = Duration.seconds(1)
    private static let lastAnswers = Duration.milliseconds(500).nanoseconds
}
