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
                answers: [.list("PinChanges", "A part of the changes.")], refusals: [.cursorExpired, .unavailable])
        ],
        parameters: [
            "logCursor": #"""
            {
              "name": "since", "in": "query",
              "description": "The `cursor` of the answer before.",
              "schema": {"type": "string", "minLength": 1, "maxLength": 1000}, "example": "kT1yZm9vYmFy"
            }
            """#
        ],
        schemas: [
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
            """#
        ])
}
