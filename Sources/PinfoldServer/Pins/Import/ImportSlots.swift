import HTTP
import Synchronization

/// How many files are imported, and large batches stored, at a time: what else runs on the pool, such as signing in,
/// must find a thread, other writes their turn, and a file is in memory while it is read.
final class ImportSlots: Sendable {
    static let limit = 4
    private let taken = Mutex(0)

    /// - Throws: `HTTPError` 503 when `limit` files are being imported, or what `body` throws.
    func run<T>(_ body: () throws -> T) throws -> T {
        try taken.withLock { taken in
            guard taken < Self.limit else { throw HTTPError.unavailable(retryAfter: 5) }
            taken += 1
        }
        defer { taken.withLock { $0 -= 1 } }
        return try body()
    }
}
