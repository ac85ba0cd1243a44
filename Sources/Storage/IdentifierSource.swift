/// Mints identifiers on the writer, increasing whatever the clock does.
///
/// The last one is stored with the writes that it was minted for (table `identifierFloor`), so a process that comes
/// later starts above it. One minted for a write that failed is not given out again by this process.
final class IdentifierSource {
    private(set) var last: Int64
    private var stored: Int64

    init(floor: Int64) {
        last = floor
        stored = floor
    }

    func next(at milliseconds: Int64) -> Int64 {
        // 43 bits of milliseconds reach to the year 2248.
        let clock = min(max(milliseconds, 0), (1 << 43) - 1) << 20
        last = max(clock, last + 1)
        return last
    }

    /// Writes the floor if it has moved since it was last stored. To be run inside the transaction.
    func store(on connection: Connection) throws {
        guard last != stored else { return }
        _ = try connection.run("UPDATE identifierFloor SET value = \(last)")
    }

    /// To be called when the transaction of `store` has committed.
    func didCommit() {
        stored = last
    }
}
