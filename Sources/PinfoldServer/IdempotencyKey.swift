import HTTP
import SocialModel
import Storage

/// A client's name for one creating POST: sent again with the same request, it gets the first answer again.
///
/// After the IETF draft "The Idempotency-Key HTTP Header Field"; only 2xx answers are kept, for `lifetime`.
struct IdempotencyKey: Sendable {
    /// A day, in milliseconds.
    static let lifetime: Int64 = 86_400_000
    private let key: String
    private let requestHash: [UInt8]

    /// Nil if the request has none.
    ///
    /// - Parameter body: what stands for the body of the request, where that is in a file.
    /// - Throws: `HTTPError` 400 for one that is empty or longer than 255 bytes; what `body` throws.
    init?(_ request: Request, body: @autoclosure () throws -> [UInt8]? = nil) throws {
        guard let key = request.header("Idempotency-Key") else { return nil }
        guard (1...255).contains(key.utf8.count), key.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else {
            throw HTTPError.badRequest("Idempotency-Key", "must be 1 to 255 printable ASCII characters")
        }
        self.key = key
        requestHash = blake2b(
            Array("\(request.method) \(request.path)?\(request.queryText ?? "")\n".utf8) + (try body() ?? request.body))
    }

    /// The kept answer if there is one, else that of `perform`, which is kept in the same transaction.
    ///
    /// - Throws: `HTTPError` 422 when the key was used for another request.
    func answer(
        for viewer: Viewer, in write: WriteTransaction, _ perform: () throws -> Response
    ) throws -> Response {
        let kept = try write.row(
            """
            SELECT requestHash, status, location, body FROM idempotentAnswer
            WHERE accountId = \(viewer.id) AND key = \(key) AND createdAt > \(write.now - Self.lifetime)
            """
        ) { row in
            guard row.blob(0) == requestHash else { throw HTTPError.idempotencyKeyReused }
            return answer(status: row.int(1), location: row.optionalText(2), body: row.blob(3))
        }
        if let kept { return kept }
        let response = try perform()
        guard (200..<300).contains(response.status) else { return response }
        try write.run(
            """
            INSERT OR REPLACE INTO idempotentAnswer
                (accountId, key, requestHash, status, location, body, createdAt)
            VALUES (\(viewer.id), \(key), \(requestHash), \(response.status), \(response.header("Location")),
                \(response.body), \(write.now))
            """)
        return response
    }

    private func answer(status: Int, location: String?, body: [UInt8]) -> Response {
        guard !body.isEmpty else { return Response(status: status) }
        var response = Response.privateJSON(body, status: status).with("ETag", Response.etag(of: body))
        if let location { response.headers.append(Header("Location", location)) }
        return response
    }
}
