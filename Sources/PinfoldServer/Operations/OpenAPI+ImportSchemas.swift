extension OpenAPI {
    static let importSchemas: KeyValuePairs<String, String> = [
        "ImportedDataset": #"""
        {"type": "string", "format": "binary", "description": "A file of geographic data."}
        """#,
        "ImportJob": #"""
        {
          "type": "object",
          "required": [
            "id", "dataset", "datasetId", "fileName", "bytes", "dryRun", "state", "progress", "inserted", "updated",
            "unchanged", "removed", "rejected", "errors", "problem", "format", "crs", "columns", "mapping", "warnings",
            "sample", "createdBy", "createdAt", "startedAt", "finishedAt"
          ],
          "properties": {
            "id": {"$ref": "#/components/schemas/Id"},
            "dataset": {"type": "string"},
            "datasetId": {
              "description": "Null before it is made, and for a dry run of one that is not there.",
              "oneOf": [{"$ref": "#/components/schemas/Id"}, {"type": "null"}]
            },
            "fileName": {"type": "string"},
            "bytes": {"type": "integer", "minimum": 0},
            "dryRun": {"type": "boolean"},
            "state": {"type": "string", "enum": ["queued", "running", "succeeded", "failed", "cancelled"]},
            "progress": {
              "type": "object", "required": ["read", "total", "part"],
              "properties": {
                "read": {"type": "integer", "minimum": 0, "description": "Rows of the file so far, good or not."},
                "total": {"type": ["integer", "null"], "minimum": 0, "description": "Null while nobody knows."},
                "part": {"type": "number", "minimum": 0, "maximum": 1, "description": "How much of the file is read."}
              }
            },
            "inserted": {"type": "integer", "minimum": 0},
            "updated": {"type": "integer", "minimum": 0},
            "unchanged": {"type": "integer", "minimum": 0},
            "removed": {"type": "integer", "minimum": 0},
            "rejected": {"type": "integer", "minimum": 0, "description": "Rows that did not go in."},
            "errors": {
              "type": "array", "maxItems": 100, "items": {"$ref": "#/components/schemas/ImportError"},
              "description": "The first rows that did not go in; none in lists."
            },
            "problem": {
              "description": "Why it failed: `too-many-removed`, `rejected-rows`, `unreadable-file`, `no-landmarks`, …",
              "oneOf": [
                {
                  "type": "object", "required": ["type", "title", "detail"],
                  "properties": {
                    "type": {"type": "string"}, "title": {"type": "string"}, "detail": {"type": ["string", "null"]}
                  }
                },
                {"type": "null"}
              ]
            },
            "format": {"type": ["string", "null"], "description": "What the file is."},
            "crs": {"type": ["string", "null"], "description": "The reference system of its coordinates."},
            "columns": {"type": "array", "items": {"type": "string"}},
            "mapping": {
              "type": "object", "additionalProperties": {"type": "string"},
              "description": "The column that each field was taken from."
            },
            "warnings": {"type": "array", "items": {"type": "string"}},
            "sample": {
              "type": "array", "maxItems": 20, "items": {"type": "object"},
              "description": "The first rows, as the landmarks that they become."
            },
            "createdBy": {
              "type": ["string", "null"], "description": "A username; null for the command line."
            },
            "createdAt": {"$ref": "#/components/schemas/Time"},
            "startedAt": {"oneOf": [{"$ref": "#/components/schemas/Time"}, {"type": "null"}]},
            "finishedAt": {"oneOf": [{"$ref": "#/components/schemas/Time"}, {"type": "null"}]}
          },
          "examples": [
            {
              "id": "1883093808054272001", "dataset": "museums", "datasetId": "1883093808054272002",
              "fileName": "museums.csv", "bytes": 48213, "dryRun": false, "state": "succeeded",
              "progress": {"read": 312, "total": 312, "part": 1}, "inserted": 4, "updated": 11, "unchanged": 296, "removed": 2,
              "rejected": 1,
              "errors": [{"row": 17, "field": "latitude", "message": "is no number: n/a"}], "problem": null,
              "format": "csv", "crs": null, "columns": ["ref", "name", "lat", "lon"],
              "mapping": {"name": "name", "latitude": "lat", "longitude": "lon"}, "warnings": [], "sample": [],
              "createdBy": "marisol", "createdAt": "2026-11-30T12:00:00.000Z",
              "startedAt": "2026-11-30T12:00:00.020Z", "finishedAt": "2026-11-30T12:00:00.140Z"
            }
          ]
        }
        """#,
        "ImportJobItems": page(of: "ImportJob"),
        "ImportError": #"""
        {
          "type": "object", "required": ["row", "field", "message"],
          "properties": {
            "row": {"type": "integer", "minimum": 1, "description": "The line of a text, else the number of the record."},
            "field": {"type": "string"},
            "message": {"type": "string"}
          },
          "examples": [{"row": 17, "field": "latitude", "message": "is no number: n/a"}]
        }
        """#,
        "ImportErrorItems": page(of: "ImportError"),
        "DatasetChange": #"""
        {
          "type": "object", "additionalProperties": true,
          "description": "A merge patch: what is left out stays, null removes. Read-only members may come along unchanged.",
          "properties": {
            "title": {"type": "string", "minLength": 1, "maxLength": 200},
            "description": {"type": ["string", "null"], "maxLength": 2000},
            "licence": {"type": ["string", "null"], "maxLength": 200},
            "attribution": {"type": ["string", "null"], "maxLength": 500},
            "sourceURL": {"type": ["string", "null"], "format": "uri", "maxLength": 2000}
          },
          "examples": [{"licence": "CC BY 4.0", "attribution": "© City of Saint Paul"}]
        }
        """#,
        "DatasetVersion": #"""
        {
          "type": "object",
          "required": [
            "number", "restores", "current", "count", "inserted", "updated", "unchanged", "removed", "rejected",
            "createdBy", "createdAt"
          ],
          "properties": {
            "number": {"type": "integer", "minimum": 1},
            "restores": {"type": ["integer", "null"], "description": "The version that it brought back."},
            "current": {"type": "boolean"},
            "count": {"type": "integer", "minimum": 0, "description": "How many landmarks it has."},
            "inserted": {"type": "integer", "minimum": 0},
            "updated": {"type": "integer", "minimum": 0},
            "unchanged": {"type": "integer", "minimum": 0},
            "removed": {"type": "integer", "minimum": 0},
            "rejected": {"type": "integer", "minimum": 0},
            "createdBy": {"type": ["string", "null"]},
            "createdAt": {"$ref": "#/components/schemas/Time"}
          },
          "examples": [
            {
              "number": 2, "restores": null, "current": true, "count": 311, "inserted": 4, "updated": 11,
              "unchanged": 296, "removed": 2, "rejected": 1, "createdBy": "marisol",
              "createdAt": "2026-11-30T12:00:00.140Z"
            }
          ]
        }
        """#,
        "DatasetVersionItems": page(of: "DatasetVersion"),
    ]
}
