extension OpenAPI {
    static let pins = Area(
        name: "Pins",
        description:
            "Places that people have marked. You see your own, and of your friends' those that are not private.",
        operations: [
            Operation(
                .get, "/v1/pins", "listPins", "List pins",
                """
                Your own and your friends': of a box, around a point, or all of them. Around a point each pin has its \
                `distance`, and the nearest come first unless `sort` says otherwise; otherwise the newest come first. \
                Filters narrow each other. As GeoJSON (`f=geojson`, or `Accept: application/geo+json`) it is a \
                FeatureCollection (RFC 7946) whose `next` is also in a `Link` header.
                """, work: .read,
                parameters: [
                    "bbox", "near", "radius", "owner", "category", "minRating", "pinWords", "since", "sort", "limit",
                    "cursor", "format", "Accept",
                ],
                answers: [
                    Answer(
                        status: 200, description: "A page of pins.",
                        content: [
                            "application/json": Answer.name("PinItems"),
                            "application/geo+json": Answer.name("PinFeatureCollection"),
                        ], headers: [.link, .cachePrivate, .vary])
                ]),
            Operation(
                .post, "/v1/pins", "createPin", "Drop a pin",
                "Without an `address` the nearest place of the gazetteer gives one.", work: .write,
                parameters: ["IdempotencyKey"], body: .json("NewPin"),
                answers: [.resource("Pin", "The new pin.", status: 201)]),
            Operation(
                .get, "/v1/pins/{pinId}", "getPin", "Read a pin", work: .read, parameters: ["IfNoneMatch"],
                answers: [.resource("Pin", "The pin.")]),
            Operation(
                .patch, "/v1/pins/{pinId}", "changePin", "Change a pin",
                """
                By its owner. An address that the gazetteer gave follows the pin when it moves; what the owner wrote \
                stays. `address: null` asks the gazetteer again.
                """, work: .write, parameters: ["IfMatch"], body: .mergePatch("PinChange"),
                answers: [.resource("Pin", "The pin as it is now.")]),
            Operation(
                .delete, "/v1/pins/{pinId}", "deletePin", "Delete a pin",
                "By its owner, who can restore it for ten minutes.", work: .write, parameters: ["IfMatch"],
                answers: [.noContent("The pin is gone.")]),
            Operation(
                .post, "/v1/pins/{pinId}/restore", "restorePin", "Restore a pin",
                "By its owner, within ten minutes of deleting. A pin that is there stays as it is.", work: .write,
                parameters: ["IdempotencyKey"], answers: [.resource("Pin", "The pin, as it was.")]),
        ],
        parameters: pinParameters,
        schemas: pinSchemas)

    private static let pinParameters: KeyValuePairs<String, String> = [
        "pinId": pathParameter("pinId", "The id of a pin.", example: "1883193842073600000"),
        "bbox": #"""
        {
          "name": "bbox", "in": "query", "style": "form", "explode": false,
          "description": "Only in this box: `WEST,SOUTH,EAST,NORTH`. West greater than east crosses the antimeridian.",
          "schema": {
            "type": "array", "minItems": 4, "maxItems": 4,
            "items": {"type": "number", "minimum": -180, "maximum": 180}
          },
          "example": [-93.21, 44.89, -93.0, 44.99]
        }
        """#,
        "near": #"""
        {
          "name": "near", "in": "query", "style": "form", "explode": false,
          "description": "Around this point: `LATITUDE,LONGITUDE`. Not with `bbox`.",
          "schema": {
            "type": "array", "minItems": 2, "maxItems": 2,
            "items": {"type": "number", "minimum": -180, "maximum": 180}
          },
          "example": [44.9444, -93.0933]
        }
        """#,
        "radius": #"""
        {
          "name": "radius", "in": "query",
          "description": "Only within so many metres of `near`, on the ellipsoid.",
          "schema": {"type": "number", "minimum": 0, "maximum": 20100000},
          "example": 5000
        }
        """#,
        "owner": #"""
        {
          "name": "owner", "in": "query",
          "description": "Only pins of this account; may be given again. Of those you may not see there are none.",
          "schema": {"type": "array", "maxItems": 500, "items": {"$ref": "#/components/schemas/Id"}},
          "example": ["1880733568204800000"]
        }
        """#,
        "category": #"""
        {
          "name": "category", "in": "query",
          "description": "Only of this category; may be given again.",
          "schema": {"type": "array", "maxItems": 7, "items": {"$ref": "#/components/schemas/PinCategory"}},
          "example": ["food", "nature"]
        }
        """#,
        "minRating": #"""
        {
          "name": "minRating", "in": "query",
          "description": "Only with at least so many stars.",
          "schema": {"type": "integer", "minimum": 1, "maximum": 5},
          "example": 4
        }
        """#,
        "pinWords": #"""
        {
          "name": "q", "in": "query",
          "description": "Only with each of these words starting a word of name, comment or address, in any case.",
          "schema": {"type": "string", "minLength": 1, "maxLength": 200},
          "example": "gorillas early"
        }
        """#,
        "since": #"""
        {
          "name": "since", "in": "query",
          "description": "Only created at this moment or later.",
          "schema": {"$ref": "#/components/schemas/Time"},
          "example": "2026-11-01T00:00:00Z"
        }
        """#,
        "sort": #"""
        {
          "name": "sort", "in": "query",
          "description": "By `rating` the best come first and those without one last; `distance` needs `near`.",
          "schema": {"type": "string", "enum": ["newest", "rating", "distance"]},
          "example": "rating"
        }
        """#,
        "format": #"""
        {
          "name": "f", "in": "query",
          "description": "The form of the answer; wins over `Accept`.",
          "schema": {"type": "string", "enum": ["json", "geojson"]},
          "example": "geojson"
        }
        """#,
        "Accept": #"""
        {
          "name": "Accept", "in": "header",
          "description": "GeoJSON if `application/geo+json` ranks first, else JSON.",
          "schema": {"type": "string"},
          "example": "application/geo+json"
        }
        """#,
    ]
}
