extension OpenAPI {
    static let invites = Area(
        name: "Invites",
        description: """
            Links that make friends: of people who are here, and of newcomers, who sign up with the code. They work \
            whatever its owner's privacy says of requests.
            """,
        operations: [
            Operation(
                .get, "/v1/invites", "listInvites", "List your invites",
                "Those that have not expired, the newest first.",
                work: .read, access: .session, parameters: ["limit", "cursor"],
                answers: [.list("InviteItems", "A page of invites.")]),
            Operation(
                .post, "/v1/invites", "createInvite", "Make an invite", work: .write, parameters: ["IdempotencyKey"],
                body: .json("NewInvite"), answers: [.resource("Invite", "The new invite.", status: 201)],
                conflicts: ["too-many-invites": "you have 50 that can still be accepted"]),
            Operation(
                .get, "/v1/invites/{code}", "getInvite", "Read an invite",
                "Who invites. Needs no token; one who is blocked either way is told nothing.", work: .read,
                access: .tokenOrNone, parameters: ["IfNoneMatch"],
                answers: [.resource("InviteGreeting", "The invite can be accepted.")]),
            Operation(
                .delete, "/v1/invites/{code}", "deleteInvite", "Delete an invite",
                "By its owner. Friendships that it has made stay.", work: .write,
                answers: [.noContent("It works no more.")]),
            Operation(
                .post, "/v1/invites/{code}/accept", "acceptInvite", "Accept an invite",
                """
                Makes you friends at once; a pending request between you is accepted. If you are friends already, \
                nothing changes, and no use is counted.
                """, work: .write, parameters: ["IdempotencyKey"],
                answers: [.resource("Friend", "The friend who has invited you.")],
                conflicts: ["own-invite": "it is yours"]),
        ],
        parameters: [
            "code": #"""
            {
              "name": "code", "in": "path", "required": true,
              "description": "The code of an invite.",
              "schema": {"type": "string", "minLength": 1, "maxLength": 100},
              "example": "bG9yZW0taXBzdW0x"
            }
            """#
        ],
        schemas: [
            "NewInvite": #"""
            {
              "type": "object",
              "additionalProperties": false,
              "properties": {
                "expiresIn": {
                  "type": "integer", "minimum": 60, "maximum": 2592000, "default": 604800,
                  "description": "Seconds that it lives: a week if left out."
                },
                "maxUses": {
                  "type": "integer", "minimum": 1, "maximum": 100, "default": 1, "description": "How many may accept it."
                }
              },
              "examples": [{"expiresIn": 86400, "maxUses": 5}]
            }
            """#,
            "Invite": #"""
            {
              "type": "object",
              "description": "A link of yours that makes friends.",
              "required": ["code", "url", "createdAt", "expiresAt", "maxUses", "uses"],
              "properties": {
                "code": {"type": "string"},
                "url": {"type": "string", "format": "uri", "description": "The link to hand on."},
                "createdAt": {"$ref": "#/components/schemas/Time"},
                "expiresAt": {"$ref": "#/components/schemas/Time"},
                "maxUses": {"type": "integer", "minimum": 1, "maximum": 100},
                "uses": {"type": "integer", "minimum": 0, "description": "How many have accepted it."}
              },
              "examples": [
                {
                  "code": "bG9yZW0taXBzdW0x", "url": "https://map.example.org/#invite=bG9yZW0taXBzdW0x",
                  "createdAt": "2026-11-29T12:00:00.000Z", "expiresAt": "2026-11-30T12:00:00.000Z", "maxUses": 5,
                  "uses": 2
                }
              ]
            }
            """#,
            "InviteItems": page(of: "Invite"),
            "InviteGreeting": #"""
            {
              "type": "object",
              "description": "What an invite says to whoever holds it.",
              "required": ["code", "from", "expiresAt"],
              "properties": {
                "code": {"type": "string"},
                "from": {"$ref": "#/components/schemas/User"},
                "expiresAt": {"$ref": "#/components/schemas/Time"}
              },
              "examples": [
                {
                  "code": "bG9yZW0taXBzdW0x",
                  "from": {
                    "id": "1880733568204800000", "username": "marisol", "displayName": "Marisol Vega",
                    "bio": "Saint Paul, mostly outdoors.", "photoURL": null, "createdAt": "2026-11-02T08:15:00.000Z"
                  },
                  "expiresAt": "2026-11-30T12:00:00.000Z"
                }
              ]
            }
            """#,
        ])
}
