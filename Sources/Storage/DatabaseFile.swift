import Glibc
import Synchronization

/// The database's file as the file system sees it, and the lock that keeps a second process from it.
///
/// The lock is a `flock` on `<path>.lock`, not on the file itself: closing any descriptor of that would drop the locks
/// that SQLite holds on it for this process.
final class DatabaseFile: Sendable {
    /// With links resolved, so that two names of one file share a lock.
    let path: String
    /// It had contents when it was opened.
    let existed: Bool
    /// The descriptor that holds the lock, nil once it is given up.
    private let lock: Mutex<Int32?>
    private let hadLog: Bool

    /// - Throws: `DatabaseOpenError`.
    init(path: String) throws {
        let directory = try Self.checkDirectory(of: path)
        let resolved = Self.resolve(path, in: directory)
        let size = try Self.checkFile(resolved, shown: path)
        self.path = resolved
        existed = size > 0
        let descriptor = try Self.takeLock(resolved, shown: path)
        lock = Mutex(descriptor)
        hadLog = Self.size(of: resolved + "-wal") != nil
        do {
            if size > 0 { try Self.checkHeader(resolved, shown: path) } else { try Self.create(resolved, shown: path) }
        } catch {
            close(descriptor)
            throw error
        }
    }

    deinit {
        unlock()
    }

    /// Lets others have the file.
    func unlock() {
        lock.withLock { descriptor in
            if let descriptor { close(descriptor) }
            descriptor = nil
        }
    }

    /// Removes what opening left beside a file that was then refused: an empty write-ahead log and its index.
    func removeEmptyLog() {
        guard !hadLog, (Self.size(of: path + "-wal") ?? 0) == 0 else { return }
        unlink(path + "-wal")
        unlink(path + "-shm")
    }

    /// The bytes of the file, 0 when it is not there.
    var size: Int64 { Self.size(of: path) ?? 0 }

    private static func size(of path: String) -> Int64? {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : nil
    }

    private static func checkDirectory(of path: String) throws -> String {
        let directory =
            path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        var status = stat()
        guard stat(directory, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw DatabaseOpenError(.noDirectory, "the directory of the database \(path) does not exist")
        }
        guard status.st_mode & 0o222 != 0, access(directory, W_OK | X_OK) == 0 else {
            throw DatabaseOpenError(.readOnly, "the directory of the database \(path) cannot be written")
        }
        return directory
    }

    private static func resolve(_ path: String, in directory: String) -> String {
        if let whole = realpath(path, nil) {
            defer { free(whole) }
            return String(cString: whole)
        }
        guard let resolved = realpath(directory, nil) else { return path }
        defer { free(resolved) }
        let name = path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
        let parent = String(cString: resolved)
        return parent == "/" ? "/\(name)" : "\(parent)/\(name)"
    }

    /// The size, 0 when there is no file yet.
    private static func checkFile(_ path: String, shown: String) throws -> Int64 {
        var size: Int64 = 0
        for part in [path, path + "-wal"] {
            var status = stat()
            guard stat(part, &status) == 0 else {
                if errno == ENOENT { continue }
                throw DatabaseOpenError(
                    .system, "the database \(shown) cannot be opened: \(String(cString: strerror(errno)))")
            }
            guard status.st_mode & S_IFMT == S_IFREG else {
                throw DatabaseOpenError(.notADatabase, "\(shown) is not a database but something else than a file")
            }
            // Root may write any file, and yet whoever took the last permission to write meant it.
            guard status.st_mode & 0o222 != 0, access(part, R_OK | W_OK) == 0 else {
                throw DatabaseOpenError(.readOnly, "the database \(shown) is read-only")
            }
            if part == path { size = Int64(status.st_size) }
        }
        return size
    }

    /// A hundredth of a second apart.
    private static let lockAttempts = 50

    private static func takeLock(_ path: String, shown: String) throws -> Int32 {
        let lock = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0 else {
            throw DatabaseOpenError(
                .readOnly, "the lock of the database \(shown) cannot be opened: \(String(cString: strerror(errno)))")
        }
        // A process that is just ending still has it, and so has, for a moment, a child that a process of ours starts.
        for _ in 0..<lockAttempts {
            if flock(lock, LOCK_EX | LOCK_NB) == 0 { return lock }
            usleep(10_000)
        }
        close(lock)
        throw DatabaseOpenError(.locked, "the database \(shown) is in use by another process")
    }

    /// Makes an empty file that its owner alone can read.
    private static func create(_ path: String, shown: String) throws {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw DatabaseOpenError(
                .readOnly, "the database \(shown) cannot be made: \(String(cString: strerror(errno)))")
        }
        close(descriptor)
    }

    /// Looks at the 100 bytes that every SQLite file begins with
    /// (https://www.sqlite.org/fileformat2.html#the_database_header).
    private static func checkHeader(_ path: String, shown: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw DatabaseOpenError(
                .system, "the database \(shown) cannot be opened: \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        var header = [UInt8](repeating: 0, count: 100)
        let count = read(descriptor, &header, header.count)
        let magic = Array("SQLite format 3\0".utf8)
        guard count >= magic.count, Array(header[..<magic.count]) == magic else {
            throw DatabaseOpenError(.notADatabase, "\(shown) is not a database")
        }
        guard count == header.count else {
            throw DatabaseOpenError(.corrupt, "the database \(shown) is damaged: it ends in its first bytes")
        }
        // A last page that is not whole was cut off, unless a log or journal is there to mend it.
        let stored = Int64(header[16]) << 8 | Int64(header[17])
        let pageSize = stored == 1 ? 65_536 : stored
        if pageSize >= 512, (size(of: path) ?? 0) % pageSize != 0,
            (size(of: path + "-wal") ?? 0) == 0, (size(of: path + "-journal") ?? 0) == 0
        {
            throw DatabaseOpenError(.corrupt, "the database \(shown) is damaged: its end is missing")
        }
    }
}
