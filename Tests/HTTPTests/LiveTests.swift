import Glibc
import Synchronization
import Testing

@testable import HTTP

/// Live connections, seen by their owner.
@Suite struct LiveTests {
    private let records = LiveRecords()

    private func message(_ number: Int, padding: Int = 0) -> LiveMessage {
        LiveMessage(
            type: "counted", cursor: String(number),
            json: Array("{\"n\":\(number),\"p\":\"\(String(repeating: "x", count: padding))\"}".utf8))
    }

    /// Clients that are connected, and the server's side of each in the same order.
    private func connect(
        _ count: Int, to server: TestServer, path: String = "/live", fields: String = ""
    ) async throws -> [(LiveClient, LiveConnection)] {
        let port = server.port
        var pairs: [(LiveClient, LiveConnection)] = []
        for _ in 0..<count {
            let known = records.contents.withLock { $0.opened }
            let client = try await onThread { try LiveClient(port: port, path: path, fields: fields) }
            #expect(try await eventually { records.contents.withLock { $0.opened } > known })
            pairs.append((client, try #require(records.open.last)))
        }
        return pairs
    }

    @Test func oneMessageReachesAllInEachForm() async throws {
        let server = try TestServer.live(records)
        let plain = try await connect(3, to: server)
        let small = try await connect(
            3, to: server, fields: "Sec-WebSocket-Extensions: permessage-deflate; server_max_window_bits=10\r\n")
        let all = (plain + small).map(\.1)
        for number in 0..<20 { server.server.live.send(message(number, padding: 500), to: all) }
        try await onThread { [self] in
            for (index, (client, _)) in (plain + small).enumerated() {
                for number in 0..<20 {
                    let frame = try #require(client.next())
                    #expect(frame.isCompressed == (index >= 3))
                    let json = frame.isCompressed ? LiveClient.inflate(frame.payload, windowBits: 10) : frame.payload
                    #expect(json == message(number, padding: 500).json)
                }
            }
        }
    }

    @Test func messagesAreEncodedOnce() {
        let message = message(1, padding: 500)
        var compressions = 0
        func bytes(_ form: LiveMessage.Form) -> SharedBytes {
            message.bytes(form) { _, json in
                compressions += 1
                return Array(json.prefix(10))
            }
        }
        for form in [LiveMessage.Form.frame, .event, .deflated(15), .deflated(9)] {
            #expect(bytes(form) === bytes(form))
        }
        #expect(compressions == 2)
    }

    @Test func closesWithCodeAndReason() async throws {
        let server = try TestServer.live(records)
        let (client, connection) = try await connect(1, to: server)[0]
        connection.send(message(1))
        connection.close(LiveClose(4410, "cursor-expired"))
        connection.send(message(2))
        connection.close(.normal)
        let frames = try await onThread { [client.next(), client.next(), client.next()] }
        #expect(frames[0]?.payload == message(1).json)
        #expect(frames[1]?.code == 4410 && frames[1]?.payload.dropFirst(2).elementsEqual("cursor-expired".utf8) == true)
        #expect(frames[2] == nil)
        #expect(records.closed == [LiveClose(4410, "cursor-expired")])
    }

    @Test func reasonsAreCutAtACharacter() {
        for count in 0...60 {
            let payload = LiveClose(4000, String(repeating: "a", count: count) + String(repeating: "東", count: 60))
                .payload
            #expect(payload.count <= 125 && payload.count > 120)
            #expect(String(validating: payload.dropFirst(2), as: UTF8.self) != nil)
        }
    }

    @Test func slowReaderIsCutAndToldToResume() async throws {
        let server = try TestServer.live(records)
        let pairs = try await connect(2, to: server)
        let (slow, connection) = pairs[0]
        // One reads, one does not; the one that does not must not disturb the other.
        let sent = Atomic(0)
        while records.closed.isEmpty, sent.load(ordering: .relaxed) < 100_000 {
            let number = sent.add(1, ordering: .relaxed).oldValue
            server.server.live.send(message(number, padding: 10_000), to: pairs.map(\.1))
            let other = pairs[1].0
            let payload = try await onThread { other.next()?.payload }
            #expect(payload == message(number, padding: 10_000).json)
            #expect(connection.unsentBytes <= 64 << 10)
        }
        #expect(records.closed == [.slowReader])
        #expect(connection.unsentBytes < 32 << 10, "what waited is let go")
        // What has been sent is whole and in order, up to the close frame.
        try await onThread { [self] in
            var number = 0
            while let frame = slow.next() {
                if frame.opcode == 8 {
                    #expect(frame.code == 4408 && frame.payload.dropFirst(2).elementsEqual("slow-reader".utf8))
                    break
                }
                #expect(frame.payload == message(number, padding: 10_000).json)
                number += 1
            }
            let total = sent.load(ordering: .relaxed)
            #expect(number < total)
            #expect(slow.isAtEnd)
        }
        #expect(records.open.count == 1)
    }

    @Test func slowReaderThatNeverReadsIsForgotten() async throws {
        let server = try TestServer.live(records) { $0.live.closeTime = .milliseconds(50) }
        let (client, connection) = try await connect(1, to: server)[0]
        while records.closed.isEmpty {
            for number in 0..<10 { connection.send(message(number, padding: 60_000)) }
            _ = try await eventually { server.server.live.waitingCommands == 0 }
        }
        #expect(try await eventually { server.server.live.count == 0 })
        withExtendedLifetime(client) {}
    }

    @Test func oneMessageMayBeLargerThanTheQueue() async throws {
        let server = try TestServer.live(records)
        let (client, connection) = try await connect(1, to: server)[0]
        let large = message(1, padding: 8 << 20)
        connection.send(large)
        #expect(try await onThread { client.next()?.payload } == large.json)
        #expect(records.closed.isEmpty)
    }

    /// Sends numbers page by page, as a backlog is.
    private final class Backlog: Sendable {
        let isOver = Atomic(false)

        func send(
            from first: Int, to last: Int, page: Int, on connection: LiveConnection,
            make: @escaping @Sendable (Int) -> LiveMessage
        ) {
            let end = min(first + page, last)
            for number in first..<end { connection.send(make(number)) }
            if end == last { return isOver.store(true, ordering: .releasing) }
            connection.whenDrained { [self] isOpen in
                if isOpen { send(from: end, to: last, page: page, on: connection, make: make) }
            }
        }
    }

    @Test(arguments: ["/live", "/events"])
    func backlogIsSentPageByPageWithoutLoss(path: String) async throws {
        let server = try TestServer.live(records)
        let count = 10_000
        let (client, connection) = try await connect(1, to: server, path: path)[0]
        let backlog = Backlog()
        backlog.send(from: 0, to: count, page: 100, on: connection) { number in
            LiveMessage(
                type: "counted", cursor: String(number),
                json: Array("{\"n\":\(number),\"p\":\"\(String(repeating: "x", count: 400))\"}".utf8))
        }
        try await onThread { [self] in
            if path == "/live" {
                for number in 0..<count { #expect(client.next()?.payload == message(number, padding: 400).json) }
                return
            }
            var expected: [UInt8] = []
            for number in 0..<count {
                expected +=
                    "id: \(number)\nevent: counted\ndata: ".utf8 + message(number, padding: 400).json + [10, 10]
            }
            var bytes: [UInt8] = []
            while bytes.count < expected.count, let piece = client.raw.receiveBytes(65536), !piece.isEmpty {
                bytes += piece
            }
            #expect(bytes == expected)
        }
        let isOver = backlog.isOver.load(ordering: .acquiring)
        #expect(isOver)
        #expect(records.closed.isEmpty)
    }

    @Test func whoWaitsForAClosedConnectionIsTold() async throws {
        let server = try TestServer.live(records)
        let (client, connection) = try await connect(1, to: server)[0]
        let answers = Mutex<[Bool]>([])
        connection.whenDrained { isOpen in answers.withLock { $0.append(isOpen) } }
        connection.close(.normal)
        connection.whenDrained { isOpen in answers.withLock { $0.append(isOpen) } }
        #expect(try await eventually { answers.withLock { $0.count } == 2 })
        #expect(answers.withLock { $0.last } == false)
        withExtendedLifetime(client) {}
    }

    @Test func floodsAreCut() async throws {
        let kinds: [(String, [UInt8])] = [
            ("messages", LiveClient.frame(1, [0x61])), ("pings", LiveClient.frame(9)), ("pongs", LiveClient.frame(10)),
        ]
        for (name, frame) in kinds {
            let records = LiveRecords()
            let server = try TestServer.live(records) {
                $0.live.floodMessages = 60
                $0.live.floodWindow = .seconds(3600)
            }
            let port = server.port
            let code = try await onThread {
                let client = try LiveClient(port: port)
                client.raw.send((0..<100).flatMap { _ in frame })
                return client.closeCode()
            }
            #expect(code == 4429, "\(name)")
            #expect(records.received.count == (name == "messages" ? 60 : 0))
        }
    }

    @Test func endlessFragmentsAreCut() async throws {
        let server = try TestServer.live(records) {
            $0.live.floodMessages = 60
            $0.live.floodWindow = .seconds(3600)
        }
        let port = server.port
        let code = try await onThread {
            let client = try LiveClient(port: port)
            client.raw.send(LiveClient.frame(1, isFinal: false))
            for _ in 0..<1000 { client.raw.send(LiveClient.frame(0, isFinal: false)) }
            return client.closeCode()
        }
        #expect(code == 4429)
    }

    @Test func burstAndThenTheRateAreLetThrough() {
        let rate = FloodGauge.Rate(messages: 60, window: .seconds(10))
        let start: Int64 = 1_000_000_000_000
        var gauge = FloodGauge()
        /// How many messages in a row pass, each of `cost`, and `step` apart.
        func passing(_ count: Int, cost: Double = 1, from time: Int64, step: Int64 = 0) -> Int {
            for number in 0..<count where !gauge.charge(cost, at: time + Int64(number) * step, rate) { return number }
            return count
        }
        #expect(passing(100, from: start) == 60)
        gauge = FloodGauge()
        // Ten minutes at the rate, then a pause, then a burst of all but one, whose parts may still come.
        let step = Duration.seconds(10).nanoseconds / 60 + 1
        #expect(passing(3600, from: start, step: step) == 3600)
        let later = start + 3700 * step
        #expect(passing(59, from: later) == 59)
        #expect(passing(100, cost: 1.0 / 16, from: later) == 16)
    }

    @Test func clientsThatAnswerPingsStay() async throws {
        let server = try TestServer.live(records) {
            $0.live.heartbeat = .milliseconds(20)
            $0.live.silence = .seconds(3600)
        }
        let (client, connection) = try await connect(1, to: server)[0]
        try await onThread {
            for _ in 0..<5 {
                #expect(client.next() == LiveClient.Frame(opcode: 9, payload: []))
                client.send(10)
            }
        }
        #expect(records.open.first === connection)
    }

    @Test func silentClientsAreClosed() async throws {
        let server = try TestServer.live(records) {
            $0.live.heartbeat = .milliseconds(20)
            $0.live.silence = .milliseconds(60)
        }
        let port = server.port
        let (pings, code) = try await onThread {
            let client = try LiveClient(port: port)
            var pings = 0
            while let frame = client.next() {
                if frame.opcode == 8 { return (pings, frame.code) }
                pings += 1
            }
            return (pings, 0)
        }
        #expect(pings > 0 && code == 1001)
        #expect(records.closed == [.silent])
    }

    @Test func clientsThatVanishAreForgotten() async throws {
        let server = try TestServer.live(records)
        for path in ["/live", "/events"] {
            _ = try await connect(3, to: server, path: path)
            #expect(try await eventually { server.server.live.count == 0 && server.descriptors == 0 }, "\(path)")
        }
        #expect(records.closed == Array(repeating: .lost, count: 6))
    }

    @Test func descriptorsAndPlacesAreGivenBack() async throws {
        let server = try TestServer.live(records) { $0.live.perAddress = 10 }
        let port = server.port
        for path in ["/live", "/events", "/pool-live"] {
            for round in 0..<25 {
                try await onThread {
                    let clients = try (0..<10).map { _ in try LiveClient(port: port, path: path) }
                    for (index, client) in clients.enumerated() {
                        #expect(client.head.hasPrefix("HTTP/1.1 \(path == "/events" ? 200 : 101) "), "\(path) \(round)")
                        if index.isMultiple(of: 2) { client.send(8, [0x03, 0xe8]) }
                    }
                }
                #expect(try await eventually { server.server.live.count == 0 })
            }
            #expect(try await eventually { server.descriptors == 0 && server.server.openConnections == 0 })
        }
        #expect(records.contents.withLock { $0.opened } == 750 && records.closed.count == 750)
    }

    @Test func connectionsOfOneAddressAreLimited() async throws {
        let server = try TestServer.live(records) {
            $0.live.perAddress = 3
            $0.perAddressConnectionLimit = 2
        }
        // They no longer count as connections for requests, so there may be more of them.
        var held = try await connect(2, to: server)
        held += try await connect(1, to: server, path: "/events")
        for path in ["/live", "/events"] {
            let port = server.port
            let head = try await onThread { try LiveClient(port: port, path: path).head }
            #expect(head.hasPrefix("HTTP/1.1 429 ") && head.contains("Retry-After"), "\(path)")
        }
        held.removeLast()
        #expect(try await eventually { server.server.live.count == 2 })
        #expect(try await connect(1, to: server, path: "/events")[0].0.head.hasPrefix("HTTP/1.1 200 "))
    }

    @Test func connectionsAreLimitedAltogether() async throws {
        let server = try TestServer.live(records) {
            $0.live.connections = 2
            $0.live.eventStreams = 1
        }
        let port = server.port
        let stream = try await connect(1, to: server, path: "/events")
        #expect(try await onThread { try LiveClient(port: port, path: "/events").head }.hasPrefix("HTTP/1.1 503 "))
        let socket = try await connect(1, to: server)
        #expect(try await onThread { try LiveClient(port: port).head }.hasPrefix("HTTP/1.1 503 "))
        withExtendedLifetime((stream, socket)) {}
    }

    @Test func stoppingSaysGoodbyeAndDoesNotWait() async throws {
        let server = try TestServer.live(records)
        let sockets = try await connect(3, to: server)
        let stream = try await connect(1, to: server, path: "/events")
        server.server.live.send(message(1), to: records.open)
        try await onThread { server.server.stop(drain: .seconds(3600)) }
        #expect(server.server.live.count == 0 && server.descriptors == 0)
        #expect(records.closed == Array(repeating: .goingAway, count: 4))
        try await onThread { [self] in
            for (client, _) in sockets {
                #expect(client.next()?.payload == message(1).json)
                #expect(client.next()?.code == 1001)
            }
            let text = stream[0].0.raw.readAll(silence: patience).text
            #expect(text.hasPrefix("id: 1\nevent: counted\ndata: {"))
            #expect(text.hasSuffix("event: close\ndata: {\"code\":1001,\"reason\":\"going-away\"}\n\n"))
        }
    }

    @Test func stoppingEndsThoseThatNeverRead() async throws {
        let server = try TestServer.live(records) { $0.live.queueBytes = 32 << 20 }
        for path in ["/live", "/events"] {
            let (client, connection) = try await connect(1, to: server, path: path)[0]
            connection.send(message(1, padding: 16 << 20))
            #expect(try await eventually { connection.unsentBytes > 0 })
            _ = client
        }
        try await onThread { server.server.stop(drain: .zero) }
        #expect(records.closed.count == 2)
        #expect(server.descriptors == 0)
    }

    @Test func whatIsAskedForAfterStoppingIsDropped() async throws {
        let server = try TestServer.live(records)
        let (client, connection) = try await connect(1, to: server)[0]
        try await onThread { server.server.stop(drain: .zero) }
        let answers = Mutex<[Bool]>([])
        connection.send(message(1))
        connection.close(.normal)
        connection.whenDrained { isOpen in answers.withLock { $0.append(isOpen) } }
        #expect(answers.withLock { $0 } == [false])
        withExtendedLifetime(client) {}
    }
}
