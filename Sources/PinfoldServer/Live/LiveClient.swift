import HTTP
import SocialModel
import Synchronization

/// Somebody's live connection, from its opening on.
final class LiveClient: Sendable {
    /// Who is signed in on it, and until when.
    struct Pass: Sendable {
        let viewer: Identifier<User>
        /// What has signed them in, as in `Viewer`.
        let session: Identifier<Session>
        /// Milliseconds since 1970.
        let expiresAt: Int64
    }

    struct State: Sendable {
        var pass: Pass?
        /// Its token is being looked at.
        var isSigningIn = false
        /// What it is told goes on behind this.
        var cursor: LogCursor?
        var isClosed = false
        /// It was told which friends are here.
        var knowsPresence = false
    }

    let connection: LiveConnection
    /// When it was opened, milliseconds since 1970.
    let openedAt: Int64
    let state: Mutex<State>

    init(_ connection: LiveConnection, _ pass: Pass?, after cursor: LogCursor?, openedAt: Int64) {
        self.connection = connection
        self.openedAt = openedAt
        state = Mutex(State(pass: pass, cursor: cursor))
    }

    var pass: Pass? { state.withLock { $0.pass } }

    /// Nobody has signed in on it or is about to.
    var isAnonymous: Bool { state.withLock { $0.pass == nil && !$0.isSigningIn } }

    /// Whether it may sign in, once: from now on it is about to.
    func beginSigningIn() -> Bool {
        state.withLock { state in
            guard state.pass == nil, !state.isSigningIn else { return false }
            state.isSigningIn = true
            return true
        }
    }
}

extension LiveClose {
    static let signInMissing = LiveClose(4401, "unauthorized")
    static let sessionEnded = LiveClose(4401, "session-ended")
    static let tokenExpired = LiveClose(4401, "token-expired")
    static let cursorExpired = LiveClose(4410, "cursor-expired")
    static let cursorRefused = LiveClose(4400, "invalid-cursor")
    static let fault = LiveClose(1011, "internal-error")
}
