extension OpenAPI {
    static let bulk = Area(
        name: "Many pins at once",
        description: "Batches for programs, and files from elsewhere.",
        operations: [
            Operation(
                .post, "/v1/pins/batch", "batchPins", "Drop or change many pins",
                """
                Each row is taken by itself, and has its own result, in order; a bad row stops no other. A row whose \
                `externalId` one of your pins has changes that pin: what the row leaves out stays, null removes. The \
                same `externalId` twice in a batch is the same pin. The body is at most 8 MiB, and so is the answer: \
                behind that, or with an `Idempotency-Key` behind 256 KiB, results have the `id` without the `pin`.
                """, work: .write, parameters: ["IdempotencyKey"], body: .json("PinBatch"),
                answers: [.resource("PinBatchResults", "A result for each row.")]),
            Operation(
                .post, "/v1/pins/import", "importPins", "Import places",
                """
                Of a file of at most 16 MiB and 10,000 places, as the body: GeoJSON (points; also features one a line), \
                GPX (waypoints), KML (placemarks that are points), CSV with a header row (columns such as name, \
                latitude, longitude, comment, rating, category, address, createdAt, externalId in usual spellings), \
                saved places, reviews and saved lists of Google Takeout, and check-ins of Swarm, one pin a venue. The \
                content tells the format, whatever its type says.

                Importing a file again changes nothing: a place is known by its id or link, else by name and \
                position, and a pin that comes back from your own export is that pin. An id of fewer than 8 characters \
                is taken for a number within its file, and not used. Of rows that are the same place the last one \
                counts. A place of another service keeps the earliest time that a file has given it. A pin for a circle that you do not have becomes private.

                No place is lost for a long text: names are cut to 200 characters, addresses to 500 and comments to \
                10,000, and `shortened` says where. A time that cannot be read or is in the future is left out. A place \
                without a name is called by its address, else `Unnamed place`. A category is one of ours or a common \
                word for a kind of place, else `other`. Places are stored 250 at a time; if the import is cut short, \
                import the file again.
                """, work: .write, access: .scoped(.import),
                parameters: ["importFormat", "dryRun", "importCategory", "importAudience", "importCircle"],
                body: .file(
                    "ImportFile",
                    [
                        "application/geo+json", "application/json", "application/geo+json-seq", "application/gpx+xml",
                        "application/vnd.google-earth.kml+xml", "text/csv", "application/octet-stream",
                    ]), answers: [.resource("ImportReport", "What was done.")]),
        ],
        parameters: [
            "importFormat": #"""
            {
              "name": "format", "in": "query",
              "description": "The format of the file, if its content is not to tell it.",
              "schema": {"type": "string", "enum": ["geojson", "takeout", "swarm", "gpx", "kml", "csv"]},
              "example": "kml"
            }
            """#,
            "dryRun": #"""
            {
              "name": "dryRun", "in": "query",
              "description": "Only say what the import would do.",
              "schema": {"type": "boolean", "default": false},
              "example": true
            }
            """#,
            "importCategory": #"""
            {
              "name": "category", "in": "query",
              "description": "The category of new pins whose row has none.",
              "schema": {"allOf": [{"$ref": "#/components/schemas/PinCategory"}], "default": "other"},
              "example": "food"
            }
            """#,
            "importAudience": #"""
            {
              "name": "audience", "in": "query",
              "description": "Who sees new pins whose row does not say it; private, so that nothing surprises your friends.",
              "schema": {"allOf": [{"$ref": "#/components/schemas/PinAudience"}], "default": "private"},
              "example": "friends"
            }
            """#,
            "importCircle": #"""
            {
              "name": "circleId", "in": "query",
              "description": "One of your circles, for the audience `circle`.",
              "schema": {"$ref": "#/components/schemas/Id"},
              "example": "1883126255583232000"
            }
            """#,
        ],
        schemas: [
            "PinBatch": #"""
            {
              "type": "object",
              "additionalProperties": false,
              "required": ["pins"],
              "properties": {
                "pins": {
                  "type": "array", "minItems": 1, "maxItems": 1000,
                  "items": {"$ref": "#/components/schemas/BatchPin"}
                }
              },
              "examples": [
                {
                  "pins": [
                    {"latitude": 44.9817, "longitude": -93.1531, "name": "Como Park Zoo", "externalId": "zoo-1"},
                    {
                      "latitude": 44.9551, "longitude": -93.1022, "name": "State Capitol",
                      "createdAt": "2019-05-04T10:00:00Z"
                    }
                  ]
                }
              ]
            }
            """#,
            "BatchPin": #"""
            {
              "type": "object",
              "additionalProperties": false,
              "required": ["latitude", "longitude", "name"],
              "properties": {
                \#(newPinProperties),
                "externalId": {
                  "type": ["string", "null"], "minLength": 1, "maxLength": 200,
                  "description": "What you know it by; the pin of yours that has it already is changed."
                },
                "createdAt": {
                  "type": ["string", "null"], "format": "date-time",
                  "description": "From 1970 to now, or to when a pin that is there was first stored."
                }
              }
            }
            """#,
            "PinBatchResults": #"""
            {
              "type": "object",
              "required": ["results"],
              "properties": {
                "results": {
                  "type": "array", "maxItems": 1000, "description": "One for each row, in order.",
                  "items": {"$ref": "#/components/schemas/PinBatchResult"}
                }
              }
            }
            """#,
            "PinBatchResult": #"""
            {
              "type": "object",
              "required": ["status"],
              "properties": {
                "status": {
                  "type": "integer", "enum": [200, 201, 400],
                  "description": "201 for a new pin, 200 for one that was there, 400 for a faulty row."
                },
                "id": {"$ref": "#/components/schemas/Id"},
                "pin": {"$ref": "#/components/schemas/Pin"},
                "errors": {"type": "array", "maxItems": 10, "items": {"$ref": "#/components/schemas/Fault"}}
              },
              "examples": [{"status": 400, "errors": [{"field": "name", "message": "is required"}]}]
            }
            """#,
            "ImportFile": #"""
            {"description": "The file itself.", "additionalProperties": true}
            """#,
            "ImportReport": #"""
            {
              "type": "object",
              "description": "What became of each place; rows count from 1, and in CSV the header is row 1.",
              "required": ["format", "created", "updated", "unchanged", "rejected", "notPlaced", "shortened"],
              "properties": {
                "format": {"type": "string", "enum": ["geojson", "takeout", "swarm", "gpx", "kml", "csv"]},
                "created": {"type": "integer", "minimum": 0},
                "updated": {"type": "integer", "minimum": 0},
                "unchanged": {"type": "integer", "minimum": 0},
                "rejected": {
                  "type": "array",
                  "description": "Rows that cannot be pins.",
                  "items": {
                    "type": "object",
                    "required": ["row", "field", "message"],
                    "properties": {
                      "row": {"type": "integer", "minimum": 1},
                      "field": {"type": "string"},
                      "message": {"type": "string", "description": "A predicate of the field."}
                    }
                  }
                },
                "notPlaced": {
                  "type": "array",
                  "description": "Places of which the file does not say where they are.",
                  "items": {
                    "type": "object",
                    "required": ["row", "name", "reason"],
                    "properties": {
                      "row": {"type": "integer", "minimum": 1},
                      "name": {"type": "string"},
                      "reason": {"type": "string"}
                    }
                  }
                },
                "shortened": {
                  "type": "array",
                  "description": "Texts that were cut.",
                  "items": {
                    "type": "object",
                    "required": ["row", "field"],
                    "properties": {
                      "row": {"type": "integer", "minimum": 1},
                      "field": {"type": "string", "enum": ["name", "address", "comment"]}
                    }
                  }
                }
              },
              "examples": [
                {
                  "format": "takeout", "created": 211, "updated": 0, "unchanged": 3, "rejected": [],
                  "notPlaced": [{"row": 17, "name": "Corner Bar", "reason": "its link carries no coordinates"}],
                  "shortened": []
                }
              ]
            }
            """#,
        ])
}
