import Foundation
import Geo
import PinfoldServer
import SocialModel
import Storage
import Synchronization

/// Pins dropped one at a time, and with 20 and 200 that wait: they share a transaction and its fsync.
///
/// As in the server, nobody blocks a thread for a write: each submitter submits the next pin when the one before is on
/// the disk, from its completion. The same with blocked threads is shown beside it; there the scheduler has a part.
@Sendable func measureCommit(_ bench: Bench) throws -> [Figure] {
    let counts = [1, 20, 200]
    var rates = [[Double]](repeating: [], count: 2 * counts.count)
    for round in 0..<3 {
        for (index, count) in counts.enumerated() {
            let name = bench.temporary("commit-\(round)-\(count)")
            rates[index].append(
                try commitsPerSecond("\(name).db") { dropper, until in
                    dropper.dropChained(submitters: count, until: until)
                })
            rates[counts.count + index].append(
                try commitsPerSecond("\(name)-threads.db") { dropper, until in
                    dropper.dropOnThreads(count, until: until)
                })
        }
    }
    let medians = rates.map(median)
    return [
        Figure(name: "commit, 1 waiting", value: medians[0], unit: "1/s"),
        Figure(
            name: "commit, 20 waiting", value: medians[1], unit: "1/s", reference: "1 waiting",
            referenceValue: medians[0], goal: .ratioAtLeast(2.5)),
        Figure(
            name: "commit, 200 waiting", value: medians[2], unit: "1/s", reference: "20 waiting",
            referenceValue: medians[1], goal: .ratioAbove(1)),
        Figure(name: "commit, 1 blocked thread", value: medians[3], unit: "1/s"),
        Figure(
            name: "commit, 20 blocked threads", value: medians[4], unit: "1/s", reference: "1 blocked thread",
            referenceValue: medians[3]),
        Figure(
            name: "commit, 200 blocked threads", value: medians[5], unit: "1/s", reference: "20 blocked threads",
            referenceValue: medians[4]),
    ]
}

private func commitsPerSecond(_ path: String, _ drop: (PinDropper, Double) -> Void) throws -> Double {
    let pool = try DatabasePool(Schema.configuration(path: path, clock: systemClock), migrations: Schema.migrations)
    defer { pool.close() }
    try pool.write { write in
        for owner in 1...PinDropper.owners { try BenchWorld.insertAccount(owner, in: write) }
    }
    let dropper = PinDropper(pool: pool)
    let begin = Clock.monotonic()
    drop(dropper, begin + 2)
    let seconds = Clock.monotonic() - begin
    return Double(try dropper.stored()) / seconds
}

/// Drops pins as `POST /v1/pins` does once it has the writer, and counts those on the disk.
private final class PinDropper: Sendable {
    static let owners: Int64 = 200

    private let pool: DatabasePool
    private let count = Atomic(0)
    private let failure = Mutex<(any Error)?>(nil)

    init(pool: DatabasePool) {
        self.pool = pool
    }

    /// - Throws: what a write failed with.
    func stored() throws -> Int {
        if let error = failure.withLock({ $0 }) { throw error }
        return count.load(ordering: .relaxed)
    }

    func dropChained(submitters: Int, until end: Double) {
        let group = DispatchGroup()
        for submitter in 0..<submitters {
            group.enter()
            submit(submitter, until: end, then: { group.leave() })
        }
        group.wait()
    }

    func dropOnThreads(_ threads: Int, until end: Double) {
        let group = DispatchGroup()
        for submitter in 0..<threads {
            group.enter()
            Thread { [self] in
                while Clock.monotonic() < end, failure.withLock({ $0 == nil }) {
                    note(Result { try pool.write { try Self.drop(submitter, in: $0) } })
                }
                group.leave()
            }.start()
        }
        group.wait()
    }

    private func submit(_ submitter: Int, until end: Double, then finish: @escaping @Sendable () -> Void) {
        pool.submit({ try Self.drop(submitter, in: $0) }) { [self] result in
            note(result)
            if Clock.monotonic() < end, case .success = result {
                submit(submitter, until: end, then: finish)
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

    private static func drop(_ submitter: Int, in write: WriteTransaction) throws {
        let id = write.newIdentifier()
        var random = BenchRandom(seed: UInt64(bitPattern: id))
        let now = Timestamp(milliseconds: write.now)
        try PinChange.create(
            Pin(
                id: Identifier(id), ownerId: Identifier(1 + Int64(submitter) % owners), ownerUsername: "",
                coordinate: Coordinate(
                    latitudeE7: Int32(450_000_000 + random.below(10_000_000)),
                    longitudeE7: Int32(-930_000_000 + random.below(10_000_000))),
                name: "State Capitol", address: "Saint Paul, Minnesota", addressSource: .gazetteer,
                comment: "The dome, and four golden horses.", rating: 5, category: .culture, audience: .friends,
                createdAt: now, updatedAt: now),
            in: write)
    }
}
