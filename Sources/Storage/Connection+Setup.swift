import CSQLite
import Dispatch

extension Connection {
    /// The settings of this connection alone, which change nothing in the file.
    func tune(cacheKiB: Int, mmapBytes: Int) throws {
        try control("PRAGMA mmap_size = \(max(mmapBytes, 0))")
        try control("PRAGMA cache_size = -\(max(cacheKiB, 64))")
        try control("PRAGMA temp_store = MEMORY")
        try control("PRAGMA secure_delete = OFF")
        try control("PRAGMA foreign_keys = ON")
    }

    /// Runs `body` in a deferred transaction: one snapshot.
    func reading<T>(_ body: (ReadTransaction) throws -> T) throws -> T {
        try control("BEGIN")
        defer {
            // A read leaves nothing to keep; an error may have ended it already.
            if !isIdle { try? control("ROLLBACK") }
        }
        return try body(ReadTransaction(connection: self))
    }

    /// Looks for damage for at most `milliseconds`, so that a large file does not hold up the start.
    ///
    /// - Returns: what is wrong, in SQLite's words, or nil when nothing was found in the time.
    func quickCheck(milliseconds: Int) throws -> String? {
        // This version of SQLite walks a whole tree in one step, where no progress handler is asked; an interrupt is seen.
        let watchdog = Watchdog(interrupting: handle, after: milliseconds)
        defer { watchdog.cancel() }
        do {
            let finding = try controlText("PRAGMA quick_check(1)")
            // What an interrupted check reports is not to be trusted.
            if watchdog.cancel() { return nil }
            return finding == "ok" ? nil : finding
        } catch let error as DatabaseError where error.primaryCode == SQLITE_INTERRUPT {
            return nil
        }
    }
}

/// Interrupts a connection when the time is up, and never once it is cancelled.
private final class Watchdog: Sendable {
    private let stop = DispatchSemaphore(value: 0)
    private let done = DispatchSemaphore(value: 0)
    private let outcome = Outcome()

    /// Written by the waiting thread before it signals `done`, read after that.
    private final class Outcome: @unchecked Sendable {
        var fired = false
        var isCancelled = false
    }

    init(interrupting handle: OpaquePointer, after milliseconds: Int) {
        // The connection outlives the watchdog: `cancel` waits for the thread.
        nonisolated(unsafe) let handle = handle
        let (stop, done, outcome) = (stop, done, outcome)
        DispatchQueue.global().async {
            if stop.wait(timeout: .now() + .milliseconds(milliseconds)) == .timedOut {
                outcome.fired = true
                sqlite3_interrupt(handle)
            }
            done.signal()
        }
    }

    /// Whether it had struck already.
    @discardableResult
    func cancel() -> Bool {
        if !outcome.isCancelled {
            outcome.isCancelled = true
            stop.signal()
            done.wait()
        }
        return outcome.fired
    }
}
