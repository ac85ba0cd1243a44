import Geo
import HTTP

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
        _ = query.optional("lang", .language)
        try query.finish()
        // `finish` has thrown unless both are there and in range, so the last part never applies.
        guard let latitude, let longitude, let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
            throw HTTPError.badRequest("lat", "is required")
        }
        var json = JSONWriter(capacity: 384)
        try app.places.reverse(coordinate).write(to: &json)
        return cacheable(json.bytes)
    }

    /// `POST /v1/places/reverse` `{points: [[lat, lon], …], lang?}`: `{"items": […]}` with one object for each point, in
    /// order, each as `reverse` answers it.
    static func reverseMany(_ request: Request, _ app: App) throws -> Response {
        try request.refuseQuery()
        var body = try BodyFields(request)
        let points = body.required("points", .points(limit: pointLimit))
        _ = body.optional("lang", .language)
        try body.finish()
        let places = try app.places
        var json = JSONWriter(capacity: 256 * ((points?.count ?? 0) + 1))
        json.object { json in
            json.key("items")
            json.array { json in
                for piece in places.geocoder.json(points ?? []) { json.raw(piece) }
            }
        }
        return .content("application/json; charset=utf-8", json.bytes).with("Cache-Control", "no-store")
    }

    /// `GET /v1/places/{id}[?lang=]`: a place with its names, population and parents.
    static func show(_ request: Request, _ app: App) throws -> Response {
        var query = try QueryFields(request)
        _ = query.optional("lang", .language)
        try query.finish()
        guard let text = request.parameter("placeId"), let id = Int64(text), id > 0, String(id) == text,
            let place = try app.places.place(id)
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
    fileprivate var places: Gazetteer {
        get throws {
            guard let gazetteer else { throw HTTPError.unavailable(retryAfter: 60) }
            return gazetteer
        }
    }
}

extension FieldReader where Source == String, Value == String {
    /// A language tag in a query.
    static var language: Self { FieldReader(languageTag) }
}

extension FieldReader where Source == JSONValue, Value == String {
    /// A language tag in a body.
    static var language: Self {
        FieldReader { json in
            guard case .string(let text) = json else { return .failure(FieldProblem("must be text")) }
            return languageTag(text)
        }
    }
}

/// A language tag: subtags of up to 8 letters and digits between hyphens, the first of letters (BCP 47, 2.1, without its
/// registry). Names come in the gazetteer's main form, whatever it says: the data tells no languages.
private func languageTag(_ text: String) -> Result<String, FieldProblem> {
    func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }
    func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    let subtags = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    let isTag =
        text.utf8.count <= 64 && text.utf8.prefix { isLetter($0) }.count == subtags.first?.count
        && subtags.allSatisfy { (1...8).contains($0.count) && $0.allSatisfy { isLetter($0) || isDigit($0) } }
    guard isTag else { return .failure(FieldProblem("must be a language tag such as en or pt-BR")) }
    return .success(text)
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
