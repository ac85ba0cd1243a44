import HTTP

/// The handlers of the pages for people.
package enum WebRoutes {
    /// `GET /`
    package static func index(_ request: Request, _ app: App) -> Response {
        WebPages.index.response
    }

    /// `GET /docs`
    package static func docs(_ request: Request, _ app: App) -> Response {
        WebPages.docs.response
    }
}
