import Geo
import HTTP
import SocialModel
import Storage

/// What the owner says of a pin, checked; all of it for a new one, the changes for an old one.
struct PinDraft: Sendable {
    var latitude: Double?
    var longitude: Double?
    var name: String?
    var comment: Change<String> = .absent
    var address: Change<String> = .absent
    var rating: Change<Int> = .absent
    var category: Pin.Category?
    var audience: Pin.Audience.Kind?
    var circle: Change<Identifier<Circle>> = .absent
}

/// The writes to pins. Each logs its event in the same transaction: whom the pin reached before, and whom it reaches now.
package enum PinChange {
    /// Drops a pin.
    ///
    /// - Parameters:
    ///   - words: `SearchWords.form` of the pin, made before the writer was asked; it is slow for long texts.
    ///   - externalId: what an import knows it by; the owner has no other pin with it.
    package static func create(
        _ pin: Pin, words: String? = nil, externalId: String? = nil, in write: WriteTransaction
    ) throws {
        try requireCircle(of: pin, in: write)
        try write.run(
            """
            INSERT INTO pin (id, ownerId, createdAt, longitude, latitude, rating, category, audience, updatedAt,
                addressByOwner, externalId, name, comment, address)
            VALUES (\(pin.id), \(pin.ownerId), \(pin.createdAt.milliseconds), \(pin.coordinate.longitudeE7),
                \(pin.coordinate.latitudeE7), \(pin.rating), \(pin.category.code), \(pin.audience?.code),
                \(pin.storedUpdate), \(pin.addressSource == .owner), \(externalId), \(pin.name), \(pin.comment),
                \(pin.address))
            """)
        try SearchWords.store(words ?? SearchWords.form(of: pin), of: pin, in: write)
        try write.log(.pin(pin.id, owner: pin.ownerId, before: nil, after: pin.audience))
    }

    /// Makes the owner's pin what `pin` says; `words` as for `create`.
    static func update(_ before: Pin, to pin: Pin, words: String? = nil, in write: WriteTransaction) throws {
        try requireCircle(of: pin, in: write)
        try write.run(
            """
            UPDATE pin SET createdAt = \(pin.createdAt.milliseconds), longitude = \(pin.coordinate.longitudeE7),
                latitude = \(pin.coordinate.latitudeE7), rating = \(pin.rating), category = \(pin.category.code),
                audience = \(pin.audience?.code), updatedAt = \(pin.storedUpdate), addressByOwner = \(pin.addressSource == .owner),
                name = \(pin.name), comment = \(pin.comment), address = \(pin.address)
            WHERE id = \(pin.id) AND ownerId = \(pin.ownerId)
            """)
        let isMoved = pin.createdAt != before.createdAt
        if isMoved { try SearchWords.remove(of: before, in: write) }
        if isMoved || !pin.hasTexts(of: before) {
            try SearchWords.store(words ?? SearchWords.form(of: pin), of: pin, in: write)
        }
        try write.log(.pin(pin.id, owner: pin.ownerId, before: before.audience, after: pin.audience))
    }

    /// - Throws: `HTTPError` 400 when the pin is for a circle that its owner does not have.
    static func requireCircle(of pin: Pin, in transaction: some Transaction) throws {
        guard let circle = pin.audience?.circle else { return }
        let isOwn = try transaction.exists("SELECT 1 FROM circle WHERE ownerId = \(pin.ownerId) AND id = \(circle)")
        guard isOwn else { throw HTTPError.badRequest("circleId", "is not a circle of yours") }
    }

    /// Takes a pin away; for `restoreWindow` it can come back.
    static func delete(_ pin: Pin, in write: WriteTransaction) throws {
        try write.run(
            """
            INSERT INTO deletedPin (\(literal: columns), deletedAt) SELECT \(literal: columns), \(write.now)
            FROM pin WHERE id = \(pin.id) AND ownerId = \(pin.ownerId)
            """)
        try write.run("DELETE FROM pin WHERE id = \(pin.id) AND ownerId = \(pin.ownerId)")
        try write.log(.pin(pin.id, owner: pin.ownerId, before: pin.audience, after: nil))
    }

    private static let columns: StaticString = """
        id, ownerId, createdAt, longitude, latitude, rating, category, audience, updatedAt, addressByOwner, externalId,
        name, comment, address
        """

    /// Ten minutes, in milliseconds.
    static let restoreWindow: Int64 = 600_000

    /// Brings the viewer's deleted pin back as it was.
    ///
    /// - Throws: `HTTPError` 404 when there is none, or it was deleted longer than `restoreWindow` ago.
    static func restore(_ id: Identifier<Pin>, by viewer: Viewer, in write: WriteTransaction) throws -> Pin {
        let visible = VisiblePins(of: viewer, in: write)
        // Restoring twice, as a client does whose answer was lost, is restoring once.
        if let pin = try visible.own(id) { return pin }
        try letGoOfTakenKey(of: id, in: write)
        let restored = try write.run(
            """
            INSERT INTO pin (\(literal: columns)) SELECT \(literal: columns) FROM deletedPin
            WHERE id = \(id) AND ownerId = \(viewer.id) AND deletedAt > \(write.now - restoreWindow)
            """)
        guard restored > 0, let pin = try visible.own(id) else { throw HTTPError.notFound }
        try SearchWords.store(SearchWords.form(of: pin), of: pin, in: write)
        try write.run("DELETE FROM deletedPin WHERE id = \(id)")
        try write.log(.pin(id, owner: viewer.id, before: nil, after: pin.audience))
        return pin
    }

    /// An import since the deletion may have made a pin of the same external id; that one keeps it.
    private static func letGoOfTakenKey(of id: Identifier<Pin>, in write: WriteTransaction) throws {
        try write.run(
            """
            UPDATE deletedPin SET externalId = NULL WHERE id = \(id) AND EXISTS (
                SELECT 1 FROM pin WHERE pin.ownerId = deletedPin.ownerId AND pin.externalId = deletedPin.externalId)
            """)
    }

    /// Shows the pins of one of the owner's circles, deleted ones too, to the owner alone: the circle goes.
    static func makePrivate(
        ofCircle circle: Identifier<Circle>, of owner: Identifier<User>, in write: WriteTransaction
    ) throws {
        try write.run(
            """
            INSERT INTO event (at, kind, accountId, subjectId, audienceBefore, audienceAfter)
            SELECT \(write.now), 'pin', ownerId, id, audience, 0 FROM pin WHERE ownerId = \(owner) AND audience = \(circle)
            """)
        try write.run(
            """
            UPDATE pin SET audience = 0, updatedAt = max(\(write.now), coalesce(updatedAt, createdAt) + 1)
            WHERE ownerId = \(owner) AND audience = \(circle)
            """)
        try write.run("UPDATE deletedPin SET audience = 0 WHERE ownerId = \(owner) AND audience = \(circle)")
    }

    /// Forgets the pins that can no longer be restored.
    static func purgeDeleted(in write: WriteTransaction) throws {
        try write.run("DELETE FROM deletedPin WHERE deletedAt <= \(write.now - restoreWindow)")
    }

    /// Logs that every pin of `account` goes, ahead of the account itself.
    static func logRemovalOfAll(of account: Identifier<User>, in write: WriteTransaction) throws {
        try write.run(
            """
            INSERT INTO event (at, kind, accountId, subjectId, audienceBefore, audienceAfter)
            SELECT \(write.now), 'pin', ownerId, id, audience, NULL FROM pin WHERE ownerId = \(account)
            """)
    }
}

extension PinDraft {
    /// The audience after this change of `current`, or what is wrong with `circleId`: a circle needs the audience
    /// `circle`, and the other way round.
    func audience(after current: Pin.Audience) -> Result<Pin.Audience, FieldProblem> {
        switch (audience ?? current.kind, circle) {
        case (.circle, .set(let circle)): return .success(.circle(circle))
        case (.circle, .absent) where current.circle != nil: return .success(current)
        case (.circle, _): return .failure(FieldProblem("is required for the audience circle"))
        // The rest of a pin that is sent back may still have the circle that it was for.
        case (_, .set(let circle)) where circle != current.circle:
            return .failure(FieldProblem("goes only with the audience circle"))
        case (.friends, _): return .success(.friends)
        case (.private, _): return .success(.private)
        }
    }

    /// As above, where a fault has been looked for already, but the pin may have changed since.
    ///
    /// - Throws: `HTTPError` 400.
    private func checkedAudience(after current: Pin.Audience) throws -> Pin.Audience {
        do { return try audience(after: current).get() } catch {
            throw HTTPError.badRequest("circleId", error.message)
        }
    }

    /// The new pin that this says; its id, owner's name and times are still to come.
    ///
    /// - Parameter find: the gazetteer's address of a coordinate; asked only if the draft has none.
    func newPin(
        at coordinate: Coordinate, name: String, of owner: Viewer, address find: (Coordinate) -> String?
    ) throws -> Pin {
        let written = address.applied(to: nil)
        let address = written ?? find(coordinate)
        return Pin(
            id: Identifier(0), ownerId: owner.id, ownerUsername: "", coordinate: coordinate, name: name,
            address: address, addressSource: written != nil ? .owner : address != nil ? .gazetteer : nil,
            comment: comment.applied(to: nil), rating: rating.applied(to: nil), category: category ?? .other,
            audience: try checkedAudience(after: .friends), createdAt: Timestamp(milliseconds: 0),
            updatedAt: Timestamp(milliseconds: 0))
    }

    /// The pin after this change of `pin`, at `now`; the same pin if nothing changes.
    ///
    /// - Parameter address: the gazetteer's address of a coordinate; asked only where the owner has not written one.
    func applied(to pin: Pin, at now: Int64, address find: (Coordinate) throws -> String?) throws -> Pin {
        var new = pin
        let latitude = latitude ?? pin.coordinate.latitude
        let longitude = longitude ?? pin.coordinate.longitude
        new.coordinate = Coordinate(latitude: latitude, longitude: longitude) ?? pin.coordinate
        new.name = name ?? pin.name
        new.comment = comment.applied(to: pin.comment)
        new.rating = rating.applied(to: pin.rating)
        new.category = category ?? pin.category
        new.audience = try checkedAudience(after: pin.audience ?? .private)
        switch address {
        // An address of the gazetteer that comes back with the rest of the pin is still the gazetteer's.
        case .set(let text) where !text.hasBytes(of: pin.address) || pin.addressSource == .owner:
            new.address = text
            new.addressSource = .owner
        case .null:
            new.address = try find(new.coordinate)
            new.addressSource = new.address == nil ? nil : .gazetteer
        case .set, .absent:
            guard pin.addressSource != .owner, new.coordinate != pin.coordinate else { break }
            new.address = try find(new.coordinate)
            new.addressSource = new.address == nil ? nil : .gazetteer
        }
        if !new.isWritten(as: pin) { new.updatedAt = Timestamp(milliseconds: max(now, pin.updatedAt.milliseconds + 1)) }
        return new
    }
}

extension Pin {
    /// The length of its texts in UTF-8.
    var textBytes: Int { name.utf8.count + (comment?.utf8.count ?? 0) + (address?.utf8.count ?? 0) }

    /// Whether the texts that are searched are the same.
    func hasTexts(of other: Pin) -> Bool {
        func bytes(_ text: String?) -> [UInt8]? { text.map { Array($0.utf8) } }
        return bytes(name) == bytes(other.name) && bytes(comment) == bytes(other.comment)
            && bytes(address) == bytes(other.address)
    }

    /// What `updatedAt` is kept as: nothing until the pin is changed.
    fileprivate var storedUpdate: Int64? { updatedAt == createdAt ? nil : updatedAt.milliseconds }
}
