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
            page("/p/{pinId}", "getWebClientAtPin", "Open the web client at a pin"),
            Operation(
                .get, "/app/{version}/{path}", "getWebClientFile", "Read a file of the web client",
                "Of the current version alone; the path may have slashes.", work: .memory, access: .everyone,
                parameters: ["IfNoneMatch"],
                answers: [
                    Answer(
                        status: 200, description: "The file.",
                        content: ["*/*": "{}"], headers: [.etag, .cacheImmutable])
                ]),
            clientFile(
                "/sw.js", "getServiceWorker", "Read the web client's service worker",
                ["text/javascript": #"{"type": "string"}"#]),
            clientFile(
                "/manifest.webmanifest", "getWebManifest", "Read the web client's manifest",
                ["application/manifest+json": #"{"type": "object", "additionalProperties": true}"#]),
        ],
        parameters: [
            "version": #"""
            {
              "name": "version", "in": "path", "required": true, "description": "The version of the web client.",
              "schema": {"type": "string"}, "example": "q3ZJx1nV0aT8bYwK"
            }
            """#,
            "path": #"""
            {
              "name": "path", "in": "path", "required": true, "description": "The file within the web client.",
              "schema": {"type": "string"}, "example": "shell/api.js"
            }
            """#,
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

    /// A file of the web client whose path stays the same.
    private static func clientFile(
        _ path: String, _ id: String, _ summary: String, _ content: KeyValuePairs<String, String>
    ) -> Operation {
        Operation(
            .get, path, id, summary, work: .memory, access: .everyone, parameters: ["IfNoneMatch"],
            answers: [
                Answer(
                    status: 200, description: "The file.", content: content,
                    headers: [.etag, .cacheChecked, .securityPolicy])
            ])
    }
}
