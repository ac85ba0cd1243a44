import HTTP

/// The description of this API that `/openapi.json` serves: OpenAPI 3.1, whose schemas are JSON Schema 2020-12.
///
/// A new route needs one `Operation` in the area it belongs to, `OpenAPI+<Area>.swift`, and there a schema for each
/// new body; a test compares the operations with the routes. Refusals that follow from how a route runs and what it
/// takes (no token, a bad body, a full disk) are added by `Operation`. Schemas and parameters are JSON, as the
/// standards write it, and are referred to by name.
enum OpenAPI {
    /// One group of calls that belong together, which the document calls a tag, with the components that it brings.
    struct Area: Sendable {
        let name: String
        let description: String
        let operations: [Operation]
        var parameters: KeyValuePairs<String, String> = [:]
        var schemas: KeyValuePairs<String, String> = [:]
    }

    /// In the order in which a reader meets them.
    static let areas = [
        accounts, passwordResets, privacy, sessions, apiTokens, friends, invites, circles, pins, live, maps, basemap,
        bulk, exports, places, landmarks, ogc, imports, managedAccounts, service,
    ]

    /// The document in UTF-8.
    static let document: [UInt8] = {
        var json = JSONWriter(capacity: 96 << 10)
        json.object { json in
            json.key("openapi")
            json.string("3.1.1")
            json.key("info")
            json.raw(Array(info.utf8))
            json.key("servers")
            json.raw(Array(#"[{"url": "/", "description": "This server"}]"#.utf8))
            json.key("security")
            json.raw(Array(#"[{"bearer": []}, {"cookie": []}]"#.utf8))
            json.key("tags")
            json.array { json in
                for area in areas { writeTag(area, to: &json) }
            }
            json.key("paths")
            json.object { writePaths(to: &$0) }
            json.key("components")
            json.object { writeComponents(to: &$0) }
        }
        return json.bytes
    }()

    private static func writeTag(_ area: Area, to json: inout JSONWriter) {
        json.object { json in
            json.key("name")
            json.string(area.name)
            json.key("description")
            json.string(area.description)
        }
    }

    private static func writePaths(to json: inout JSONWriter) {
        let tagged = areas.flatMap { area in area.operations.map { (tag: area.name, operation: $0) } }
        var paths: [String] = []
        for path in tagged.map(\.operation.path) where !paths.contains(path) { paths.append(path) }
        for path in paths {
            json.key(escaping: path)
            json.object { json in
                for (tag, operation) in tagged where operation.path == path {
                    json.key(escaping: operation.method.rawValue)
                    operation.write(tag: tag, to: &json)
                }
            }
        }
    }

    private static func writeComponents(to json: inout JSONWriter) {
        json.key("securitySchemes")
        json.raw(Array(securitySchemes.utf8))
        json.key("schemas")
        json.object { json in
            for (name, schema) in areas.flatMap(\.schemas) + sharedSchemas {
                json.key(escaping: name)
                json.raw(Array(schema.utf8))
            }
        }
        json.key("parameters")
        json.object { json in
            for (name, parameter) in areas.flatMap(\.parameters) + sharedParameters {
                json.key(escaping: name)
                json.raw(Array(parameter.utf8))
            }
        }
        json.key("headers")
        json.object { json in
            for field in HeaderField.allCases {
                json.key(escaping: field.rawValue)
                json.raw(Array(field.json.utf8))
            }
        }
        json.key("responses")
        json.object { json in
            json.key("NotModified")
            Answer.notModified.write(to: &json)
            for refusal in Refusal.allCases {
                json.key(escaping: refusal.rawValue)
                refusal.write(to: &json)
            }
        }
    }

    private static let info = #"""
        {
          "title": "Pinfold",
          "version": "1.0.0",
          "summary": "Places that you and your friends have marked on the map.",
          "description": \#(conventions),
          "license": {"name": "MIT License", "identifier": "MIT"}
        }
        """#

    private static let securitySchemes = #"""
        {
          "bearer": {
            "type": "http",
            "scheme": "bearer",
            "description": "The `accessToken` of signing up, signing in or refreshing. It is opaque and lives an hour. \#
        Or an API token that has the scope."
          },
          "basic": {
            "type": "http",
            "scheme": "basic",
            "description": "Any username, and an API token that has the scope as the password."
          },
          "cookie": {
            "type": "apiKey",
            "in": "cookie",
            "name": "pinfold_access",
            "description": "For browsers: set by signing up or in with `cookie: true`. `Authorization` goes before it. \#
        Where the public URL is https it is called `__Host-pinfold_access`. Whatever is no GET, and the WebSocket, then \#
        needs an `Origin` that is the server's own."
          }
        }
        """#

    /// What holds for every call, as JSON text.
    private static let conventions: String = {
        var json = JSONWriter(capacity: 4096)
        json.string(
            """
            JSON is UTF-8, with names in lowerCamelCase. Ids are 64-bit numbers, ordered by time, sent as decimal \
            strings. Times are RFC 3339 in UTC with milliseconds, distances metres, angles degrees of WGS 84. \
            Coordinates are rounded to 1e-7 degree. Clients ignore fields and enumeration values that they do not know.

            Names of places, also in the addresses of pins, are of GeoNames (https://www.geonames.org), CC BY 4.0.

            The server is strict: an unknown query parameter or body field is refused with its name (400), so that a \
            typo does not widen an answer. Bodies are JSON, nested at most 32 deep, without duplicate names, and at most \
            1 MiB where a call says nothing else.

            Errors are `application/problem+json` (RFC 9457) with a stable `type`; bad input names every field at \
            fault in `errors`. What you may not see does not exist: it is 404, with the same body as an id that never \
            was. Besides the answers listed, any call may end in 408, 417 or 431 when the request itself is not sound, \
            and a path answers a method that it does not have with 405 and `Allow`.

            Lists answer `items` and `next`; give `next` back as `cursor` for the page that follows, with the same \
            other parameters. Each item that stays in place is shown exactly once, whatever is written meanwhile.

            Single resources have a strong `ETag`. `If-None-Match` saves the body of what has not changed (304), \
            `If-Match` refuses a change that was made on an older state (412). What depends on who asks is \
            `Cache-Control: private, no-cache`.

            PATCH takes a merge patch (RFC 7396): a field that is left out stays, null removes. Read-only fields that \
            come back unchanged are ignored; changed they are 400.

            A POST that creates takes an `Idempotency-Key`: sent again within 24 hours with the same body it gets the \
            first answer again, with another body 422. Only answers of success are kept.

            Every `GET` path also answers `HEAD`, every path `OPTIONS`. Every answer carries an `X-Request-Id` that \
            the server's log knows.
            """)
        return String(decoding: json.bytes, as: UTF8.self)
    }()
}
