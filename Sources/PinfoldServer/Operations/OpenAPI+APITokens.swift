extension OpenAPI {
    static let apiTokens = Area(
        name: "API tokens",
        description: """
            For scripts and GIS programs: a token does what its scopes say, until it expires or you revoke it. It is sent \
            as `Authorization: Bearer`, or as the password of HTTP Basic with any username. `read` is for what reads, \
            `write` for what writes, `import` for importing files; none includes another. What concerns the account itself \
            (its profile, password, privacy, sessions, tokens, its whole export, its end) no token may do. What a token \
            lacks is 403 `insufficient-scope`. Tokens outlive your sessions, and end with a new password unless you say \
            otherwise.
            """,
        operations: [
            Operation(
                .get, "/v1/me/tokens", "listAPITokens", "List your API tokens",
                "The newest first; those that have expired are there for 30 days more.", work: .read, access: .session,
                parameters: ["limit", "cursor"], answers: [.list("APITokenItems", "Your tokens.")]),
            Operation(
                .post, "/v1/me/tokens", "createAPIToken", "Make an API token",
                """
                The token is in this answer and never again: the server keeps a digest of it. So there is no \
                `Idempotency-Key` either; when the answer is lost, revoke the token and make another.
                """, work: .write, access: .session, body: .json("NewAPIToken"),
                answers: [.unstored("CreatedAPIToken", "The token.", status: 201, headers: [.location])],
                conflicts: ["too-many-tokens": "you have 50 already"]),
            Operation(
                .get, "/v1/me/tokens/{tokenId}", "getAPIToken", "Read about one of your API tokens", work: .read,
                access: .session, parameters: ["IfNoneMatch"], answers: [.resource("APIToken", "The token.")]),
            Operation(
                .delete, "/v1/me/tokens/{tokenId}", "revokeAPIToken", "Revoke an API token",
                "It is worth nothing from the next request on, and its live connections end.", work: .write,
                access: .session, parameters: ["IfMatch"], answers: [.noContent("The token is gone.")]),
        ],
        parameters: [
            "tokenId": pathParameter("tokenId", "The id of an API token of yours.", example: "1883093808054272001")
        ],
        schemas: [
            "NewAPIToken": #"""
            {
              "type": "object",
              "additionalProperties": false,
              "required": ["name", "scopes"],
              "properties": {
                "name": {
                  "type": "string", "minLength": 1, "maxLength": 100, "description": "What you know it by."
                },
                "scopes": {"type": "array", "minItems": 1, "maxItems": 3, "items": \#(scopeSchema)},
                "expiresAt": {
                  "type": ["string", "null"], "format": "date-time",
                  "description": "A time to come; null or left out: it stays good until you revoke it."
                }
              },
              "examples": [{"name": "QGIS", "scopes": ["read"], "expiresAt": "2027-11-29T12:00:00.000Z"}]
            }
            """#,
            "APIToken": #"""
            {
              "type": "object",
              "description": "A token for a script, without the token.",
              "required": ["id", "name", "scopes", "createdAt", "lastUsedAt", "expiresAt"],
              "properties": {
                "id": {"$ref": "#/components/schemas/Id"},
                "name": {"type": "string", "minLength": 1, "maxLength": 100},
                "scopes": {"type": "array", "minItems": 1, "maxItems": 3, "items": \#(scopeSchema)},
                "createdAt": {"$ref": "#/components/schemas/Time"},
                "lastUsedAt": {
                  "type": ["string", "null"], "format": "date-time",
                  "description": "To ten minutes; null if it never was."
                },
                "expiresAt": {
                  "type": ["string", "null"], "format": "date-time", "description": "Null if it does not expire."
                }
              },
              "examples": [
                {
                  "id": "1883093808054272001", "name": "QGIS", "scopes": ["read"],
                  "createdAt": "2026-11-28T09:30:00.125Z", "lastUsedAt": null, "expiresAt": null
                }
              ]
            }
            """#,
            "APITokenItems": page(of: "APIToken"),
            "CreatedAPIToken": #"""
            {
              "description": "A new token; it is shown this once.",
              "allOf": [{"$ref": "#/components/schemas/APIToken"}],
              "type": "object",
              "required": ["token"],
              "properties": {"token": {"type": "string", "description": "Begins with `pft_`."}},
              "examples": [
                {
                  "id": "1883093808054272001", "name": "QGIS", "scopes": ["read"],
                  "createdAt": "2026-11-28T09:30:00.125Z", "lastUsedAt": null, "expiresAt": null,
                  "token": "pft_ory6kA0-p7Cr_2xad6tfIilu_ZTeR0Imk3m_Yzpe2lI"
                }
              ]
            }
            """#,
        ])

    private static let scopeSchema = #"{"type": "string", "enum": ["read", "write", "import"]}"#
}
