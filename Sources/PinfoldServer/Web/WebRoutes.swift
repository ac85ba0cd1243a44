import HTTP

/// The handlers of the pages for people, and of the files that these are made of.
package enum WebRoutes {
    /// `GET /` and `GET /p/{id}`: the web client's one document. It is the same whatever the id, so it tells nothing of a
    /// pin; the client asks for that with its session.
    package static func index(_ request: Request, _ app: App) throws -> Response {
        try client(app).index.response(to: request)
    }

    /// `GET /app/{version}/{path}`
    package static func file(_ request: Request, _ app: App) throws -> Response {
        let client = try client(app)
        guard request.parameter("version") == client.version, let path = request.parameter("path"),
            let file = client.files[path]
        else { throw HTTPError.notFound }
        try request.refuseQuery()
        return file.response(to: request)
    }

    /// `GET /sw.js`
    package static func serviceWorker(_ request: Request, _ app: App) throws -> Response {
        try request.refuseQuery()
        return try client(app).serviceWorker.response(to: request)
    }

    /// `GET /manifest.webmanifest`
    package static func manifest(_ request: Request, _ app: App) throws -> Response {
        try request.refuseQuery()
        return try client(app).manifest.response(to: request)
    }

    /// `GET /docs`
    package static func docs(_ request: Request, _ app: App) -> Response {
        WebPages.docs.response(to: request)
    }

    private static func client(_ app: App) throws -> ClientFiles {
        guard let client = app.client else { throw HTTPError.notFound }
        return client
    }
}
