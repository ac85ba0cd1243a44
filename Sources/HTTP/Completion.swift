import CMicroHTTPD
import Synchronization

/// The one answer of a request whose work goes on outside the HTTP thread.
///
/// The work may end before, while or after the HTTP thread suspends the connection; whoever comes second acts, so that
/// the connection is resumed exactly once, and never before it is suspended.
final class Completion: Sendable {
    typealias Outcome = Result<Response, any Error>

    private enum State {
        case starting
        case suspended(Connection)
        case completed(Outcome)
        case taken
    }

    /// The library's connection. It lives as long as it is suspended.
    struct Connection: @unchecked Sendable {  // the library lets any thread resume a connection
        let pointer: OpaquePointer
    }

    private let state = Mutex(State.starting)
    private let onResume: @Sendable (Completion) -> Void

    /// - Parameter onResume: called after the connection was resumed, when the library is done with the caller's thread.
    init(onResume: @escaping @Sendable (Completion) -> Void) {
        self.onResume = onResume
    }

    /// Sets the outcome, on any thread; all calls but the first are ignored.
    func complete(_ outcome: Outcome) {
        let waiting: Connection? = state.withLock { state in
            switch state {
            case .starting:
                state = .completed(outcome)
                return nil
            case .suspended(let connection):
                state = .completed(outcome)
                return connection
            case .completed, .taken: return nil
            }
        }
        guard let waiting else { return }
        MHD_resume_connection(waiting.pointer)
        onResume(self)
    }

    /// On the HTTP thread, after the work has been started: suspends the connection, unless the outcome is there.
    ///
    /// - Parameter permission: asked last; false leaves the connection running.
    /// - Returns: false if the connection was not suspended: the outcome can be taken, or there was no permission.
    func suspend(_ connection: OpaquePointer, permission: () -> Bool) -> Bool {
        let connection = Connection(pointer: connection)
        return state.withLock { state in
            guard case .starting = state, permission() else { return false }
            MHD_suspend_connection(connection.pointer)
            state = .suspended(connection)
            return true
        }
    }

    /// The outcome, once; nil if it is not there.
    func take() -> Outcome? {
        state.withLock { state in
            guard case .completed(let outcome) = state else { return nil }
            state = .taken
            return outcome
        }
    }
}
