extension OpenAPI {
    static let friends = Area(
        name: "Friends",
        description: "Friends see each other's pins. Whoever wants to be one asks; a block ends it both ways, unsaid.",
        operations: [
            Operation(
                .get, "/v1/friends", "listFriends", "List your friends", "In the order of usernames.", work: .read,
                parameters: ["limit", "cursor"], answers: [.list("FriendItems", "A page of friends.")]),
            Operation(
                .delete, "/v1/friends/{userId}", "endFriendship", "End a friendship",
                "From that instant neither sees the other's pins, by any route.", work: .write,
                answers: [.noContent("You are friends no more.")]),
            Operation(
                .get, "/v1/friend-requests", "listFriendRequests", "List friend requests",
                "Those that you have sent and those that you were sent, the newest first.", work: .read,
                parameters: ["direction", "status", "limit", "cursor"],
                answers: [.list("FriendRequestItems", "A page of requests.")]),
            Operation(
                .post, "/v1/friend-requests", "createFriendRequest", "Ask to be friends", work: .write,
                parameters: ["IdempotencyKey"], body: .json("NewFriendRequest"),
                answers: [
                    .resource("FriendRequest", "The new request, which waits for its answer.", status: 201),
                    .resource(
                        "FriendRequest",
                        "Theirs was pending and is accepted now, so you are friends; or yours is pending already."),
                ],
                refusals: [.notFound],
                conflicts: [
                    "already-friends": "you are friends already",
                    "blocked-by-you": "you have blocked this person",
                    "requests-closed": "this person takes no requests, or only by invite",
                ]),
            Operation(
                .get, "/v1/friend-requests/{requestId}", "getFriendRequest", "Read a friend request",
                "Of either end.", work: .read, parameters: ["IfNoneMatch"],
                answers: [.resource("FriendRequest", "The request.")]),
            Operation(
                .delete, "/v1/friend-requests/{requestId}", "cancelFriendRequest", "Take a friend request back",
                "By its sender; a second time changes nothing.", work: .write,
                answers: [.noContent("The request is cancelled.")],
                conflicts: ["request-settled": "it is accepted or rejected already"]),
            Operation(
                .post, "/v1/friend-requests/{requestId}/accept", "acceptFriendRequest", "Accept a friend request",
                "By its addressee, and makes you friends; a second time changes nothing.", work: .write,
                parameters: ["IdempotencyKey"], answers: [.resource("FriendRequest", "The accepted request.")],
                conflicts: ["request-settled": "it is rejected or cancelled already"]),
            Operation(
                .post, "/v1/friend-requests/{requestId}/reject", "rejectFriendRequest", "Reject a friend request",
                "By its addressee; a second time changes nothing.", work: .write, parameters: ["IdempotencyKey"],
                answers: [.resource("FriendRequest", "The rejected request.")],
                conflicts: ["request-settled": "it is accepted or cancelled already"]),
            Operation(
                .get, "/v1/blocks", "listBlocks", "List whom you have blocked", "In the order of usernames.",
                work: .read,
                parameters: ["limit", "cursor"], answers: [.list("UserItems", "A page of people.")]),
            Operation(
                .put, "/v1/blocks/{userId}", "block", "Block somebody",
                """
                Ends friendship and pending requests, both ways, and the blocked one is not told. A second time \
                changes nothing.
                """, work: .write, answers: [.noContent("The block holds.")]),
            Operation(
                .delete, "/v1/blocks/{userId}", "unblock", "Lift a block",
                "The friendship does not come back. Without a block nothing changes.", work: .write,
                answers: [.noContent("There is no block.")]),
        ],
        parameters: [
            "requestId": pathParameter("requestId", "The id of a friend request.", example: "1883126255583232000"),
            "direction": #"""
            {
              "name": "direction", "in": "query",
              "description": "Only those that you were sent, or that you have sent.",
              "schema": {"type": "string", "enum": ["incoming", "outgoing"]},
              "example": "incoming"
            }
            """#,
            "status": #"""
            {
              "name": "status", "in": "query",
              "description": "Only those that this became of.",
              "schema": {"$ref": "#/components/schemas/FriendRequestStatus"},
              "example": "pending"
            }
            """#,
        ],
        schemas: [
            "Friend": #"""
            {
              "description": "A friend of yours.",
              "allOf": [{"$ref": "#/components/schemas/User"}],
              "type": "object",
              "required": ["since"],
              "properties": {
                "since": {
                  "allOf": [{"$ref": "#/components/schemas/Time"}], "description": "When you became friends."
                }
              },
              "examples": [
                {
                  "id": "1880733568204800000", "username": "marisol", "displayName": "Marisol Vega",
                  "bio": "Saint Paul, mostly outdoors.", "photoURL": null,
                  "createdAt": "2026-11-02T08:15:00.000Z", "since": "2026-11-29T12:00:00.000Z"
                }
              ]
            }
            """#,
            "FriendItems": page(of: "Friend"),
            "NewFriendRequest": #"""
            {
              "type": "object",
              "additionalProperties": false,
              "required": ["to"],
              "properties": {
                "to": {"allOf": [{"$ref": "#/components/schemas/Id"}], "description": "Whom you ask."}
              },
              "examples": [{"to": "1880859724742656000"}]
            }
            """#,
            "FriendRequestStatus": #"""
            {"type": "string", "enum": ["pending", "accepted", "rejected", "cancelled"], "examples": ["pending"]}
            """#,
            "FriendRequest": #"""
            {
              "type": "object",
              "description": "One person's wish to be another's friend, and what became of it.",
              "required": ["id", "from", "to", "status", "createdAt", "respondedAt"],
              "properties": {
                "id": {"$ref": "#/components/schemas/Id"},
                "from": {"$ref": "#/components/schemas/User"},
                "to": {"$ref": "#/components/schemas/User"},
                "status": {"$ref": "#/components/schemas/FriendRequestStatus"},
                "createdAt": {"$ref": "#/components/schemas/Time"},
                "respondedAt": {
                  "type": ["string", "null"], "format": "date-time",
                  "description": "When it stopped being pending; null until then."
                }
              },
              "examples": [
                {
                  "id": "1883126255583232000",
                  "from": {
                    "id": "1880733568204800000", "username": "marisol", "displayName": "Marisol Vega",
                    "bio": "Saint Paul, mostly outdoors.", "photoURL": null,
                    "createdAt": "2026-11-02T08:15:00.000Z"
                  },
                  "to": {
                    "id": "1880859724742656000", "username": "teddy_k", "displayName": "Teddy Kowalczyk",
                    "bio": null, "photoURL": null, "createdAt": "2026-11-03T17:40:12.250Z"
                  },
                  "status": "accepted",
                  "createdAt": "2026-11-28T18:05:44.500Z",
                  "respondedAt": "2026-11-29T12:00:00.000Z"
                }
              ]
            }
            """#,
            "FriendRequestItems": page(of: "FriendRequest"),
        ])
}
