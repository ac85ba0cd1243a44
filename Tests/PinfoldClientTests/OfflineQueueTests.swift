import Foundation
import Geo
import SocialModel
import Synchronization
import Testing

@testable import PinfoldClient

@Suite struct OfflineQueueTests {
    private let place = Coordinate(latitudeE7: 100_000_000, longitudeE7: 200_000_000)

    private final class Outcomes: Sendable {
        private let list = Mutex<[QueuedOutcome]>([])

        var all: [QueuedOutcome] { list.withLock { $0 } }

        func add(_ outcome: QueuedOutcome) { list.withLock { $0.append(outcome) } }

        var words: [String] {
            all.map { outcome in
                switch outcome.result {
                case .written(let pin): "written \(pin.name)"
                case .deleted: "deleted"
                case .refused(let error): "refused \(error.status ?? 0)"
                case .withoutPin: "without pin"
                case .unknown: "unknown"
                }
            }
        }
    }

    private func renaming(_ name: String) -> PinChange {
        var change = PinChange()
        change.name = name
        change.comment = .remove
        return change
    }

    @Test func `writes are sent in their order, also by another process, and to pins that had no id`() async throws {
        let server = try ServedApp()
        let ana = try await server.signUp("ana")
        let file = server.folder.file("queue")
        let offline = PinfoldClient.test(
            port: 1, retry: .never, tokens: MemoryTokenStore(MemoryTokenStore.scripted))
        let first = try OfflineQueue(file: file)
        let ramen = try await first.add(.create(NewPin("Ramen", at: place, comment: "Late", rating: 2)))
        try await first.add(.change(.queued(ramen.id), renaming("Noodles"), tag: nil))
        let zoo = try await first.add(.create(NewPin("Zoo", at: place)))
        try await first.add(.delete(.queued(zoo.id), tag: nil))
        await #expect(throws: PinfoldError.self) { try await first.send(through: offline) { _ in } }

        let queue = try OfflineQueue(file: file)
        #expect(await queue.waiting.count == 4)
        let outcomes = Outcomes()
        try await queue.send(through: ana) { outcomes.add($0) }
        #expect(outcomes.words == ["written Ramen", "written Noodles", "written Zoo", "deleted"])
        let pins = try await ana.pins().all()
        #expect(pins.map(\.name) == ["Noodles"] && pins[0].comment == nil && pins[0].rating == 2)
        #expect(try await OfflineQueue(file: file).waiting.isEmpty)
    }

    @Test func `conflicts are handed back, and do not hold up the rest`() async throws {
        let server = try ServedApp()
        let ana = try await server.signUp("ana")
        let pin = try await ana.createPin(NewPin("Ramen", at: place))
        let gone = try await ana.createPin(NewPin("Gone", at: place))
        let queue = try OfflineQueue(file: server.folder.file("queue"))
        try await queue.add(.change(.pin(pin.id), renaming("Mine"), tag: pin.tag))
        try await queue.add(.change(.pin(gone.id), renaming("Mine"), tag: nil))
        try await queue.add(.delete(.pin(gone.id), tag: nil))
        let nameless = try await queue.add(.create(NewPin("", at: place)))
        try await queue.add(.change(.queued(nameless.id), renaming("Mine"), tag: nil))
        try await queue.add(.create(NewPin("Last", at: place)))
        _ = try await ana.changePin(pin.id, renaming("Theirs"))
        try await ana.deletePin(gone.id)

        let outcomes = Outcomes()
        try await queue.send(through: ana) { outcomes.add($0) }
        #expect(
            outcomes.words
                == ["refused 412", "refused 404", "refused 404", "refused 400", "without pin", "written Last"])
        #expect(try await ana.pins().all().map(\.name) == ["Last", "Theirs"])
    }

    @Test func `lost answers double nothing and are no conflicts`() async throws {
        let server = try ServedApp()
        let lost = Mutex<Set<String>>([])
        // The first time of each kind of write.
        let way = try ScriptedServer.losing(answersFrom: server.port) { request in
            request.path.hasPrefix("/v1/pins") && request.method != "GET"
                && lost.withLock { $0.insert(request.method).inserted }
        }
        let store = MemoryTokenStore()
        try await server.client(tokens: store).signUp(.test("ana"))
        let ana = server.client(port: way.port, retry: .never, tokens: store)
        let other = try await ana.pinOf(NewPin("Other", at: place), retrying: 2)
        let queue = try OfflineQueue(file: server.folder.file("queue"))
        try await queue.add(.create(NewPin("Ramen", at: place)))
        try await queue.add(.change(.pin(other.id), renaming("Changed"), tag: other.tag))
        try await queue.add(.delete(.pin(other.id), tag: nil))
        lost.withLock { $0 = [] }
        let outcomes = Outcomes()
        for _ in 0..<3 {
            await #expect(throws: PinfoldError.self) { try await queue.send(through: ana) { outcomes.add($0) } }
        }
        try await queue.send(through: ana) { outcomes.add($0) }
        #expect(outcomes.words == ["written Ramen", "written Changed", "deleted"])
        #expect(try await ana.pins().all().map(\.name) == ["Ramen"])
    }

    @Test func `a creation whose key the server has forgotten is not sent again`() async throws {
        let server = try ScriptedServer { _, _ in }
        let later = Mutex(0.0)
        let client = PinfoldClient.test(
            port: server.port, retry: .never, tokens: MemoryTokenStore(MemoryTokenStore.scripted))
        let folder = try TemporaryFolder()
        let queue = try OfflineQueue(file: folder.file("queue")) {
            Date().addingTimeInterval(later.withLock { $0 })
        }
        try await queue.add(.create(NewPin("Ramen", at: place)))
        await #expect(throws: PinfoldError.self) { try await queue.send(through: client) { _ in } }
        later.withLock { $0 = 24 * 3600 }
        let outcomes = Outcomes()
        try await queue.send(through: client) { outcomes.add($0) }
        #expect(outcomes.words == ["unknown"])
        #expect(server.requests.count == 1)
    }

    @Test func `a full queue and a damaged file are told`() async throws {
        let folder = try TemporaryFolder()
        let file = folder.file("queue")
        try Data("[".utf8).write(to: file)
        #expect(throws: (any Error).self) { try OfflineQueue(file: file) }
        let full = (0..<OfflineQueue.limit).map { _ in QueuedWrite(.delete(.pin(Identifier(1)), tag: nil)) }
        try JSONEncoder().encode(full).write(to: file)
        let queue = try OfflineQueue(file: file)
        await #expect(throws: PinfoldError.self) { try await queue.add(.create(NewPin("Ramen", at: place))) }
        #expect(await queue.waiting == full)
    }
}

extension PinfoldClient {
    /// A new pin by a client that repeats nothing itself, for a server that loses answers.
    fileprivate func pinOf(_ pin: NewPin, retrying times: Int) async throws -> Tagged<Pin> {
        let key = IdempotencyKey()
        for _ in 1..<times {
            do { return try await createPin(pin, key: key) } catch PinfoldError.noAnswer {}
        }
        return try await createPin(pin, key: key)
    }
}
