/// A refusal that a client is told of: a status, a stable slug and, for bad input, each field at fault.
///
/// The wire form is RFC 9457 `application/problem+json`; whoever writes it adds nothing that is not in here, so no SQL,
/// path or stack reaches a client.
package struct HTTPError: Error, Sendable {
    /// One field (of a body, a query or a path) and what is wrong with it, as a predicate: `"must be 1 to 5"`.
    package struct FieldFault: Sendable, Hashable {
        package let field: String
        package let message: String

        package init(_ field: String, _ message: String) {
            self.field = field
            self.message = message
        }
    }

    /// The HTTP status, 400–599.
    package var status: Int
    /// The last part of the problem's `type`: `/problems/<slug>`.
    package var slug: String
    /// A short summary, the same for each problem of this type.
    package var title: String
    /// What went wrong this time, if that says more than `title`.
    package var detail: String?
    /// The faults of bad input, in the order of the input.
    package var faults: [FieldFault]
    /// Further headers of the answer: `Allow`, `Retry-After`, `WWW-Authenticate`.
    package var headers: [Header]
    /// The connection cannot be used on: its framing is in doubt, or a body was left unread.
    package var closesConnection = false

    package init(
        _ status: Int, _ slug: String, _ title: String, detail: String? = nil, faults: [FieldFault] = [],
        headers: [Header] = []
    ) {
        self.status = status
        self.slug = slug
        self.title = title
        self.detail = detail
        self.faults = faults
        self.headers = headers
    }
}

extension HTTPError {
    /// 400 for input whose fields are at fault.
    package static func badRequest(_ faults: [FieldFault]) -> HTTPError {
        HTTPError(
            400, "invalid-input", "The request has invalid input",
            detail: faults.map { "\($0.field) \($0.message)" }.joined(separator: "; "), faults: faults)
    }

    /// 400 for one field at fault: `.badRequest("limit", "must be 1 to 500")`.
    package static func badRequest(_ field: String, _ message: String) -> HTTPError {
        badRequest([FieldFault(field, message)])
    }

    /// 400 for a body or a target that cannot be read at all.
    package static func malformed(_ detail: String) -> HTTPError {
        HTTPError(400, "malformed-request", "The request cannot be read", detail: detail)
    }

    /// 401; `detail` must not tell an unknown account from a wrong password.
    package static func unauthorized(_ detail: String) -> HTTPError {
        HTTPError(
            401, "unauthorized", "Signing in is needed", detail: detail,
            headers: [Header("WWW-Authenticate", "Bearer realm=\"pinfold\"")])
    }

    /// 404, the one body for what does not exist and for what the viewer may not see.
    package static let notFound = HTTPError(404, "not-found", "There is nothing here")

    /// 405 with the methods that the path has.
    package static func methodNotAllowed(allow: [String]) -> HTTPError {
        HTTPError(
            405, "method-not-allowed", "The path does not have this method",
            headers: [Header("Allow", allow.joined(separator: ", "))])
    }

    /// 409; `faults` names the field of a value that is taken.
    package static func conflict(_ slug: String, _ title: String, faults: [FieldFault] = []) -> HTTPError {
        HTTPError(
            409, slug, title,
            detail: faults.isEmpty ? nil : faults.map { "\($0.field) \($0.message)" }.joined(separator: "; "),
            faults: faults)
    }

    /// 412 when `If-Match` names another state than the current one.
    package static let preconditionFailed = HTTPError(
        412, "precondition-failed", "The resource has changed since it was read")

    /// 413; the body is not read to its end, so the connection closes.
    package static func contentTooLarge(limit: Int) -> HTTPError {
        var error = HTTPError(413, "content-too-large", "The body is too large", detail: "at most \(limit) bytes")
        error.closesConnection = true
        return error
    }

    /// 415 with the media type that is read here.
    package static func unsupportedMediaType(_ expected: String) -> HTTPError {
        HTTPError(415, "unsupported-media-type", "The body has another media type", detail: "send \(expected)")
    }

    /// 422 when an `Idempotency-Key` comes again with another request.
    package static let idempotencyKeyReused = HTTPError(
        422, "idempotency-key-reused", "This Idempotency-Key was used for another request")

    /// 429; `seconds` is when the next try is let through.
    package static func tooManyRequests(retryAfter seconds: Int) -> HTTPError {
        HTTPError(
            429, "too-many-requests", "Too many requests", detail: "try again in \(seconds) s",
            headers: [Header("Retry-After", String(seconds))])
    }

    /// 503 when a bounded queue is full or the server is shutting down.
    package static func unavailable(retryAfter seconds: Int) -> HTTPError {
        HTTPError(
            503, "unavailable", "The server is busy", detail: "try again in \(seconds) s",
            headers: [Header("Retry-After", String(seconds))])
    }

    /// 507 when the disk is full: nothing of the request was stored.
    package static let insufficientStorage = HTTPError(
        507, "insufficient-storage", "The server has no room to store this; nothing was changed")
}
