import Dispatch
import Foundation
import HTTP
import SocialModel
import Storage
import Synchronization

/// Tells everybody who is connected what happens to what they see.
///
/// After each COMMIT its thread reads the log behind the place that it has come to, decides in one snapshot who may see
/// what, and hands messages to the loop. A client that comes back with a cursor is told the part before by other threads,
/// one at a time, until it has caught up with that place and joins: then it is told each thing once, whichever way.
final class LiveHub: Sendable {
    struct State {
        /// All that are open, by the connection's id.
        var clients: [UInt64: LiveClient] = [:]
        /// Those that have joined, by account.
        var joined: [Int64: [LiveClient]] = [:]
        /// The log is told up to here.
        var position: Int64 = 0
        /// Those of them who were told more than that when they joined, and up to where.
        var ahead: [(client: LiveClient, place: Int64)] = []
        /// Clients with something to catch up on.
        var behind: [LiveClient] = []
        /// Who came or went since it was last told.
        var presenceChanges: Set<Int64> = []
        /// Who is known to be here, and since when they are away.
        var present: Set<Int64> = []
        var awaySince: [Int64: Int64] = [:]
        var isStopping = false

        /// - Returns: whether the client had joined.
        @discardableResult
        mutating func leave(_ client: LiveClient, of viewer: Int64) -> Bool {
            guard var clients = joined[viewer], let index = clients.firstIndex(where: { $0 === client }) else {
                return false
            }
            clients.remove(at: index)
            joined[viewer] = clients.isEmpty ? nil : clients
            return true
        }
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
    /// Threads that let clients catch up: after a restart thousands come back at once.
    private static let backlogThreads = max(2, min(4, ProcessInfo.processInfo.activeProcessorCount))
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
            var nextLook = DispatchTime.now()
            while !isStopping {
                _ = news.wait(timeout: .now() + Self.tick)
                isNewsPending.store(false, ordering: .sequentiallyConsistent)
                attempt("telling live connections") { try tellNews() }
                // It goes through all connections: not after each of many commits.
                guard DispatchTime.now() >= nextLook else { continue }
                nextLook = .now() + Self.tick
                attempt("looking after live connections") { try lookAfter() }
            }
        }
        for _ in 0..<Self.backlogThreads {
            startThread("live-backlog") { [self] in
                while !isStopping {
                    backlogs.wait()
                    guard let client = state.withLock({ $0.behind.popLast() }) else { continue }
                    catchUp(client)
                }
            }
        }
    }

    /// Ends the threads; the connections are the server's to close.
    func stop() {
        database.observeCommits(nil)
        state.withLock { $0.isStopping = true }
        news.signal()
        for _ in 0..<Self.backlogThreads { backlogs.signal() }
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

    /// Something was committed.
    func wake() {
        if !isNewsPending.exchange(true, ordering: .sequentiallyConsistent) { news.signal() }
    }

    // MARK: Connections

    func opened(_ client: LiveClient) {
        state.withLock { $0.clients[client.connection.id] = client }
        guard client.pass != nil else { return }
        if client.connection.transport == .eventStream, let cursor = client.state.withLock({ $0.cursor }) {
            client.connection.send(.place(cursors.seal(cursor)))
        }
        queue(client)
    }

    func closed(_ client: LiveClient) {
        client.state.withLock { $0.isClosed = true }
        state.withLock { state in
            state.clients[client.connection.id] = nil
            state.ahead.removeAll { $0.client === client }
            guard let viewer = client.pass?.viewer.rawValue else { return }
            state.leave(client, of: viewer)
            if state.joined[viewer] == nil { state.presenceChanges.insert(viewer) }
        }
    }

    /// Has another thread tell the client what it has missed.
    func queue(_ client: LiveClient) {
        state.withLock { $0.behind.insert(client, at: 0) }
        backlogs.signal()
    }

    /// A client that was told all up to `place` is told what follows by the thread of news; false if that is further already.
    func join(_ client: LiveClient, at place: Int64) -> Bool {
        state.withLock { state in
            guard state.position <= place, let pass = client.pass else { return false }
            let isOpen = client.state.withLock { client in
                client.cursor = .at(place)
                return !client.isClosed
            }
            if isOpen {
                state.joined[pass.viewer.rawValue, default: []].append(client)
                if place > state.position { state.ahead.append((client, place)) }
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
            // Nobody else moves it.
            let start = state.withLock { $0.position }
            let target = min(end, start + Self.batch)
            guard target > start else { return false }
            do { try tell(from: start, to: target, end: end, in: read) } catch {
                // This part is not told again. Who comes back with a cursor is told it, and sessions are looked at.
                for client in state.withLock({ Array($0.clients.values) }) { client.connection.close(.fault) }
                throw error
            }
            return target < end
        }
    }

    private func tell(from start: Int64, to target: Int64, end: Int64, in read: ReadTransaction) throws {
        let all = try log(from: start, to: end, in: read)
        let entries = target == end ? all : all.filter { $0.sequence <= target }
        // The snapshot is that of the end, so whoever turned up to there is told by the other thread.
        let joined = step(from: start, to: target, turned: Set(all.filter(\.isTurn).map(\.account)))
        endSessions(entries)
        presenceMayChange(entries)
        if joined.isEmpty { return }
        let round = NewsRound(entries, from: start, to: target, joined: joined, in: read, planner, cursors)
        try round.tell { message, connections in
            guard let loop = connections.first?.loop else { return }
            while loop.waitingCommands > Self.loopLimit, !isStopping { usleep(200) }
            loop.send(message, to: connections)
        }
    }

    private func log(from start: Int64, to end: Int64, in read: ReadTransaction) throws -> [LogEntry] {
        let part = try planner.tail.entries(after: start, upTo: end, in: read)
        return try part.map(Array.init) ?? LogEntry.all(after: start, upTo: end, in: read)
    }

    /// Moves on, so that whoever joins from here on has been told all of the batch.
    ///
    /// - Returns: who is to be told the batch. Whoever sees other people's pins, or other circles' ones, than before is told
    ///   it by the other thread, in the way of whoever was away: who could see what, and when, is decided in one place.
    private func step(from start: Int64, to target: Int64, turned: Set<Int64>) -> [Int64: [LiveClient]] {
        let (joined, behind) = state.withLock { state in
            state.position = target
            var behind: [LiveClient] = []
            let ahead = state.ahead
            for (client, place) in ahead where place > start && place < target {
                guard let viewer = client.pass?.viewer.rawValue, state.leave(client, of: viewer) else { continue }
                behind.append(client)
            }
            for viewer in turned {
                for client in state.joined.removeValue(forKey: viewer) ?? [] {
                    client.state.withLock { client in
                        client.cursor = .at(max(start, client.cursor?.start ?? 0))
                    }
                    behind.append(client)
                }
            }
            state.ahead = ahead.filter { ahead in ahead.place > target && !behind.contains { $0 === ahead.client } }
            var joined = state.joined
            for (client, place) in ahead where place >= target {
                guard let viewer = client.pass?.viewer.rawValue else { continue }
                joined[viewer]?.removeAll { $0 === client }
            }
            return (joined, behind)
        }
        behind.forEach(queue)
        return joined
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
