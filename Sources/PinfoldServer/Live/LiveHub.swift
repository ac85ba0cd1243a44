import Dispatch
import Foundation
import HTTP
import SocialModel
import Storage
import Synchronization

/// Tells everybody who is connected what happens to what they see.
///
/// After each COMMIT its thread reads the log behind the place that it has come to, decides in one snapshot who may see
/// what, and hands messages to the loop. A client that comes back with a cursor is told the part before by another thread,
/// until it has caught up with that place and joins: then it is told each thing once, whichever way.
final class LiveHub: Sendable {
    struct State {
        /// All that are open, by the connection's id.
        var clients: [UInt64: LiveClient] = [:]
        /// Those that have joined, by account.
        var joined: [Int64: [LiveClient]] = [:]
        /// The log is told up to here.
        var position: Int64 = 0
        /// Clients with something to catch up on.
        var behind: [LiveClient] = []
        /// Who came or went since it was last told.
        var presenceChanges: Set<Int64> = []
        /// Who is known to be here, and since when they are away.
        var present: Set<Int64> = []
        var awaySince: [Int64: Int64] = [:]
        var isStopping = false
    }

    let database: DatabasePool
    let planner: PinPlanner
    let cursors: LogCursorSeal
    let clock: @Sendable () -> Int64
    let log: Log
    let state = Mutex(State())
    private let news = DispatchSemaphore(value: 0)
    private let isNewsPending = Atomic(false)
    let backlogs = DispatchSemaphore(value: 0)
    private let threads = DispatchGroup()

    /// The most entries of the log that are told at once.
    private static let batch: Int64 = 5_000
    /// Between two looks at what time alone changes, in seconds.
    private static let tick = 1.0
    /// How long a WebSocket may take to sign in, in milliseconds.
    private static let signInTime: Int64 = 10_000
    /// Commands that the loop may be behind by before no more are made.
    private static let loopLimit = 2_000

    init(
        _ database: DatabasePool, _ planner: PinPlanner, _ cursors: LogCursorSeal,
        clock: @escaping @Sendable () -> Int64, log: Log
    ) {
        self.database = database
        self.planner = planner
        self.cursors = cursors
        self.clock = clock
        self.log = log
    }

    // MARK: Running

    func start() throws {
        let end = try database.read { try LogEntry.ends(in: $0).end }
        state.withLock { $0.position = end }
        database.observeCommits { [self] in wake() }
        startThread("live") { [self] in
            while !isStopping {
                _ = news.wait(timeout: .now() + Self.tick)
                isNewsPending.store(false, ordering: .sequentiallyConsistent)
                attempt("telling live connections") { try tellNews() }
                attempt("looking after live connections") { try lookAfter() }
            }
        }
        startThread("live-backlog") { [self] in
            while !isStopping {
                backlogs.wait()
                guard let client = state.withLock({ $0.behind.popLast() }) else { continue }
                catchUp(client)
            }
        }
    }

    /// Ends the threads; the connections are the server's to close.
    func stop() {
        database.observeCommits(nil)
        state.withLock { $0.isStopping = true }
        news.signal()
        backlogs.signal()
        threads.wait()
    }

    private var isStopping: Bool { state.withLock { $0.isStopping } }

    private func startThread(_ name: String, _ body: @escaping @Sendable () -> Void) {
        threads.enter()
        let thread = Thread { [threads] in
            body()
            threads.leave()
        }
        thread.name = name
        thread.start()
    }

    private func attempt(_ what: String, _ body: () throws -> Void) {
        do { try body() } catch {
            if !isStopping { log.error("\(what) failed", ["error": String(describing: error)]) }
        }
    }

    private func wake() {
        if !isNewsPending.exchange(true, ordering: .sequentiallyConsistent) { news.signal() }
    }

    // MARK: Connections

    func opened(_ client: LiveClient) {
        state.withLock { $0.clients[client.connection.id] = client }
        if client.pass != nil { queue(client) }
    }

    func closed(_ client: LiveClient) {
        client.state.withLock { $0.isClosed = true }
        state.withLock { state in
            state.clients[client.connection.id] = nil
            guard let viewer = client.pass?.viewer.rawValue, var clients = state.joined[viewer] else { return }
            clients.removeAll { $0 === client }
            state.joined[viewer] = clients.isEmpty ? nil : clients
            if clients.isEmpty { state.presenceChanges.insert(viewer) }
        }
    }

    /// Has the other thread tell the client what it has missed.
    func queue(_ client: LiveClient) {
        state.withLock { $0.behind.insert(client, at: 0) }
        backlogs.signal()
    }

    /// A client that was told all up to `place` is told what follows by the other thread; false if that is further already.
    func join(_ client: LiveClient, at place: Int64) -> Bool {
        state.withLock { state in
            guard state.position <= place, let pass = client.pass else { return false }
            let isOpen = client.state.withLock { client in
                client.cursor = .at(place)
                client.isJoined = !client.isClosed
                return client.isJoined
            }
            if isOpen {
                state.joined[pass.viewer.rawValue, default: []].append(client)
                state.presenceChanges.insert(pass.viewer.rawValue)
            }
            return true
        }
    }

    // MARK: News

    private func tellNews() throws {
        while try tellBatch() {}
    }

    /// - Returns: whether there may be more.
    private func tellBatch() throws -> Bool {
        try database.read { read in
            let end = try LogEntry.ends(in: read).end
            // Whoever joins from here on has been told all of the batch.
            let (start, target, joined) = state.withLock { state in
                let start = state.position
                state.position = max(start, min(end, start + Self.batch))
                return (start, state.position, state.joined)
            }
            guard target > start else { return false }
            do { try tell(from: start, to: target, joined, in: read) } catch {
                // This part is not told again. Who comes back with a cursor is told it, and sessions are looked at.
                for client in state.withLock({ Array($0.clients.values) }) { client.connection.close(.fault) }
                throw error
            }
            return target < end
        }
    }

    private func tell(
        from start: Int64, to target: Int64, _ joined: [Int64: [LiveClient]], in read: ReadTransaction
    ) throws {
        let part = try planner.tail.entries(after: start, upTo: target, in: read)
        let entries = try part.map(Array.init) ?? LogEntry.all(after: start, upTo: target, in: read)
        endSessions(entries)
        presenceMayChange(entries)
        if joined.isEmpty { return }
        let round = try NewsRound(entries, from: start, to: target, joined: joined, in: read, planner, cursors)
        try round.tell { message, connections in
            guard let loop = connections.first?.loop else { return }
            while loop.waitingCommands > Self.loopLimit, !isStopping { usleep(200) }
            loop.send(message, to: connections)
        }
    }

    private func endSessions(_ entries: [LogEntry]) {
        let ended = Set(entries.filter { $0.kind == .sessionEnded }.map(\.subject))
        guard !ended.isEmpty else { return }
        let clients = state.withLock { Array($0.clients.values) }
        for client in clients where client.pass.map({ ended.contains($0.session.rawValue) }) ?? false {
            client.connection.close(.sessionEnded)
        }
    }

    /// Closes what has had its time, and tells who is here.
    private func lookAfter() throws {
        let now = clock()
        let clients = state.withLock { Array($0.clients.values) }
        for client in clients {
            if let pass = client.pass {
                if pass.expiresAt <= now { client.connection.close(.tokenExpired) }
            } else if client.openedAt + Self.signInTime <= now {
                client.connection.close(.signInMissing)
            }
        }
        try tellPresence(at: now)
    }
}
