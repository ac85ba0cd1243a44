import HTTP

/// What `/ogc` is, in OpenAPI 3.0, which the standard asks for; `/openapi.json` has the whole API of this server in 3.1.
enum OGCDescription {
    static let mediaType = "application/vnd.oai.openapi+json;version=3.0"

    /// - Parameter base: the address of `/ogc`.
    static func document(at base: String) -> [UInt8] {
        var json = JSONWriter(capacity: 16 << 10)
        json.object { json in
            json.key("openapi")
            json.string("3.0.3")
            json.key("info")
            json.raw(Array(info.utf8))
            json.key("servers")
            json.array { json in
                json.object { json in
                    json.key("url")
                    json.string(base)
                }
            }
            json.key("security")
            json.raw(Array(#"[{}, {"basic": []}, {"bearer": []}]"#.utf8))
            json.key("paths")
            json.object { json in
                for path in paths {
                    json.key(escaping: path.path)
                    json.object { json in
                        json.key("get")
                        json.raw(Array(path.operation.utf8))
                    }
                }
            }
            json.key("components")
            json.raw(Array(components.utf8))
        }
        return json.bytes
    }

    private static let info = #"""
        {
          "title": "Pinfold features",
          "version": "1.0.0",
          "description": "Landmarks, a collection for each dataset; and with an API token of the scope read, as the \#
        password of HTTP Basic or as Bearer token, the pins that you see.",
          "license": {"name": "Of each collection, its link license"}
        }
        """#

    private static let paths: [(path: String, operation: String)] = [
        ("/", operation("getLandingPage", "Read the landing page")),
        ("/conformance", operation("getConformanceDeclaration", "Read what this conforms to")),
        ("/api", operation("getDescription", "Read this description")),
        ("/collections", operation("getCollections", "List the collections")),
        (
            "/collections/{collectionId}",
            operation("describeCollection", "Read what a collection is", parameters: ["collectionId"])
        ),
        (
            "/collections/{collectionId}/items",
            operation(
                "getFeatures", "List features",
                parameters: ["collectionId", "bbox", "datetime", "limit", "cursor", "name", "category"],
                mediaType: "application/geo+json")
        ),
        (
            "/collections/{collectionId}/items/{featureId}",
            operation(
                "getFeature", "Read a feature", parameters: ["collectionId", "featureId"],
                mediaType: "application/geo+json")
        ),
    ]

    private static func operation(
        _ id: String, _ summary: String, parameters: [String] = [], mediaType: String = "application/json"
    ) -> String {
        let references = (parameters + ["f"]).map { ##"{"$ref": "#/components/parameters/\##($0)"}"## }
        let missing = parameters.isEmpty ? "" : ##""404": {"$ref": "#/components/responses/NotFound"},"##
        return ##"""
            {
              "operationId": "\##(id)",
              "summary": "\##(summary)",
              "parameters": [\##(references.joined(separator: ", "))],
              "responses": {
                "200": {"description": "It.", "content": {"\##(mediaType)": {"schema": {"type": "object"}}}},
                "400": {"$ref": "#/components/responses/InvalidParameter"},
                "401": {"$ref": "#/components/responses/Unauthorized"},
                \##(missing)
                "500": {"$ref": "#/components/responses/ServerError"}
              }
            }
            """##
    }

    private static let components = #"""
        {
          "securitySchemes": {
            "basic": {"type": "http", "scheme": "basic"},
            "bearer": {"type": "http", "scheme": "bearer"}
          },
          "parameters": {
            "collectionId": {
              "name": "collectionId", "in": "path", "required": true, "schema": {"type": "string"},
              "description": "The name of a dataset, or pins."
            },
            "featureId": {
              "name": "featureId", "in": "path", "required": true, "schema": {"type": "string"}
            },
            "bbox": {
              "name": "bbox", "in": "query", "style": "form", "explode": false,
              "description": "West, south, east, north in degrees, or with heights as third and sixth; across the \#
        antimeridian if west is greater.",
              "schema": {
                "oneOf": [
                  {"type": "array", "minItems": 4, "maxItems": 4, "items": {"type": "number"}},
                  {"type": "array", "minItems": 6, "maxItems": 6, "items": {"type": "number"}}
                ]
              }
            },
            "datetime": {
              "name": "datetime", "in": "query", "style": "form", "explode": false,
              "description": "A time, or two with a slash between them of which one may be open (..): when a landmark was \#
        last changed, or a pin was made.",
              "schema": {"type": "string"}
            },
            "limit": {
              "name": "limit", "in": "query", "style": "form", "explode": false,
              "description": "The most features of a page; more than 1000 are 1000.",
              "schema": {"type": "integer", "minimum": 1, "maximum": 1000, "default": 100}
            },
            "cursor": {
              "name": "cursor", "in": "query", "description": "As a link next has it.", "schema": {"type": "string"}
            },
            "name": {
              "name": "name", "in": "query", "description": "Only features with just this name.",
              "schema": {"type": "string", "minLength": 1, "maxLength": 200}
            },
            "category": {
              "name": "category", "in": "query", "description": "Only features of this category; may be given again.",
              "explode": true, "schema": {"type": "array", "items": {"type": "string"}}
            },
            "f": {
              "name": "f", "in": "query", "description": "The form of the answer.",
              "schema": {"type": "string", "enum": ["json", "geojson"]}
            }
          },
          "responses": {
            "InvalidParameter": {
              "description": "A parameter is not known or has no such value.",
              "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/exception"}}}
            },
            "Unauthorized": {
              "description": "The token is not good.",
              "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/exception"}}}
            },
            "NotFound": {
              "description": "There is nothing here that you may see.",
              "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/exception"}}}
            },
            "ServerError": {
              "description": "A fault of the server.",
              "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/exception"}}}
            }
          },
          "schemas": {
            "exception": {
              "type": "object", "required": ["type", "title", "status"],
              "properties": {
                "type": {"type": "string"}, "title": {"type": "string"}, "status": {"type": "integer"},
                "detail": {"type": "string"}
              }
            }
          }
        }
        """#
}
