/// An answer: status, header fields and a body of bytes.
///
/// `Content-Length`, `Date`, `Connection` and `X-Request-Id` are the server's to add.
package struct Response: Sendable {
    package var status: Int
    package var headers: [Header]
    package var body: [UInt8]

    package init(status: Int, headers: [Header] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// 204 without a body.
    package static let noContent = Response(status: 204)

    /// A body of one media type: `.content("text/html; charset=utf-8", bytes)`.
    package static func content(_ mediaType: String, _ body: [UInt8], status: Int = 200) -> Response {
        Response(status: status, headers: [Header("Content-Type", mediaType)], body: body)
    }

    /// The value of the first header field called `name`, whatever its case.
    package func header(_ name: String) -> String? {
        headers.first { $0.name.equalsIgnoringASCIICase(name) }?.value
    }

    /// A copy with one more header field.
    package func with(_ name: String, _ value: String) -> Response {
        var copy = self
        copy.headers.append(Header(name, value))
        return copy
    }
}
