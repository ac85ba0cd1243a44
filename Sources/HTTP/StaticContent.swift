import Synchronization

/// An answer that stays the same as long as the process runs: compressed once, when first asked for that way, with a
/// strong entity tag for each of its two forms (RFC 9110, 8.8.3.3).
package final class StaticContent: Sendable {
    /// The body as it is.
    package let bytes: [UInt8]
    private let plain: Response
    private let tag: String
    private let isText: Bool
    private let compressed = Mutex<Response?>(nil)

    /// - Parameters:
    ///   - tag: what the entity tag is made of: letters and digits that are others whenever the answer is.
    ///   - headers: further header fields.
    ///   - isText: whether it is worth compressing.
    package init(_ mediaType: String, _ body: [UInt8], tag: String, headers: [Header], isText: Bool = true) {
        bytes = body
        self.tag = tag
        self.isText = isText
        var plain = Response.content(mediaType, body).with("ETag", "\"\(tag)\"")
        plain.headers += headers
        if isText { plain.headers.append(Header("Vary", "Accept-Encoding")) }
        self.plain = plain
    }

    /// In the form that the client takes.
    package func response(to request: Request) -> Response {
        guard isText, request.takesGzip else { return plain }
        return compressed.withLock { compressed in
            if let compressed { return compressed }
            let response = compress()
            compressed = response
            return response
        }
    }

    private func compress() -> Response {
        guard let gzip = Gzip.compress(bytes, level: 9), gzip.count < bytes.count else { return plain }
        var response = plain
        response.body = gzip
        response.headers.removeAll { $0.name == "ETag" }
        return response.with("ETag", "\"\(tag)-gzip\"").with("Content-Encoding", "gzip")
    }
}
