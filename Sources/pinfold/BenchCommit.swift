import Foundation
import Geo
import PinfoldServer
import SocialModel
import Storage
import Synchronization

/// Pins dropped one at a time, and by 20 and 200 who wait together: they share a transaction and its fsync.
@Sendable func measureCommit(_ bench: Bench) throws -> [Figure] {
    let counts = [1, 20, 200]
    var rates = [[Double]](repeating: [], count: counts.count)
    for round in 0..<3 {
        for (index, count) in counts.enumerated() {
            rates[index].append(
                try commitsPerSecond(
                    path: bench.temporary("commit-\(round)-\(count).db"), submitters: count, seconds: 2))
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
    ]
}

private func commitsPerSecond(path: String, submitters: Int, seconds: Double) throws -> Double {
    let pool = try DatabasePool(.init(path: path, clock: systemClock), migrations: Schema.migrations)
    defer { pool.close() }
    let owners = 200
    try pool.write { write in
        for owner in 1...Int64(owners) { try BenchWorld.insertAccount(owner, in: write) }
    }
    let begin = Clock.monotonic()
    let end = begin + seconds
    let done = Atomic(0)
    let failure = Mutex<(any Error)?>(nil)
    // Blocked threads, which is what submitters are that wait.
    DispatchQueue.concurrentThreads(submitters) { submitter in
        var random = BenchRandom(seed: UInt64(submitter))
        while Clock.monotonic() < end, failure.withLock({ $0 == nil }) {
            let owner = Int64(1 + submitter % owners)
            let coordinate = Coordinate(
                latitudeE7: Int32(450_000_000 + random.below(10_000_000)),
                longitudeE7: Int32(-930_000_000 + random.below(10_000_000)))
            do {
                try pool.write { write in
                    let now = Timestamp(milliseconds: write.now)
                    try PinChange.create(
                        Pin(
                            id: Identifier(write.newIdentifier()), ownerId: Identifier(owner), ownerUsername: "",
                            coordinate: coordinate, name: "State Capitol", address: "Saint Paul, Minnesota",
                            addressSource: .gazetteer, comment: "The dome, and four golden horses.", rating: 5,
                            category: .culture, audience: .friends, createdAt: now, updatedAt: now),
                        in: write)
                }
                done.wrappingAdd(1, ordering: .relaxed)
            } catch {
                failure.withLock { $0 = error }
            }
        }
    }
    if let error = failure.withLock({ $0 }) { throw error }
    return Double(done.load(ordering: .relaxed)) / (Clock.monotonic() - begin)
}

extension DispatchQueue {
    /// Runs `body` on `count` threads of its own and waits for them.
    fileprivate static func concurrentThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
        let group = DispatchGroup()
        for index in 0..<count {
            group.enter()
            Thread {
                body(index)
                group.leave()
            }.start()
        }
        group.wait()
    }
}
