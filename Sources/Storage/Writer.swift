import CSQLite
import Synchronization

/// The one writer: a thread with its own connection, which takes the writes that wait together into one transaction,
/// so that they share one flush to the disk.
final class Writer: Sendable {
    /// What the thread works with. Unchecked, since it is handed from the opening thread to the writer's thread, and
    /// from there, once that has ended, to the closing one; no two use it at once.
    private final class Work: @unchecked Sendable {
        let connection: Connection
        let commits: GroupCommit
        let checkpointer: Checkpointer

        init(connection: Connection, commits: GroupCommit, checkpointer: Checkpointer) {
            self.connection = connection
            self.commits = commits
            self.checkpointer = checkpointer
        }
    }

    private enum Stage {
        case running(DedicatedThread, Work)
        case drained(Work)
        case closed
    }

    let queue: WriteQueue
    private let groupLimit: Int
    private let counts = WriteCounts()
    private let stage = Mutex<Stage>(.closed)
    private static let idleMilliseconds = 1_000

    /// Starts the thread. The connection is the writer's from now on.
    init(
        connection: sending Connection, floor: Int64, configuration: DatabasePool.Configuration
    ) throws {
        queue = WriteQueue(limit: configuration.queueLimit)
        groupLimit = max(configuration.groupLimit, 1)
        let commits = GroupCommit(
            connection: connection, identifiers: IdentifierSource(floor: floor), clock: configuration.clock,
            counts: counts)
        let checkpointer = Checkpointer(
            connection: connection, limit: configuration.checkpointPages,
            busyMilliseconds: configuration.busyMilliseconds)
        let work = Work(connection: connection, commits: commits, checkpointer: checkpointer)
        let thread = try DedicatedThread { [self] in loop(work) }
        stage.withLock { $0 = .running(thread, work) }
    }

    /// What it has done. A write is counted before its completion is called.
    var numbers: WriteCounts.Numbers { counts.numbers }

    func observeCommits(_ body: (@Sendable () -> Void)?) { counts.observe(body) }

    /// The caller is on the writer's thread, in a write or a completion.
    var isCurrentThread: Bool {
        stage.withLock { stage in
            if case .running(let thread, _) = stage { return thread.isCurrent }
            return false
        }
    }

    /// Lets no more writes in, and waits until those that wait are done.
    func drain() {
        queue.close()
        guard case .running(let thread, let work) = stage.withLock({ $0 }) else { return }
        thread.join()
        stage.withLock { $0 = .drained(work) }
    }

    /// Empties the log into the database and closes the connection. It must be the last one, and `drain` was called.
    func close() {
        stage.withLock { stage in
            guard case .drained(let work) = stage else { return }
            work.checkpointer.whenIdle()
            // Now that nobody else has the file open, SQLite may also remove the log.
            csqlite_set_checkpoint_on_close(work.connection.handle, 1)
            stage = .closed
        }
    }

    private func loop(_ work: Work) {
        while true {
            switch queue.next(groupLimit, within: Self.idleMilliseconds) {
            case .writes(let writes):
                work.commits.perform(writes)
                work.checkpointer.afterGroup()
                counts.update { $0.walPages = work.checkpointer.pages }
            case .idle:
                work.checkpointer.whenIdle()
                counts.update { $0.walPages = work.checkpointer.pages }
            case .closed:
                return
            }
        }
    }
}
