import Geo
import HTTP
import SocialModel
import Storage

/// OGC API – Features, Part 1: Core (OGC 17-069r4), read by GIS programs as it is: a collection for each dataset, and for
/// whoever is signed in, mostly by an API token as the password of HTTP Basic, the pins that they see.
enum OGCRoutes {
    /// The collection of pins, whatever a dataset is called.
    static let pins = "pins"

    /// `GET /ogc`: the landing page.
    static func landing(_ request: Request, _ app: App, _ read: ReadTransaction) throws -> Response {
        let viewer = try viewer(of: request, app, read)
        try onlyFormat(request)
        let base = app.publicURL + "/ogc"
        let attribution = try attribution(read)
        var json = JSONWriter(capacity: 2048)
        json.object { json in
            json.key("title")
            json.string("Pinfold")
            json.key("description")
            json.string("Landmarks, and with a token the pins that you see.")
            json.key("attribution")
            json.string(attribution)
            json.links([
                OGCLink("self", base, "application/json", "This page"),
                OGCLink("service-desc", base + "/api", OGCDescription.mediaType, "What can be asked"),
                OGCLink("service-doc", app.publicURL + "/docs", "text/html", "The whole API of this server"),
                OGCLink("conformance", base + "/conformance", "application/json", "What this conforms to"),
                OGCLink("data", base + "/collections", "application/json", "What there is"),
            ])
        }
        return answer(json.bytes, for: viewer)
    }

    /// `GET /ogc/conformance`.
    static func conformance(_ request: Request, _ app: App) throws -> Response {
        try onlyFormat(request)
        var json = JSONWriter()
        json.object { json in
            json.key("conformsTo")
            json.array { json in
                for part in ["core", "oas30", "geojson"] {
                    json.string("http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/\(part)")
                }
            }
        }
        return answer(json.bytes, for: nil)
    }

    /// `GET /ogc/api`: OpenAPI 3.0.
    static func api(_ request: Request, _ app: App) throws -> Response {
        try onlyFormat(request)
        return answer(OGCDescription.document(at: app.publicURL + "/ogc"), as: OGCDescription.mediaType, for: nil)
    }

    /// `GET /ogc/collections`.
    static func collections(_ request: Request, _ app: App, _ read: ReadTransaction) throws -> Response {
        let viewer = try viewer(of: request, app, read)
        try onlyFormat(request)
        let all = try LandmarkDataset.all(in: read)
        var json = JSONWriter(capacity: 1024 * (all.count + 1))
        json.object { json in
            json.links([OGCLink("self", app.publicURL + "/ogc/collections", "application/json", "This page")])
            json.key("collections")
            json.array { json in
                for dataset in all { OGCCollection.dataset(dataset).write(to: &json, at: app.publicURL) }
                if viewer != nil { OGCCollection.pins.write(to: &json, at: app.publicURL) }
            }
        }
        return answer(json.bytes, for: viewer)
    }

    /// `GET /ogc/collections/{id}`.
    static func collection(_ request: Request, _ app: App, _ read: ReadTransaction) throws -> Response {
        let viewer = try viewer(of: request, app, read)
        try onlyFormat(request)
        let collection = try collection(request, viewer, read)
        var json = JSONWriter(capacity: 1024)
        collection.write(to: &json, at: app.publicURL)
        return answer(json.bytes, for: viewer)
    }

    /// `GET /ogc/collections/{id}/items`.
    static func items(_ request: Request, _ app: App, _ read: ReadTransaction) throws -> Response {
        let viewer = try viewer(of: request, app, read)
        var fields = try QueryFields(request)
        let parameters = OGCPage.Parameters(&fields)
        try fields.finish()
        let collection = try collection(request, viewer, read)
        let page: OGCPage
        if case .dataset(let dataset) = collection {
            page = try landmarks(of: dataset, parameters, app, read)
        } else {
            guard let viewer else { throw HTTPError.notFound }
            page = try pins(of: viewer, parameters, app, read)
        }
        return answer(page.json(request, collection, at: app.publicURL), as: "application/geo+json", for: viewer)
    }

    /// `GET /ogc/collections/{id}/items/{featureId}`.
    static func item(_ request: Request, _ app: App, _ read: ReadTransaction) throws -> Response {
        let viewer = try viewer(of: request, app, read)
        try onlyFormat(request)
        let collection = try collection(request, viewer, read)
        let address = app.publicURL + "/ogc/collections/\(collection.pathPart)"
        func links(_ id: Int64) -> [OGCLink] {
            [
                OGCLink("self", "\(address)/items/\(id)", "application/geo+json", "This feature"),
                OGCLink("collection", address, "application/json", "Its collection"),
            ]
        }
        var json = JSONWriter(capacity: 2048)
        if case .dataset(let dataset) = collection {
            let landmarks = CurrentLandmarks([dataset], in: read)
            guard let found = try landmarks.landmark(request.identifier("featureId")), found.datasetId == dataset.id
            else {
                throw HTTPError.notFound
            }
            found.writeFeature(to: &json) { json in
                json.links(links(found.id.rawValue))
                landmarks.writeAttributions(of: [dataset.id], to: &json)
            }
        } else {
            guard let viewer,
                let pin = try VisiblePins(of: viewer, in: read, app.planner).pin(request.identifier("featureId"))
            else { throw HTTPError.notFound }
            pin.writeFeature(to: &json) { $0.links(links(pin.id.rawValue)) }
        }
        return answer(json.bytes, as: "application/geo+json", for: viewer)
    }

    // MARK: Parts of answers

    /// Who asks; nil for anybody. A token that is not good is refused, so that a program says so.
    private static func viewer(of request: Request, _ app: App, _ read: ReadTransaction) throws -> Viewer? {
        try app.token(of: request) == nil ? nil : app.viewer(of: request, in: read)
    }

    /// What the path names.
    ///
    /// - Throws: `HTTPError` 404 for what there is not: pins too for whoever is not signed in.
    private static func collection(
        _ request: Request, _ viewer: Viewer?, _ read: ReadTransaction
    ) throws -> OGCCollection {
        let name = request.parameter("collectionId") ?? ""
        if name == pins {
            guard viewer != nil else { throw HTTPError.notFound }
            return .pins
        }
        guard let dataset = try LandmarkDataset.find(name, in: read) else { throw HTTPError.notFound }
        return .dataset(dataset)
    }

    private static func onlyFormat(_ request: Request) throws {
        var fields = try QueryFields(request)
        OGCPage.readFormat(&fields)
        try fields.finish()
    }

    private static func attribution(_ read: ReadTransaction) throws -> String {
        try LandmarkDataset.all(in: read).compactMap(\.attribution).joined(separator: "; ")
    }

    /// What depends on who asks is private, all else is public; both are asked for again each time.
    private static func answer(
        _ body: [UInt8], as mediaType: String = "application/json; charset=utf-8", for viewer: Viewer?
    ) -> Response {
        var response = Response.content(mediaType, body)
        response.headers +=
            viewer == nil
            ? [
                Header("Cache-Control", "public, no-cache"),
                Header("Vary", "Authorization, Cookie, Accept"),
            ] : Response.privateHeaders
        return response.with("ETag", Response.etag(of: body))
    }
}

/// A link as OGC's APIs write it (RFC 8288).
struct OGCLink {
    let relation: String
    let address: String
    let mediaType: String
    let title: String

    init(_ relation: String, _ address: String, _ mediaType: String, _ title: String) {
        self.relation = relation
        self.address = address
        self.mediaType = mediaType
        self.title = title
    }
}

extension JSONWriter {
    mutating func links(_ links: [OGCLink]) {
        key("links")
        array { json in
            for link in links {
                json.object { json in
                    json.key("rel")
                    json.string(link.relation)
                    json.key("type")
                    json.string(link.mediaType)
                    json.key("title")
                    json.string(link.title)
                    json.key("href")
                    json.string(link.address)
                }
            }
        }
    }
}
