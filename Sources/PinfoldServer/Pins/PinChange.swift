import Geo
import HTTP
import SocialModel
import Storage

/// The writes to pins. The schema logs each in its own transaction: whom the pin reached before, and whom it reaches now.
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
                addressByOwner, externalId, name, comment, address, words)
            VALUES (\(pin.id), \(pin.ownerId), \(pin.createdAt.milliseconds), \(pin.coordinate.longitudeE7),
                \(pin.coordinate.latitudeE7), \(pin.rating), \(pin.category.code), \(pin.audience?.code),
                \(pin.storedUpdate), \(pin.addressSource == .owner), \(externalId), \(pin.name), \(pin.comment),
                \(pin.address), \(words ?? SearchWords.form(of: pin)))
            """)
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
        if !pin.hasTexts(of: before) { try setWords(words ?? SearchWords.form(of: pin), of: pin, in: write) }
    }

    private static func setWords(_ words: String, of pin: Pin, in write: WriteTransaction) throws {
        try write.run("UPDATE pin SET words = \(words) WHERE id = \(pin.id)")
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
        try letGoOfTakenKey(of: id, by: viewer, in: write)
        let restored = try write.run(
            """
            INSERT INTO pin (\(literal: columns)) SELECT \(literal: columns) FROM deletedPin
            WHERE id = \(id) AND ownerId = \(viewer.id) AND deletedAt > \(write.now - restoreWindow)
            """)
        guard restored > 0, let pin = try visible.own(id) else { throw HTTPError.notFound }
        try setWords(SearchWords.form(of: pin), of: pin, in: write)
        try write.run("DELETE FROM deletedPin WHERE id = \(id)")
        return pin
    }

    /// An import since the deletion may have made a pin of the same external id; that one keeps it.
    private static func letGoOfTakenKey(of id: Identifier<Pin>, by viewer: Viewer, in write: WriteTransaction) throws {
        try write.run(
            """
            UPDATE deletedPin SET externalId = NULL WHERE id = \(id) AND ownerId = \(viewer.id) AND EXISTS (
                SELECT 1 FROM pin WHERE pin.ownerId = deletedPin.ownerId AND pin.externalId = deletedPin.externalId)
            """)
    }

    /// Shows the pins of one of the owner's circles, deleted ones too, to the owner alone: the circle goes.
    static func makePrivate(
        ofCircle circle: Identifier<Circle>, of owner: Identifier<User>, in write: WriteTransaction
    ) throws {
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

    /// Takes all pins of `account` away for good, ahead of the account itself.
    static func removeAll(of account: Identifier<User>, in write: WriteTransaction) throws {
        try write.run("DELETE FROM pin WHERE ownerId = \(account)")
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
