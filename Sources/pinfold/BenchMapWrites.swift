import Foundation
import PinfoldServer
import Storage
import Synchronization

/// Pins dropped one by one into the full world, each on the disk before its writer drops the next; and what a reader
/// feels of it. What is written is taken away again.
func measureMapWrites(
    _ bench: Bench, _ world: BenchWorld, _ pinfold: BenchPinfold, _ server: BenchPostgres
) throws -> [Figure] {
    bench.say("writes: 20 at once")
    try server.connect().run(BenchPostgresStore.withoutReadIndexes)
    let writers = 20
    let owners = (0..<Int32(world.people)).map(world.account)
    let postgres = PostgresDropper(target: server.target, owners: owners, first: systemClock() << 20)
    var rates: [[Double]] = [[], [], []]
    for _ in 0..<3 {
        let dropper = PinDropper(pool: pinfold.pool, owners: owners)
        let begin = Clock.monotonic()
        dropper.dropChained(submitters: writers, until: begin + 2)
        rates[0].append(Double(try dropper.stored()) / (Clock.monotonic() - begin))
        rates[1].append(try postgres.rate(writers, .pin, seconds: 2))
        rates[2].append(try postgres.rate(writers, .withWordsAndEvent, seconds: 2))
    }
    try world.tidy(pinfold.pool)
    let (idle, busy) = try readTimes(bench, world, pinfold, owners)
    try world.tidy(pinfold.pool)
    return [
        Figure(
            name: "20 writers, pin, words and event", value: median(rates[0]), unit: "pins/s",
            reference: "PostgreSQL, pin alone",
            referenceValue: median(rates[1]), goal: .ratioAtLeast(1.2)),
        Figure(
            name: "20 writers, pin, words and event", value: median(rates[0]), unit: "pins/s",
            reference: "PostgreSQL, pin, words and event", referenceValue: median(rates[2])),
        Figure(
            name: "bbox, city, 500 friends, p99 while 20 write", value: percentile99(busy), unit: "ms",
            reference: "p99 while nobody writes", referenceValue: percentile99(idle), goal: .ratioAtMost(5)),
        Figure(
            name: "bbox, city, 500 friends, median while 20 write", value: median(busy), unit: "ms",
            reference: "median while nobody writes", referenceValue: median(idle)),
    ]
}

/// Milliseconds of the bbox of a city for viewers with 500 friends, while nobody writes and while 20 do.
private func readTimes(
    _ bench: Bench, _ world: BenchWorld, _ pinfold: BenchPinfold, _ owners: [Int64]
) throws -> (idle: [Double], busy: [Double]) {
    bench.say("reads under writes")
    guard let list = MapList.all.first(where: { $0.name == "bbox, city" }) else { return ([], []) }
    let viewers = world.viewers.filter { $0.friends == 500 }
    guard !viewers.isEmpty else { return ([], []) }
    var random = BenchRandom(seed: 3)
    let samples = bench.samples ?? 2_000
    func times() throws -> [Double] {
        try (0..<samples).map { index in
            let viewer = viewers[index % viewers.count]
            let query = list.query(viewer, &random)
            let begin = Clock.monotonic()
            _ = try pinfold.answer(query, for: viewer.person)
            return (Clock.monotonic() - begin) * 1000
        }
    }
    _ = try times()
    let idle = try times()
    let dropper = PinDropper(pool: pinfold.pool, owners: owners)
    let isDone = DispatchSemaphore(value: 0)
    Thread {
        dropper.dropChained(submitters: 20, until: .infinity)
        isDone.signal()
    }.start()
    defer {
        dropper.end()
        isDone.wait()
    }
    usleep(200_000)
    let busy = try times()
    _ = try dropper.stored()
    return (idle, busy)
}

/// Drops pins into PostgreSQL, a connection for each writer, each pin a transaction on the disk.
private final class PostgresDropper: Sendable {
    enum Row {
        case pin
        /// As Pinfold does, which keeps the words to search and logs each change.
        case withWordsAndEvent
    }

    /// What to connect to.
    private let target: String
    private let owners: [Int64]
    private let nextId: Atomic<Int64>
    private let count = Atomic(0)
    private let failure = Mutex<(any Error)?>(nil)

    init(target: String, owners: [Int64], first: Int64) {
        self.target = target
        self.owners = owners
        nextId = Atomic(first)
    }

    /// Pins a second.
    func rate(_ writers: Int, _ row: Row, seconds: Double) throws -> Double {
        let group = DispatchGroup()
        let connections = try (0..<writers).map { _ in Exclusive(try prepared(row)) }
        count.store(0, ordering: .relaxed)
        let begin = Clock.monotonic()
        for connection in connections {
            group.enter()
            Thread { [self] in
                do {
                    while Clock.monotonic() < begin + seconds { try drop(row, on: connection.value) }
                } catch {
                    failure.withLock { $0 = error }
                }
                group.leave()
            }.start()
        }
        group.wait()
        if let error = failure.withLock({ $0 }) { throw error }
        return Double(count.load(ordering: .relaxed)) / (Clock.monotonic() - begin)
    }

    private func prepared(_ row: Row) throws -> PostgresConnection {
        let connection = try PostgresConnection(target)
        let insert = """
            INSERT INTO pin (id, owner_id, geom, name, comment, address, address_by_owner, rating, category, audience,
                created_at, updated_at, words)
            VALUES ($1::bigint, $2::bigint, $3::geometry, $4::text, $5::text, $6::text, false, 5, 4, 1, $7::bigint,
                $7::bigint, \(row == .pin ? "NULL" : "$8::text"))
            """
        try connection.prepare(
            "drop",
            row == .pin
                ? insert
                : """
                WITH new AS (\(insert) RETURNING id, owner_id, audience, created_at)
                INSERT INTO event (at, kind, account_id, subject_id, audience_before, audience_after)
                SELECT created_at, 'pin', owner_id, id, NULL, audience FROM new
                """)
        return connection
    }

    private func drop(_ row: Row, on connection: PostgresConnection) throws {
        let id = nextId.wrappingAdd(1, ordering: .relaxed).newValue
        let pin = PinDropper.pin(id, of: owners, at: systemClock())
        let values: [PostgresValue] = [
            .integer(id), .integer(pin.ownerId.rawValue),
            .bytes(BenchPostgresStore.point(pin.coordinate.longitudeE7, pin.coordinate.latitudeE7)), .text(pin.name),
            .text(pin.comment ?? ""), .text(pin.address ?? ""), .integer(pin.createdAt.milliseconds),
        ]
        let words: [PostgresValue] = row == .pin ? [] : [.text(PinDropper.words)]
        _ = try connection.run("drop", (values + words).map(\.bytes))
        count.wrappingAdd(1, ordering: .relaxed)
    }
}

/// A value that goes to one thread, which alone uses it from then on.
private struct Exclusive<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}
