extension OpenAPI {
    static let pinSchemas: KeyValuePairs<String, String> = [
        "Pin": #"""
        {
          "description": "A place that somebody marked, as you see it.",
          "allOf": [{"$ref": "#/components/schemas/PinDetails"}],
          "type": "object",
          "required": ["id", "latitude", "longitude"],
          "properties": {
            "id": {"$ref": "#/components/schemas/Id"},
            "latitude": {"type": "number", "minimum": -90, "maximum": 90},
            "longitude": {"type": "number", "minimum": -180, "exclusiveMaximum": 180}
          },
          "examples": [\#(example)]
        }
        """#,
        "PinDetails": detailsSchema,
        "PinItems": page(of: "Pin"),
        "PinFeature": #"""
        {
          "type": "object",
          "description": "A pin as a GeoJSON feature (RFC 7946, 3.2).",
          "required": ["type", "id", "geometry", "properties"],
          "properties": {
            "type": {"const": "Feature"},
            "id": {"$ref": "#/components/schemas/Id"},
            "geometry": {
              "type": "object",
              "required": ["type", "coordinates"],
              "properties": {
                "type": {"const": "Point"},
                "coordinates": {
                  "type": "array", "minItems": 2, "maxItems": 2,
                  "description": "Longitude and latitude.",
                  "items": {"type": "number", "minimum": -180, "maximum": 180},
                  "examples": [[-93.1531, 44.9817]]
                }
              }
            },
            "properties": {"$ref": "#/components/schemas/PinDetails"}
          }
        }
        """#,
        "PinFeatureCollection": #"""
        {
          "type": "object",
          "description": "A page of pins as GeoJSON (RFC 7946, 3.3).",
          "required": ["type", "features", "next"],
          "properties": {
            "type": {"const": "FeatureCollection"},
            "features": {
              "type": "array", "maxItems": 500, "items": {"$ref": "#/components/schemas/PinFeature"}
            },
            "next": {"$ref": "#/components/schemas/NextCursor"}
          }
        }
        """#,
        "PinCategory": #"""
        {
          "type": "string",
          "enum": ["food", "nightlife", "nature", "shopping", "culture", "education", "other"],
          "examples": ["nature"]
        }
        """#,
        "PinAudience": #"""
        {
          "type": "string",
          "enum": ["friends", "private", "circle"],
          "description": "Who sees it besides its owner; `circle` is those friends who are in `circleId`.",
          "examples": ["friends"]
        }
        """#,
        "NewPin": newSchema,
        "PinChange": changeSchema,
    ]

    private static let example = #"""
        {
          "id": "1883193842073600000", "ownerId": "1880733568204800000", "ownerUsername": "marisol",
          "latitude": 44.9817, "longitude": -93.1531, "name": "Como Park Zoo",
          "address": "Falcon Heights, Minnesota, United States", "addressSource": "gazetteer",
          "comment": "Get there when it opens.", "rating": 4, "category": "nature", "audience": "friends",
          "circleId": null, "photos": [], "createdAt": "2026-11-29T12:00:00.000Z",
          "updatedAt": "2026-11-29T12:00:00.000Z"
        }
        """#

    private static let detailsSchema = #"""
        {
          "type": "object",
          "description": "All of a pin but its id and position.",
          "required": [
            "ownerId", "ownerUsername", "name", "address", "addressSource", "comment", "rating", "category", "photos",
            "createdAt", "updatedAt"
          ],
          "properties": {
            "ownerId": {"$ref": "#/components/schemas/Id"},
            "ownerUsername": {"type": "string"},
            "name": {"type": "string", "minLength": 1, "maxLength": 200},
            "address": {"type": ["string", "null"], "maxLength": 500},
            "addressSource": {
              "type": ["string", "null"], "enum": ["gazetteer", "owner", null],
              "description": "Who wrote the address; null if there is none."
            },
            "comment": {"type": ["string", "null"], "maxLength": 10000},
            "rating": {"type": ["integer", "null"], "minimum": 1, "maximum": 5, "description": "Stars."},
            "category": {"$ref": "#/components/schemas/PinCategory"},
            "audience": {
              "allOf": [{"$ref": "#/components/schemas/PinAudience"}],
              "description": "Who sees it besides its owner, to whom alone this is shown."
            },
            "circleId": {
              "type": ["string", "null"], "pattern": "^[1-9][0-9]{0,18}$",
              "description": "Whose members see it, if the audience is `circle`. Shown to the owner only."
            },
            "photos": {"type": "array", "maxItems": 0, "items": {"type": "object"}},
            "createdAt": {"$ref": "#/components/schemas/Time"},
            "updatedAt": {"$ref": "#/components/schemas/Time"},
            "distance": {
              "type": "number", "minimum": 0, "examples": [6280.35],
              "description": "Metres from `near`, on the ellipsoid; only in a list that has it."
            }
          }
        }
        """#

    /// The fields of a new pin.
    static let newPinProperties = #"""
        "latitude": {"type": "number", "minimum": -90, "maximum": 90},
        "longitude": {"type": "number", "minimum": -180, "maximum": 180, "description": "180 is -180."},
        "name": {"type": "string", "minLength": 1, "maxLength": 200},
        "comment": {"type": ["string", "null"], "maxLength": 10000},
        "address": {"type": ["string", "null"], "minLength": 1, "maxLength": 500},
        "rating": {"type": ["integer", "null"], "minimum": 1, "maximum": 5},
        "category": {
          "allOf": [{"$ref": "#/components/schemas/PinCategory"}], "default": "other"
        },
        "audience": {
          "allOf": [{"$ref": "#/components/schemas/PinAudience"}],
          "description": "If left out, the `defaultAudience` of your privacy settings: `friends` unless you change it."
        },
        "circleId": {
          "type": ["string", "null"], "pattern": "^[1-9][0-9]{0,18}$",
          "description": "One of your circles; required for the audience `circle`, and only for that."
        }
        """#

    private static let newSchema = #"""
        {
          "type": "object",
          "additionalProperties": false,
          "required": ["latitude", "longitude", "name"],
          "properties": {
            \#(newPinProperties)
          },
          "examples": [
            {
              "latitude": 44.9817, "longitude": -93.1531, "name": "Como Park Zoo",
              "comment": "Get there when it opens.", "rating": 4, "category": "nature"
            }
          ]
        }
        """#

    private static let changeSchema = #"""
        {
          "type": "object",
          "description": "What changes; the rest of a whole `Pin` may come back unchanged.",
          "properties": {
            "latitude": {"type": "number", "minimum": -90, "maximum": 90},
            "longitude": {"type": "number", "minimum": -180, "maximum": 180},
            "name": {"type": "string", "minLength": 1, "maxLength": 200},
            "comment": {"type": ["string", "null"], "maxLength": 10000},
            "address": {
              "type": ["string", "null"], "minLength": 1, "maxLength": 500, "description": "Null asks the gazetteer."
            },
            "rating": {"type": ["integer", "null"], "minimum": 1, "maximum": 5},
            "category": {"$ref": "#/components/schemas/PinCategory"},
            "audience": {"$ref": "#/components/schemas/PinAudience"},
            "circleId": {
              "type": ["string", "null"], "pattern": "^[1-9][0-9]{0,18}$", "description": "One of your circles."
            }
          },
          "examples": [{"comment": "The gorillas are up early.", "rating": 5}]
        }
        """#
}
