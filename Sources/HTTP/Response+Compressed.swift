extension Response {
    /// This answer as gzip, if it is a long text that was made for this one request and the client takes it so.
    ///
    /// What has a strong entity tag stays as it is: the tag is of these very bytes, and comes back in `If-Match`.
    package func compressed(for request: Request) -> Response {
        guard status == 200, case .bytes(let bytes) = content, bytes.count >= Self.leastToCompress,
            request.takesGzip, let type = header("Content-Type"), Self.isJSON(type),
            header("ETag")?.hasPrefix("W/") ?? true,
            let gzip = Gzip.compress(bytes, level: 1)
        else { return self }
        var response = with("Content-Encoding", "gzip").with("Vary", "Accept-Encoding")
        response.body = gzip
        return response
    }

    /// Below that the head of the answer weighs more than what is saved.
    private static let leastToCompress = 1024

    private static func isJSON(_ type: String) -> Bool {
        type.hasPrefix("application/json") || type.hasPrefix("application/geo+json")
    }
}
