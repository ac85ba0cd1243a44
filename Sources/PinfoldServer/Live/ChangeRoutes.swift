import HTTP
import Storage

/// Coming back after a while: what changed of what one sees.
enum ChangeRoutes {
    static func list(_ request: Request, _ app: App, _ read: ReadTransaction) throws -> Response {
        let viewer = try app.viewer(of: request, in: read)
        var query = try QueryFields(request)
        let since = query.optional("since", .text(1...1000))
        let limit = query.optional("limit", .integer(Page.limits)) ?? Page.defaultLimit
        try query.finish()

        let cursor = try since.map { try app.logCursors.open($0, field: "since") }
        let page = try VisiblePins(of: viewer, in: read, app.planner).changes(since: cursor, limit: limit)
        return .privateJSON(page.json(app.logCursors))
    }
}
