extension OpenAPI {
    static let places = Area(
        name: "Places",
        description: "The gazetteer: names for positions. It is the same for everybody and needs no token.",
        operations: [
            Operation(
                .get, "/v1/places/reverse", "reverseGeocode", "Name a position",
                """
                By the borders of countries, their divisions and time zones, and by the place that people would name: the \
                city and not its quarter or the suburb next door; `label` begins with the quarter where one is known. At \
                sea every field but `timezone` is null (there `Etc/GMT+3` and the like, beyond territorial waters); in \
                land without a place within 50 km, `locality`, `place` and `distance` are. Names come in the gazetteer's \
                main form, whatever `lang` says. Places: © GeoNames (CC BY 4.0); time zones: © OpenStreetMap \
                contributors (ODbL).
                """, work: .memory, access: .everyone, parameters: ["latitude", "longitude", "language"],
                answers: [
                    Answer(
                        status: 200, description: "The names.", content: ["application/json": Answer.name("Address")],
                        headers: [.cachePublic])
                ],
                refusals: [.unavailable]),
            Operation(
                .post, "/v1/places/reverse", "reverseGeocodeMany", "Name many positions",
                "As one position is named, up to 10,000 at once.", work: .memory, access: .everyone,
                body: .json("Points"), answers: [.unstored("Addresses", "The names, in the order of the points.")],
                refusals: [.unavailable]),
            Operation(
                .get, "/v1/places/{placeId}", "getPlace", "Read a place",
                "Names come by language as far as the gazetteer tells it; the others are under `und`.", work: .read,
                access: .everyone, parameters: ["language", "IfNoneMatch"],
                answers: [
                    Answer(
                        status: 200, description: "The place.", content: ["application/json": Answer.name("Place")],
                        headers: [.etag, .cachePublic])
                ],
                refusals: [.unavailable]),
        ],
        parameters: [
            "placeId": pathParameter("placeId", "The id of a place, which is GeoNames's.", example: "5045360"),
            "latitude": #"""
            {
              "name": "lat", "in": "query", "required": true,
              "schema": {"type": "number", "minimum": -90, "maximum": 90},
              "example": 44.9817
            }
            """#,
            "longitude": #"""
            {
              "name": "lon", "in": "query", "required": true,
              "schema": {"type": "number", "minimum": -180, "maximum": 180},
              "example": -93.1531
            }
            """#,
            "language": #"""
            {
              "name": "lang", "in": "query",
              "description": "A language tag (BCP 47).",
              "schema": {"$ref": "#/components/schemas/LanguageTag"},
              "example": "en"
            }
            """#,
        ],
        schemas: [
            "LanguageTag": #"""
            {
              "type": "string", "maxLength": 64, "pattern": "^[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*$",
              "examples": ["pt-BR"]
            }
            """#,
            "Points": #"""
            {
              "type": "object",
              "additionalProperties": false,
              "required": ["points"],
              "properties": {
                "points": {
                  "type": "array", "minItems": 1, "maxItems": 10000,
                  "description": "Pairs of latitude and longitude.",
                  "items": {
                    "type": "array", "minItems": 2, "maxItems": 2,
                    "items": {"type": "number", "minimum": -180, "maximum": 180}
                  }
                },
                "lang": {"$ref": "#/components/schemas/LanguageTag"}
              },
              "examples": [{"points": [[44.9817, -93.1531], [0, -30]]}]
            }
            """#,
            "Address": addressSchema,
            "Addresses": #"""
            {
              "type": "object",
              "required": ["items"],
              "properties": {
                "items": {"type": "array", "maxItems": 10000, "items": {"$ref": "#/components/schemas/Address"}}
              }
            }
            """#,
            "Place": placeSchema,
            "PlaceParent": #"""
            {
              "type": "object",
              "description": "A division or country that a place lies in.",
              "required": ["kind", "id", "name", "code"],
              "properties": {
                "kind": {"type": "string", "enum": ["country", "admin1", "admin2"]},
                "id": {"type": ["string", "null"], "description": "GeoNames's, where there is one."},
                "name": {"type": "string"},
                "code": {"type": "string", "description": "ISO 3166-1 of a country, GeoNames's of a division."}
              },
              "examples": [{"kind": "admin1", "id": "5037779", "name": "Minnesota", "code": "US.MN"}]
            }
            """#,
        ])

    private static let addressSchema = #"""
        {
          "type": "object",
          "description": "The names of a position; at sea all but the time zone are null.",
          "required": [
            "label", "locality", "admin1", "admin2", "country", "countryCode", "timezone", "place", "distance"
          ],
          "properties": {
            "label": {"type": ["string", "null"], "description": "A readable line, from the quarter to the country."},
            "locality": {"type": ["string", "null"], "description": "The place that people would name."},
            "admin1": {"type": ["string", "null"], "description": "The first-order division."},
            "admin2": {"type": ["string", "null"], "description": "The locality's second-order division."},
            "country": {"type": ["string", "null"]},
            "countryCode": {"type": ["string", "null"], "description": "ISO 3166-1 alpha-2; `XK` for Kosovo."},
            "timezone": {"type": ["string", "null"], "description": "Of the IANA time zone database."},
            "place": {"type": ["string", "null"], "description": "The id of the locality."},
            "distance": {"type": ["number", "null"], "minimum": 0, "description": "Metres to its centre."}
          },
          "examples": [
            {
              "label": "Falcon Heights, Minnesota, United States", "locality": "Falcon Heights", "admin1": "Minnesota",
              "admin2": "Ramsey County", "country": "United States", "countryCode": "US",
              "timezone": "America/Chicago", "place": "5026251", "distance": 1518.7
            }
          ]
        }
        """#

    private static let placeSchema = #"""
        {
          "type": "object",
          "description": "A place of the gazetteer.",
          "required": [
            "kind", "id", "name", "label", "latitude", "longitude", "population", "featureCode", "timezone", "names",
            "parents"
          ],
          "properties": {
            "kind": {"const": "place"},
            "id": {"$ref": "#/components/schemas/Id"},
            "name": {"type": "string"},
            "label": {"type": "string", "description": "A readable line."},
            "latitude": {"type": "number", "minimum": -90, "maximum": 90},
            "longitude": {"type": "number", "minimum": -180, "exclusiveMaximum": 180},
            "population": {"type": ["integer", "null"], "minimum": 1, "description": "Null if it is not known."},
            "featureCode": {"type": ["string", "null"], "description": "GeoNames's: `PPLC` is a capital."},
            "timezone": {"type": "string", "description": "Of the IANA time zone database."},
            "names": {
              "type": "object",
              "description": "By language tag; `und` holds those of no known language, the main one first.",
              "additionalProperties": {"type": "array", "items": {"type": "string"}}
            },
            "parents": {
              "type": "array",
              "description": "What it lies in, the smallest first.",
              "items": {"$ref": "#/components/schemas/PlaceParent"}
            }
          },
          "examples": [
            {
              "kind": "place", "id": "5045360", "name": "Saint Paul", "label": "Saint Paul, Minnesota, United States",
              "latitude": 44.94441, "longitude": -93.09327, "population": 303176, "featureCode": "PPLA",
              "timezone": "America/Chicago", "names": {"und": ["Saint Paul", "St. Paul", "Сент-Пол", "圣保罗"]},
              "parents": [
                {"kind": "admin2", "id": "5042563", "name": "Ramsey County", "code": "US.MN.123"},
                {"kind": "admin1", "id": "5037779", "name": "Minnesota", "code": "US.MN"},
                {"kind": "country", "id": "6252001", "name": "United States", "code": "US"}
              ]
            }
          ]
        }
        """#
}
