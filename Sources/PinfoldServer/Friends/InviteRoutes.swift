import HTTP
import SocialModel
import Storage

/// Invites: links that make friends, also of newcomers.
enum InviteRoutes {
    static func create(_ request: Request, _ app: App, _ viewer: Viewer) throws -> Write {
        try request.refuseQuery()
        var body = try BodyFields(request)
        let lifetime = body.optional("expiresIn", .integer(Invite.lifetimes)) ?? Invite.usualLifetime
        let maxUses = body.optional("maxUses", .integer(Invite.useCounts)) ?? 1
        try body.finish()
        let code = base64URL(app.random(12))
        return Write { write, viewer in
            let invite = try Invite.create(
                by: viewer, code: code, lifetime: lifetime, maxUses: maxUses, publicURL: app.publicURL, in: write)
            return .json(invite, status: 201, location: "/v1/invites/\(code)")
        }
    }

    static func list(_ request: Request, _ app: App, _ read: ReadTransaction) throws -> Response {
        let viewer = try app.viewer(of: request, in: read)
        var query = try QueryFields(request)
        let page = Page(&query)
        try query.finish()

        let list = "invites \(viewer.id)"
        let last = try app.identifier(before: page.cursor, of: list)
        let found = try Invite.all(
            of: viewer, to: last, limit: page.limit + 1, at: app.clock(), publicURL: app.publicURL, in: read)
        return .json(app.page(found.map { ($0.invite, key: String($0.id)) }, limit: page.limit, list))
    }

    static func show(_ request: Request, _ app: App, _ read: ReadTransaction) throws -> Response {
        let viewer = try request.bearerToken() == nil ? nil : app.viewer(of: request, in: read)
        try request.refuseQuery()
        let code = request.parameter("code") ?? ""
        guard let found = try InviteGreeting.find(code, seenBy: viewer, at: app.clock(), in: read) else {
            throw HTTPError.notFound
        }
        return .json(found)
    }

    static func delete(_ request: Request, _ app: App, _ viewer: Viewer) throws -> Write {
        try request.refuseQuery()
        let code = request.parameter("code") ?? ""
        return Write { write, viewer in
            try Invite.delete(code, of: viewer, in: write)
            return .noContent
        }
    }

    static func accept(_ request: Request, _ app: App, _ viewer: Viewer) throws -> Write {
        try request.refuseInput()
        let code = request.parameter("code") ?? ""
        return Write { write, viewer in
            guard let friend = try Invite.accept(code, by: viewer.id, in: write) else { throw HTTPError.notFound }
            return .json(friend)
        }
    }
}
