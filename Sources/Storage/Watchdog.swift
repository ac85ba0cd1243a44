import CSQLite
import Dispatch
import Synchronization

/// Interrupts a connection when the time is up, and never once it is cancelled.
final class Watchdog {
    private let stop = DispatchSemaphore(value: 0)
    private let fired = Fired()
    private var thread: DedicatedThread?

    private final class Fired: Sendable {
        let value = Atomic(false)
    }

    /// `cancel` must be called before the connection closes.
    init(interrupting handle: OpaquePointer, after milliseconds: Int) throws {
        // An interrupt is the one call that may come from another thread, and `cancel` waits for that thread.
        nonisolated(unsafe) let handle = handle
        let (stop, fired) = (stop, fired)
        thread = try DedicatedThread {
            guard stop.wait(timeout: .now() + .milliseconds(milliseconds)) == .timedOut else { return }
            fired.value.store(true, ordering: .releasing)
            sqlite3_interrupt(handle)
        }
    }

    /// Whether it had struck already.
    @discardableResult
    func cancel() -> Bool {
        if let thread {
            stop.signal()
            thread.join()
        }
        thread = nil
        return fired.value.load(ordering: .acquiring)
    }
}
