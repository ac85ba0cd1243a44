import Foundation
import Geo
import PinfoldServer
import SocialModel
import Storage
import Synchronization

/// Drops pins as `POST /v1/pins` does once it has the writer, and counts those on the disk.
final class PinDropper: Sendable {
    private let pool: DatabasePool
    /// Accounts that are there.
    private let owners: [Int64]
    private let count = Atomic(0)
    private let isEnded = Atomic(false)
    private let failure = Mutex<(any Error)?>(nil)
    /// A request makes them before it asks the writer; here they are the same for all.
    static let words = SearchWords.form(of: pin(1, of: [1], at: 0))

    init(pool: DatabasePool, owners: [Int64]) {
        self.pool = pool
        self.owners = owners
    }

    /// How many are on the disk.
    ///
    /// - Throws: what a write failed with.
    func stored() throws -> Int {
        if let error = failure.withLock({ $0 }) { throw error }
        return count.load(ordering: .relaxed)
    }

    /// Lets what is dropping come to its end before its time.
    func end() { isEnded.store(true, ordering: .relaxed) }

    /// Each submitter submits the next pin from the completion of the one before.
    func dropChained(submitters: Int, until end: Double) {
        let group = DispatchGroup()
        for _ in 0..<submitters {
            group.enter()
            submit(until: end, then: { group.leave() })
        }
        group.wait()
    }

    func dropOnThreads(_ threads: Int, until end: Double) {
        let group = DispatchGroup()
        for _ in 0..<threads {
            group.enter()
            Thread { [self] in
                while goesOn(until: end), failure.withLock({ $0 == nil }) {
                    note(Result { try pool.write { [self] in try drop(in: $0) } })
                }
                group.leave()
            }.start()
        }
        group.wait()
    }

    private func goesOn(until end: Double) -> Bool {
        Clock.monotonic() < end && !isEnded.load(ordering: .relaxed)
    }

    private func submit(until end: Double, then finish: @escaping @Sendable () -> Void) {
        pool.submit({ [self] in try drop(in: $0) }) { [self] result in
            note(result)
            if goesOn(until: end), case .success = result {
                submit(until: end, then: finish)
            } else {
                finish()
            }
        }
    }

    private func note(_ result: Result<Void, any Error>) {
        switch result {
        case .success: count.wrappingAdd(1, ordering: .relaxed)
        case .failure(let error): failure.withLock { $0 = error }
        }
    }

    private func drop(in write: WriteTransaction) throws {
        let id = write.newIdentifier()
        try PinChange.create(Self.pin(id, of: owners, at: write.now), words: Self.words, in: write)
    }

    /// A pin of one of the owners; which, and where, comes of the id.
    static func pin(_ id: Int64, of owners: [Int64], at now: Int64) -> Pin {
        var random = BenchRandom(seed: UInt64(bitPattern: id))
        let now = Timestamp(milliseconds: now)
        return Pin(
            id: Identifier(id), ownerId: Identifier(owners[random.below(owners.count)]), ownerUsername: "",
            coordinate: Coordinate(
                latitudeE7: Int32(450_000_000 + random.below(10_000_000)),
                longitudeE7: Int32(-930_000_000 + random.below(10_000_000))),
            name: "State Capitol", address: "Saint Paul, Minnesota", addressSource: .gazetteer,
            comment: "The dome, and four golden horses.", rating: 5, category: .culture, audience: .friends,
            createdAt: now, updatedAt: now)
    }
}
