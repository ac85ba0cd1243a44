import Dispatch
import Synchronization

/// One write that waits for the writer.
struct PendingWrite: Sendable {
    /// Runs the write and returns what tells its owner of the success, to be called after COMMIT.
    let run: @Sendable (WriteTransaction) throws -> @Sendable () -> Void
    /// Tells its owner of a failure.
    let fail: @Sendable (any Error) -> Void
}

/// The writes that wait, first in first out and no more than a limit.
final class WriteQueue: Sendable {
    enum Batch {
        case writes([PendingWrite])
        /// Nothing came within the time.
        case idle
        /// Nothing is left and nothing more will come.
        case closed
    }

    private struct State {
        var waiting: [PendingWrite] = []
        var isClosed = false
    }

    private let limit: Int
    private let state = Mutex(State())
    private let wakeUp = DispatchSemaphore(value: 0)

    init(limit: Int) {
        self.limit = limit
    }

    var count: Int { state.withLock { $0.waiting.count } }

    /// - Throws: `DatabaseBusy` when the queue is full, `DatabaseClosed`.
    func append(_ write: PendingWrite) throws {
        let wasEmpty = try state.withLock { state in
            if state.isClosed { throw DatabaseClosed() }
            if state.waiting.count >= limit { throw DatabaseBusy() }
            state.waiting.append(write)
            return state.waiting.count == 1
        }
        if wasEmpty { wakeUp.signal() }
    }

    /// Waits for writes and takes up to `limit` of them.
    func next(_ limit: Int, within milliseconds: Int) -> Batch {
        let deadline = DispatchTime.now() + .milliseconds(milliseconds)
        while true {
            let batch: Batch? = state.withLock { state in
                if state.waiting.isEmpty { return state.isClosed ? .closed : nil }
                let taken = Array(state.waiting.prefix(limit))
                state.waiting.removeFirst(taken.count)
                return .writes(taken)
            }
            if let batch { return batch }
            if wakeUp.wait(timeout: deadline) == .timedOut { return .idle }
        }
    }

    /// Lets nothing more in.
    func close() {
        state.withLock { $0.isClosed = true }
        wakeUp.signal()
    }
}
