import HTTP
import SocialModel
import Storage

/// Circles of friends, to show pins to.
enum CircleRoutes {
    static func list(_ request: Request, _ app: App, _ read: ReadTransaction) throws -> Response {
        let viewer = try app.viewer(of: request, in: read)
        var query = try QueryFields(request)
        let page = Page(&query)
        try query.finish()

        let list = "circles \(viewer.id)"
        let last = try app.identifier(before: page.cursor, of: list)
        let found = try Circle.all(of: viewer.id, to: last, limit: page.limit + 1, in: read)
        return .json(app.page(found.map { ($0, key: $0.id.description) }, limit: page.limit, list))
    }

    static func create(_ request: Request, _ app: App, _ viewer: Viewer) throws -> Write {
        try request.refuseQuery()
        var body = try BodyFields(request)
        let name = body.required("name", .text(1...100))
        let members = body.optional("members", .members) ?? []
        try body.finish()
        guard let name else { throw HTTPError.badRequest([]) }
        return Write { write, viewer in
            let circle = try Circle.create(name, members, of: viewer.id, in: write)
            return .json(circle, status: 201, location: "/v1/circles/\(circle.id)")
        }
    }

    static func show(_ request: Request, _ app: App, _ read: ReadTransaction) throws -> Response {
        let viewer = try app.viewer(of: request, in: read)
        try request.refuseQuery()
        guard let circle = try Circle.own(request.identifier("circleId"), of: viewer.id, in: read) else {
            throw HTTPError.notFound
        }
        return .json(circle)
    }

    static func change(_ request: Request, _ app: App, _ viewer: Viewer) throws -> Write {
        try request.refuseQuery()
        let id: Identifier<Circle> = try request.identifier("circleId")
        let current = try app.database.read { try Circle.own(id, of: viewer.id, in: $0) }
        guard let current else { throw HTTPError.notFound }
        var body = try BodyFields(request)
        let name = body.optional("name", .text(1...100))
        let members = body.optional("members", .members)
        try body.unchanged(membersOf: current, ["id", "createdAt", "updatedAt"])
        try body.finish()
        return Write { write, viewer in
            guard let before = try Circle.own(id, of: viewer.id, in: write) else { throw HTTPError.notFound }
            try request.requireMatch(before)
            return .json(try Circle.change(before, name: name, members: members, of: viewer.id, in: write))
        }
    }

    static func delete(_ request: Request, _ app: App, _ viewer: Viewer) throws -> Write {
        try request.refuseQuery()
        let id: Identifier<Circle> = try request.identifier("circleId")
        return Write { write, viewer in
            guard let circle = try Circle.own(id, of: viewer.id, in: write) else { throw HTTPError.notFound }
            try request.requireMatch(circle)
            try Circle.delete(circle, of: viewer.id, in: write)
            return .noContent
        }
    }
}

extension FieldReader where Source == JSONValue, Value == Set<Identifier<User>> {
    /// The ids of a circle's members.
    fileprivate static var members: FieldReader {
        FieldReader { json in
            guard case .array(let elements) = json, elements.count <= Circle.maximumMembers else {
                return .failure(FieldProblem("must be a list of at most \(Circle.maximumMembers) ids"))
            }
            let reader = FieldReader<JSONValue, Identifier<User>>.identifier(of: User.self)
            var members: Set<Identifier<User>> = []
            for element in elements {
                switch reader.read(element) {
                case .success(let member): members.insert(member)
                case .failure: return .failure(FieldProblem("must be a list of ids"))
                }
            }
            return .success(members)
        }
    }
}
