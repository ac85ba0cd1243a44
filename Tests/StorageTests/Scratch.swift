import Foundation
import Storage
import Synchronization

/// A new database with one table, `note`, in a directory of its own.
final class Scratch: Sendable {
    let directory: TemporaryDirectory
    let pool: DatabasePool
    let clock: TestClock

    static let migrations = [
        Migration(
            name: "1 note",
            sql: """
                CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT NOT NULL, size REAL) STRICT;
                """)
    ]

    init(
        migrations: [Migration] = Scratch.migrations, _ configure: (inout DatabasePool.Configuration) -> Void = { _ in }
    ) throws {
        directory = try TemporaryDirectory()
        let clock = TestClock()
        self.clock = clock
        var configuration = DatabasePool.Configuration(path: directory.file("test.db")) { clock.now }
        configure(&configuration)
        pool = try DatabasePool(configuration, migrations: migrations)
    }

    deinit {
        pool.close()
    }

    var path: String { directory.file("test.db") }

    /// Opens the file anew; `pool` has to be closed.
    func reopened(
        migrations: [Migration] = Scratch.migrations, _ configure: (inout DatabasePool.Configuration) -> Void = { _ in }
    ) throws -> DatabasePool {
        let clock = clock
        var configuration = DatabasePool.Configuration(path: path) { clock.now }
        configure(&configuration)
        return try DatabasePool(configuration, migrations: migrations)
    }

    func bodies() throws -> [String] {
        try pool.read { try $0.rows("SELECT body FROM note ORDER BY id") { $0.text(0) } }
    }
}

/// A clock that the test sets.
final class TestClock: Sendable {
    private let milliseconds = Mutex<Int64>(1_700_000_000_000)

    var now: Int64 {
        get { milliseconds.withLock { $0 } }
        set { milliseconds.withLock { $0 = newValue } }
    }
}
