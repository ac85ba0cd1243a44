import CSQLite

/// Moves the write-ahead log back into the database, on the writer alone and between its transactions.
///
/// A checkpoint that cannot finish, because a read still needs the log or the disk is full, harms nobody: the log keeps
/// what was written, and it is tried again once the log has grown.
final class Checkpointer {
    private let connection: Connection
    /// A log of this many pages is copied back without waiting for anyone.
    private let limit: Int
    /// The pages of the log after the last commit.
    private(set) var pages = 0
    private var nextAt: Int
    private var busyMilliseconds: Int32

    init(connection: Connection, limit: Int, busyMilliseconds: Int) {
        self.connection = connection
        self.limit = limit
        self.busyMilliseconds = Int32(clamping: busyMilliseconds)
        nextAt = limit
        sqlite3_wal_hook(
            connection.handle,
            { context, _, _, pages in
                guard let context else { return SQLITE_OK }
                Unmanaged<Checkpointer>.fromOpaque(context).takeUnretainedValue().didCommit(pages: Int(pages))
                return SQLITE_OK
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit {
        sqlite3_wal_hook(connection.handle, nil, nil)
    }

    /// After a group: copies back what is over the limit, and starts the log afresh when it is far over.
    func afterGroup() {
        guard pages >= nextAt else { return }
        checkpoint(pages >= 8 * limit ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE, waiting: 20)
        nextAt = pages + limit / 2 + 1
    }

    /// When nobody writes: empties the log, if no read needs it.
    func whenIdle() {
        guard pages > 0 else { return }
        checkpoint(SQLITE_CHECKPOINT_TRUNCATE, waiting: 0)
    }

    private func didCommit(pages now: Int) {
        if now < pages { nextAt = limit }
        pages = now
    }

    private func checkpoint(_ mode: Int32, waiting milliseconds: Int32) {
        sqlite3_busy_timeout(connection.handle, milliseconds)
        defer { sqlite3_busy_timeout(connection.handle, busyMilliseconds) }
        let result = sqlite3_wal_checkpoint_v2(connection.handle, "main", mode, nil, nil)
        if result == SQLITE_OK, mode == SQLITE_CHECKPOINT_TRUNCATE {
            pages = 0
            nextAt = limit
        }
    }
}
