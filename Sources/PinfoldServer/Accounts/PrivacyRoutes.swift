import HTTP
import SocialModel
import Storage

/// One's own privacy settings.
enum PrivacyRoutes {
    static func show(_ request: Request, _ app: App, _ read: ReadTransaction) throws -> Response {
        let viewer = try app.viewer(of: request, in: read)
        try request.refuseQuery()
        return .json(try Privacy.settings(of: viewer.id, in: read))
    }

    static func change(_ request: Request, _ app: App, _ viewer: Viewer) throws -> Write {
        try request.refuseQuery()
        var body = try BodyFields(request)
        var change = PrivacyChange()
        change.discoverable = body.optional("discoverable", .choice(Privacy.Discoverability.self))
        change.requestsFrom = body.optional("requestsFrom", .choice(Privacy.RequestSource.self))
        change.presence = body.optional("presence", .boolean)
        change.receipts = body.optional("receipts", .boolean)
        change.defaultAudience = body.optional("defaultAudience", .choice(Privacy.DefaultAudience.self))
        try body.finish()
        return Write { [change] write, viewer in
            let before = try Privacy.settings(of: viewer.id, in: write)
            try request.requireMatch(before)
            return .json(try Privacy.change(before, change, of: viewer, in: write))
        }
    }
}
