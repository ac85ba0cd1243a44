import Geo

extension OpenAPI {
    static let landmarks = Area(
        name: "Landmarks",
        description: """
            Public places of datasets that the server's admin has imported. They are the same for everybody and need no \
            token. Each dataset has its licence and attribution: whoever shows its landmarks must show them too. GIS \
            programs read the same at `/ogc`.
            """,
        operations: [
            Operation(
                .get, "/v1/datasets", "listDatasets", "List datasets", "By name.", work: .read, access: .everyone,
                parameters: ["limit", "cursor", "IfNoneMatch"],
                answers: [publicAnswer("A page of datasets.", "DatasetItems")]),
            Operation(
                .get, "/v1/datasets/{datasetId}", "getDataset", "Read what a dataset is", work: .read,
                access: .everyone, parameters: ["IfNoneMatch"], answers: [publicAnswer("The dataset.", "Dataset")]),
            Operation(
                .get, "/v1/landmarks", "listLandmarks", "List landmarks",
                """
                Of a box, around a point, or all of them. A box has the points in it, and lines and areas that have a part \
                in it. Around a point each landmark has its `distance`, and the nearest come first; otherwise neighbours \
                in space mostly follow each other. With `q` each word must begin a word of name, other names, \
                description or address, whatever case and accents; what an import has brought is found so within \
                seconds of it. Filters narrow each other. As GeoJSON (`f=geojson`, or `Accept: application/geo+json`) \
                it is a FeatureCollection (RFC 7946) with the shapes of lines and areas; its `next` is also in a `Link` \
                header.
                """, work: .read, access: .everyone,
                parameters: [
                    "bbox", "near", "radius", "dataset", "landmarkCategory", "landmarkWords", "geometry", "limit",
                    "cursor", "format", "Accept", "IfNoneMatch",
                ],
                answers: [
                    Answer(
                        status: 200, description: "A page of landmarks.",
                        content: [
                            "application/json": Answer.name("LandmarkItems"),
                            "application/geo+json": Answer.name("LandmarkFeatureCollection"),
                        ], headers: [.link, .etag, .cacheChecked, .vary])
                ], refusals: [.unavailable]),
            Operation(
                .get, "/v1/landmarks/{landmarkId}", "getLandmark", "Read a landmark",
                "With the shape of a line or an area. Its id stays the same over imports.", work: .read,
                access: .everyone, parameters: ["format", "Accept", "IfNoneMatch"],
                answers: [
                    Answer(
                        status: 200, description: "The landmark.",
                        content: [
                            "application/json": Answer.name("Landmark"),
                            "application/geo+json": Answer.name("LandmarkFeature"),
                        ], headers: [.etag, .cacheChecked, .vary])
                ]),
            Operation(
                .get, "/v1/tiles/landmarks.json", "getLandmarkMap", "Read what the tiles of landmarks are",
                """
                TileJSON 3.0. Filters go into the address of the tiles, which begins with `/` and is relative to the \
                address that the server was reached by. `attribution` is to be shown on the map.
                """, work: .read, access: .everyone, parameters: ["dataset", "landmarkCategory", "IfNoneMatch"],
                answers: [publicAnswer("TileJSON 3.0.", "TileJSON")]),
            Operation(
                .get, "/v1/tiles/landmarks/{z}/{x}/{y}.mvt", "getLandmarkTile", "Read a vector tile of landmarks",
                """
                A Mapbox Vector Tile (2.1) with the layer `landmarks`, of points, and `landmark_shapes`, of the lines and \
                areas that are larger than a few pixels. A landmark has its id, also as the property `id` (text: it is \
                greater than what a double holds), `name`, `category` and `dataset`. Below zoom 14, and where there \
                would be more than 10,000, points are clustered as pins are, with `point_count`, `expansion_zoom` and \
                the `category` of most.
                """, work: .read, access: .everyone,
                parameters: ["dataset", "landmarkCategory", "landmarkTileVersion", "IfNoneMatch"],
                answers: [
                    Answer(
                        status: 200, description: "The tile.",
                        content: [VectorTile.mediaType: #"{"contentMediaType": "\#(VectorTile.mediaType)"}"#],
                        headers: [.etag, .cacheChecked]),
                    Answer(status: 204, description: "The tile is empty.", headers: [.cacheChecked]),
                ], refusals: [.unavailable]),
        ],
        parameters: landmarkParameters,
        schemas: landmarkSchemas)

    static func publicAnswer(_ description: String, _ schema: String) -> Answer {
        Answer(
            status: 200, description: description, content: ["application/json": Answer.name(schema)],
            headers: [.etag, .cacheChecked, .vary])
    }

    private static let landmarkParameters: KeyValuePairs<String, String> = [
        "landmarkId": pathParameter("landmarkId", "The id of a landmark."),
        "datasetId": #"""
        {
          "name": "datasetId", "in": "path", "required": true,
          "description": "The name or the id of a dataset.",
          "schema": {"type": "string", "minLength": 1, "maxLength": 64},
          "example": "airports"
        }
        """#,
        "dataset": #"""
        {
          "name": "dataset", "in": "query",
          "description": "Only of this dataset, by its name or id; may be given again. One that there is not has nothing.",
          "schema": {"type": "array", "maxItems": 100, "items": {"type": "string", "minLength": 1, "maxLength": 64}},
          "example": ["airports"]
        }
        """#,
        "landmarkCategory": #"""
        {
          "name": "category", "in": "query",
          "description": "Only of this category; may be given again.",
          "schema": {"type": "array", "maxItems": 18, "items": {"$ref": "#/components/schemas/LandmarkCategory"}},
          "example": ["museum", "monument"]
        }
        """#,
        "landmarkWords": #"""
        {
          "name": "q", "in": "query",
          "description": "Only landmarks with each of these words, or words that begin so.",
          "schema": {"type": "string", "minLength": 1, "maxLength": 200},
          "example": "state capi"
        }
        """#,
        "landmarkTileVersion": #"""
        {
          "name": "v", "in": "query",
          "description": "As the TileJSON has it: caches may keep a tile of this version for a day.",
          "schema": {"type": "string", "maxLength": 100},
          "example": "Zk3vJ0aB"
        }
        """#,
        "geometry": #"""
        {
          "name": "geometry", "in": "query",
          "description": "Whether lines and areas come with their shape; as GeoJSON they do, else they do not.",
          "schema": {"type": "boolean"},
          "example": true
        }
        """#,
    ]
}
