import HTTP
import Storage

/// For whoever runs the service.
enum OperationRoutes {
    /// The process answers.
    static func health(_ request: Request, _ app: App) throws -> Response {
        try request.refuseQuery()
        return status("ok")
    }

    /// The database answers with the schema that this binary knows.
    static func ready(_ request: Request, _ app: App) throws -> Response {
        try request.refuseQuery()
        let applied = try? app.database.read { read in
            try read.row("SELECT count(*) FROM migration") { $0.int(0) }
        }
        guard applied == Schema.migrations.count else { throw HTTPError.unavailable(retryAfter: 1) }
        return status("ready")
    }

    static func metrics(_ request: Request, _ app: App) throws -> Response {
        try request.refuseQuery()
        let text = app.metrics.text(app.database.statistics)
        return .content("application/openmetrics-text; version=1.0.0; charset=utf-8", Array(text.utf8))
            .with("Cache-Control", "no-store")
    }

    static func openAPI(_ request: Request, _ app: App) throws -> Response {
        try request.refuseQuery()
        let document = OpenAPI.document
        return .content("application/json; charset=utf-8", document)
            .with("ETag", Response.etag(of: document)).with("Cache-Control", "no-cache")
    }

    private static func status(_ word: StaticString) -> Response {
        var json = JSONWriter(capacity: 32)
        json.object { json in
            json.key("status")
            json.string(word.description)
        }
        return .content("application/json; charset=utf-8", json.bytes).with("Cache-Control", "no-store")
    }
}
