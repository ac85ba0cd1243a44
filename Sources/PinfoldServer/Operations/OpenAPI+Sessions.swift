extension OpenAPI {
    static let sessions = Area(
        name: "Sessions",
        description: """
            Signing in and out. A session is one sign-in on one device; its tokens are replaced by refreshing, and end \
            with it.
            """,
        operations: [
            Operation(
                .post, "/v1/sessions", "signIn", "Sign in",
                "An unknown account and a wrong password are one answer.", work: .write, access: .everyone,
                body: .json("Credentials"),
                answers: [
                    .unstored(
                        "SignedIn", "The account and the tokens of the new session.", status: 201,
                        headers: [.location, .setCookie])
                ],
                refusals: [.unauthorized, .tooManyRequests]),
            Operation(
                .post, "/v1/sessions/refresh", "refreshSession", "Replace the tokens",
                """
                Until one of the new tokens is first used the old refresh token still works, so that a lost answer \
                logs nobody out, and replaces them. After that its use ends the session.

                A browser sends its cookie and no body, and gets new cookies. Its windows may all do so at once: within \
                a minute each gets the same ones.
                """, work: .write, access: .everyone,
                body: Operation.Body(schema: "RefreshToken", isRequired: false),
                answers: [.unstored("SignedIn", "The account and the new tokens.", headers: [.setCookie])],
                refusals: [.unauthorized]),
            Operation(
                .get, "/v1/sessions", "listSessions", "List your sessions", "The newest first.", work: .read,
                access: .session, parameters: ["limit", "cursor"],
                answers: [.list("SessionItems", "Your sessions.")]),
            Operation(
                .delete, "/v1/sessions", "endAllSessions", "Sign out everywhere",
                "Ends all sessions, this one too. API tokens stay.", work: .write, access: .session,
                answers: [.noContent("No session is left.", headers: [.setCookie, .clearSiteData])]),
            Operation(
                .delete, "/v1/sessions/current", "endCurrentSession", "Sign out", "Ends the session of this request.",
                work: .write, access: .session,
                answers: [.noContent("The session has ended.", headers: [.setCookie, .clearSiteData])]),
            Operation(
                .get, "/v1/sessions/{sessionId}", "showSession", "Read one of your sessions", "A device of yours.",
                work: .read, access: .session, parameters: ["IfNoneMatch"],
                answers: [.resource("Session", "The session.")]),
            Operation(
                .delete, "/v1/sessions/{sessionId}", "endSession", "Sign a device out",
                "Its tokens are worth nothing from the next request on.", work: .write, access: .session,
                parameters: ["IfMatch"],
                answers: [.noContent("The session has ended.", headers: [.setCookie, .clearSiteData])]),
        ],
        parameters: [
            "sessionId": pathParameter("sessionId", "The id of a session of yours.", example: "1883093808054272000")
        ],
        schemas: [
            "Credentials": #"""
            {
              "type": "object",
              "additionalProperties": false,
              "required": ["login", "password"],
              "properties": {
                "login": {
                  "type": "string", "minLength": 1, "maxLength": 254,
                  "description": "The username or the e-mail address, in any case."
                },
                "password": {"type": "string", "format": "password", "minLength": 1, "maxLength": 256},
                "cookie": {
                  "type": "boolean", "default": false,
                  "description": "For browsers: the tokens come as cookies that no script can read."
                }
              },
              "examples": [{"login": "teddy_k", "password": "correct horse battery"}]
            }
            """#,
            "RefreshToken": #"""
            {
              "type": "object",
              "additionalProperties": false,
              "required": ["refreshToken"],
              "properties": {"refreshToken": {"type": "string", "minLength": 1, "maxLength": 200}},
              "examples": [{"refreshToken": "4fZSYA6kXiOFbLy2qNT4BM0r2Z_dAZ6qmLzHoXIDxpU"}]
            }
            """#,
            "SignedIn": #"""
            {
              "type": "object",
              "description": "An account and the tokens of one session; they are shown this once.",
              "required": ["user", "expiresIn"],
              "properties": {
                "user": {"$ref": "#/components/schemas/User"},
                "accessToken": {
                  "type": "string", "description": "For `Authorization: Bearer`. Absent where it comes as a cookie."
                },
                "refreshToken": {
                  "type": "string",
                  "description": "For `POST /v1/sessions/refresh`; lives 60 days. Absent where it comes as a cookie."
                },
                "expiresIn": {"type": "integer", "description": "Seconds that the access token lives."}
              },
              "examples": [
                {
                  "user": {
                    "id": "1880859724742656000", "username": "teddy_k", "displayName": "Teddy Kowalczyk",
                    "bio": null, "photoURL": null, "createdAt": "2026-11-03T17:40:12.250Z"
                  },
                  "accessToken": "ory6kA0-p7Cr_2xad6tfIilu_ZTeR0Imk3m_Yzpe2lI",
                  "refreshToken": "4fZSYA6kXiOFbLy2qNT4BM0r2Z_dAZ6qmLzHoXIDxpU",
                  "expiresIn": 3600
                }
              ]
            }
            """#,
            "Session": #"""
            {
              "type": "object",
              "description": "One sign-in on one device.",
              "required": ["id", "createdAt", "lastSeenAt", "address", "userAgent", "current"],
              "properties": {
                "id": {"$ref": "#/components/schemas/Id"},
                "createdAt": {"$ref": "#/components/schemas/Time"},
                "lastSeenAt": {
                  "allOf": [{"$ref": "#/components/schemas/Time"}],
                  "description": "When it was last used, to ten minutes."
                },
                "address": {"type": "string", "description": "The IP address that signed in."},
                "userAgent": {"type": ["string", "null"], "maxLength": 300},
                "current": {"type": "boolean", "description": "Whether this request belongs to it."}
              },
              "examples": [
                {
                  "id": "1883093808054272000", "createdAt": "2026-11-28T09:30:00.125Z",
                  "lastSeenAt": "2026-11-29T12:00:00.000Z", "address": "203.0.113.7",
                  "userAgent": "PinfoldClient/1.0 (Linux)", "current": true
                }
              ]
            }
            """#,
            "SessionItems": page(of: "Session"),
        ])
}
