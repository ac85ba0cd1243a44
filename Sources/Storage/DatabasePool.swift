import Dispatch
import Synchronization

/// A database file: one writer, readers up to a limit, each with SpatiaLite.
///
/// No two pools, of one process or of several, have the same file open.
package final class DatabasePool: Sendable {
    package struct Configuration: Sendable {
        package var path: String
        /// The most reads that run at once; more wait.
        package var readers = 8
        /// The tables (and virtual tables over them, which answer from their own copies) that a reader's statement
        /// reads only with a `Grant`, directly, through views or any other way. At most 64.
        package var guardedTables: Set<String> = []
        /// What the schema and the statements may call besides SQLite's and SpatiaLite's functions.
        package var functions: [SQLFunction] = []
        /// Milliseconds since 1970.
        package var clock: @Sendable () -> Int64
        /// How long a statement waits for a lock that another process holds.
        package var busyMilliseconds = 5_000
        /// How long the search for damage may hold up the start; a large file is searched only in part.
        package var checkMilliseconds = 30
        package var writerCacheKiB = 64 * 1_024
        package var readerCacheKiB = 4 * 1_024
        /// How much of the file is mapped into memory: more than its size is best.
        package var mmapBytes = 1 << 31 - 1
        /// Prepared statements kept for each connection.
        package var statements = 256
        /// The most writes that share one transaction.
        package var groupLimit = 256
        /// The most writes that wait.
        package var queueLimit = 4_096
        /// Pages of the write-ahead log after which it is copied back into the database.
        package var checkpointPages = 4_000
        /// The size that the database may grow to, in pages of 4 KiB; nil for what the disk holds.
        package var maximumPages: Int?
        /// Told of the text of each statement of a caller when a connection prepares it: for tests that ask how SQLite
        /// runs it. Called on the thread that prepares.
        package var onPrepare: (@Sendable (String) -> Void)?

        package init(path: String, clock: @escaping @Sendable () -> Int64) {
            self.path = path
            self.clock = clock
        }
    }

    /// What the pool has done since it was opened.
    package struct Statistics: Sendable {
        /// Transactions that writes were grouped into.
        package let groups: Int
        /// Those that were lost to one write and ran again one by one.
        package let rerunGroups: Int
        /// Writes that were stored.
        package let writes: Int
        /// Writes that failed, by their own error or the database's.
        package let failures: Int
        package let largestGroup: Int
        /// Writes that wait.
        package let queued: Int
        /// Pages of the write-ahead log that were not yet copied back, as of the last commit.
        package let walPages: Int
        /// The size of the database file, without the log.
        package let databaseBytes: Int64
        /// Reader connections that are open.
        package let readers: Int
    }

    private let file: DatabaseFile
    private let writer: Writer
    private let readers: ReaderPool
    private let closing = Mutex<Void>(())

    /// Opens the file, or makes it, checks it and brings it up to date.
    ///
    /// - Throws: `DatabaseOpenError`, whose description is one line to show; the file is as it was, but for the
    ///   migrations that had gone well before one that failed.
    package init(_ configuration: Configuration, migrations: [Migration]) throws {
        let file = try DatabaseFile(path: configuration.path)
        let opening = Opening(configuration: configuration, migrations: migrations, file: file)
        let (connection, floor) = try opening.run()
        writer = try Writer(connection: connection, floor: floor, configuration: configuration)
        let path = file.path
        readers = ReaderPool(limit: configuration.readers) {
            let connection = try Connection(
                path: path, role: .reader, guardedTables: configuration.guardedTables,
                functions: configuration.functions, busyMilliseconds: configuration.busyMilliseconds,
                statements: configuration.statements)
            connection.onPrepare = configuration.onPrepare
            try connection.tune(cacheKiB: configuration.readerCacheKiB, mmapBytes: configuration.mmapBytes)
            try connection.control("PRAGMA query_only = ON")
            return connection
        }
        self.file = file
    }

    deinit {
        let (writer, readers, file) = (writer, readers, file)
        // The last reference may go with a completion, and the writer's thread cannot wait for itself.
        if writer.isCurrentThread {
            DispatchQueue.global().async { Self.close(writer, readers, file) }
        } else {
            Self.close(writer, readers, file)
        }
    }

    /// Runs `body` on the calling thread with a snapshot of the database. Waits while all readers are in use, so it must
    /// not be called from within another read, nor on Swift's cooperative threads.
    ///
    /// - Throws: `DatabaseError`, `DatabaseClosed`, or what `body` throws.
    package func read<T>(_ body: (ReadTransaction) throws -> T) throws -> T {
        try readers.read(body)
    }

    /// Queues a write. `body` may run more than once and must have no effect but on the database. `completion` is
    /// called on the writer's thread, in the order of the queue, when the write is on the disk or has failed; it must
    /// not block. When the queue is full (`DatabaseBusy`) or the pool closed (`DatabaseClosed`) it is called at once.
    package func submit<T: Sendable>(
        _ body: @escaping @Sendable (WriteTransaction) throws -> T,
        completion: @escaping @Sendable (Result<T, any Error>) -> Void
    ) {
        let write = PendingWrite(
            run: { transaction in
                let value = try body(transaction)
                return { completion(.success(value)) }
            },
            fail: { completion(.failure($0)) })
        do {
            try writer.queue.append(write)
        } catch {
            completion(.failure(error))
        }
    }

    /// Queues a write as `submit` does and waits for it, blocking the thread.
    ///
    /// - Throws: `DatabaseError`, `DatabaseBusy`, `DatabaseClosed`, or what `body` throws.
    @discardableResult
    package func write<T: Sendable>(_ body: @escaping @Sendable (WriteTransaction) throws -> T) throws -> T {
        precondition(!writer.isCurrentThread, "a write waits for another one behind it in the queue")
        let waiting = Waiting<T>()
        submit(body) { waiting.finish($0) }
        return try waiting.result().get()
    }

    /// Queues a write as `submit` does and waits for it, suspended.
    ///
    /// - Throws: `DatabaseError`, `DatabaseBusy`, `DatabaseClosed`, or what `body` throws.
    @discardableResult
    package func write<T: Sendable>(_ body: @escaping @Sendable (WriteTransaction) throws -> T) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            submit(body) { continuation.resume(with: $0) }
        }
    }

    package var statistics: Statistics {
        let counts = writer.numbers
        return Statistics(
            groups: counts.groups, rerunGroups: counts.rerunGroups, writes: counts.writes, failures: counts.failures,
            largestGroup: counts.largestGroup, queued: writer.queue.count, walPages: counts.walPages,
            databaseBytes: file.size, readers: readers.open)
    }

    /// Calls `body` after each COMMIT on the writer's thread, ahead of the completions of its writes; it must not block.
    /// There is one observer; nil for none.
    package func observeCommits(_ body: (@Sendable () -> Void)?) { writer.observeCommits(body) }

    /// Lets nothing more in, waits for the writes that wait and the reads that run, empties the log into the database
    /// and closes it. Calling it again does nothing. It must not be called from within a read, a write or a completion.
    package func close() {
        closing.withLock { _ in Self.close(writer, readers, file) }
    }

    private static func close(_ writer: Writer, _ readers: ReaderPool, _ file: DatabaseFile) {
        writer.drain()
        readers.close()
        writer.close()
        file.unlock()
    }
}
