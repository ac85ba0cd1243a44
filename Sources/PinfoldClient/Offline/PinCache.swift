import Foundation
import Geo
import SocialModel

/// The pins that one may see, kept on the device: there without a network, and brought up to date by changes and then by
/// live events.
///
/// ```swift
/// let cache = PinCache(file: file, account: user.id)
/// try await cache.follow(client) { event in await map.show(event) }
/// ```
///
/// Pins and cursor are one state, saved as one file that is replaced in one step. Whenever the process is killed, the
/// next one finds the pins as they were at the cursor that it goes on from, so nothing is lost and nothing counts twice.
///
/// All pins are in memory, and each save writes them all: made for tens of thousands (20,000 are a file of 8 MB, written
/// in some tenths of a second), not for millions. With many, raise `changesPerSave`. The file is JSON
/// without encryption of its own; the platform's file protection holds for it.
public actor PinCache: CursorStore {
    private struct Content: Codable {
        var version = 1
        var account: Identifier<User>
        var cursor: String?
        var pins: [Pin]
    }

    private let file: URL
    private let account: Identifier<User>
    private let changesPerSave: Int
    private var position: String?
    private var pinsById: [Identifier<Pin>: Pin] = [:]
    private var unsaved = 0

    /// The cache that `file` holds; an empty one if there is no such file, or it is damaged, of another version, or of
    /// another account, whose pins are nobody else's business.
    ///
    /// - Parameter changesPerSave: how many changes are saved together. What is lost when the process is killed comes
    ///   again from the server.
    public init(file: URL, account: Identifier<User>, changesPerSave: Int = 200) {
        self.file = file
        self.account = account
        self.changesPerSave = changesPerSave
        if let data = try? Data(contentsOf: file), let content = try? JSONDecoder().decode(Content.self, from: data),
            content.version == 1, content.account == account
        {
            position = content.cursor
            pinsById = Dictionary(content.pins.map { ($0.id, $0) }) { $1 }
        }
    }

    // MARK: Reading

    /// How many pins there are.
    public var count: Int { pinsById.count }

    /// One pin, if it is there.
    public func pin(_ id: Identifier<Pin>) -> Pin? { pinsById[id] }

    /// The pins in a box, the newest first.
    public func pins(in box: BoundingBox) -> [Pin] { newestFirst { box.contains($0.coordinate) } }

    /// Somebody's pins, the newest first.
    public func pins(of owner: Identifier<User>) -> [Pin] { newestFirst { $0.ownerId == owner } }

    /// All pins, the newest first.
    public func all() -> [Pin] { newestFirst { _ in true } }

    private func newestFirst(_ isWanted: (Pin) -> Bool) -> [Pin] {
        pinsById.values.filter(isWanted).sorted { ($0.createdAt, $0.id) > ($1.createdAt, $1.id) }
    }

    // MARK: Keeping up

    /// Brings the cache up to date, then keeps it so by live events until it is cancelled or throws what
    /// `LiveConnection` does; an expired cursor it deals with itself. One task at a time does this.
    ///
    /// Between the last run and this one friend requests may have come and gone that no event tells: read them again.
    ///
    /// - Parameter onEvent: told of each event after the cache has taken it in.
    public func follow(
        _ client: PinfoldClient, onEvent: @Sendable (LiveEvent) async throws -> Void = { _ in }
    ) async throws {
        while true {
            try await synchronize(with: client)
            do {
                for try await event in client.live(resumingFrom: self) {
                    if case .friendAdded = event.kind { try await addOlderPins(from: client) }
                    try apply(event)
                    try await onEvent(event)
                }
            } catch let error as PinfoldError where error.isCursorExpired {
                position = nil
            }
        }
    }

    /// Brings the cache up to date with what has changed since its cursor; if the server no longer knows that, with
    /// everything.
    public func synchronize(with client: PinfoldClient) async throws {
        do {
            if position != nil || pinsById.isEmpty {
                var page: PinChanges
                repeat {
                    page = try await client.pinChanges(since: position)
                    try apply(page)
                } while page.more
            } else {
                try await rebuild(from: client)
            }
        } catch let error as PinfoldError where error.isCursorExpired {
            try await rebuild(from: client)
        }
        try save()
    }

    /// Takes in one page of changes, those since the cache's cursor, and its cursor.
    public func apply(_ changes: PinChanges) throws {
        take(changes)
        position = changes.cursor
        try saveIfDue()
    }

    /// Takes in one live event, that behind the cache's cursor, and its cursor. The older pins of a new friend are not
    /// in it: `follow` asks for them.
    public func apply(_ event: LiveEvent) throws {
        switch event.kind {
        case .pinCreated(let pin), .pinUpdated(let pin): pinsById[pin.id] = pin
        case .pinRemoved(let id): pinsById[id] = nil
        case .friendRemoved(let user): pinsById = pinsById.filter { $0.value.ownerId != user.id }
        default: break
        }
        guard let cursor = event.cursor else { return }
        position = cursor
        unsaved += 1
        try saveIfDue()
    }

    /// Writes pins and cursor to the file, in one step. For when the app goes to the background; a number of changes is
    /// saved by itself.
    public func save() throws {
        guard unsaved > 0 else { return }
        let content = Content(account: account, cursor: position, pins: Array(pinsById.values))
        try JSONEncoder().encode(content).write(to: file, options: .atomic)
        unsaved = 0
    }

    /// Forgets everything, and removes the file: when its account signs out.
    public func removeAll() throws {
        position = nil
        pinsById = [:]
        unsaved = 0
        if FileManager.default.fileExists(atPath: file.path) { try FileManager.default.removeItem(at: file) }
    }

    /// Where changes and live events go on.
    public func cursor() -> String? { position }

    /// Does nothing: `apply` has taken the cursor in together with its event.
    public func keep(_ cursor: String) {}

    private func take(_ changes: PinChanges) {
        for pin in changes.changed { pinsById[pin.id] = pin }
        for id in changes.removed { pinsById[id] = nil }
        // An empty page moves the cursor, which counts as a change.
        unsaved += changes.changed.count + changes.removed.count + 1
    }

    private func saveIfDue() throws {
        if unsaved >= changesPerSave { try save() }
    }

    /// The pins of a new friend are among what has become visible since the cursor. The cursor stays: the live events go
    /// on behind that of the friendship, and those that tell what is known already change nothing for good.
    private func addOlderPins(from client: PinfoldClient) async throws {
        var cursor = position
        var more = true
        while more {
            let page = try await client.pinChanges(since: cursor)
            take(page)
            cursor = page.cursor
            more = page.more
        }
    }

    /// Everything anew, and what is not there any more goes. The old pins are shown until the new ones are complete.
    private func rebuild(from client: PinfoldClient) async throws {
        var fresh: [Identifier<Pin>: Pin] = [:]
        var cursor: String?
        var more = true
        while more {
            let page = try await client.pinChanges(since: cursor)
            for pin in page.changed { fresh[pin.id] = pin }
            for id in page.removed { fresh[id] = nil }
            cursor = page.cursor
            more = page.more
        }
        pinsById = fresh
        position = cursor
        unsaved += 1
    }
}
