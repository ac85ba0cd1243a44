extension OpenAPI {
    static let places = Area(
        name: "Places",
        description: """
            The gazetteer: names for positions. It is the same for everybody and needs no token. It is of GeoNames \
            (https://www.geonames.org), licensed under CC BY 4.0: whoever shows its names must say so.
            """,
        operations: [
            Operation(
                .get, "/v1/places/search", "searchPlaces", "Search while typing",
                """
                Places of the gazetteer, landmarks, and with a token your own and your friends' pins, in one ranking: what has a name \
                that begins with the text. Case, accents, punctuation and spaces do not matter, other names count, in any \
                script, and so do names of what a place lies in, on either side of its own (`paris texas`). Where that \
                finds little, names with one other letter (from four letters on) or two (from eight) follow. Streets \
                and addresses (`12 main st`) are found where the server's admin has added them.
                """, work: .read, access: .tokenOrNone,
                parameters: [
                    "searchText", "searchNear", "searchBox", "language", "searchKind", "searchLimit", "IfNoneMatch",
                ],
                answers: [
                    Answer(
                        status: 200, description: "What was found, the best first.",
                        content: ["application/json": Answer.name("SearchResults")],
                        headers: [.etag, .cacheByToken, .vary])
                ],
                refusals: [.unavailable]),
            Operation(
                .get, "/v1/places/reverse", "reverseGeocode", "Name a position",
                """
                By the borders of countries, their divisions and time zones, and by the place that people would name: the \
                city and not its quarter or the suburb next door; `label` begins with the quarter where one is known. At \
                sea every field but `timezone` is null (there `Etc/GMT+3` and the like, beyond territorial waters); in \
                land without a place within 50 km, `locality`, `place` and `distance` are. Names come in the gazetteer's \
                main form, unless `lang` asks for a language in which they are known. Places: © GeoNames (CC BY 4.0); time zones: © OpenStreetMap \
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
                """
                Or one of the divisions and countries that places lie in, which have no position, population and time \
                zone of their own here. With `lang`, `name`, `label` and the names of `parents` are in that language \
                where a name in it is known, else in the gazetteer's main form.
                """, work: .read, access: .everyone, parameters: ["language", "IfNoneMatch"],
                answers: [
                    Answer(
                        status: 200, description: "The place.", content: ["application/json": Answer.name("Place")],
                        headers: [.etag, .cachePublic])
                ],
                refusals: [.unavailable]),
        ],
        parameters: [
            "placeId": pathParameter(
                "placeId", "The id of a place, division or country, which is GeoNames's, or of an address or street.",
                example: "5045360"),
            "searchText": #"""
            {
              "name": "q", "in": "query", "required": true,
              "description": "The beginning of a name, or all of it.",
              "schema": {"type": "string", "minLength": 1, "maxLength": 200},
              "example": "saint pa"
            }
            """#,
            "searchNear": #"""
            {
              "name": "near", "in": "query", "style": "form", "explode": false,
              "description": "What is near to this point comes up, and each item has its distance: `LATITUDE,LONGITUDE`.",
              "schema": {
                "type": "array", "minItems": 2, "maxItems": 2,
                "items": {"type": "number", "minimum": -180, "maximum": 180}
              },
              "example": [44.9444, -93.0933]
            }
            """#,
            "searchBox": #"""
            {
              "name": "bbox", "in": "query", "style": "form", "explode": false,
              "description": "What is in this box comes up: `WEST,SOUTH,EAST,NORTH`, over the antimeridian if west > east.",
              "schema": {
                "type": "array", "minItems": 4, "maxItems": 4,
                "items": {"type": "number", "minimum": -180, "maximum": 180}
              },
              "example": [-93.21, 44.89, -93.0, 44.99]
            }
            """#,
            "searchKind": #"""
            {
              "name": "kind", "in": "query",
              "description": "Only of this kind; may be given again.",
              "schema": {"type": "array", "maxItems": 3, "items": {"type": "string", "enum": ["pin", "landmark", "place"]}},
              "example": ["pin", "place"]
            }
            """#,
            "searchLimit": #"""
            {
              "name": "limit", "in": "query",
              "description": "The most items.",
              "schema": {"type": "integer", "minimum": 1, "maximum": 500, "default": 50},
              "example": 10
            }
            """#,
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
              "description": "The language of names, where they are known in it: a language tag (BCP 47).",
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
              "required": ["items", "attribution"],
              "properties": {
                "items": {"type": "array", "maxItems": 10000, "items": {"$ref": "#/components/schemas/Address"}},
                "attribution": {"type": "string", "description": "The credit that the licences ask for."}
              }
            }
            """#,
            "SearchResults": #"""
            {
              "type": "object",
              "required": ["items", "next", "attribution"],
              "properties": {
                "items": {
                  "type": "array", "maxItems": 500, "items": {"$ref": "#/components/schemas/SearchResult"}
                },
                "next": {"type": "null", "description": "There are no pages: type on."},
                "attribution": {"type": "string", "description": "To be shown with places."},
                "attributions": {
                  "type": "array", "items": {"$ref": "#/components/schemas/Attribution"},
                  "description": "To be shown with landmarks."
                }
              }
            }
            """#,
            "SearchResult": searchResultSchema,
            "Place": placeSchema,
            "PlaceParent": #"""
            {
              "type": "object",
              "description": "A division or country that a place lies in.",
              "required": ["kind", "id", "name", "code"],
              "properties": {
                "kind": {
                  "type": "string", "enum": ["country", "admin1", "admin2", "place"],
                  "description": "A `place` is the town of an address."
                },
                "id": {"type": ["string", "null"], "description": "GeoNames's, where there is one."},
                "name": {"type": "string"},
                "code": {
                  "type": "string", "description": "ISO 3166-1 of a country, GeoNames's of a division; else empty."
                }
              },
              "examples": [{"kind": "admin1", "id": "5037779", "name": "Minnesota", "code": "US.MN"}]
            }
            """#,
        ])

    private static let searchResultSchema = #"""
        {
          "type": "object",
          "description": "A place, a landmark or a pin; further kinds may come.",
          "required": ["kind", "id", "name", "label", "latitude", "longitude", "match"],
          "properties": {
            "kind": {"type": "string", "enum": ["pin", "landmark", "place"]},
            "id": {"$ref": "#/components/schemas/Id"},
            "name": {"type": "string"},
            "label": {"type": "string", "description": "A readable line."},
            "latitude": {"type": "number", "minimum": -90, "maximum": 90},
            "longitude": {"type": "number", "minimum": -180, "exclusiveMaximum": 180},
            "distance": {"type": "number", "minimum": 0, "description": "Metres from `near`, if that is given."},
            "match": {
              "type": "string", "enum": ["exact", "prefix", "fuzzy"],
              "description": "`prefix`: a name, or a word of a pin's, begins so; `fuzzy`: with other letters."
            },
            "matchedName": {"type": "string", "description": "Of a place or a landmark: the other name that matched."},
            "population": {"type": ["integer", "null"], "minimum": 1, "description": "Of a place, if known."},
            "featureCode": {
              "type": ["string", "null"],
              "description": "Of a place, GeoNames's: `PPLC` is a capital, `PCLI` a country, `ADM1` a division; `address` and `street` of those that the server's admin has added."
            },
            "countryCode": {
              "type": ["string", "null"], "description": "Of a place: ISO 3166-1 alpha-2; null of an address at sea."
            },
            "ownerId": {"$ref": "#/components/schemas/Id"},
            "ownerUsername": {"type": "string", "description": "Of a pin."},
            "category": {
              "type": "string", "description": "Of a pin or a landmark: `PinCategory` or `LandmarkCategory`."
            },
            "datasetId": {"allOf": [{"$ref": "#/components/schemas/Id"}], "description": "Of a landmark."},
            "rating": {"type": ["integer", "null"], "minimum": 1, "maximum": 5, "description": "Of a pin."}
          },
          "examples": [
            {
              "kind": "place", "id": "5045360", "name": "Saint Paul", "label": "Saint Paul, Minnesota, United States",
              "latitude": 44.94441, "longitude": -93.09327, "distance": 12.3, "match": "exact",
              "matchedName": "St. Paul", "population": 303176, "featureCode": "PPLA", "countryCode": "US"
            }
          ]
        }
        """#

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
            "distance": {"type": ["number", "null"], "minimum": 0, "description": "Metres to its centre."},
            "attribution": {
              "type": "string",
              "description": "The credit that the licences ask for; of many positions it stands once, beside `items`."
            }
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
            "parents", "attribution"
          ],
          "properties": {
            "kind": {"const": "place"},
            "id": {"$ref": "#/components/schemas/Id"},
            "name": {"type": "string"},
            "label": {"type": "string", "description": "A readable line."},
            "latitude": {
              "type": ["number", "null"], "minimum": -90, "maximum": 90,
              "description": "Null, as the longitude, of divisions and countries."
            },
            "longitude": {"type": ["number", "null"], "minimum": -180, "exclusiveMaximum": 180},
            "population": {"type": ["integer", "null"], "minimum": 1, "description": "Null if it is not known."},
            "featureCode": {
              "type": ["string", "null"],
              "description": "GeoNames's: `PPLC` is a capital, `ADM1` a first-order division, `PCLI` a country. An \#
        address that the server's admin has added has `address`."
            },
            "timezone": {
              "type": ["string", "null"],
              "description": "Of the IANA time zone database; null of divisions and countries."
            },
            "names": {
              "type": "object",
              "description": "By language tag (BCP 47). Names of no known language are under their script, such as \#
        `und-Latn` and `und-Cyrl`, and if they mix scripts under `und`; the main name is the first of its script. A \#
        language in which the main name is used as well may be missing.",
              "additionalProperties": {"type": "array", "items": {"type": "string"}}
            },
            "parents": {
              "type": "array",
              "description": "What it lies in, the smallest first.",
              "items": {"$ref": "#/components/schemas/PlaceParent"}
            },
            "attribution": {"type": "string", "description": "The credit that the data's licence asks for."}
          },
          "examples": [
            {
              "kind": "place", "id": "5045360", "name": "Saint Paul", "label": "Saint Paul, Minnesota, United States",
              "latitude": 44.94441, "longitude": -93.09327, "population": 303176, "featureCode": "PPLA",
              "timezone": "America/Chicago",
              "names": {"ru": ["Сент-Пол"], "zh": ["圣保罗"], "und-Latn": ["Saint Paul", "St. Paul"]},
              "parents": [
                {"kind": "admin2", "id": "5042563", "name": "Ramsey County", "code": "US.MN.123"},
                {"kind": "admin1", "id": "5037779", "name": "Minnesota", "code": "US.MN"},
                {"kind": "country", "id": "6252001", "name": "United States", "code": "US"}
              ],
              "attribution": "GeoNames (https://www.geonames.org), CC BY 4.0"
            }
          ]
        }
        """#
}
