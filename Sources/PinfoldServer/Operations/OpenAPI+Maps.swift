import Geo

extension OpenAPI {
    static let maps = Area(
        name: "Maps",
        description: """
            Pins as maps draw them. Below zoom 14 the pins of a cell are one cluster; a tile has eight by eight cells, so \
            clusters stay as they are while a map moves, and those of a zoom are parts of those of the one before. \
            Nothing is counted that you may not see.
            """,
        operations: [
            Operation(
                .get, "/v1/tiles/pins/{z}/{x}/{y}.mvt", "getPinTile", "Read a vector tile of pins",
                """
                A Mapbox Vector Tile (2.1) of the Web Mercator pyramid with the layer `pins`. A cluster has \
                `point_count`, `expansion_zoom` (the least zoom at which it comes apart, at most 14), `mean_rating` of \
                those that are rated, and the `category` of most. A pin has its id, also as the property `id` (text: it \
                is greater than what a double holds), `name`, `category`, `rating` and `owner_id`. What there is none of \
                is absent. Pins lie in one tile of a zoom each; beyond latitude ±85.0511287 they are in none. From zoom \
                14 on a tile of more than 10,000 pins is clustered too; then `expansion_zoom` is at most 22.
                """, work: .read,
                parameters: ["owner", "category", "minRating", "pinWords", "since", "IfNoneMatch"],
                answers: [
                    Answer(
                        status: 200, description: "The tile.",
                        content: [VectorTile.mediaType: #"{"contentMediaType": "\#(VectorTile.mediaType)"}"#],
                        headers: [.etag, .cachePrivate, .vary]),
                    Answer(status: 204, description: "The tile is empty.", headers: [.cachePrivate, .vary]),
                ]),
            Operation(
                .get, "/v1/pins/clusters", "listPinClusters", "List clusters of pins",
                """
                What the tiles of a zoom have, for maps that draw no vector tiles: the clusters and pins whose position \
                lies in the box. A cluster counts all pins of its cell, those beyond the box too. Pins beyond latitude \
                ±85.0511287 belong to the outermost cells. There are at most 5,000 items, and 4 MiB of texts of pins; \
                where there would be more, they are those of a lower zoom, which `zoom` tells.
                """, work: .read,
                parameters: [
                    "mapBox", "zoom", "owner", "category", "minRating", "pinWords", "since", "IfNoneMatch",
                ],
                answers: [.resource("PinClusters", "The clusters and pins; `next` is always null.")]),
        ],
        parameters: [
            "z": tileParameter("z", "The zoom.", most: 22, example: 4),
            "x": tileParameter("x", "The column, from west to east: below 2^z.", most: 4_194_303, example: 3),
            "y": tileParameter("y", "The row, from north to south: below 2^z.", most: 4_194_303, example: 5),
            "mapBox": #"""
            {
              "name": "bbox", "in": "query", "required": true, "style": "form", "explode": false,
              "description": "What the map shows: `WEST,SOUTH,EAST,NORTH`, across the antimeridian if west is greater.",
              "schema": {
                "type": "array", "minItems": 4, "maxItems": 4,
                "items": {"type": "number", "minimum": -180, "maximum": 180}
              },
              "example": [-94.1, 44.5, -92.5, 45.5]
            }
            """#,
            "zoom": #"""
            {
              "name": "zoom", "in": "query", "required": true,
              "description": "As tiles count it: at zoom 0 the world is one tile.",
              "schema": {"type": "integer", "minimum": 0, "maximum": 22},
              "example": 9
            }
            """#,
        ],
        schemas: [
            "PinClusters": #"""
            {
              "type": "object",
              "required": ["items", "next", "zoom"],
              "properties": {
                "items": {"type": "array", "maxItems": 5000, "items": {"$ref": "#/components/schemas/PinCluster"}},
                "next": {"type": "null"},
                "zoom": {
                  "type": "integer", "minimum": 0, "maximum": 22,
                  "description": "Of the items; less than asked for where that would have been too much."
                }
              }
            }
            """#,
            "PinCluster": #"""
            {
              "type": "object",
              "description": "Several pins, or one.",
              "required": ["kind", "latitude", "longitude", "count", "expansionZoom", "meanRating", "category"],
              "properties": {
                "kind": {"type": "string", "enum": ["cluster", "pin"]},
                "latitude": {
                  "type": "number", "minimum": -90, "maximum": 90, "description": "The mean of the pins'."
                },
                "longitude": {"type": "number", "minimum": -180, "exclusiveMaximum": 180},
                "count": {"type": "integer", "minimum": 1, "description": "How many pins; 1 if it is one."},
                "expansionZoom": {
                  "type": ["integer", "null"], "minimum": 1, "maximum": 14,
                  "description": "The least zoom at which they are several items; null for one pin."
                },
                "meanRating": {
                  "type": ["number", "null"], "minimum": 1, "maximum": 5,
                  "description": "Of those that are rated; null if none is."
                },
                "category": {
                  "allOf": [{"$ref": "#/components/schemas/PinCategory"}], "description": "That of most pins."
                },
                "pin": {"allOf": [{"$ref": "#/components/schemas/Pin"}], "description": "If it is one pin."}
              },
              "examples": [
                {
                  "kind": "cluster", "latitude": 44.9691, "longitude": -93.1207, "count": 23, "expansionZoom": 11,
                  "meanRating": 3.75, "category": "food"
                }
              ]
            }
            """#,
        ])

    private static func tileParameter(_ name: String, _ description: String, most: Int, example: Int) -> String {
        #"""
        {
          "name": "\#(name)", "in": "path", "required": true,
          "description": "\#(description)",
          "schema": {"type": "integer", "minimum": 0, "maximum": \#(most)},
          "example": \#(example)
        }
        """#
    }
}
