import HTTP
import SocialModel
import Storage

/// One's own API tokens; only who has signed in may handle them.
enum APITokenRoutes {
    static func list(_ request: Request, _ app: App, _ read: ReadTransaction) throws -> Response {
        let viewer = try app.viewer(of: request, in: read)
        var query = try QueryFields(request)
        let page = Page(&query)
        try query.finish()

        let list = "tokens \(viewer.id)"
        let last = try app.identifier(before: page.cursor, of: list)
        let found = try APIToken.all(of: viewer.id, to: last, limit: page.limit + 1, in: read)
        return .json(app.page(found.map { ($0, key: $0.id.description) }, limit: page.limit, list))
    }

    /// On the pool, and without an `Idempotency-Key`: answers to those are kept, and a token is kept nowhere.
    static func create(_ request: Request, _ app: App) throws -> Response {
        _ = try app.database.read { try app.viewer(of: request, in: $0) }
        try request.refuseQuery()
        var body = try BodyFields(request)
        let name = body.required("name", .text(1...100))
        let scopes = body.required("scopes", .scopes)
        let expiresAt = body.nullable("expiresAt", .time(after: app.clock()))
        try body.finish()
        guard let name, let scopes else { throw HTTPError.badRequest([]) }
        let secret = APIToken.secret(app.random)
        let token = try app.database.write { write in
            let viewer = try app.viewer(of: request, in: write)
            return try APIToken.create(
                name, scopes, expiresAt: expiresAt, secret: secret, of: viewer.id, in: write)
        }
        var json = JSONWriter()
        json.object { json in
            token.writeMembers(to: &json)
            json.key("token")
            json.string(secret)
        }
        return .content("application/json; charset=utf-8", json.bytes, status: 201)
            .with("Location", "/v1/me/tokens/\(token.id)").with("Cache-Control", "no-store")
    }

    static func show(_ request: Request, _ app: App, _ read: ReadTransaction) throws -> Response {
        let viewer = try app.viewer(of: request, in: read)
        try request.refuseQuery()
        let id = try request.identifier("tokenId", of: APIToken.self).rawValue
        guard let token = try APIToken.all(of: viewer.id, from: id, to: id, limit: 1, in: read).first else {
            throw HTTPError.notFound
        }
        return .json(token)
    }

    static func revoke(_ request: Request, _ app: App, _ viewer: Viewer) throws -> Write {
        try request.refuseQuery()
        let token: Identifier<APIToken> = try request.identifier("tokenId")
        return Write { write, viewer in
            let id = token.rawValue
            try request.requireMatch(try APIToken.all(of: viewer.id, from: id, to: id, limit: 1, in: write).first)
            try APIToken.revoke(token, of: viewer.id, in: write)
            return .noContent
        }
    }
}

extension FieldReader where Source == JSONValue, Value == Set<APIToken.Scope> {
    /// At least one scope, none twice.
    fileprivate static var scopes: FieldReader {
        let problem = FieldProblem("must be a list of some of read, write, import, none twice")
        return FieldReader { json in
            guard case .array(let elements) = json, (1...APIToken.Scope.allCases.count).contains(elements.count) else {
                return .failure(problem)
            }
            var scopes: Set<APIToken.Scope> = []
            for element in elements {
                guard case .string(let text) = element, let scope = APIToken.Scope(rawValue: text),
                    scopes.insert(scope).inserted
                else { return .failure(problem) }
            }
            return .success(scopes)
        }
    }
}

extension FieldReader where Source == JSONValue, Value == Timestamp {
    /// A moment as RFC 3339, later than `now`.
    fileprivate static func time(after now: Int64) -> FieldReader {
        FieldReader { json in
            guard case .string(let text) = json, let milliseconds = CivilTime.milliseconds(parsing: text),
                milliseconds > now
            else { return .failure(FieldProblem("must be a time to come, such as 2036-11-29T12:00:00Z")) }
            return .success(Timestamp(milliseconds: milliseconds))
        }
    }
}
