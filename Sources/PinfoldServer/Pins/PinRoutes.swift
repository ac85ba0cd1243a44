import Geo
import HTTP
import SocialModel
import Storage

/// Pins: dropping, reading, changing, listing.
enum PinRoutes {
    static func create(_ request: Request, _ app: App, _ viewer: Viewer) throws -> Write {
        try request.refuseQuery()
        var body = try BodyFields(request)
        let draft = PinDraft(new: &body)
        try body.finish()
        guard let coordinate = draft.coordinate, let name = draft.name else { throw HTTPError.badRequest([]) }
        let pin = try draft.newPin(at: coordinate, name: name, of: viewer) { app.address(of: $0) }
        let words = SearchWords.form(of: pin)
        return Write { [pin] write, viewer in
            var pin = try PinOwner(viewer.id, in: write).completing(pin)
            pin.id = Identifier(write.newIdentifier())
            pin.createdAt = Timestamp(milliseconds: write.now)
            pin.updatedAt = pin.createdAt
            try PinChange.create(pin, words: words, in: write)
            return .json(pin, status: 201, location: "/v1/pins/\(pin.id)")
        }
    }

    static func show(_ request: Request, _ app: App, _ read: ReadTransaction) throws -> Response {
        let viewer = try app.viewer(of: request, in: read)
        try request.refuseQuery()
        guard let pin = try VisiblePins(of: viewer, in: read, app.planner).pin(request.identifier("pinId")) else {
            throw HTTPError.notFound
        }
        return .json(pin)
    }

    static func change(_ request: Request, _ app: App, _ viewer: Viewer) throws -> Write {
        try request.refuseQuery()
        let id: Identifier<Pin> = try request.identifier("pinId")
        let current = try app.database.read { try VisiblePins(of: viewer, in: $0).own(id) }
        guard let current else { throw HTTPError.notFound }
        var body = try BodyFields(request)
        let draft = PinDraft(changing: current, &body)
        try body.unchanged(
            membersOf: current,
            ["id", "ownerId", "ownerUsername", "addressSource", "photos", "createdAt", "updatedAt"])
        body.ignore("distance")  // an item of a `near` list has it
        try body.finish()
        // Looked up before the writer is asked; it looks up again only if somebody moved the pin meanwhile.
        let prepared = try draft.applied(to: current, at: app.clock()) { app.address(of: $0) }
        let words = SearchWords.form(of: prepared)
        return Write { write, viewer in
            guard let before = try VisiblePins(of: viewer, in: write).own(id) else { throw HTTPError.notFound }
            try request.requireMatch(before)
            let after = try draft.applied(to: before, at: write.now) { coordinate in
                coordinate == prepared.coordinate && prepared.addressSource == .gazetteer
                    ? prepared.address : app.address(of: coordinate)
            }
            if !after.isWritten(as: before) {
                try PinChange.update(before, to: after, words: after.hasTexts(of: prepared) ? words : nil, in: write)
            }
            return .json(after)
        }
    }

    static func delete(_ request: Request, _ app: App, _ viewer: Viewer) throws -> Write {
        try request.refuseQuery()
        let id: Identifier<Pin> = try request.identifier("pinId")
        return Write { write, viewer in
            guard let pin = try VisiblePins(of: viewer, in: write).own(id) else { throw HTTPError.notFound }
            try request.requireMatch(pin)
            try PinChange.delete(pin, in: write)
            return .noContent
        }
    }

    static func restore(_ request: Request, _ app: App, _ viewer: Viewer) throws -> Write {
        try request.refuseInput()
        let id: Identifier<Pin> = try request.identifier("pinId")
        return Write { write, viewer in .json(try PinChange.restore(id, by: viewer, in: write)) }
    }

    static func list(_ request: Request, _ app: App, _ read: ReadTransaction) throws -> Response {
        let viewer = try app.viewer(of: request, in: read)
        var fields = try QueryFields(request)
        let query = PinQuery(&fields)
        let format = fields.optional("f", .choice(Format.self)) ?? Format(accept: request.header("Accept"))
        let page = Page(&fields)
        try fields.finish()

        let list = "\(viewer.id) \(query.description)"
        var after: PinRank?
        if let cursor = page.cursor { after = PinRank(bytes: try app.cursors.open(cursor, for: list)) }
        let found = try VisiblePins(of: viewer, in: read, app.planner).list(query, after: after, limit: page.limit + 1)
        var room = pageRoom
        let shown = found.prefix(page.limit).prefix { found in
            defer { room -= found.pin.textBytes }
            return room > 0
        }
        var next: String?
        if found.count > shown.count { next = shown.last.map { app.cursors.seal($0.rank.bytes, for: list) } }
        let pins = Items(items: shown.map(\.pin), next: next)
        return format == .json ? .json(pins) : .geoJSON(pins, nextLink(request, next))
    }

    /// Bytes of text after which a page ends, however few pins it has: a client that reads slowly holds its answer in
    /// memory.
    private static let pageRoom = 1 << 20

    /// The target of the next page, for a `Link` header; nil if it is too long for one. The page itself has `next` too.
    static func nextLink(_ request: Request, _ next: String?) -> String? {
        guard let next else { return nil }
        let kept = (request.queryText ?? "").split(separator: "&").filter { part in
            PercentEncoding.decode(part.utf8.prefix { $0 != UInt8(ascii: "=") }, plusIsSpace: true) != "cursor"
        }
        let link = "\(request.path)?\((kept + ["cursor=\(next)"]).joined(separator: "&"))"
        return link.utf8.count <= 1000 ? link : nil
    }
}

extension PinRoutes {
    enum Format: String, CaseIterable {
        case json, geojson

        /// What an `Accept` header prefers (RFC 9110, 12.5.1); JSON unless GeoJSON is named and ranks higher.
        init(accept: String?) {
            var best: (format: Format, quality: Double)?
            for range in (accept ?? "").split(separator: ",") {
                let parts = range.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
                let quality =
                    parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double(decimal: $0.dropFirst(2)) } ?? 1
                let format: Format? =
                    switch parts.first {
                    case "application/geo+json": .geojson
                    case "application/json", "application/*", "*/*": .json
                    default: nil
                    }
                if let format, quality > best?.quality ?? 0 { best = (format, quality) }
            }
            self = best?.format ?? .json
        }
    }
}

extension App {
    /// The gazetteer's address of a coordinate; nil where it names none.
    func address(of coordinate: Coordinate) -> String? { gazetteer?.reverse(coordinate).label }
}

extension PinDraft {
    /// The fields of a new pin.
    init(new body: inout BodyFields) {
        latitude = body.required("latitude", .number(-90...90))
        longitude = body.required("longitude", .number(-180...180))
        name = body.required("name", .text(1...200))
        // What the owner's default may be: without a circle they are one to `circleId`.
        readRest(&body, after: .friends)
    }

    /// The fields of a merge patch (RFC 7396) of `pin`.
    init(changing pin: Pin, _ body: inout BodyFields) {
        latitude = body.optional("latitude", .number(-90...90))
        longitude = body.optional("longitude", .number(-180...180))
        name = body.optional("name", .text(1...200))
        readRest(&body, after: pin.audience ?? .private)
    }

    private mutating func readRest(_ body: inout BodyFields, after current: Pin.Audience) {
        comment = body.change("comment", .text(0...10_000, blank: true))
        address = body.change("address", .text(1...500))
        rating = body.change("rating", .integer(1...5))
        category = body.optional("category", .choice(Pin.Category.self))
        audience = body.optional("audience", .choice(Pin.Audience.Kind.self))
        circle = body.change("circleId", .identifier(of: Circle.self))
        if case .failure(let problem) = audience(after: current) { body.fault("circleId", problem.message) }
    }

    /// Where it is; nil if it does not say.
    var coordinate: Coordinate? {
        guard let latitude, let longitude else { return nil }
        return Coordinate(latitude: latitude, longitude: longitude)
    }
}

extension PinQuery {
    /// The query parameters that narrow lists, tiles and clusters of pins alike.
    init(filters fields: inout QueryFields) {
        let owners = fields.repeated("owner", limit: 500, .identifier(of: User.self))
        categories = Set(fields.repeated("category", limit: 7, .choice(Pin.Category.self)))
        minRating = fields.optional("minRating", .integer(1...5))
        if fields.has("owner") { self.owners = Set(owners) }
        words = fields.optional("q", .words)
        since = fields.optional("since", .time)
    }

    /// The query parameters of a pin list.
    init(_ fields: inout QueryFields) {
        let box = fields.optional("bbox", .boundingBox)
        let near = fields.optional("near", .coordinate)
        let radius = fields.optional("radius", .number(0...20_100_000))
        let asked = fields.optional("sort", .choice(Sort.self))
        self.init(filters: &fields)

        if fields.has("near"), fields.has("bbox") { fields.fault("near", "cannot go with bbox") }
        if fields.has("radius"), !fields.has("near") { fields.fault("radius", "needs near") }
        if asked == .distance, !fields.has("near") { fields.fault("sort", "by distance needs near") }
        if let box {
            area = .box(box)
        } else if let near {
            area = .near(near, radius: radius)
        }
        sort = asked ?? (near == nil ? .newest : .distance)
    }
}

extension FieldReader where Source == String, Value == SearchWords.Pattern {
    /// Text to search for.
    fileprivate static var words: FieldReader {
        FieldReader { text in
            FieldReader<String, String>.text(1...200).read(text).flatMap { text in
                let words = SearchWords.split(text)
                return words.isEmpty
                    ? .failure(FieldProblem("must have a letter or a digit")) : .success(SearchWords.Pattern(words))
            }
        }
    }
}

extension FieldReader where Source == String, Value == BoundingBox {
    /// `WEST,SOUTH,EAST,NORTH` in degrees.
    static var boundingBox: FieldReader {
        FieldReader { text in
            do throws(CoordinateTextError) {
                return .success(try BoundingBox(parsing: text))
            } catch { return .failure(FieldProblem(error.reason)) }
        }
    }
}

extension FieldReader where Source == String, Value == Coordinate {
    /// `LATITUDE,LONGITUDE` in degrees.
    static var coordinate: FieldReader {
        FieldReader { text in
            do throws(CoordinateTextError) {
                return .success(try Coordinate(parsing: text))
            } catch { return .failure(FieldProblem(error.reason)) }
        }
    }
}

extension Response {
    /// A page of pins as an RFC 7946 FeatureCollection, `next` as a foreign member and as a link (RFC 8288).
    static func geoJSON(_ page: Items<Pin>, _ nextLink: String?) -> Response {
        var json = JSONWriter(capacity: 512 * (page.items.count + 1))
        json.object { json in
            json.key("type")
            json.string("FeatureCollection")
            json.key("features")
            json.array { json in
                for pin in page.items { pin.writeFeature(to: &json) }
            }
            json.key("next")
            json.optionalString(page.next)
        }
        var response = Response.content("application/geo+json", json.bytes)
        response.headers += privateHeaders
        if let nextLink { response.headers.append(Header("Link", "<\(nextLink)>; rel=\"next\"")) }
        return response
    }
}
