import Geo
import HTTP
import Storage

/// Places of the gazetteer: names for positions, and places by id. Public, and the same for everybody.
enum PlaceRoutes {
    /// How many positions one call may ask for.
    static let pointLimit = 10_000

    /// `GET /v1/places/reverse?lat=&lon=[&lang=]`: the names at a position; at sea every member is null but
    /// `timezone`, in empty land also `locality`, because nothing is guessed.
    static func reverse(_ request: Request, _ app: App) throws -> Response {
        var query = try QueryFields(request)
        let latitude = query.required("lat", .number(-90...90))
        let longitude = query.required("lon", .number(-180...180))
        let language = query.optional("lang", .language)
        try query.finish()
        // `finish` has thrown unless both are there and in range, so the last part never applies.
        guard let latitude, let longitude, let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
            throw HTTPError.badRequest("lat", "is required")
        }
        var json = JSONWriter(capacity: 512)
        let result = try app.withPlaces { try $0.reverse(coordinate, in: $0.names(in: language)) }
        result.writeAnswer(to: &json)
        return cacheable(json.bytes)
    }

    /// `POST /v1/places/reverse` `{points: [[lat, lon], …], lang?}`: `{"items": […], "attribution": …}` with one object for
    /// each point, in order, each as `reverse` answers it.
    static func reverseMany(_ request: Request, _ app: App) throws -> Response {
        try request.refuseQuery()
        var body = try BodyFields(request)
        let points = body.required("points", .points(limit: pointLimit))
        let language = body.optional("lang", .language)
        try body.finish()
        let pieces = try app.withPlaces { places in
            let names = try places.names(in: language)
            guard names != nil || places.hasAddresses else { return places.geocoder.json(points ?? []) }
            return places.geocoder.json(points ?? []) { places.reverse($0, in: names) }
        }
        var json = JSONWriter(capacity: 256 * ((points?.count ?? 0) + 1))
        json.object { json in
            json.key("items")
            json.array { json in
                for piece in pieces { json.raw(piece) }
            }
            json.key("attribution")
            json.string(ReverseResult.attribution)
        }
        return .content("application/json; charset=utf-8", json.bytes).with("Cache-Control", "no-store")
    }

    /// `GET /v1/places/{id}[?lang=]`: a place, division or country with its names, population and parents.
    static func show(_ request: Request, _ app: App) throws -> Response {
        var query = try QueryFields(request)
        let language = query.optional("lang", .language)
        try query.finish()
        guard let text = request.parameter("placeId"), let id = Int64(text), id > 0, String(id) == text,
            let place = try app.withPlaces({ try $0.place(id, in: language) })
        else { throw HTTPError.notFound }
        var json = JSONWriter(capacity: 2048)
        place.write(to: &json)
        return cacheable(json.bytes).with("ETag", Response.etag(of: json.bytes))
    }

    private static func cacheable(_ body: [UInt8]) -> Response {
        .content("application/json; charset=utf-8", body).with("Cache-Control", "public, max-age=86400")
    }
}

extension App {
    /// - Throws: `HTTPError` 503 if this server runs without a gazetteer.
    var places: Gazetteer {
        get throws {
            guard let gazetteer else { throw HTTPError.unavailable(retryAfter: 60) }
            return gazetteer
        }
    }

    /// Reads the gazetteer. One that was replaced after it was looked up is looked up again.
    ///
    /// - Throws: as `places`, or what `body` throws.
    func withPlaces<T>(_ body: (Gazetteer) throws -> T) throws -> T {
        do { return try body(places) } catch is DatabaseClosed { return try body(places) }
    }
}

extension FieldReader where Source == String, Value == LanguageTag {
    /// A language tag in a query.
    static var language: Self { FieldReader(languageTag) }
}

extension FieldReader where Source == JSONValue, Value == LanguageTag {
    /// A language tag in a body.
    static var language: Self {
        FieldReader { json in
            guard case .string(let text) = json else { return .failure(FieldProblem("must be text")) }
            return languageTag(text)
        }
    }
}

private func languageTag(_ text: String) -> Result<LanguageTag, FieldProblem> {
    guard let tag = LanguageTag(text) else {
        return .failure(FieldProblem("must be a language tag such as en or pt-BR"))
    }
    return .success(tag)
}

extension FieldReader where Source == JSONValue, Value == [Coordinate] {
    /// 1 to `limit` pairs `[latitude, longitude]` of degrees; the message tells the first that is none.
    static func points(limit: Int) -> Self {
        FieldReader { json in
            guard case .array(let elements) = json, (1...limit).contains(elements.count) else {
                return .failure(FieldProblem("must be 1 to \(limit) pairs [latitude, longitude]"))
            }
            var points: [Coordinate] = []
            points.reserveCapacity(elements.count)
            for (index, element) in elements.enumerated() {
                guard case .array(let pair) = element, pair.count == 2, case .number(let latitude) = pair[0],
                    case .number(let longitude) = pair[1],
                    let point = Coordinate(latitude: latitude, longitude: longitude)
                else {
                    return .failure(
                        FieldProblem(
                            "must hold pairs [latitude, longitude] in degrees, -90 to 90 and -180 to 180; "
                                + "number \(index + 1) is none"))
                }
                points.append(point)
            }
            return .success(points)
        }
    }
}
