extension OpenAPI {
    static let ogc = Area(
        name: "OGC API",
        description: """
            Landmarks for GIS programs (QGIS, GDAL's driver OAPIF): OGC API – Features, Part 1: Core, with GeoJSON. Each \
            dataset is a collection. With an API token of the scope `read`, as the password of HTTP Basic or as Bearer \
            token, there is the collection `pins` too. `/ogc/api` says the same in OpenAPI 3.0. A slash at the end of a path \
            makes no difference.
            """,
        operations: [
            Operation(
                .get, "/ogc", "getOGCLandingPage", "Read the landing page", work: .read, access: .tokenOrNone,
                parameters: ["ogcFormat", "IfNoneMatch"], answers: [object("The landing page.")]),
            Operation(
                .get, "/ogc/conformance", "getOGCConformance", "Read what is conformed to", work: .memory,
                access: .everyone, parameters: ["ogcFormat", "IfNoneMatch"],
                answers: [object("The classes of conformance.")]),
            Operation(
                .get, "/ogc/api", "getOGCDescription", "Read the description in OpenAPI 3.0", work: .memory,
                access: .everyone, parameters: ["ogcFormat", "IfNoneMatch"],
                answers: [object("The description.", "application/vnd.oai.openapi+json")]),
            Operation(
                .get, "/ogc/collections", "listOGCCollections", "List the collections", work: .read,
                access: .tokenOrNone, parameters: ["ogcFormat", "IfNoneMatch"], answers: [object("The collections.")]),
            Operation(
                .get, "/ogc/collections/{collectionId}", "getOGCCollection", "Read what a collection is", work: .read,
                access: .tokenOrNone, parameters: ["ogcFormat", "IfNoneMatch"], answers: [object("The collection.")]),
            Operation(
                .get, "/ogc/collections/{collectionId}/items", "listOGCFeatures", "List the features of a collection",
                "A GeoJSON FeatureCollection with links; follow that of the relation `next`.", work: .read,
                access: .tokenOrNone,
                parameters: [
                    "ogcBox", "datetime", "ogcLimit", "cursor", "ogcName", "ogcCategory", "ogcFormat", "IfNoneMatch",
                ], answers: [object("A page of features.", "application/geo+json")], refusals: [.unavailable]),
            Operation(
                .get, "/ogc/collections/{collectionId}/items/{featureId}", "getOGCFeature", "Read a feature",
                work: .read, access: .tokenOrNone, parameters: ["ogcFormat", "IfNoneMatch"],
                answers: [object("The feature.", "application/geo+json")]),
        ],
        parameters: [
            "collectionId": #"""
            {
              "name": "collectionId", "in": "path", "required": true,
              "description": "The name of a dataset, or `pins`.",
              "schema": {"type": "string", "minLength": 1, "maxLength": 64},
              "example": "airports"
            }
            """#,
            "featureId": pathParameter("featureId", "The id of a landmark or a pin."),
            "ogcBox": #"""
            {
              "name": "bbox", "in": "query", "style": "form", "explode": false,
              "description": "Only in this box: west, south, east, north; or with heights, which do not matter, as third \#
            and sixth of six.",
              "schema": {"type": "array", "minItems": 4, "maxItems": 6, "items": {"type": "number"}},
              "example": [-93.21, 44.89, -93.0, 44.99]
            }
            """#,
            "datetime": #"""
            {
              "name": "datetime", "in": "query",
              "description": "A time, or two with a slash between them of which one may be `..`: when a landmark was last \#
            changed, or a pin was made.",
              "schema": {"type": "string"},
              "example": "2026-01-01T00:00:00Z/.."
            }
            """#,
            "ogcLimit": #"""
            {
              "name": "limit", "in": "query",
              "description": "The most features of a page; more than 1000 are 1000.",
              "schema": {"type": "integer", "minimum": 1, "default": 100},
              "example": 500
            }
            """#,
            "ogcName": #"""
            {
              "name": "name", "in": "query",
              "description": "Only features with just this name.",
              "schema": {"type": "string", "minLength": 1, "maxLength": 200},
              "example": "Como Park Zoo"
            }
            """#,
            "ogcCategory": #"""
            {
              "name": "category", "in": "query",
              "description": "Only features of this category; may be given again.",
              "schema": {"type": "array", "maxItems": 18, "items": {"type": "string", "maxLength": 20}},
              "example": ["other"]
            }
            """#,
            "ogcFormat": #"""
            {
              "name": "f", "in": "query",
              "description": "JSON is the only form.",
              "schema": {"type": "string", "enum": ["json", "geojson"]},
              "example": "json"
            }
            """#,
        ])

    private static func object(_ description: String, _ mediaType: String = "application/json") -> Answer {
        Answer(
            status: 200, description: description,
            content: [mediaType: #"{"type": "object", "additionalProperties": true}"#],
            headers: [.etag, .cacheChecked, .vary])
    }
}
