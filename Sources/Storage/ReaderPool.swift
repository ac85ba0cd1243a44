import Dispatch
import Synchronization

/// The connections that read, made when they are first needed, up to a limit. The one used last is used next, since its
/// cache is warm.
final class ReaderPool: Sendable {
    /// Unchecked, since a connection in the list is used by nobody, and taking it out makes it the taker's alone.
    private struct Idle: @unchecked Sendable {
        let connection: Connection
    }

    private struct State {
        var idle: [Idle] = []
        var open = 0
        var isClosed = false
    }

    private let limit: Int
    private let state = Mutex(State())
    private let permits: DispatchSemaphore
    private let make: @Sendable () throws -> Connection

    init(limit: Int, make: @escaping @Sendable () throws -> Connection) {
        self.limit = max(limit, 1)
        self.make = make
        permits = DispatchSemaphore(value: max(limit, 1))
    }

    /// The connections that are open.
    var open: Int { state.withLock { $0.open } }

    /// Runs `body` in a transaction on a connection of its own, waiting for one when all are in use.
    func read<T>(_ body: (ReadTransaction) throws -> T) throws -> T {
        permits.wait()
        defer { permits.signal() }
        let connection = try take()
        defer { give(connection) }
        return try connection.reading(body)
    }

    /// Lets no more reads in, waits for those that run, and closes the connections.
    func close() {
        state.withLock { $0.isClosed = true }
        for _ in 0..<limit { permits.wait() }
        let idle = state.withLock { state in
            defer { state = State(isClosed: true) }
            return state.idle
        }
        withExtendedLifetime(idle) {}
        for _ in 0..<limit { permits.signal() }
    }

    private func take() throws -> Connection {
        let idle = try state.withLock { state -> Idle? in
            if state.isClosed { throw DatabaseClosed() }
            return state.idle.popLast()
        }
        if let idle { return idle.connection }
        let connection = try make()
        state.withLock { $0.open += 1 }
        return connection
    }

    private func give(_ connection: Connection) {
        let idle = Idle(connection: connection)
        state.withLock { $0.idle.append(idle) }
    }
}
