import Geo
import HTTP
import SocialModel

/// How a file is imported: the query of the call.
struct ImportOptions: Sendable {
    let format: ImportFormat?
    let isDryRun: Bool
    /// What new pins are whose row says none.
    private let category: Pin.Category?
    private let audience: Pin.Audience
    private let circles: Set<Identifier<Circle>>

    /// New pins are private unless the query or the file says otherwise: years of places should not come over friends
    /// by surprise.
    ///
    /// - Parameter circles: the viewer's own.
    /// - Throws: `HTTPError` 400.
    init(_ request: Request, circles: Set<Identifier<Circle>>) throws {
        var query = try QueryFields(request)
        format = query.optional("format", .choice(ImportFormat.self))
        isDryRun = query.optional("dryRun", .boolean) ?? false
        category = query.optional("category", .choice(Pin.Category.self))
        var draft = PinDraft()
        draft.audience = query.optional("audience", .choice(Pin.Audience.Kind.self))
        if let circle = query.optional("circleId", .identifier(of: Circle.self)) { draft.circle = .set(circle) }
        switch draft.audience(after: .private) {
        case .success(let chosen):
            audience = chosen
            if let circle = chosen.circle, !circles.contains(circle) {
                query.fault("circleId", "is not a circle of yours")
            }
        case .failure(let problem):
            audience = .private
            query.fault("circleId", problem.message)
        }
        try query.finish()
        self.circles = circles
    }

    /// What a place of the file makes of the viewer's pins. A pin for a circle that the viewer does not have becomes
    /// private, as when a circle is deleted.
    func upsert(_ pin: ImportedPin, of viewer: Viewer, _ app: App) throws -> PinUpsert {
        var change = PinDraft()
        change.latitude = pin.coordinate.latitude
        change.longitude = pin.coordinate.longitude
        change.name = pin.name
        change.comment = said(pin.comment, pin)
        change.address = said(pin.address, pin)
        change.rating = said(pin.rating, pin)
        change.category = pin.category
        change.set(pin.audience.map { known($0) })
        var new = change
        new.category = pin.category ?? category
        if pin.audience == nil { new.set(audience) }
        return PinUpsert(
            try new.newPin(at: pin.coordinate, name: pin.name, of: viewer) { app.address(of: $0) }, change: change,
            pinId: pin.pinId, externalId: pin.externalId, createdAt: pin.createdAt,
            // Elsewhere a place gets a new time when it is visited or edited again.
            keepsEarlierTime: !pin.isWhole)
    }

    private func said<Value>(_ value: Value?, _ pin: ImportedPin) -> Change<Value> {
        value.map(Change.set) ?? (pin.isWhole ? .null : .absent)
    }

    private func known(_ audience: Pin.Audience) -> Pin.Audience {
        audience.circle.map(circles.contains) ?? true ? audience : .private
    }
}

extension PinDraft {
    fileprivate mutating func set(_ audience: Pin.Audience?) {
        self.audience = audience?.kind
        circle = audience?.circle.map(Change.set) ?? .absent
    }
}
