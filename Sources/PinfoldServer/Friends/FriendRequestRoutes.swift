import HTTP
import SocialModel
import Storage

/// Asking to be friends, and answering.
enum FriendRequestRoutes {
    static func list(_ request: Request, _ app: App, _ read: ReadTransaction) throws -> Response {
        let viewer = try app.viewer(of: request, in: read)
        var query = try QueryFields(request)
        let direction = query.optional("direction", .choice(FriendRequest.Direction.self))
        let status = query.optional("status", .choice(FriendRequest.Status.self))
        let page = Page(&query)
        try query.finish()

        let list = "friend-requests \(viewer.id) \(direction?.rawValue ?? "") \(status?.rawValue ?? "")"
        let last = try app.identifier(before: page.cursor, of: list)
        let found = try FriendRequest.all(
            of: viewer, direction: direction, status: status, to: last, limit: page.limit + 1, in: read)
        return .json(app.page(found.map { ($0, key: $0.id.description) }, limit: page.limit, list))
    }

    static func create(_ request: Request, _ app: App, _ viewer: Viewer) throws -> Write {
        try request.refuseQuery()
        var body = try BodyFields(request)
        let to = body.required("to", .identifier(of: User.self))
        try body.finish()
        guard let to else { throw HTTPError.badRequest([]) }
        return Write { write, viewer in
            switch try FriendRequest.ask(to, by: viewer, in: write) {
            case .created(let made): .json(made, status: 201, location: "/v1/friend-requests/\(made.id)")
            case .settled(let settled): .json(settled)
            }
        }
    }

    static func show(_ request: Request, _ app: App, _ read: ReadTransaction) throws -> Response {
        let viewer = try app.viewer(of: request, in: read)
        try request.refuseQuery()
        guard let found = try FriendRequest.find(request.identifier("requestId"), seenBy: viewer.id, in: read) else {
            throw HTTPError.notFound
        }
        return .json(found)
    }

    static func accept(_ request: Request, _ app: App, _ viewer: Viewer) throws -> Write {
        try respond(.accepted, request)
    }

    static func reject(_ request: Request, _ app: App, _ viewer: Viewer) throws -> Write {
        try respond(.rejected, request)
    }

    private static func respond(_ answer: FriendRequest.Status, _ request: Request) throws -> Write {
        try request.refuseInput()
        let id: Identifier<FriendRequest> = try request.identifier("requestId")
        return Write { write, viewer in
            .json(try FriendRequest.respond(answer, to: id, by: viewer, in: write))
        }
    }

    static func cancel(_ request: Request, _ app: App, _ viewer: Viewer) throws -> Write {
        try request.refuseQuery()
        let id: Identifier<FriendRequest> = try request.identifier("requestId")
        return Write { write, viewer in
            try request.requireMatch(try FriendRequest.find(id, seenBy: viewer.id, in: write))
            try FriendRequest.cancel(id, by: viewer, in: write)
            return .noContent
        }
    }
}
