extension OpenAPI {
    static let service = Area(
        name: "Service",
        description: "For whoever runs the server, and for people with a browser.",
        operations: [
            Operation(
                .get, "/health", "getHealth", "See whether the server is alive", work: .memory, access: .everyone,
                answers: [.unstored("Health", "The process answers.")]),
            Operation(
                .get, "/ready", "getReadiness", "See whether the server is ready",
                "The database answers, and has the schema of this version.", work: .read, access: .everyone,
                answers: [.unstored("Health", "The server can do its work.")], refusals: [.unavailable]),
            Operation(
                .get, "/metrics", "getMetrics", "Read the server's figures", work: .memory, access: .everyone,
                answers: [
                    Answer(
                        status: 200, description: "OpenMetrics text.",
                        content: ["application/openmetrics-text": #"{"type": "string"}"#], headers: [.cacheNone])
                ]),
            Operation(
                .get, "/openapi.json", "getOpenAPI", "Read this document", work: .memory, access: .everyone,
                parameters: ["IfNoneMatch"],
                answers: [
                    Answer(
                        status: 200, description: "OpenAPI 3.1.",
                        content: ["application/json": #"{"type": "object", "additionalProperties": true}"#],
                        headers: [.etag, .cacheChecked])
                ]),
            page("/docs", "getDocs", "Read this document as a page"),
            page("/", "getWebClient", "Open the web client"),
        ],
        schemas: [
            "Health": #"""
            {
              "type": "object",
              "required": ["status"],
              "properties": {"status": {"type": "string", "enum": ["ok", "ready"]}},
              "examples": [{"status": "ok"}]
            }
            """#
        ])

    /// A page for people.
    private static func page(_ path: String, _ id: String, _ summary: String) -> Operation {
        Operation(
            .get, path, id, summary, work: .page, access: .everyone, parameters: ["IfNoneMatch"],
            answers: [
                Answer(
                    status: 200, description: "The page.", content: ["text/html": #"{"type": "string"}"#],
                    headers: [.etag, .cacheChecked, .securityPolicy])
            ])
    }
}
