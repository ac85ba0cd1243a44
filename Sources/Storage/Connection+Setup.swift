import CSQLite

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
        let watchdog = try Watchdog(interrupting: handle, after: milliseconds)
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
