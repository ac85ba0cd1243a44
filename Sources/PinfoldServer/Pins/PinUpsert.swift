import Geo
import HTTP
import SocialModel
import Storage

/// A pin as a batch or an import says it: a new one, or a change of the one that is known by the same id.
struct PinUpsert: Sendable {
    enum Outcome: Sendable {
        case created, updated, unchanged
    }

    /// The owner's pin that it is, if there is such a one.
    private let pinId: Identifier<Pin>?
    private let externalId: String?
    private let createdAt: Timestamp?
    private let keepsEarlierTime: Bool
    /// What it is if there is none yet, as `PinDraft.newPin` gives it.
    private let new: Pin
    /// What it changes of one that is there.
    private let change: PinDraft
    /// The pin that comes of it, as things were when this was prepared; with its words if they are new.
    private var prepared: (pin: Pin, words: String?)?

    /// - Parameters:
    ///   - createdAt: not in the future.
    ///   - keepsEarlierTime: a pin that is there and is older than `createdAt` keeps its time.
    init(
        _ new: Pin, change: PinDraft, pinId: Identifier<Pin>? = nil, externalId: String?, createdAt: Timestamp?,
        keepsEarlierTime: Bool = false
    ) {
        self.new = new
        self.change = change
        self.pinId = pinId
        self.externalId = externalId
        self.createdAt = createdAt
        self.keepsEarlierTime = keepsEarlierTime
    }

    /// The owner's pin that it changes; nil if it is a new one.
    func current(of owner: Viewer, in transaction: some Transaction) throws -> Pin? {
        let visible = VisiblePins(of: owner, in: transaction)
        if let pinId, let pin = try visible.own(pinId) { return pin }
        return try externalId.flatMap { try visible.own(externalId: $0) }
    }

    /// Looks up ahead of the writer what is slow to find out.
    mutating func prepare(of owner: Viewer, in read: ReadTransaction, _ app: App) throws {
        if let current = try current(of: owner, in: read) {
            let after = try changed(current, at: app.clock()) { app.address(of: $0) }
            prepared = (after, after.hasTexts(of: current) ? nil : SearchWords.form(of: after))
        } else {
            prepared = (new, SearchWords.form(of: new))
        }
    }

    /// What `store` would do.
    ///
    /// - Throws: `HTTPError` 400 as `store` does.
    func outcome(of owner: Viewer, in read: ReadTransaction, _ app: App) throws -> Outcome {
        guard let before = try current(of: owner, in: read) else {
            try PinChange.requireCircle(of: new, in: read)
            return .created
        }
        let after = try changed(before, at: app.clock()) { app.address(of: $0) }
        if after.isWritten(as: before) { return .unchanged }
        try PinChange.requireCircle(of: after, in: read)
        return .updated
    }

    /// Makes or changes the pin.
    ///
    /// - Throws: `HTTPError` 400 with the field at fault, before anything is written.
    func store(by viewer: Viewer, _ owner: PinOwner, in write: WriteTransaction, _ app: App) throws -> (
        pin: Pin, outcome: Outcome
    ) {
        guard let before = try current(of: viewer, in: write) else {
            var pin = owner.completing(new)
            pin.id = Identifier(write.newIdentifier())
            pin.updatedAt = Timestamp(milliseconds: write.now)
            pin.createdAt = min(createdAt ?? pin.updatedAt, pin.updatedAt)
            try PinChange.create(pin, words: words(for: pin), externalId: externalId, in: write)
            return (pin, .created)
        }
        let after = try changed(before, at: write.now) { coordinate in
            if let prepared, prepared.pin.coordinate == coordinate, prepared.pin.addressSource == .gazetteer {
                return prepared.pin.address
            }
            return app.address(of: coordinate)
        }
        if after.isWritten(as: before) { return (after, .unchanged) }
        try PinChange.update(before, to: after, words: words(for: after), in: write)
        return (after, .updated)
    }

    /// The words that were prepared, if they are those of `pin`.
    private func words(for pin: Pin) -> String? {
        prepared.flatMap { $0.pin.hasTexts(of: pin) ? $0.words : nil }
    }

    private func changed(_ before: Pin, at now: Int64, address find: (Coordinate) -> String?) throws -> Pin {
        var after = try change.applied(to: before, at: now, address: find)
        guard let createdAt, createdAt != before.createdAt else { return after }
        if keepsEarlierTime, createdAt > before.createdAt { return after }
        guard createdAt.milliseconds <= before.id.rawValue >> 20 else {
            throw HTTPError.badRequest("createdAt", "must not be later than the pin was first stored")
        }
        after.createdAt = createdAt
        after.updatedAt = Timestamp(milliseconds: max(now, before.updatedAt.milliseconds + 1))
        return after
    }
}
