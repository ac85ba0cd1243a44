extension OpenAPI {
    static let circles = Area(
        name: "Circles",
        description: """
            A circle is some of your friends, to show pins to: the audience `circle` of a pin. Nobody but you knows of \
            it. Who is no longer your friend is no longer in it.
            """,
        operations: [
            Operation(
                .get, "/v1/circles", "listCircles", "List your circles", "The newest first.", work: .read,
                parameters: ["limit", "cursor"], answers: [.list("CircleItems", "A page of circles.")]),
            Operation(
                .post, "/v1/circles", "createCircle", "Make a circle", work: .write,
                parameters: ["IdempotencyKey"], body: .json("NewCircle"),
                answers: [.resource("Circle", "The new circle.", status: 201)],
                conflicts: ["too-many-circles": "you have 100 circles"]),
            Operation(
                .get, "/v1/circles/{circleId}", "getCircle", "Read a circle", work: .read,
                parameters: ["IfNoneMatch"], answers: [.resource("Circle", "The circle.")]),
            Operation(
                .patch, "/v1/circles/{circleId}", "changeCircle", "Change a circle",
                "`members` is the whole new list. Whoever goes sees the circle's pins no more, at once.", work: .write,
                parameters: ["IfMatch"], body: .mergePatch("CircleChange"),
                answers: [.resource("Circle", "The circle as it is now.")]),
            Operation(
                .delete, "/v1/circles/{circleId}", "deleteCircle", "Delete a circle",
                "The pins that were for it become private.", work: .write, parameters: ["IfMatch"],
                answers: [.noContent("The circle is gone.")]),
        ],
        parameters: [
            "circleId": pathParameter("circleId", "The id of a circle.", example: "1883126255583232000")
        ],
        schemas: [
            "Circle": #"""
            {
              "type": "object",
              "description": "Some of your friends.",
              "required": ["id", "name", "members", "createdAt", "updatedAt"],
              "properties": {
                "id": {"$ref": "#/components/schemas/Id"},
                "name": {"type": "string", "minLength": 1, "maxLength": 100},
                "members": {
                  "type": "array", "maxItems": 2000, "items": {"$ref": "#/components/schemas/Id"},
                  "description": "Ids of friends, ascending."
                },
                "createdAt": {"$ref": "#/components/schemas/Time"},
                "updatedAt": {"$ref": "#/components/schemas/Time"}
              },
              "examples": [
                {
                  "id": "1883126255583232000", "name": "Climbing", "members": ["1880859724742656000"],
                  "createdAt": "2026-11-28T18:05:44.500Z", "updatedAt": "2026-11-28T18:05:44.500Z"
                }
              ]
            }
            """#,
            "CircleItems": page(of: "Circle"),
            "NewCircle": #"""
            {
              "type": "object",
              "additionalProperties": false,
              "required": ["name"],
              "properties": {
                "name": {"type": "string", "minLength": 1, "maxLength": 100},
                "members": {
                  "type": "array", "maxItems": 2000, "items": {"$ref": "#/components/schemas/Id"},
                  "description": "Ids of friends of yours."
                }
              },
              "examples": [{"name": "Climbing", "members": ["1880859724742656000"]}]
            }
            """#,
            "CircleChange": #"""
            {
              "type": "object",
              "description": "What changes; the rest of a whole `Circle` may come back unchanged.",
              "properties": {
                "name": {"type": "string", "minLength": 1, "maxLength": 100},
                "members": {
                  "type": "array", "maxItems": 2000, "items": {"$ref": "#/components/schemas/Id"},
                  "description": "Ids of friends of yours: all that are in it from now on."
                }
              },
              "examples": [{"members": []}]
            }
            """#,
        ])
}
