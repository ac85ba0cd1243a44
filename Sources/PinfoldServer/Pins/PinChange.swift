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
    var audience: Pin.Audience?
}

/// The writes to pins. Each logs its event in the same transaction: whom the pin reached before, and whom it reaches now.
package enum PinChange {
    /// Drops a pin.
    ///
    /// - Parameter searchForm: `SearchWords.kept` of the pin, which is too slow for the writer to make.
    package static func create(_ pin: Pin, searchForm: String?, in write: WriteTransaction) throws {
        try write.run(
            """
            INSERT INTO pin (id, ownerId, longitude, latitude, name, comment, address, addressByOwner, rating, category,
                audience, createdAt, updatedAt, searchForm)
            VALUES (\(pin.id), \(pin.ownerId), \(pin.coordinate.longitudeE7), \(pin.coordinate.latitudeE7),
                \(pin.name), \(pin.comment), \(pin.address), \(pin.addressSource == .owner), \(pin.rating),
                \(pin.category.code), \(pin.audience?.code), \(pin.createdAt.milliseconds),
                \(pin.updatedAt.milliseconds), \(searchForm))
            """)
        try write.log(.pin(pin.id, owner: pin.ownerId, before: nil, after: pin.audience))
    }

    /// Makes the owner's pin what `pin` says; `searchForm` is as for `create`.
    static func update(_ before: Pin, to pin: Pin, searchForm: String?, in write: WriteTransaction) throws {
        try write.run(
            """
            UPDATE pin SET longitude = \(pin.coordinate.longitudeE7), latitude = \(pin.coordinate.latitudeE7),
                name = \(pin.name), comment = \(pin.comment), address = \(pin.address),
                addressByOwner = \(pin.addressSource == .owner), rating = \(pin.rating),
                category = \(pin.category.code), audience = \(pin.audience?.code),
                updatedAt = \(pin.updatedAt.milliseconds),
                searchForm = \(searchForm)
            WHERE id = \(pin.id) AND ownerId = \(pin.ownerId)
            """)
        try write.log(.pin(pin.id, owner: pin.ownerId, before: before.audience, after: pin.audience))
    }

    /// Takes a pin away; for `restoreWindow` it can come back.
    static func delete(_ pin: Pin, in write: WriteTransaction) throws {
        try write.run(
            """
            INSERT INTO deletedPin (id, ownerId, deletedAt, longitude, latitude, name, comment, address,
                addressByOwner, rating, category, audience, createdAt, updatedAt, searchForm)
            SELECT id, ownerId, \(write.now), longitude, latitude, name, comment, address,
                addressByOwner, rating, category, audience, createdAt, updatedAt, searchForm
            FROM pin WHERE id = \(pin.id) AND ownerId = \(pin.ownerId)
            """)
        try write.run("DELETE FROM pin WHERE id = \(pin.id) AND ownerId = \(pin.ownerId)")
        try write.log(.pin(pin.id, owner: pin.ownerId, before: pin.audience, after: nil))
    }

    /// Ten minutes, in milliseconds.
    static let restoreWindow: Int64 = 600_000

    /// Brings the viewer's deleted pin back as it was.
    ///
    /// - Throws: `HTTPError` 404 when there is none, or it was deleted longer than `restoreWindow` ago.
    static func restore(_ id: Identifier<Pin>, by viewer: Viewer, in write: WriteTransaction) throws -> Pin {
        let visible = VisiblePins(of: viewer, in: write)
        // Restoring twice, as a client does whose answer was lost, is restoring once.
        if let pin = try visible.own(id) { return pin }
        let restored = try write.run(
            """
            INSERT INTO pin (id, ownerId, longitude, latitude, name, comment, address,
                addressByOwner, rating, category, audience, createdAt, updatedAt, searchForm)
            SELECT id, ownerId, longitude, latitude, name, comment, address,
                addressByOwner, rating, category, audience, createdAt, updatedAt, searchForm
            FROM deletedPin
            WHERE id = \(id) AND ownerId = \(viewer.id) AND deletedAt > \(write.now - restoreWindow)
            """)
        guard restored > 0, let pin = try visible.own(id) else { throw HTTPError.notFound }
        try write.run("DELETE FROM deletedPin WHERE id = \(id)")
        try write.log(.pin(id, owner: viewer.id, before: nil, after: pin.audience))
        return pin
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
    /// The new pin that this says; its id, owner's name and times are still to come.
    ///
    /// - Parameter find: the gazetteer's address of a coordinate; asked only if the draft has none.
    func newPin(
        at coordinate: Coordinate, name: String, of owner: Viewer, address find: (Coordinate) -> String?
    ) -> Pin {
        let written = address.applied(to: nil)
        let address = written ?? find(coordinate)
        return Pin(
            id: Identifier(0), ownerId: owner.id, ownerUsername: "", coordinate: coordinate, name: name,
            address: address, addressSource: written != nil ? .owner : address != nil ? .gazetteer : nil,
            comment: comment.applied(to: nil), rating: rating.applied(to: nil), category: category ?? .other,
            audience: audience ?? .friends, createdAt: Timestamp(milliseconds: 0),
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
        new.audience = audience ?? pin.audience
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
}
