extension OpenAPI {
    /// The parameters of more than one area, and those of paths.
    static let sharedParameters: KeyValuePairs<String, String> = [
        "userId": pathParameter("userId", "The id of an account."),
        "limit": #"""
        {
          "name": "limit", "in": "query",
          "description": "The most items of a page; one of long texts may have fewer, though more follow.",
          "schema": {"type": "integer", "minimum": 1, "maximum": 500, "default": 50},
          "example": 20
        }
        """#,
        "cursor": #"""
        {
          "name": "cursor", "in": "query",
          "description": "The `next` of the page before, of the same list with the same other parameters.",
          "schema": {"type": "string", "minLength": 1, "maxLength": 1000},
          "example": "bG9yZW0taXBzdW0"
        }
        """#,
        "IdempotencyKey": #"""
        {
          "name": "Idempotency-Key", "in": "header",
          "description": "Your name for this request, best a random one. Sent again, it gets the first answer again.",
          "schema": {"type": "string", "minLength": 1, "maxLength": 255},
          "example": "6f2b1c9e-4f0e-4b0a-9d5e-2f8f6f0c7a11"
        }
        """#,
        "IfMatch": #"""
        {
          "name": "If-Match", "in": "header",
          "description": "Do it only if the resource still has one of these `ETag`s; `*` for any.",
          "schema": {"type": "string"},
          "example": "\"H62k81L0mxiudj0XtuG-aw\""
        }
        """#,
        "IfNoneMatch": #"""
        {
          "name": "If-None-Match", "in": "header",
          "description": "Answer with a body only if the resource has none of these `ETag`s.",
          "schema": {"type": "string"},
          "example": "\"H62k81L0mxiudj0XtuG-aw\""
        }
        """#,
    ]

    /// The schemas of more than one area.
    static let sharedSchemas: KeyValuePairs<String, String> = [
        "Id": #"""
        {
          "type": "string",
          "pattern": "^[1-9][0-9]{0,18}$",
          "description": "A 64-bit number in decimal digits; later things have greater ids.",
          "examples": ["1883193842073600000"]
        }
        """#,
        "Time": #"""
        {
          "type": "string",
          "format": "date-time",
          "description": "A moment (RFC 3339), in UTC with milliseconds.",
          "examples": ["2026-11-29T12:00:00.000Z"]
        }
        """#,
        "NextCursor": #"""
        {
          "type": ["string", "null"],
          "description": "The `cursor` of the next page; null on the last.",
          "examples": ["bG9yZW0taXBzdW0"]
        }
        """#,
        "Problem": #"""
        {
          "type": "object",
          "description": "What went wrong (RFC 9457).",
          "required": ["type", "title", "status"],
          "properties": {
            "type": {
              "type": "string", "format": "uri-reference",
              "description": "What kind of problem it is; clients branch on this."
            },
            "title": {"type": "string", "description": "The same for every problem of the type."},
            "status": {"type": "integer", "minimum": 400, "maximum": 599},
            "detail": {"type": "string", "description": "What went wrong this time."},
            "errors": {
              "type": "array",
              "description": "Every field at fault, of the body, the query or the path.",
              "items": {"$ref": "#/components/schemas/Fault"}
            }
          },
          "examples": [
            {
              "type": "/problems/invalid-input", "title": "The request has invalid input", "status": 400,
              "detail": "rating must be a whole number from 1 to 5",
              "errors": [{"field": "rating", "message": "must be a whole number from 1 to 5"}]
            }
          ]
        }
        """#,
        "Fault": #"""
        {
          "type": "object",
          "description": "A field and what is wrong with it.",
          "required": ["field", "message"],
          "properties": {
            "field": {"type": "string"},
            "message": {"type": "string", "description": "A predicate of the field."}
          },
          "examples": [{"field": "rating", "message": "must be a whole number from 1 to 5"}]
        }
        """#,
    ]

    /// A parameter in the path that is an id.
    static func pathParameter(_ name: String, _ description: String, example: String = "1880733568204800000") -> String
    {
        #"""
        {
          "name": "\#(name)", "in": "path", "required": true,
          "description": "\#(description)",
          "schema": {"$ref": "#/components/schemas/Id"},
          "example": "\#(example)"
        }
        """#
    }

    /// The schema of a page of a list.
    static func page(of schema: String) -> String {
        #"""
        {
          "type": "object",
          "required": ["items", "next"],
          "properties": {
            "items": {"type": "array", "maxItems": 500, "items": {"$ref": "#/components/schemas/\#(schema)"}},
            "next": {"$ref": "#/components/schemas/NextCursor"}
          }
        }
        """#
    }
}
