import PinfoldServer
import Storage

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

private let owners: ClosedRange<Int64> = 1...200

private func commitsPerSecond(_ path: String, _ drop: (PinDropper, Double) -> Void) throws -> Double {
    let pool = try DatabasePool(Schema.configuration(path: path, clock: systemClock), migrations: Schema.migrations)
    defer { pool.close() }
    try pool.write { write in
        for owner in owners { try BenchWorld.insertAccount(owner, in: write) }
    }
    let dropper = PinDropper(pool: pool, owners: Array(owners))
    let begin = Clock.monotonic()
    drop(dropper, begin + 2)
    let seconds = Clock.monotonic() - begin
    return Double(try dropper.stored()) / seconds
}
