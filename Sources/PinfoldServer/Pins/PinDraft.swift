import Geo
import HTTP
import SocialModel

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

    /// The new pin that this says; its id and times are still to come, and what `PinOwner` knows: the owner's name, and
    /// the audience if this has none.
    ///
    /// - Parameter find: the gazetteer's address of a coordinate; asked only if the draft has none.
    func newPin(
        at coordinate: Coordinate, name: String, of owner: Viewer, address find: (Coordinate) -> String?
    ) throws -> Pin {
        let checkedAudience = try checkedAudience(after: .friends)
        let written = address.applied(to: nil)
        let address = written ?? find(coordinate)
        return Pin(
            id: Identifier(0), ownerId: owner.id, ownerUsername: "", coordinate: coordinate, name: name,
            address: address, addressSource: written != nil ? .owner : address != nil ? .gazetteer : nil,
            comment: comment.applied(to: nil), rating: rating.applied(to: nil), category: category ?? .other,
            audience: audience == nil ? nil : checkedAudience, createdAt: Timestamp(milliseconds: 0),
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
