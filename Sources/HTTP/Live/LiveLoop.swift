import CWslay
import Glibc
import Synchronization

/// One thread with one epoll set that serves all live connections. It never waits for anything but the set: no database,
/// no lock that is held for long.
///
/// Other threads talk to it by commands, which it takes in order. Those that wait together are all looked at before
/// anything is sent, so that what they say to one connection goes out in one call.
package final class LiveLoop: Sendable {
    enum Command {
        case adopt(LiveConnection, first: [UInt8])
        case send(LiveMessage, [LiveConnection])
        case sendOne(LiveMessage, LiveConnection)
        case close(LiveConnection, LiveClose)
        case whenDrained(LiveConnection, @Sendable (Bool) -> Void)
        case perform(@Sendable () -> Void)
        case stop(grace: Duration)
    }

    private struct Inbox {
        var commands: [Command] = []
        /// The thread waits for the set, and must be woken.
        var isAsleep = false
        /// The thread has ended, or was never started.
        var isOver = true
    }

    let limits: LiveLimits
    private let inbox = Mutex(Inbox())
    private let descriptors = Mutex((epoll: Int32(-1), event: Int32(-1)))
    private let open = Atomic(0)

    init(_ limits: LiveLimits) {
        self.limits = limits
    }

    deinit {
        descriptors.withLock { descriptors in
            if descriptors.epoll >= 0 { Glibc.close(descriptors.epoll) }
            if descriptors.event >= 0 { Glibc.close(descriptors.event) }
        }
    }

    /// Connections that are open or closing.
    package var count: Int { open.load(ordering: .relaxed) }

    /// Commands that the loop has yet to look at: whoever sends much can see whether it keeps up.
    package var waitingCommands: Int { inbox.withLock { $0.commands.count } }

    /// Sends one message to many connections of this loop; its bytes are made once.
    package func send(_ message: LiveMessage, to connections: [LiveConnection]) { post(.send(message, connections)) }

    /// Calls `body` on the loop's thread after what was asked for before, or at once when the server has stopped. It must
    /// not block.
    package func perform(_ body: @escaping @Sendable () -> Void) { post(.perform(body)) }

    /// - Throws: `ListenError` when the system gives no descriptors or thread.
    func start() throws(ListenError) {
        let epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        let event = eventfd(0, Int32(EFD_NONBLOCK) | Int32(EFD_CLOEXEC))
        descriptors.withLock { $0 = (epoll, event) }
        guard epoll >= 0, event >= 0 else {
            throw ListenError(description: "there are no descriptors for live connections")
        }
        inbox.withLock { $0.isOver = false }
        let isStarted = startThread { [self] in
            LiveLoopThread(self, epoll: epoll, event: event).run()
        }
        guard isStarted else {
            inbox.withLock { $0.isOver = true }
            throw ListenError(description: "there is no thread for live connections")
        }
    }

    /// Says goodbye to all connections, and ends the thread when they are closed or `grace` is over. Does not wait.
    func stop(grace: Duration) { post(.stop(grace: grace)) }

    /// The thread has ended: no handler is called any more.
    var isOver: Bool { inbox.withLock { $0.isOver } }

    func post(_ command: Command) {
        let (isTaken, mustWake) = inbox.withLock { inbox in
            if inbox.isOver { return (false, false) }
            inbox.commands.append(command)
            defer { inbox.isAsleep = false }
            return (true, inbox.isAsleep)
        }
        if !isTaken { return refuse(command) }
        if mustWake {
            var one: UInt64 = 1
            write(descriptors.withLock { $0.event }, &one, 8)
        }
    }

    /// The commands that wait, and none twice.
    func takeCommands() -> [Command] {
        inbox.withLock { inbox in
            inbox.isAsleep = false
            defer { inbox.commands = [] }
            return inbox.commands
        }
    }

    /// Whether the thread may wait: from now on it is woken.
    func fallAsleep() -> Bool {
        inbox.withLock { inbox in
            inbox.isAsleep = inbox.commands.isEmpty
            return inbox.isAsleep
        }
    }

    func count(_ change: Int) { open.add(change, ordering: .relaxed) }

    /// The thread ends. What was asked for and not done is answered.
    func finish() {
        let left = inbox.withLock { inbox in
            inbox.isOver = true
            defer { inbox.commands = [] }
            return inbox.commands
        }
        for command in left { refuse(command) }
    }

    private func refuse(_ command: Command) {
        switch command {
        case .adopt(let connection, _):
            if connection.descriptor >= 0 { Glibc.close(connection.descriptor) }
            connection.descriptor = -1
            connection.phase = .gone
            connection.reservation = nil
            connection.ended?()
        case .whenDrained(_, let body): body(false)
        case .perform(let body): body()
        case .send, .sendOne, .close, .stop: break
        }
    }
}
