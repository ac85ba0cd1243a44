import Dispatch
import Synchronization

/// The result of a write that a thread blocks for.
package final class Waiting<T: Sendable>: Sendable {
    private let value = Mutex<Result<T, any Error>?>(nil)
    private let isDone = DispatchSemaphore(value: 0)

    package init() {}

    /// Called once.
    package func finish(_ result: Result<T, any Error>) {
        value.withLock { $0 = result }
        isDone.signal()
    }

    /// Blocks until there is one.
    package func result() -> Result<T, any Error> {
        while true {
            if let result = value.withLock({ $0 }) { return result }
            isDone.wait()
        }
    }
}
