import HTTP

extension OpenAPI {
    /// One answer of success: its status, what it holds and the header fields that come with it.
    struct Answer: Sendable {
        let status: Int
        let description: String
        /// By media type, the schema as JSON.
        var content: KeyValuePairs<String, String> = [:]
        var headers: [HeaderField] = []

        /// A single thing as its viewer sees it. 201 comes with its `Location`.
        static func resource(_ schema: String, _ description: String, status: Int = 200) -> Answer {
            let headers: [HeaderField] = [.etag, .cachePrivate, .vary]
            return Answer(
                status: status, description: description, content: ["application/json": name(schema)],
                headers: status == 201 ? [.location] + headers : headers)
        }

        /// A page of a list.
        static func list(_ schema: String, _ description: String) -> Answer {
            Answer(
                status: 200, description: description, content: ["application/json": name(schema)],
                headers: [.cachePrivate, .vary])
        }

        /// What no cache may keep.
        static func unstored(
            _ schema: String, _ description: String, status: Int = 200, headers: [HeaderField] = []
        ) -> Answer {
            Answer(
                status: status, description: description, content: ["application/json": name(schema)],
                headers: headers + [.cacheNone])
        }

        /// A file of one's own, to be saved.
        ///
        /// - Parameters:
        ///   - type: its media type.
        ///   - schema: as JSON; nil for a text or bytes that JSON Schema cannot describe.
        static func file(_ type: String, _ description: String, schema: String? = nil) -> Answer {
            let schema = schema ?? #"{"type": "string", "contentMediaType": "\#(type)"}"#
            return Answer(
                status: 200, description: description, content: [type: schema],
                headers: [.disposition, .cachePrivate, .vary])
        }

        static func noContent(_ description: String, headers: [HeaderField] = []) -> Answer {
            Answer(status: 204, description: description, headers: headers)
        }

        static let notModified = Answer(
            status: 304, description: "The `ETag` in `If-None-Match` is the current one.", headers: [.etag])

        /// A reference to a schema, as JSON.
        static func name(_ schema: String) -> String { ##"{"$ref": "#/components/schemas/\##(schema)"}"## }

        func write(to json: inout JSONWriter) {
            json.object { json in
                json.key("description")
                json.string(description)
                HeaderField.write(headers, to: &json)
                guard !content.isEmpty else { return }
                json.key("content")
                json.object { json in
                    for (type, schema) in content {
                        json.key(escaping: type)
                        json.object { json in
                            json.key("schema")
                            json.raw(Array(schema.utf8))
                        }
                    }
                }
            }
        }
    }

    /// A header field of answers, by the name of its component: one field has several where its values differ.
    enum HeaderField: String, CaseIterable, Sendable {
        case etag = "ETag"
        case location = "Location"
        case disposition = "ContentDisposition"
        case link = "Link"
        case vary = "Vary"
        case retryAfter = "RetryAfter"
        case setCookie = "SetCookie"
        case clearSiteData = "ClearSiteData"
        case authenticate = "WWWAuthenticate"
        case cachePrivate = "CachePrivate"
        case cacheNone = "CacheNone"
        case cachePublic = "CachePublic"
        case cacheChecked = "CacheChecked"
        case cacheImmutable = "CacheImmutable"
        case cacheByToken = "CacheByToken"
        case securityPolicy = "ContentSecurityPolicy"

        /// As on the wire.
        var field: String {
            switch self {
            case .etag, .location, .link, .vary: rawValue
            case .disposition: "Content-Disposition"
            case .retryAfter: "Retry-After"
            case .setCookie: "Set-Cookie"
            case .clearSiteData: "Clear-Site-Data"
            case .authenticate: "WWW-Authenticate"
            case .cachePrivate, .cacheNone, .cachePublic, .cacheChecked, .cacheImmutable,
                .cacheByToken:
                "Cache-Control"
            case .securityPolicy: "Content-Security-Policy"
            }
        }

        private var meaning: (description: String, example: String) {
            switch self {
            case .etag:
                (
                    "A validator of this state, a strong one unless it begins with `W/`.",
                    "\\\"H62k81L0mxiudj0XtuG-aw\\\""
                )
            case .location: ("Where the new thing is.", "/v1/pins/1883193842073600000")
            case .disposition:
                ("That it is a file, and its name (RFC 6266).", "attachment; filename=\\\"pins.gpx\\\"")
            case .link:
                ("The next page (RFC 8288), unless this is the last.", "</v1/pins?cursor=bG9y>; rel=\\\"next\\\"")
            case .vary: ("What the answer depends on.", "Authorization, Cookie, Accept")
            case .retryAfter: ("Seconds until another try makes sense.", "15")
            case .setCookie:
                (
                    "For a browser: its tokens, or empty ones that take their place.",
                    "pinfold_access=4fZSYA6k; Path=/; Max-Age=5184000; HttpOnly; SameSite=Strict"
                )
            case .clearSiteData:
                (
                    "What a browser forgets, if a cookie has signed it in.",
                    #"\"cache\", \"cookies\", \"storage\""#
                )
            case .authenticate: ("How to sign in (RFC 6750).", "Bearer realm=\\\"pinfold\\\"")
            case .cachePrivate: ("Your own cache may keep it and asks each time.", "private, no-cache")
            case .cacheNone: ("Nothing may keep it.", "no-store")
            case .cachePublic: ("Anything may keep it for a day.", "public, max-age=86400")
            case .cacheByToken:
                (
                    """
                    Without a token anything may keep it for minutes, or asks each time if it has landmarks; else as \
                    `CachePrivate`.
                    """, "public, max-age=300"
                )
            case .cacheChecked: ("Anything may keep it, only you with a token, and asks each time.", "public, no-cache")
            case .cacheImmutable: ("Anything may keep it for good.", "public, max-age=31536000, immutable")
            case .securityPolicy: ("What the page may load and run.", "default-src 'none'; connect-src 'self'")
            }
        }

        /// The component.
        var json: String {
            let type = self == .retryAfter ? #"{"type": "integer", "minimum": 1}"# : #"{"type": "string"}"#
            let example = self == .retryAfter ? meaning.example : "\"\(meaning.example)\""
            return #"{"description": "\#(meaning.description)", "schema": \#(type), "example": \#(example)}"#
        }

        /// The member `headers` of an answer, if it has any.
        static func write(_ fields: [HeaderField], to json: inout JSONWriter) {
            guard !fields.isEmpty else { return }
            json.key("headers")
            json.object { json in
                for field in fields {
                    json.key(escaping: field.field)
                    json.reference("headers", field.rawValue)
                }
            }
        }
    }

    /// An answer that says no, by the name of its component.
    enum Refusal: String, CaseIterable, Sendable {
        case invalid = "Invalid"
        case unauthorized = "Unauthorized"
        case forbidden = "Forbidden"
        case notFound = "NotFound"
        case cursorExpired = "CursorExpired"
        case preconditionFailed = "PreconditionFailed"
        case contentTooLarge = "ContentTooLarge"
        case unsupportedMediaType = "UnsupportedMediaType"
        case idempotencyKeyReused = "IdempotencyKeyReused"
        case upgradeRequired = "UpgradeRequired"
        case tooManyRequests = "TooManyRequests"
        case internalError = "InternalError"
        case unavailable = "Unavailable"
        case insufficientStorage = "InsufficientStorage"

        private var error: any Error {
            switch self {
            case .invalid: HTTPError.badRequest("name", "is required")
            case .unauthorized: HTTPError.unauthorized("the token is not valid")
            case .forbidden: HTTPError.originRefused
            case .notFound: HTTPError.notFound
            case .cursorExpired: LogCursor.expired
            case .preconditionFailed: HTTPError.preconditionFailed
            case .contentTooLarge: HTTPError.contentTooLarge(limit: Server.Configuration().bodyLimit)
            case .unsupportedMediaType: HTTPError.unsupportedMediaType("application/json")
            case .idempotencyKeyReused: HTTPError.idempotencyKeyReused
            case .upgradeRequired: HTTPError.upgradeRequired("the request has no Upgrade: websocket")
            case .tooManyRequests: HTTPError.tooManyRequests(retryAfter: 15)
            case .internalError: Unforeseen()
            case .unavailable: HTTPError.unavailable(retryAfter: 1)
            case .insufficientStorage: HTTPError.insufficientStorage
            }
        }

        /// Stands for any error that has no answer of its own.
        private struct Unforeseen: Error {}

        /// What the server itself answers in this case.
        private var answer: Response {
            ProblemResponse.make(
                error, Request(id: "29c3c156dd8c0d58", method: "GET", path: "/"), Log(descriptor: nil, clock: { 0 }))
        }

        var status: Int { answer.status }

        private var description: String {
            switch self {
            case .invalid: "The input is at fault; `errors` names every field."
            case .unauthorized: "There is no token, or it is not (or no longer) good."
            case .forbidden:
                """
                A session cookie came with the page of another site (`origin-refused`), or the API token lacks the scope \
                (`insufficient-scope`).
                """
            case .notFound: "There is nothing here that you may see."
            case .cursorExpired: "What has happened since the cursor is no longer known: begin anew without one."
            case .preconditionFailed: "`If-Match` names another state than the current one; nothing was changed."
            case .contentTooLarge: "The body is too large."
            case .unsupportedMediaType: "The body is no JSON by its `Content-Type`."
            case .idempotencyKeyReused: "The `Idempotency-Key` was used for another request."
            case .upgradeRequired: "The request asks for no WebSocket of version 13."
            case .tooManyRequests: "Too many tries; wait for `Retry-After`."
            case .internalError: "A fault of the server, which its log knows by the id in `detail`."
            case .unavailable: "The server is busy; nothing was changed."
            case .insufficientStorage: "The server's disk is full; nothing was changed."
            }
        }

        private var headers: [HeaderField] {
            switch self {
            case .unauthorized, .forbidden: [.authenticate]
            case .tooManyRequests, .unavailable: [.retryAfter]
            default: []
            }
        }

        /// The component.
        func write(to json: inout JSONWriter) {
            Self.writeAnswer(description, headers: headers, example: answer.body, to: &json)
        }

        /// An answer whose body is a problem.
        static func writeAnswer(
            _ description: String, headers: [HeaderField] = [], example: [UInt8]? = nil, to json: inout JSONWriter
        ) {
            json.object { json in
                json.key("description")
                json.string(description)
                HeaderField.write(headers + [.cacheNone], to: &json)
                json.key("content")
                json.object { json in
                    json.key("application/problem+json")
                    json.object { json in
                        json.key("schema")
                        json.reference("schemas", "Problem")
                        if let example {
                            json.key("example")
                            json.raw(example)
                        }
                    }
                }
            }
        }
    }
}
