extension OpenAPI {
    static let landmarkSchemas: KeyValuePairs<String, String> = [
        "Landmark": landmark,
        "LandmarkItems": #"""
        {
          "type": "object",
          "required": ["items", "next", "attributions"],
          "properties": {
            "items": {"type": "array", "maxItems": 500, "items": {"$ref": "#/components/schemas/Landmark"}},
            "next": {"$ref": "#/components/schemas/NextCursor"},
            "attributions": {"type": "array", "items": {"$ref": "#/components/schemas/Attribution"}}
          }
        }
        """#,
        "LandmarkFeature": #"""
        {
          "type": "object",
          "description": "A landmark as GeoJSON (RFC 7946, 3.2); `properties` has its other fields.",
          "required": ["type", "id", "geometry", "properties"],
          "properties": {
            "type": {"const": "Feature"},
            "id": {"$ref": "#/components/schemas/Id"},
            "geometry": {"$ref": "#/components/schemas/Geometry"},
            "properties": {"type": "object", "additionalProperties": true},
            "attributions": {"type": "array", "items": {"$ref": "#/components/schemas/Attribution"}}
          }
        }
        """#,
        "LandmarkFeatureCollection": #"""
        {
          "type": "object",
          "description": "A page of landmarks as GeoJSON (RFC 7946, 3.3).",
          "required": ["type", "features", "next", "attributions"],
          "properties": {
            "type": {"const": "FeatureCollection"},
            "features": {
              "type": "array", "maxItems": 500, "items": {"$ref": "#/components/schemas/LandmarkFeature"}
            },
            "next": {"$ref": "#/components/schemas/NextCursor"},
            "attributions": {"type": "array", "items": {"$ref": "#/components/schemas/Attribution"}}
          }
        }
        """#,
        "Geometry": #"""
        {
          "type": "object",
          "description": "A geometry of GeoJSON (RFC 7946, 3.1) in WGS 84, longitude first.",
          "required": ["type"],
          "properties": {
            "type": {
              "type": "string",
              "enum": [
                "Point", "LineString", "Polygon", "MultiPoint", "MultiLineString", "MultiPolygon", "GeometryCollection"
              ]
            },
            "coordinates": {"type": "array", "items": true},
            "geometries": {"type": "array", "items": true}
          }
        }
        """#,
        "LandmarkCategory": #"""
        {
          "type": "string",
          "enum": [
            "museum", "monument", "worship", "park", "nature", "viewpoint", "theatre", "stadium", "school", "library",
            "hospital", "airport", "station", "harbour", "hotel", "shop", "food", "other"
          ],
          "examples": ["museum"]
        }
        """#,
        "Dataset": dataset,
        "DatasetItems": page(of: "Dataset"),
        "Attribution": #"""
        {
          "type": "object",
          "description": "What is to be shown with landmarks of a dataset.",
          "required": ["datasetId", "dataset", "title", "attribution", "licence", "sourceURL"],
          "properties": {
            "datasetId": {"$ref": "#/components/schemas/Id"},
            "dataset": {"type": "string", "description": "Its name."},
            "title": {"type": "string"},
            "attribution": {"type": ["string", "null"]},
            "licence": {"type": ["string", "null"]},
            "sourceURL": {"type": ["string", "null"]}
          }
        }
        """#,
    ]

    private static let landmark = #"""
        {
          "type": "object",
          "description": "A public place.",
          "required": [
            "id", "datasetId", "key", "name", "names", "category", "sourceCategory", "description", "address", "website",
            "phone", "openingHours", "imageURL", "latitude", "longitude", "properties", "updatedAt"
          ],
          "properties": {
            "id": {"$ref": "#/components/schemas/Id"},
            "datasetId": {"$ref": "#/components/schemas/Id"},
            "key": {"type": "string", "description": "What its source knows it by."},
            "name": {"type": "string"},
            "names": {
              "type": "object", "additionalProperties": {"type": "string"}, "description": "Names by language (BCP 47)."
            },
            "category": {"$ref": "#/components/schemas/LandmarkCategory"},
            "sourceCategory": {"type": ["string", "null"], "description": "What its source calls the category."},
            "description": {"type": ["string", "null"]},
            "address": {"type": ["string", "null"]},
            "website": {"type": ["string", "null"]},
            "phone": {"type": ["string", "null"]},
            "openingHours": {"type": ["string", "null"]},
            "imageURL": {"type": ["string", "null"]},
            "latitude": {
              "type": "number", "minimum": -90, "maximum": 90, "description": "Of a line or an area, of a point on it."
            },
            "longitude": {"type": "number", "minimum": -180, "exclusiveMaximum": 180},
            "geometry": {
              "allOf": [{"$ref": "#/components/schemas/Geometry"}],
              "description": "The shape of a line or an area, where it is asked for."
            },
            "properties": {
              "type": "object", "additionalProperties": true, "description": "What else its source says."
            },
            "updatedAt": {
              "allOf": [{"$ref": "#/components/schemas/Time"}], "description": "When an import last changed it."
            },
            "distance": {"type": "number", "minimum": 0, "description": "Metres from `near`, if that is given."}
          },
          "examples": [
            {
              "id": "1883193842073600000", "datasetId": "1880733568204800000", "key": "US-1", "name": "Como Park Zoo",
              "names": {"es": "Zoológico de Como Park"}, "category": "nature", "sourceCategory": "zoo",
              "description": null, "address": "1225 Estabrook Drive", "website": null, "phone": null,
              "openingHours": null, "imageURL": null, "latitude": 44.9817, "longitude": -93.1531, "properties": {},
              "updatedAt": "2026-11-29T12:00:00.000Z"
            }
          ]
        }
        """#

    private static let dataset = #"""
        {
          "type": "object",
          "description": "Landmarks of one source.",
          "required": [
            "id", "name", "title", "description", "licence", "attribution", "sourceURL", "version", "count", "extent",
            "createdAt", "updatedAt"
          ],
          "properties": {
            "id": {"$ref": "#/components/schemas/Id"},
            "name": {"type": "string", "description": "As queries name it."},
            "title": {"type": "string"},
            "description": {"type": ["string", "null"]},
            "licence": {"type": ["string", "null"]},
            "attribution": {"type": ["string", "null"], "description": "To be shown wherever its landmarks are."},
            "sourceURL": {"type": ["string", "null"]},
            "version": {"type": "integer", "minimum": 0, "description": "Goes up with each import; 0 before the first."},
            "count": {"type": "integer", "minimum": 0, "description": "Its landmarks."},
            "extent": {
              "type": ["object", "null"],
              "description": "The box around them; a west above the east crosses the antimeridian. Null for none.",
              "required": ["west", "south", "east", "north"],
              "properties": {
                "west": {"type": "number", "minimum": -180, "maximum": 180},
                "south": {"type": "number", "minimum": -90, "maximum": 90},
                "east": {"type": "number", "minimum": -180, "maximum": 180},
                "north": {"type": "number", "minimum": -90, "maximum": 90}
              }
            },
            "createdAt": {"$ref": "#/components/schemas/Time"},
            "updatedAt": {"$ref": "#/components/schemas/Time"}
          },
          "examples": [
            {
              "id": "1880733568204800000", "name": "airports", "title": "Airports of the world", "description": null,
              "licence": "MIT", "attribution": "airportsdata", "sourceURL": "https://github.com/mborsetti/airportsdata",
              "version": 2, "count": 28000,
              "extent": {"west": -179.9, "south": -90, "east": 179.9, "north": 83.6},
              "createdAt": "2026-11-29T12:00:00.000Z", "updatedAt": "2026-11-29T12:00:00.000Z"
            }
          ]
        }
        """#
}
