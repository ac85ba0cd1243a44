import Foundation
import Synchronization

/// A Redis of the benchmark's own that keeps nothing, as a fan-out of messages with nothing behind it.
final class BenchRedis {
    let port: UInt16
    private let process: BenchProcess

    /// - Throws: `CommandFailure`.
    init(_ bench: Bench) throws {
        port = Loopback.freePort()
        let log = bench.temporary("redis.log")
        process = try BenchProcess(
            "redis-server",
            [
                "--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--maxclients",
                "9000",
                // It may keep what its subscribers have yet to read, however much that is.
                "--client-output-buffer-limit", "pubsub", "0", "0", "0", "--dir", bench.temporary(""),
            ], output: log, errors: log)
        let end = Clock.monotonic() + 20
        while BenchClient(port: port) == nil {
            guard process.isRunning, Clock.monotonic() < end else {
                let reason = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
                throw CommandFailure("Redis does not start: \(reason.suffix(500))")
            }
            usleep(5_000)
        }
    }

    /// Deliveries a second of `count` messages of `size` bytes to so many subscribers of one channel.
    ///
    /// - Throws: `CommandFailure`, also if one was lost.
    func deliveriesPerSecond(subscribers: Int, count: Int, size: Int) throws -> Double {
        let head = Array("*3\r\n$7\r\nmessage\r\n$4\r\npins\r\n$\(size)\r\n".utf8)
        let receivers = BenchReceivers(port: port, framing: .redis(head: head, message: size))
        for _ in 0..<subscribers { receivers.add(greeting: "SUBSCRIBE pins\r\n") }
        try receivers.connect(atOnce: 100)
        var tally = BenchTally(clients: subscribers)
        receivers.receive = { client, message in
            let number = message.prefix(8).reduce(UInt64(0)) { $0 * 10 + UInt64($1 & 15) }
            tally.note(number, by: client)
        }
        let publisher = RedisPublisher(port: port)
        let begin = Clock.monotonic()
        publisher.start(count, size: size)
        while tally.total < subscribers * count {
            receivers.poll(milliseconds: 100)
            try receivers.requireHealthy()
            guard !publisher.hasFailed, Clock.monotonic() < begin + 120 else {
                throw CommandFailure("Redis has delivered only \(tally.total) messages")
            }
        }
        let seconds = Clock.monotonic() - begin
        let numbers = (0..<count).map { RedisPublisher.first + UInt64($0) }
        guard tally.faulty(0..<subscribers, expecting: { _ in numbers }) == 0 else {
            throw CommandFailure("Redis has lost or doubled a message")
        }
        return Double(tally.total) / seconds
    }
}

extension BenchRedis {
    /// Milliseconds from when each message is due to the last subscriber that has it.
    ///
    /// - Throws: `CommandFailure`.
    func delays(subscribers: Int, count: Int, size: Int, pace: BenchPace) throws -> [Double] {
        let head = Array("*3\r\n$7\r\nmessage\r\n$4\r\npins\r\n$\(size)\r\n".utf8)
        let receivers = BenchReceivers(port: port, framing: .redis(head: head, message: size))
        for _ in 0..<subscribers { receivers.add(greeting: "SUBSCRIBE pins\r\n") }
        try receivers.connect(atOnce: 100)
        guard let client = BenchClient(port: port) else { throw CommandFailure("Redis cannot be reached") }
        let rest = String(repeating: "x", count: size - 8)
        var dueAt: [Double] = []
        var lastAt = [Double](repeating: 0, count: count)
        var received = 0
        receivers.receive = { _, message in
            let number = message.prefix(8).reduce(UInt64(0)) { $0 * 10 + UInt64($1 & 15) }
            lastAt[Int(number - RedisPublisher.first)] = Clock.monotonic()
            received += 1
        }
        var random = BenchRandom(seed: 7)
        var time = Clock.monotonic()
        let end = time + 120
        for number in 0..<count {
            time += pace.isEven ? 1 / pace.perSecond : pace.randomPause(&random)
            while Clock.monotonic() < time { receivers.poll(milliseconds: 1) }
            dueAt.append(time)
            _ = client.send("PUBLISH pins \(RedisPublisher.first + UInt64(number))\(rest)\r\n")
        }
        while received < count * subscribers, Clock.monotonic() < end { receivers.poll(milliseconds: 10) }
        try receivers.requireHealthy()
        return zip(dueAt, lastAt).map { ($1 - $0) * 1000 }
    }
}

/// Publishes from a thread of its own, without waiting for each answer.
private final class RedisPublisher: Sendable {
    /// The number that the first message begins with.
    static let first: UInt64 = 10_000_000
    private let port: UInt16
    private let failed = Atomic(false)
    /// Messages that are sent together, and how many such parts may be unanswered.
    private static let part = 50
    private static let window = 2

    init(port: UInt16) {
        self.port = port
    }

    var hasFailed: Bool { failed.load(ordering: .relaxed) }

    func start(_ count: Int, size: Int) {
        Thread { [self] in
            guard let client = BenchClient(port: port) else { return failed.store(true, ordering: .relaxed) }
            let rest = String(repeating: "x", count: size - 8)
            var unanswered = 0
            for start in stride(from: 0, to: count, by: Self.part) {
                let numbers = start..<min(start + Self.part, count)
                let commands = numbers.map {
                    "*3\r\n$7\r\nPUBLISH\r\n$4\r\npins\r\n$\(size)\r\n\(Self.first + UInt64($0))\(rest)\r\n"
                }
                unanswered += numbers.count
                guard client.send(commands.joined()) else { return failed.store(true, ordering: .relaxed) }
                while unanswered > (Self.window - 1) * Self.part {
                    guard let lines = client.receiveLines() else { return failed.store(true, ordering: .relaxed) }
                    unanswered -= lines
                }
            }
            while unanswered > 0, let lines = client.receiveLines() { unanswered -= lines }
        }.start()
    }
}
