extension OpenAPI {
    static let exports = Area(
        name: "Exports",
        description:
            """
            Your own data to take along, as files. Each is of one moment, however long it takes to send. You can have two \
            at a time; another one is 429 until one of them has arrived, or 503 while the server writes too many.
            """,
        operations: [
            pinFile(
                .geojson, "Your pins as GeoJSON",
                "A FeatureCollection (RFC 7946); each pin is as this API gives it.",
                schema: Answer.name("OwnPinFeatureCollection")),
            pinFile(
                .gpx, "Your pins as GPX",
                """
                GPX 1.1 waypoints: `name`, `desc` (the comment), `time` (when it was dropped), `type` (the category); the \
                rest is in `extensions`, in the namespace `urn:pinfold:pin:1`. Characters that XML cannot hold become \
                U+FFFD.
                """),
            pinFile(
                .kml, "Your pins as KML",
                """
                KML 2.2 placemarks: `name`, `address`, `description` (the comment), `TimeStamp` (when it was dropped); \
                the rest is in `ExtendedData`. Characters that XML cannot hold become U+FFFD.
                """),
            pinFile(
                .csv, "Your pins as CSV",
                """
                RFC 4180 in UTF-8, with a line of column names. An empty cell is null, `""` an empty text. A text that a \
                spreadsheet would run as a formula, because it starts with `=`, `+`, `-`, `@`, their full-width forms, a \
                tab or a line end, has an apostrophe in front; so has one that starts with apostrophes and then such a \
                character. Who reads the file takes one apostrophe away from such a cell and has the text as it was.
                """),
            Operation(
                .post, "/v1/me/export", "exportMe", "Everything of yours",
                """
                A ZIP file: `profile.json`, `privacy.json`, `pins.json`, `pins.geojson`, `pins.gpx`, `friends.json`, \
                `friend-requests.json`, `blocks.json`, `circles.json`, `sessions.json`, \
                `api-tokens.json`, and a `README.txt` that says what they are. Lists are as this API gives them, in one page. It has no password and no token in it.
                """, work: .read, access: .session, body: .json("ExportRequest"),
                answers: [.file("application/zip", "The file.")],
                refusals: [.tooManyRequests, .unavailable, .insufficientStorage]),
        ],
        schemas: [
            "ExportRequest": #"""
            {
              "type": "object",
              "additionalProperties": false,
              "required": ["password"],
              "properties": {
                "password": {"type": "string", "format": "password", "minLength": 1, "maxLength": 256}
              },
              "examples": [{"password": "correct horse battery"}]
            }
            """#,
            "OwnPinFeatureCollection": #"""
            {
              "type": "object",
              "description": "All of your pins as GeoJSON (RFC 7946, 3.3), oldest first.",
              "required": ["type", "features"],
              "properties": {
                "type": {"const": "FeatureCollection"},
                "features": {"type": "array", "items": {"$ref": "#/components/schemas/PinFeature"}}
              }
            }
            """#,
        ])

    private static func pinFile(
        _ format: PinFileFormat, _ summary: String, _ description: String, schema: String? = nil
    ) -> Operation {
        let mediaType = String(format.mediaType.prefix { $0 != ";" })
        return Operation(
            .get, "/v1/me/pins.\(format.rawValue)", "exportPinsAs\(format.name)", summary,
            description + " The oldest come first.", work: .read,
            answers: [.file(mediaType, "The file.", schema: schema)],
            refusals: [.tooManyRequests, .unavailable, .insufficientStorage])
    }
}

extension PinFileFormat {
    /// As people write it.
    fileprivate var name: String { self == .geojson ? "GeoJSON" : rawValue.uppercased() }
}
