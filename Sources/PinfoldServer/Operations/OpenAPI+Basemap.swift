import Geo

extension OpenAPI {
    static let basemap = Area(
        name: "Basemap",
        description: """
            The map beneath the pins, for everybody: the bundled world of zooms 0 to 6, or what the server was started \
            with. URLs of this server in these answers begin with `/` and are relative to the address that it was \
            reached by; in MapLibre, `transformRequest` makes them whole: `(url) => ({url: new URL(url, \
            location.origin).href})`.
            """,
        operations: [
            Operation(
                .get, "/style.json", "getMapStyle", "Read how to draw the map",
                """
                A style of MapLibre (version 8), for tiles with the layers of OpenMapTiles or for images. It names no \
                glyphs and no sprite: MapLibre GL JS from 5.24 on draws words with the fonts of the device.
                """, work: .memory, access: .everyone, parameters: ["theme", "mapLanguage", "IfNoneMatch"],
                answers: [
                    Answer(
                        status: 200, description: "The style.", content: ["application/json": Answer.name("MapStyle")],
                        headers: [.etag, .cacheChecked])
                ]),
            Operation(
                .get, "/tiles.json", "getMapDescription", "Read what the map is", work: .memory, access: .everyone,
                parameters: ["IfNoneMatch"],
                answers: [
                    Answer(
                        status: 200, description: "TileJSON 3.0.",
                        content: ["application/json": Answer.name("TileJSON")], headers: [.etag, .cacheChecked]),
                    Answer(
                        status: 307, description: "The map is another server's, and so is its description.",
                        headers: [.location, .cacheChecked]),
                ], refusals: [.notFound]),
            Operation(
                .get, "/tiles/{z}/{x}/{y}.mvt", "getMapTile", "Read a vector tile of the map",
                """
                A Mapbox Vector Tile (2.1) of the Web Mercator pyramid, compressed with gzip if the client takes that. \
                Zooms that the map does not have are 404: draw the tiles of its last zoom larger.
                """, work: .read, access: .everyone, parameters: ["mapVersion", "IfNoneMatch"],
                answers: [tile("The tile.", VectorTile.mediaType, [.vary]), noTile]),
            Operation(
                .get, "/tiles/{z}/{x}/{y}", "getMapImage", "Read an image of the map",
                "Where the map was made of images, as `/tiles.json` tells: PNG, JPEG or WebP.", work: .read,
                access: .everyone, parameters: ["mapVersion", "IfNoneMatch"],
                answers: [tile("The image.", "image/*", []), noTile]),
        ],
        parameters: [
            "theme": #"""
            {
              "name": "theme", "in": "query", "description": "Its colours.",
              "schema": {"type": "string", "enum": ["light", "dark"], "default": "light"},
              "example": "dark"
            }
            """#,
            "mapLanguage": #"""
            {
              "name": "lang", "in": "query",
              "description": "The language of names (BCP 47), where the map has them in it; else its main names.",
              "schema": {"type": "string", "maxLength": 64},
              "example": "pl"
            }
            """#,
            "mapVersion": #"""
            {
              "name": "v", "in": "query",
              "description": "Names the map, so that caches keep no tile of another; the server does not look at it.",
              "schema": {"type": "string", "maxLength": 100},
              "example": "Zk3vJ0aB"
            }
            """#,
        ],
        schemas: [
            "MapStyle": #"""
            {
              "type": "object",
              "required": ["version", "name", "sources", "layers"],
              "properties": {
                "version": {"type": "integer", "enum": [8]},
                "name": {"type": "string"},
                "sources": {
                  "type": "object", "additionalProperties": true,
                  "description": "`basemap` alone; empty if the server has no map."
                },
                "layers": {"type": "array", "items": {"type": "object", "additionalProperties": true}}
              }
            }
            """#,
            "TileJSON": #"""
            {
              "type": "object",
              "required": ["tilejson", "tiles"],
              "properties": {
                "tilejson": {"type": "string", "enum": ["3.0.0"]},
                "name": {"type": "string"},
                "description": {"type": "string"},
                "version": {"type": "string"},
                "scheme": {"type": "string", "enum": ["xyz"]},
                "tiles": {"type": "array", "items": {"type": "string"}},
                "minzoom": {"type": "integer", "minimum": 0, "maximum": 22},
                "maxzoom": {"type": "integer", "minimum": 0, "maximum": 22},
                "bounds": {"type": "array", "minItems": 4, "maxItems": 4, "items": {"type": "number"}},
                "center": {"type": "array", "minItems": 3, "maxItems": 3, "items": {"type": "number"}},
                "attribution": {"type": "string", "description": "HTML of text and links, to be shown on the map."},
                "vector_layers": {"type": "array", "items": {"$ref": "#/components/schemas/TileLayer"}}
              }
            }
            """#,
            "TileLayer": #"""
            {
              "type": "object",
              "required": ["id", "fields"],
              "properties": {
                "id": {"type": "string"},
                "description": {"type": "string"},
                "fields": {
                  "type": "object", "additionalProperties": {"type": "string"}, "description": "What each holds."
                },
                "minzoom": {"type": "integer", "minimum": 0, "maximum": 22},
                "maxzoom": {"type": "integer", "minimum": 0, "maximum": 22}
              }
            }
            """#,
        ])

    private static func tile(_ description: String, _ mediaType: String, _ headers: [HeaderField]) -> Answer {
        Answer(
            status: 200, description: description,
            content: [mediaType: #"{"contentMediaType": "\#(mediaType)"}"#],
            headers: [.etag, .cachePublic] + headers)
    }

    private static let noTile = Answer(
        status: 204, description: "The map has nothing here.", headers: [.cachePublic])
}
