import Foundation
import PinfoldServer
import Storage

/// The accounts of the live benchmark, all signed in, and who is a friend of whom.
struct BenchLiveWorld {
    /// People who listen: the first of them to the busy, others to the passers-by.
    let listeners = 10_000
    /// How many friends the busy have.
    let audience = 2_000
    /// People with the same `audience` friends.
    let busy = 20
    /// People of whom each of `stormers` knows some.
    let passersBy = 1_000
    let passersByKnown = 10
    /// The listeners that come back together.
    let stormers = 2_000..<7_000

    func listener(_ index: Int) -> Int64 { 1 + Int64(index) }
    func busy(_ index: Int) -> Int64 { 100_001 + Int64(index) }
    func passerBy(_ index: Int) -> Int64 { 200_001 + Int64(index) }

    /// The passers-by whom a listener knows.
    func known(by stormer: Int) -> [Int] {
        var random = BenchRandom(seed: UInt64(stormer))
        var known: Set<Int> = []
        while known.count < passersByKnown { known.insert(random.below(passersBy)) }
        return known.sorted()
    }

    func token(_ account: Int64) -> String { "token-of-account-\(account)-in-the-live-benchmark" }

    /// Fills a new database.
    ///
    /// - Throws: `DatabaseError`.
    func store(in pool: DatabasePool) throws {
        let accounts =
            (0..<listeners).map(listener) + (0..<busy).map { busy($0) } + (0..<passersBy).map(passerBy)
        try pool.write { write in
            for account in accounts {
                try BenchWorld.insertAccount(account, in: write)
                try signIn(account, in: write)
            }
            for index in 0..<busy {
                for friend in 0..<audience { try befriend(busy(index), listener(friend), in: write) }
            }
            for stormer in stormers {
                for index in known(by: stormer) { try befriend(listener(stormer), passerBy(index), in: write) }
            }
        }
    }

    private func signIn(_ account: Int64, in write: WriteTransaction) throws {
        try write.run(
            """
            INSERT INTO session (id, accountId, confirmedGeneration, latestGeneration, address, createdAt, lastSeenAt)
            VALUES (\(account), \(account), 1, 1, '127.0.0.1', \(write.now), \(write.now))
            """)
        try write.run(
            """
            INSERT INTO token (hash, sessionId, purpose, generation, expiresAt)
            VALUES (\(blake2b(Array(token(account).utf8))), \(account), 'access', 1, \(write.now + 86_400_000))
            """)
    }

    private func befriend(_ a: Int64, _ b: Int64, in write: WriteTransaction) throws {
        try write.run(
            """
            INSERT INTO friendship (accountId, friendId, since)
            VALUES (\(a), \(b), \(write.now)), (\(b), \(a), \(write.now))
            """)
    }
}
