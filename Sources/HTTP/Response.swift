/// An answer: status, header fields and a body.
///
/// `Content-Length`, `Date`, `Connection` and `X-Request-Id` are the server's to add.
package struct Response: Sendable {
    /// What a body is sent from.
    package enum Content: Sendable {
        case bytes([UInt8])
        case file(BodyFile)
        /// No body: the connection goes on as a live one.
        case live(LiveStart)

        /// The length in bytes.
        package var count: Int {
            switch self {
            case .bytes(let bytes): bytes.count
            case .file(let file): file.count
            case .live: 0
            }
        }
    }

    package var status: Int
    package var headers: [Header]
    package var content: Content

    package init(status: Int, headers: [Header] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        content = .bytes(body)
    }

    /// The bytes of the body; of a file they are read into memory, so ask `content` where there may be one.
    package var body: [UInt8] {
        get {
            switch content {
            case .bytes(let bytes): bytes
            case .file(let file): file.bytes
            case .live: []
            }
        }
        set { content = .bytes(newValue) }
    }

    /// 204 without a body.
    package static let noContent = Response(status: 204)

    /// A body of one media type: `.content("text/html; charset=utf-8", bytes)`.
    package static func content(_ mediaType: String, _ body: [UInt8], status: Int = 200) -> Response {
        Response(status: status, headers: [Header("Content-Type", mediaType)], body: body)
    }

    /// A body of one media type that is sent from a file.
    package static func file(_ mediaType: String, _ file: BodyFile) -> Response {
        var response = Response(status: 200, headers: [Header("Content-Type", mediaType)])
        response.content = .file(file)
        return response
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
