import HTTP
import Storage

/// For whoever runs the service.
enum OperationRoutes {
    /// The process answers.
    static func health(_ request: Request, _ app: App) throws -> Response {
        try request.refuseQuery()
        return alive
    }

    /// The database answers with the schema that this binary knows.
    static func ready(_ request: Request, _ app: App) throws -> Response {
        try request.refuseQuery()
        let applied = try? app.database.read { read in
            try read.row("SELECT count(*) FROM migration") { $0.int(0) }
        }
        guard applied == Schema.migrations.count else { throw HTTPError.unavailable(retryAfter: 1) }
        return isReady
    }

    static func metrics(_ request: Request, _ app: App) throws -> Response {
        try request.refuseQuery()
        let text = app.metrics.text(app.database.statistics)
        return .content("application/openmetrics-text; version=1.0.0; charset=utf-8", Array(text.utf8))
            .with("Cache-Control", "no-store")
    }

    static func openAPI(_ request: Request, _ app: App) throws -> Response {
        try request.refuseQuery()
        return document.response(to: request)
    }

    private static let document = StaticContent(
        "application/json; charset=utf-8", OpenAPI.document, tag: base64URL(blake2b(OpenAPI.document, count: 16)),
        headers: [Header("Cache-Control", "no-cache")])

    private static let alive = status("ok")
    private static let isReady = status("ready")

    private static func status(_ word: StaticString) -> Response {
        var json = JSONWriter(capacity: 32)
        json.object { json in
            json.key("status")
            json.string(word.description)
        }
        return .content("application/json; charset=utf-8", json.bytes).with("Cache-Control", "no-store")
    }
}
