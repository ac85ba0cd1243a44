extension OpenAPI {
    static let live = Area(
        name: "Live",
        description: """
            What happens to what you see. Places in it are cursors, which stay good for thirty days; a cursor of one call \
            here is good for the others.
            """,
        operations: [
            Operation(
                .get, "/v1/pins/changes", "listPinChanges", "List changes of visible pins",
                """
                Everything that became visible, changed, or stopped being visible since the cursor, for whatever reason: \
                deleted, made private, unfriended, blocked, left a circle; befriended: their older pins. Without `since` \
                it is all that is visible. Ask on with `cursor` until `more` is false: then you have what a list has. \
                A pin is as it is now, and comes once, unless it changes again while you ask. `removed` names no pin that \
                you could never see.
                """, work: .read, parameters: ["logCursor", "limit"],
                answers: [.list("PinChanges", "A part of the changes.")], refusals: [.cursorExpired, .unavailable]),
            Operation(
                .get, "/v1/live", "openLive", "Open a WebSocket for all that happens",
                """
                RFC 6455, with permessage-deflate if you offer it. Each message is one `LiveEvent`, in order and once: \
                behind `after`, or from now on without it. Who cannot send `Authorization` sends \
                `{"type": "auth", "token": …}` as the first message within ten seconds. Besides you may send \
                `{"type": "ping"}`, `{"type": "ack", "cursor": …}` and `{"type": "typing", "conversationId": …}`; what \
                cannot be taken is answered by `{"type": "problem", "problem": …}`. \
                Closed with 4401 when the token expires or its session ends, 4408 when you read too slowly (come back with \
                your last cursor), 4410 when the cursor is too old (begin anew with the changes), 4429 for too many \
                messages, 1009 for one of more than 64 KiB.
                """, work: .read, access: .tokenOrNone, parameters: ["liveCursor"],
                answers: [
                    Answer(status: 101, description: "The connection is a WebSocket now.")
                ], refusals: [.cursorExpired, .upgradeRequired]),
            Operation(
                .get, "/v1/events", "openEvents", "Open a stream of all that happens",
                """
                The same as Server-Sent Events (HTML standard, 9.2): `event` is the type, `id` the cursor, `data` the \
                `LiveEvent`. `Last-Event-ID` goes before `after`. At its end there is an event `close` with `code` and \
                `reason`, as the WebSocket has them.
                """, work: .read, parameters: ["liveCursor", "LastEventID"],
                answers: [
                    Answer(
                        status: 200, description: "The stream.",
                        content: ["text/event-stream": eventStreamSchema])
                ], refusals: [.cursorExpired]),
        ],
        parameters: [
            "liveCursor": #"""
            {
              "name": "after", "in": "query",
              "description": "The `cursor` of the last event that you have, or of the changes.",
              "schema": {"type": "string", "minLength": 1, "maxLength": 1000}, "example": "kT1yZm9vYmFy"
            }
            """#,
            "LastEventID": #"""
            {
              "name": "Last-Event-ID", "in": "header",
              "description": "The same, as browsers send it when they come back by themselves.",
              "schema": {"type": "string", "maxLength": 1000}, "example": "kT1yZm9vYmFy"
            }
            """#,
            "logCursor": #"""
            {
              "name": "since", "in": "query",
              "description": "The `cursor` of the answer before.",
              "schema": {"type": "string", "minLength": 1, "maxLength": 1000}, "example": "kT1yZm9vYmFy"
            }
            """#,
        ],
        schemas: [
            "LiveEvent": #"""
            {
              "type": "object",
              "description": "Something that has happened, as you may see it when it is sent. Other types may come; leave them.",
              "required": ["type"],
              "properties": {
                "type": {
                  "type": "string",
                  "description": "What has happened.",
                  "examples": [
                    "pin.created", "pin.updated", "pin.removed", "friendRequest.created", "friendRequest.accepted",
                    "friendRequest.rejected", "friendRequest.cancelled", "friend.added", "friend.removed",
                    "profile.updated", "presence"
                  ]
                },
                "cursor": {"type": "string", "description": "Where to come back to; absent for `presence`."},
                "at": {"$ref": "#/components/schemas/Time"},
                "pin": {"$ref": "#/components/schemas/Pin"},
                "id": {"$ref": "#/components/schemas/Id"},
                "friendRequest": {"$ref": "#/components/schemas/FriendRequest"},
                "user": {"$ref": "#/components/schemas/User"},
                "userId": {"$ref": "#/components/schemas/Id"},
                "online": {"type": "boolean", "description": "Whether the friend is there."},
                "lastSeenAt": {
                  "type": ["string", "null"], "format": "date-time",
                  "description": "When the friend was there last, to five minutes; null while there."
                }
              },
              "examples": [
                {
                  "type": "pin.removed", "cursor": "kT1yZm9vYmFy", "at": "2026-05-01T12:00:00.000Z",
                  "id": "1883193842073600000"
                }
              ]
            }
            """#,
            "PinChanges": #"""
            {
              "type": "object",
              "description": "What changed of the pins that you see.",
              "required": ["changed", "removed", "cursor", "more"],
              "properties": {
                "changed": {
                  "type": "array", "maxItems": 500, "items": {"$ref": "#/components/schemas/Pin"},
                  "description": "New to you or changed, as they are now."
                },
                "removed": {
                  "type": "array", "maxItems": 500, "items": {"$ref": "#/components/schemas/Id"},
                  "description": "No longer visible."
                },
                "cursor": {"type": "string", "description": "Where to ask on."},
                "more": {"type": "boolean", "description": "Whether there is more already."}
              },
              "examples": [
                {"changed": [], "removed": ["1883193842073600000"], "cursor": "kT1yZm9vYmFy", "more": false}
              ]
            }
            """#,
        ])

    private static let eventStreamSchema = #"""
        {
          "type": "string", "contentMediaType": "application/json",
          "contentSchema": {"$ref": "#/components/schemas/LiveEvent"}
        }
        """#
}
