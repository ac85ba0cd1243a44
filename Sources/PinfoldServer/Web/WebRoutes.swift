import HTTP

/// The handlers of the pages for people.
package enum WebRoutes {
    /// `GET /`
    package static func index(_ request: Request) -> Response {
        WebPages.index.response(to: request)
    }

    /// `GET /docs`
    package static func docs(_ request: Request) -> Response {
        WebPages.docs.response(to: request)
    }
}
