extension OpenAPI {
    static let accounts = Area(
        name: "Accounts",
        description: "Signing up, your own account, and finding others.",
        operations: [
            Operation(
                .post, "/v1/users", "signUp", "Sign up",
                "Makes an account and signs it in. Usernames are unique after NFKC, full case folding and NFKC.",
                work: .write,
                access: .everyone, body: .json("NewUser"),
                answers: [
                    .unstored(
                        "SignedIn", "The account and the tokens of its first session.", status: 201,
                        headers: [.location, .setCookie])
                ],
                refusals: [.tooManyRequests],
                conflicts: [
                    "already-taken": "the username or the address is taken, and `errors` says which",
                    "invite-needed": "signing up here needs an invite",
                    "registration-closed": "nobody can sign up here",
                ]),
            Operation(
                .get, "/v1/users", "searchUsers", "Find people",
                """
                By the start of the username or the display name, whatever case and accents, in the order of \
                usernames. Those who have blocked you, and those whom you have blocked, are absent. Of strangers, those \
                who want to be found by their whole username are there if `q` is that, and those who want to be found by \
                nobody never.
                """, work: .read, parameters: ["userPrefix", "limit", "cursor"],
                answers: [.list("UserItems", "A page of people.")]),
            Operation(
                .get, "/v1/users/{userId}", "getUser", "Read a profile",
                """
                Of anybody who has not blocked you, and what you are to each other. Who is discoverable to `nobody` is \
                404 to strangers.
                """, work: .read,
                parameters: ["IfNoneMatch"], answers: [.resource("Profile", "The profile.")]),
            Operation(
                .get, "/v1/me", "getMe", "Read your account", work: .read, parameters: ["IfNoneMatch"],
                answers: [.resource("Me", "Your account.")]),
            Operation(
                .patch, "/v1/me", "changeMe", "Change your account",
                """
                A new `email` needs `currentPassword`, and the old address is told of it. 412 also comes when the password \
                was changed while the new `email` was checked.
                """, work: .write, access: .session, parameters: ["IfMatch"], body: .mergePatch("MeChange"),
                answers: [.resource("Me", "Your account as it is now.")], refusals: [.tooManyRequests],
                conflicts: ["already-taken": "the address is somebody else's"]),
            Operation(
                .delete, "/v1/me", "deleteMe", "Delete your account",
                """
                With all that it owns, for good. To others it is as if it had never been. The last admin stays while \
                there are other accounts.
                """, work: .write, access: .session, body: .json("AccountRemoval"),
                answers: [.noContent("The account is gone.", headers: [.setCookie, .clearSiteData])],
                refusals: [.tooManyRequests],
                conflicts: ["last-admin": "nobody could administer the other accounts; appoint somebody else first"]),
            Operation(
                .put, "/v1/me/password", "changePassword", "Change your password",
                """
                Ends your other sessions, this one goes on, and tells you by mail. Your API tokens end too, as whoever \
                knew the old password may have made one, unless you say `keepTokens`.
                """, work: .write, access: .session, body: .json("PasswordChange"),
                answers: [.noContent("The new password holds.")], refusals: [.tooManyRequests]),
        ],
        parameters: [
            "userPrefix": #"""
            {
              "name": "q", "in": "query", "required": true,
              "description": "How the username or display name starts.",
              "schema": {"type": "string", "minLength": 1, "maxLength": 100},
              "example": "mari"
            }
            """#
        ],
        schemas: [
            "User": userSchema,
            "UserItems": page(of: "User"),
            "Profile": profileSchema,
            "Me": meSchema,
            "NewUser": newUserSchema,
            "MeChange": meChangeSchema,
            "PasswordChange": #"""
            {
              "type": "object",
              "additionalProperties": false,
              "required": ["current", "new"],
              "properties": {
                "current": {"type": "string", "format": "password", "minLength": 1, "maxLength": 256},
                "new": {"type": "string", "format": "password", "minLength": 8, "maxLength": 256},
                "keepTokens": {
                  "type": "boolean", "default": false, "description": "Your API tokens stay as they are."
                }
              },
              "examples": [{"current": "correct horse battery", "new": "staple of eleven words"}]
            }
            """#,
            "AccountRemoval": #"""
            {
              "type": "object",
              "additionalProperties": false,
              "required": ["password"],
              "properties": {
                "password": {"type": "string", "format": "password", "minLength": 1, "maxLength": 256}
              },
              "examples": [{"password": "correct horse battery"}]
            }
            """#,
        ])

    private static let userSchema = #"""
        {
          "type": "object",
          "description": "What everybody may know of an account.",
          "required": ["id", "username", "displayName", "bio", "photoURL", "createdAt"],
          "properties": {
            "id": {"$ref": "#/components/schemas/Id"},
            "username": {"type": "string", "minLength": 3, "maxLength": 30},
            "displayName": {"type": "string", "minLength": 1, "maxLength": 100},
            "bio": {"type": ["string", "null"], "maxLength": 1000},
            "photoURL": {
              "type": ["string", "null"], "format": "uri-reference", "description": "Null if there is no photo."
            },
            "createdAt": {"$ref": "#/components/schemas/Time"}
          },
          "examples": [
            {
              "id": "1880733568204800000", "username": "marisol", "displayName": "Marisol Vega",
              "bio": "Saint Paul, mostly outdoors.", "photoURL": null, "createdAt": "2026-11-02T08:15:00.000Z"
            }
          ]
        }
        """#

    private static let profileSchema = #"""
        {
          "description": "An account and what it is to you.",
          "allOf": [{"$ref": "#/components/schemas/User"}],
          "type": "object",
          "required": ["relationship"],
          "properties": {
            "relationship": {
              "type": "string",
              "enum": ["self", "friend", "incoming", "outgoing", "none"],
              "description": "`incoming`: they have asked you; `outgoing`: you have asked them."
            }
          },
          "examples": [
            {
              "id": "1880733568204800000", "username": "marisol", "displayName": "Marisol Vega",
              "bio": "Saint Paul, mostly outdoors.", "photoURL": null, "createdAt": "2026-11-02T08:15:00.000Z",
              "relationship": "friend"
            }
          ]
        }
        """#

    private static let meSchema = #"""
        {
          "description": "Your own account.",
          "allOf": [{"$ref": "#/components/schemas/User"}],
          "type": "object",
          "required": ["email", "phone", "role", "counts", "usage"],
          "properties": {
            "email": {"type": "string", "format": "email", "maxLength": 254},
            "phone": {"type": ["string", "null"], "maxLength": 40},
            "role": {
              "type": "string", "enum": ["user", "curator", "admin"], "description": "A `curator` may import landmarks."
            },
            "counts": {
              "type": "object",
              "description": "What waits for you.",
              "required": ["incomingRequests", "unreadConversations"],
              "properties": {
                "incomingRequests": {"type": "integer", "minimum": 0, "examples": [1]},
                "unreadConversations": {"type": "integer", "minimum": 0, "examples": [0]}
              }
            },
            "usage": {
              "type": "object",
              "description": "What you keep here.",
              "required": ["pins"],
              "properties": {"pins": {"type": "integer", "minimum": 0, "examples": [12]}}
            }
          },
          "examples": [
            {
              "id": "1880859724742656000", "username": "teddy_k", "displayName": "Teddy Kowalczyk", "bio": null,
              "photoURL": null, "createdAt": "2026-11-03T17:40:12.250Z", "email": "teddy@example.org", "phone": null,
              "role": "user", "counts": {"incomingRequests": 1, "unreadConversations": 0}, "usage": {"pins": 12}
            }
          ]
        }
        """#

    private static let newUserSchema = #"""
        {
          "type": "object",
          "additionalProperties": false,
          "required": ["username", "email", "password"],
          "properties": {
            "username": {
              "type": "string", "minLength": 3, "maxLength": 30,
              "description": "Letters, marks, digits, `_` and `.` of any script; kept in NFKC."
            },
            "email": {"type": "string", "format": "email", "maxLength": 254},
            "password": {"type": "string", "format": "password", "minLength": 8, "maxLength": 256},
            "displayName": {
              "type": ["string", "null"], "minLength": 1, "maxLength": 100, "description": "The username if left out."
            },
            "phone": {"type": ["string", "null"], "minLength": 1, "maxLength": 40},
            "cookie": {
              "type": "boolean", "default": false,
              "description": "For browsers: the tokens come as cookies that no script can read."
            },
            "invite": {
              "type": ["string", "null"], "minLength": 1, "maxLength": 100,
              "description": "The code of an invite, whose owner becomes a friend."
            }
          },
          "examples": [
            {
              "username": "teddy_k", "email": "teddy@example.org", "password": "correct horse battery",
              "displayName": "Teddy Kowalczyk"
            }
          ]
        }
        """#

    private static let meChangeSchema = #"""
        {
          "type": "object",
          "description": "What changes; the rest of a whole `Me` may come back unchanged.",
          "properties": {
            "displayName": {"type": "string", "minLength": 1, "maxLength": 100},
            "bio": {"type": ["string", "null"], "maxLength": 1000},
            "phone": {"type": ["string", "null"], "minLength": 1, "maxLength": 40},
            "email": {"type": "string", "format": "email", "maxLength": 254},
            "currentPassword": {
              "type": ["string", "null"], "format": "password", "minLength": 1, "maxLength": 256,
              "description": "Needed for another `email`."
            }
          },
          "examples": [{"displayName": "Teddy K.", "bio": "Bikes and pierogi."}]
        }
        """#
}
