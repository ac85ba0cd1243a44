import Foundation
import SocialModel

/// Pins that were dropped, changed and deleted without a network: kept on disk in their order, and sent when it is back.
///
/// Each write is sent until its answer has come, and done once: creations by their idempotency keys, changes and
/// deletions because they say the same again. What the server refuses is handed back and not tried again.
public actor OfflineQueue {
    /// More is refused: whoever writes so much offline is a fault in a program.
    public static let limit = 1000

    private static let keyLifetime: TimeInterval = 23 * 3600

    private let file: URL
    private let now: @Sendable () -> Date
    private var entries: [QueuedWrite]
    private var isSending = false

    /// The queue that `file` holds; an empty one if there is none.
    ///
    /// - Throws: when the file is there and cannot be read: what the user wrote is not thrown away silently.
    public init(file: URL) throws {
        try self.init(file: file) { Date() }
    }

    init(file: URL, now: @escaping @Sendable () -> Date) throws {
        self.file = file
        self.now = now
        let exists = FileManager.default.fileExists(atPath: file.path)
        entries = exists ? try JSONDecoder().decode([QueuedWrite].self, from: Data(contentsOf: file)) : []
    }

    /// What waits, in order.
    public var waiting: [QueuedWrite] { entries }

    /// Adds a write, which is on disk when this returns.
    ///
    /// - Throws: `PinfoldError.invalidInput` when the queue is full; an error of the disk.
    @discardableResult
    public func add(_ action: QueuedWrite.Action) throws -> QueuedWrite {
        guard entries.count < Self.limit else { throw PinfoldError.invalidInput("\(Self.limit) writes are waiting") }
        let entry = QueuedWrite(action)
        entries.append(entry)
        do { try save() } catch {
            entries.removeLast()
            throw error
        }
        return entry
    }

    /// Sends what waits, one after the other.
    ///
    /// - Parameter onOutcome: told what became of each before it leaves the disk, so it may hear of one twice if the
    ///   process is killed then.
    /// - Throws: what keeps the rest waiting: no answer, no session, too many requests. Nothing is lost.
    public func send(
        through client: PinfoldClient, onOutcome: @Sendable (QueuedOutcome) async throws -> Void
    ) async throws {
        // Two at once would send each write twice.
        guard !isSending else { return }
        isSending = true
        defer { isSending = false }
        while let entry = entries.first {
            let result = try await outcome(of: entry, client)
            try await onOutcome(QueuedOutcome(write: entry, result: result))
            entries.removeFirst()
            if case .create = entry.action, case .written(let pin) = result { resolve(entry.id, to: pin.id) }
            try save()
        }
    }

    private func outcome(of entry: QueuedWrite, _ client: PinfoldClient) async throws -> QueuedOutcome.Result {
        let wasSent = entry.firstSentAt != nil
        if let first = entry.firstSentAt, case .create = entry.action,
            now().timeIntervalSince(first) > Self.keyLifetime
        {
            return .unknown
        }
        if !wasSent {
            entries[0].firstSentAt = now()
            try save()
        }
        do {
            return try await perform(entry, client)
        } catch let error as PinfoldError {
            switch (error, entry.action) {
            case (.refused, _) where [408, 429].contains(error.status) || (error.status ?? 0) >= 500: throw error
            case (.refused, .delete) where error.isNotFound && wasSent: return .deleted
            case (.refused, .change(.pin(let id), let change, _)) where error.isStale && wasSent:
                // Its own first attempt may have been the change that it met.
                let pin = try await client.pin(id)
                return change.isMade(in: pin.value) ? .written(pin) : .refused(error)
            case (.refused, _): return .refused(error)
            default: throw error
            }
        }
    }

    private func perform(_ entry: QueuedWrite, _ client: PinfoldClient) async throws -> QueuedOutcome.Result {
        switch entry.action {
        case .create(let pin): return .written(try await client.createPin(pin, key: entry.key))
        case .change(.pin(let id), let change, let tag):
            return .written(try await client.changePin(id, change, ifUnchangedFrom: tag))
        case .delete(.pin(let id), let tag):
            try await client.deletePin(id, ifUnchangedFrom: tag)
            return .deleted
        // Creations stand in front of what is done to their pins, so this one was refused.
        case .change(.queued, _, _), .delete(.queued, _): return .withoutPin
        }
    }

    /// Names the pin by its id to the writes that wait behind its creation.
    private func resolve(_ creation: QueuedWrite.ID, to pin: Identifier<Pin>) {
        for index in entries.indices {
            switch entries[index].action {
            case .change(.queued(creation), let change, let tag):
                entries[index].action = .change(.pin(pin), change, tag: tag)
            case .delete(.queued(creation), let tag): entries[index].action = .delete(.pin(pin), tag: tag)
            default: break
            }
        }
    }

    private func save() throws {
        try JSONEncoder().encode(entries).write(to: file, options: .atomic)
    }
}
