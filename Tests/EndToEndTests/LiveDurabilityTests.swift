import Foundation
import Synchronization
import Testing

/// A follower whose connection breaks, of a server that is killed, misses nothing and hears nothing twice.
@Suite(.ownThreads) struct LiveDurabilityTests {
    /// How much happens: little in every run of the tests, and the whole figure when it is asked for.
    private struct Extent {
        let changes: Int
        let cuts: Int
        let kills: Int

        static var wished: Extent {
            ProcessInfo.processInfo.environment["PINFOLD_LIVE_CHANGES"].flatMap { Int($0) }
                .map { Extent(changes: $0, cuts: 50, kills: 10) } ?? Extent(changes: 2_000, cuts: 8, kills: 2)
        }
    }

    @Test func `whoever comes back with the last cursor has missed nothing`() throws {
        let extent = Extent.wished
        var random = SplitMix(state: 4)
        let folder = try DataFolder()
        var server = try RunningServer(folder, "--rate-limits", "off")
        let reader = try server.signUp("reader")
        let writers = try (0..<4).map { index in
            let client = try server.signUp("writer\(index)")
            try befriend(client, reader)
            return LiveWriter(
                client, name: "w\(index)", changes: extent.changes / 4, seed: random.next())
        }
        let port = Mutex(server.port)
        let follower = LiveFollower(reader, cuts: extent.cuts, of: extent.changes, seed: random.next())

        let (written, heard) = (DispatchGroup(), DispatchGroup())
        for writer in writers {
            written.enter()
            Thread.detachNewThread {
                writer.write { port.withLock { $0 } }
                written.leave()
            }
        }
        heard.enter()
        Thread.detachNewThread {
            follower.follow { port.withLock { $0 } }
            heard.leave()
        }
        for kill in 1...extent.kills {
            _ = try eventually("writes", within: .seconds(600)) {
                let count = writers.reduce(0) { $0 + $1.acknowledged }
                return count >= extent.changes * kill / (extent.kills + 1) ? true : nil
            }
            usleep(UInt32.random(in: 0...50_000, using: &random))
            server.process.send(SIGKILL)
            #expect(try server.process.wait() == .signal(SIGKILL))
            server = try RunningServer(folder, "--rate-limits", "off")
            port.withLock { $0 = server.port }
        }
        guard written.wait(timeout: .now() + 600) == .success else { throw Failure("the writers did not end") }
        let last = try Client(port: server.port, token: writers[0].token).dropPin(LiveFollower.last)
        guard heard.wait(timeout: .now() + 120) == .success else { throw Failure("the last pin was never heard of") }

        #expect(writers.compactMap(\.surprise) == [])
        #expect(follower.surprises == [])
        #expect(follower.cuts == extent.cuts)
        let acknowledged = writers.reduce(0) { $0 + $1.acknowledged }
        #expect(acknowledged == extent.changes / 4 * 4)
        var expected: [String: LiveFollower.Known] = [last.id: .version(0)]
        for writer in writers { expected.merge(writer.outcome) { $1 } }
        let known = follower.known
        let wrong = Set(expected.keys).union(known.keys).filter { expected[$0] != known[$0] }
        #expect(wrong.isEmpty, "lost or made up: \(wrong.prefix(5))")
        try server.stop()
    }

    private func befriend(_ a: Client, _ b: Client) throws {
        struct Named: Decodable {
            let id: String
        }
        let me = try b.send("GET", "/v1/me").decoded(Named.self)
        let asked = try a.send("POST", "/v1/friend-requests", json: #"{"to": "\#(me.id)"}"#)
        let request = try asked.decoded(Named.self)
        guard try b.send("POST", "/v1/friend-requests/\(request.id)/accept", json: "{}").status == 200 else {
            throw Failure("no friendship came of \(asked)")
        }
    }
}

/// Someone who creates, changes and deletes pins; what has no answer is sent again.
private final class LiveWriter: Sendable {
    private struct Book {
        var acknowledged = 0
        var outcome: [String: LiveFollower.Known] = [:]
        var surprise: String?
    }

    let token: String?
    private let name: String
    private let changes: Int
    private let seed: UInt64
    private let book = Mutex(Book())

    init(_ client: Client, name: String, changes: Int, seed: UInt64) {
        token = client.token
        self.name = name
        self.changes = changes
        self.seed = seed
    }

    var acknowledged: Int { book.withLock { $0.acknowledged } }
    /// What has become of each pin, by its id.
    var outcome: [String: LiveFollower.Known] { book.withLock { $0.outcome } }
    var surprise: String? { book.withLock { $0.surprise } }

    /// - Parameter port: of the server as it is now.
    func write(to port: () -> UInt16) {
        var random = SplitMix(state: seed)
        var versions: [String: Int] = [:]
        for change in 1...changes {
            let old = versions.keys.sorted().randomElement(using: &random)
            let dice = Int.random(in: 0..<10, using: &random)
            if let old, dice < 6 {
                let version = (versions[old] ?? 0) + 1
                guard send("PATCH", "/v1/pins/\(old)", #"{"name": "v\#(version)"}"#, [200], port) != nil else { return }
                versions[old] = version
                book.withLock { $0.outcome[old] = .version(version) }
            } else if let old, dice == 6 {
                // 404: it was done, and the answer lost.
                guard send("DELETE", "/v1/pins/\(old)", nil, [204, 404], port) != nil else { return }
                versions[old] = nil
                book.withLock { $0.outcome[old] = .removed }
            } else {
                let json = #"{"latitude": 44.9551, "longitude": -93.1022, "name": "v1"}"#
                let answer = send("POST", "/v1/pins", json, [201], port, key: "\(name) \(change)")
                guard let pin = try? answer?.decoded(PinBody.self) else { return }
                versions[pin.id] = 1
                book.withLock { $0.outcome[pin.id] = .version(1) }
            }
            book.withLock { $0.acknowledged += 1 }
        }
    }

    private func send(
        _ method: String, _ path: String, _ json: String?, _ expected: Set<Int>, _ port: () -> UInt16,
        key: String? = nil
    ) -> Answer? {
        for _ in 0..<12_000 {
            let headers = key.map { ["Idempotency-Key: \($0)"] } ?? []
            let answer = try? Client(port: port(), token: token).send(method, path, headers: headers, json: json)
            if let answer {
                if expected.contains(answer.status) { return answer }
                book.withLock { $0.surprise = "\(method) \(path): \(answer)" }
                return nil
            }
            usleep(5_000)
        }
        book.withLock { $0.surprise = "\(method) \(path) was never answered" }
        return nil
    }
}

/// Someone who hears of the pins, and comes back with the last cursor whenever the connection has ended.
private final class LiveFollower: Sendable {
    enum Known: Equatable {
        case version(Int)
        case removed
    }

    /// The name of the pin after which nothing comes.
    static let last = "v0"

    private struct State {
        var cursor: String?
        var cursors: Set<String> = []
        var known: [String: Known] = [:]
        var created: Set<String> = []
        var surprises: [String] = []
        var cuts = 0
        var isDone = false
    }

    private struct Event: Decodable {
        struct Pin: Decodable {
            let id: String
            let name: String
        }

        let type: String
        let cursor: String?
        let pin: Pin?
        let id: String?
    }

    private let client: Client
    private let wishedCuts: Int
    private let eventsPerCut: Int
    private let seed: UInt64
    private let state: Mutex<State>

    init(_ client: Client, cuts: Int, of changes: Int, seed: UInt64) {
        self.client = client
        wishedCuts = cuts
        eventsPerCut = changes / cuts
        self.seed = seed
        struct Page: Decodable {
            let cursor: String
        }
        let page = try? client.send("GET", "/v1/pins/changes").decoded(Page.self)
        state = Mutex(State(cursor: page?.cursor))
    }

    var surprises: [String] { state.withLock { $0.surprises } }
    var cuts: Int { state.withLock { $0.cuts } }
    var known: [String: Known] { state.withLock { $0.known } }

    /// - Parameter port: of the server as it is now.
    func follow(_ port: () -> UInt16) {
        var random = SplitMix(state: seed)
        while !state.withLock({ $0.isDone || $0.surprises.count > 10 }) {
            // Fewer are heard than happen: some fall together.
            let isToBeCut = cuts < wishedCuts
            let life = isToBeCut ? Int.random(in: 0...eventsPerCut * 3 / 4, using: &random) : .max
            if (try? hear(life, Client(port: port(), token: client.token))) == true {
                state.withLock { $0.cuts += 1 }
            } else {
                usleep(2_000)
            }
        }
    }

    /// - Returns: whether all `life` events of the connection came, after which it is dropped with whatever else came.
    private func hear(_ life: Int, _ client: Client) throws -> Bool {
        let connection = try Connection(port: client.port)
        let cursor = state.withLock { $0.cursor } ?? ""
        try connection.send(client.request("GET", "/v1/events?after=\(cursor)"))
        var (buffer, count, isHead): ([UInt8], Int, Bool) = ([], 0, true)
        while true {
            while let end = buffer.firstRange(of: Array((isHead ? "\r\n\r\n" : "\n\n").utf8)) {
                let block = String(decoding: buffer[..<end.lowerBound], as: UTF8.self)
                buffer.removeFirst(end.upperBound)
                if isHead {
                    isHead = false
                    if !block.hasPrefix("HTTP/1.1 200") { note("answered with \(block)") }
                    continue
                }
                guard let data = block.firstMatch(of: /data: (.*)/) else { continue }
                if count == life { return true }
                count += 1
                take(try JSONDecoder().decode(Event.self, from: Data(data.1.utf8)))
                if state.withLock({ $0.isDone }) { return false }
            }
            let piece = try connection.receive()
            if piece.isEmpty { return false }
            buffer += piece
        }
    }

    private func note(_ surprise: String) { state.withLock { $0.surprises.append(surprise) } }

    private func take(_ event: Event) {
        state.withLock { state in
            guard let cursor = event.cursor else { return }
            if !state.cursors.insert(cursor).inserted { state.surprises.append("twice: \(event)") }
            state.cursor = cursor
            switch (event.type, event.pin, event.id) {
            case ("pin.created", let pin?, _), ("pin.updated", let pin?, _):
                guard let version = Int(pin.name.dropFirst()) else { return }
                if event.type == "pin.created", !state.created.insert(pin.id).inserted {
                    state.surprises.append("created again: \(event)")
                }
                switch state.known[pin.id] {
                case .version(let before)? where before > version: state.surprises.append("back to: \(event)")
                case .removed?: state.surprises.append("after its end: \(event)")
                case nil where event.type == "pin.updated": state.surprises.append("never created: \(event)")
                default: state.known[pin.id] = .version(version)
                }
                if pin.name == Self.last { state.isDone = true }
            case ("pin.removed", _, let id?):
                if state.known[id] == .removed { state.surprises.append("removed again: \(event)") }
                state.known[id] = .removed
            default: state.surprises.append("unexpected: \(event)")
            }
        }
    }
}
