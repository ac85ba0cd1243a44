import Foundation
import PinfoldServer
import Storage

/// What friends who are connected are told: memory of those who wait, deliveries a second beside Redis, how late the last
/// friend is, and thousands who come back together. The server is a process of its own; this one is all of its clients.
@Sendable func measureLive(_ bench: Bench) throws -> [Figure] {
    raiseFileLimit()
    let world = BenchLiveWorld()
    let folder = try DataFolder(bench.temporary("live"))
    bench.say("making \(world.listeners) listeners")
    // The gazetteer is loaded once for all benchmarks.
    try DataFolder(bench.places).loadGazetteer(nil)
    try FileManager.default.linkItem(atPath: DataFolder(bench.places).places, toPath: folder.places)
    let pool = try folder.openDatabase()
    try world.store(in: pool)
    pool.close()

    var live = BenchLive(bench: bench, world: world, server: try .pinfold(bench, data: folder.path))
    bench.say("\(world.listeners) idle connections")
    var figures = try live.idle()
    bench.say("deliveries to \(world.audience) friends")
    figures += try live.deliveries()
    bench.say("\(Int(BenchLive.latencyRate)) pins a second")
    figures += try live.latency()
    live.server.process.stop()

    bench.say("\(world.stormers.count) come back")
    live = BenchLive(bench: bench, world: world, server: try .pinfold(bench, data: folder.path))
    figures += try live.storm(data: folder.path)
    live.server.process.stop()
    return figures
}

/// The measurements, on one server.
struct BenchLive {
    let bench: Bench
    let world: BenchLiveWorld
    var server: BenchServer

    /// Pins a second while it is measured how late they are.
    static let latencyRate = 20.0
    private static let latencyPins = 400
    private static let rounds = 3
    private static let deliveredPins = 2_000
    private static let stormPins = 10_000
    /// Of connections and events, in which nothing is heard.
    private static let patience = 60.0

    // MARK: Idle

    func idle() throws -> [Figure] {
        // What the first connections bring with them is not theirs alone.
        let first = try connected(0..<200)
        usleep(1_500_000)
        first.close()
        usleep(1_500_000)
        let before = try resident()
        let all = try connected(0..<world.listeners)
        // Until all have joined, and friends were told.
        usleep(5_000_000)
        let kilobytes = (try resident() - before) * 1000 / Double(world.listeners)
        _ = try drop(200, inFlight: 20, pins: 1, to: all, clients: 0..<world.audience)
        usleep(2_000_000)
        let after = (try resident() - before) * 1000 / Double(world.listeners)
        return [
            Figure(
                name: "\(world.listeners) idle connections, resident each", value: kilobytes, unit: "KB",
                goal: .atMost(16)),
            Figure(name: "the same after 200 pins to \(world.audience) of them", value: after, unit: "KB"),
        ]
    }

    private func resident() throws -> Double {
        guard let megabytes = server.process.residentMegabytes else { throw CommandFailure("the server has ended") }
        return megabytes
    }

    /// Some of those who listen, not yet connected.
    private func listeners(_ indices: Range<Int>, after cursor: String? = nil) -> BenchReceivers {
        let receivers = BenchReceivers(port: server.port, framing: .webSocket)
        let target = "/v1/live" + (cursor.map { "?after=\($0)" } ?? "")
        for index in indices {
            receivers.add(greeting: BenchReceivers.webSocket(target, token: world.token(world.listener(index))))
        }
        return receivers
    }

    private func connected(_ indices: Range<Int>) throws -> BenchReceivers {
        let receivers = listeners(indices)
        try receivers.connect(atOnce: 64)
        return receivers
    }

    // MARK: Deliveries

    func deliveries() throws -> [Figure] {
        let friends = try connected(0..<world.audience)
        usleep(2_000_000)
        let redis = try BenchRedis(bench)
        _ = try drop(100, inFlight: 20, pins: 1, to: friends, clients: 0..<world.audience)
        var single: [Double] = []
        var batched: [Double] = []
        var published: [Double] = []
        var bytes = 0
        for _ in 0..<Self.rounds {
            let singles = try drop(
                Self.deliveredPins, inFlight: 20, pins: 1, to: friends, clients: 0..<world.audience)
            single.append(singles.perSecond)
            bytes = singles.bytes
            batched.append(
                try drop(Self.deliveredPins, inFlight: 4, pins: 50, to: friends, clients: 0..<world.audience).perSecond)
            published.append(
                try redis.deliveriesPerSecond(
                    subscribers: world.audience, count: Self.deliveredPins, size: bytes))
        }
        let reference = "Redis, \(bytes) B as here"
        let rows = [("single POSTs, 20 in flight", median(single)), ("batches of 50, 4 in flight", median(batched))]
        return rows.flatMap { name, value in
            [
                Figure(name: "deliveries, \(name)", value: value, unit: "1/s", goal: .atLeast(500_000)),
                Figure(
                    name: "deliveries, \(name)", value: value, unit: "1/s", reference: reference,
                    referenceValue: median(published), goal: .ratioAtLeast(0.5)),
            ]
        }
    }

    /// Has one of the busy drop `count` pins, and waits until each of the clients, who are friends, has each of them.
    ///
    /// - Returns: the deliveries a second from the first request to the last delivery, and the bytes of one.
    private func drop(
        _ count: Int, inFlight: Int, pins: Int, to receivers: BenchReceivers, clients: Range<Int>
    ) throws -> (perSecond: Double, bytes: Int) {
        var tally = BenchTally(clients: receivers.count)
        var reader = PinEventReader()
        var bytes = 0
        receivers.receive = { client, event in
            guard let id = reader.id(event) else { return }
            tally.note(id, by: client)
            bytes += event.count
        }
        let token = world.token(world.busy(0))
        let poster = BenchPinPoster(port: server.port)
        let begin = Clock.monotonic()
        poster.start(count / pins, inFlight: inFlight, pins: pins) { _ in token }
        try wait(receivers, "\(count) pins") { tally.total >= count * clients.count && poster.isDone }
        let seconds = Clock.monotonic() - begin
        try require(tally, clients, try poster.dropped().map(\.id))
        return (Double(count * clients.count) / seconds, bytes / max(1, tally.total))
    }

    private func wait(_ receivers: BenchReceivers, _ what: String, until isDone: () -> Bool) throws {
        let end = Clock.monotonic() + Self.patience
        while !isDone() {
            receivers.poll(milliseconds: 10)
            try receivers.requireHealthy()
            guard Clock.monotonic() < end else { throw CommandFailure("\(what) are not delivered in time") }
        }
        // What is delivered twice is seen too.
        receivers.poll(milliseconds: 20)
    }

    private func require(_ tally: BenchTally, _ clients: Range<Int>, _ numbers: [UInt64]) throws {
        let faulty = tally.faulty(clients) { _ in numbers }
        guard faulty == 0 else {
            throw CommandFailure("\(faulty) clients have not received each pin once and in order")
        }
    }

    // MARK: Latency

    /// How late the last of many friends has a pin, one pin after the other and at random times.
    func latency() throws -> [Figure] {
        try latency(BenchPace(perSecond: Self.latencyRate, isEven: true))
            + latency(BenchPace(perSecond: Self.latencyRate, isEven: false))
    }

    private func latency(_ pace: BenchPace) throws -> [Figure] {
        let friends = try connected(0..<world.audience)
        usleep(2_000_000)
        var tally = BenchTally(clients: friends.count)
        var reader = PinEventReader()
        var lastAt: [UInt64: Double] = [:]
        friends.receive = { client, event in
            guard let id = reader.id(event) else { return }
            tally.note(id, by: client)
            lastAt[id] = Clock.monotonic()
        }
        let poster = BenchPinPoster(port: server.port)
        let tokens = (0..<world.busy).map { world.token(world.busy($0)) }
        poster.start(Self.latencyPins, inFlight: 4, pace: pace) { tokens[$0 % tokens.count] }
        try wait(friends, "\(Self.latencyPins) pins") {
            poster.isDone && tally.total >= Self.latencyPins * world.audience
        }
        let dropped = try poster.dropped()
        try require(tally, 0..<world.audience, dropped.map(\.id))
        let sinceRequest = dropped.map { ((lastAt[$0.id] ?? .infinity) - $0.sentAt) * 1000 }
        let sinceAnswer = dropped.map { ((lastAt[$0.id] ?? .infinity) - $0.answeredAt) * 1000 }
        friends.close()
        // How late it is where nothing is decided and nothing kept, at about the same time.
        let published = try BenchRedis(bench).delays(
            subscribers: world.audience, count: Self.latencyPins / 2, size: 560, pace: pace)
        let name = "\(Int(pace.perSecond)) pins/s \(pace.isEven ? "evenly" : "at random"), \(world.audience) friends"
        return [
            // The commit is between the request and its answer.
            Figure(
                name: "\(name): request to last friend, p99", value: percentile99(sinceRequest), unit: "ms",
                reference: "Redis", referenceValue: percentile99(published), goal: .atMost(50)),
            Figure(
                name: "\(name): request to last friend, median", value: median(sinceRequest), unit: "ms",
                reference: "Redis", referenceValue: median(published)),
            Figure(name: "\(name): answer to last friend, p99", value: percentile99(sinceAnswer), unit: "ms"),
        ]
    }

    // MARK: Storm

    /// Listeners whose cursors are `stormPins` old come back at once, after a restart of the server.
    mutating func storm(data: String) throws -> [Figure] {
        let cursor = try currentCursor()
        let poster = BenchPinPoster(port: server.port)
        let tokens = (0..<world.passersBy).map { world.token(world.passerBy($0)) }
        poster.start(Self.stormPins, inFlight: 20) { tokens[$0 % tokens.count] }
        while !poster.isDone { usleep(10_000) }
        var pins = [[UInt64]](repeating: [], count: world.passersBy)
        for pin in try poster.dropped() { pins[pin.request % tokens.count].append(pin.id) }
        server.process.stop()
        server = try .pinfold(bench, data: data)
        usleep(1_000_000)

        let missed = world.stormers.map { stormer in world.known(by: stormer).flatMap { pins[$0] } }
        let total = missed.reduce(0) { $0 + $1.count }
        let receivers = listeners(world.stormers, after: cursor)
        var tally = BenchTally(clients: receivers.count)
        var reader = PinEventReader()
        receivers.receive = { client, event in
            if let id = reader.id(event) { tally.note(id, by: client) }
        }
        let begin = Clock.monotonic()
        try receivers.connect(atOnce: receivers.count)
        let connected = Clock.monotonic() - begin
        try wait(receivers, "\(total) missed pins") { tally.total >= total }
        let seconds = Clock.monotonic() - begin
        let faulty = tally.faulty(0..<receivers.count) { missed[$0] }
        let name = "\(receivers.count) come back, \(Self.stormPins) events behind, \(total / receivers.count) theirs"
        return [
            Figure(name: "\(name): all connected", value: connected, unit: "s"),
            Figure(name: "\(name): all caught up", value: seconds, unit: "s", goal: .atMost(10)),
            Figure(
                name: "\(name): clients that lost or doubled one", value: Double(faulty), unit: "", goal: .atMost(0)),
        ]
    }

    /// The place that the log has come to.
    private func currentCursor() throws -> String {
        // Somebody without friends, and so without pins.
        let token = world.token(world.listener(world.listeners - 1))
        let page = try server.get("/v1/pins/changes", headers: ["Authorization: Bearer \(token)"])
        guard let members = try JSONSerialization.jsonObject(with: Data(page)) as? [String: Any],
            let cursor = members["cursor"] as? String
        else { throw CommandFailure("the changes have no cursor") }
        return cursor
    }
}
