import Geo
import HTTP
import SocialModel
import Storage

/// Landmarks and their datasets, for everybody.
enum LandmarkRoutes {
    /// `GET /v1/landmarks`: by box, by distance or all, as JSON or GeoJSON.
    static func list(_ request: Request, _ app: App, _ read: ReadTransaction) throws -> Response {
        let landmarks = try CurrentLandmarks(in: read)
        var fields = try QueryFields(request)
        let query = LandmarkQuery(&fields, landmarks.datasets)
        let format =
            fields.optional("f", .choice(PinRoutes.Format.self))
            ?? PinRoutes.Format(accept: request.header("Accept"))
        let hasGeometry = fields.optional("geometry", .boolean) ?? (format == .geojson)
        let page = Page(&fields)
        try fields.finish()

        let list = query.description
        var after: LandmarkRank?
        if let cursor = page.cursor { after = LandmarkRank(bytes: try app.cursors.open(cursor, for: list)) }
        let found = try landmarks.page(
            query, after: after, limit: page.limit, hasGeometry: hasGeometry, app.landmarkNames)
        let next = found.next.map { app.cursors.seal($0.bytes, for: list) }
        var json = JSONWriter(capacity: 600 * (found.landmarks.count + 1))
        json.object { json in
            if format == .geojson {
                json.key("type")
                json.string("FeatureCollection")
            }
            json.key(format == .json ? "items" : "features")
            json.array { json in
                for landmark in found.landmarks {
                    if format == .json { landmark.write(to: &json) } else { landmark.writeFeature(to: &json) }
                }
            }
            json.key("next")
            json.optionalString(next)
            landmarks.writeAttributions(of: Set(found.landmarks.map(\.datasetId)), to: &json)
        }
        var response = Response.publicContent(
            format == .json ? "application/json; charset=utf-8" : "application/geo+json", json.bytes)
        if format == .geojson, let link = PinRoutes.nextLink(request, next) {
            response.headers.append(Header("Link", "<\(link)>; rel=\"next\""))
        }
        return response
    }

    /// `GET /v1/landmarks/{id}`: one, with its geometry.
    static func show(_ request: Request, _ app: App, _ read: ReadTransaction) throws -> Response {
        var fields = try QueryFields(request)
        let format =
            fields.optional("f", .choice(PinRoutes.Format.self))
            ?? PinRoutes.Format(accept: request.header("Accept"))
        try fields.finish()
        let landmarks = try CurrentLandmarks(in: read)
        guard let landmark = try landmarks.landmark(request.identifier("landmarkId")) else { throw HTTPError.notFound }
        var json = JSONWriter(capacity: 2048)
        if format == .json {
            landmark.write(to: &json)
            return .publicContent("application/json; charset=utf-8", json.bytes)
        }
        landmark.writeFeature(to: &json) { landmarks.writeAttributions(of: [landmark.datasetId], to: &$0) }
        return .publicContent("application/geo+json", json.bytes)
    }
}

/// Datasets, for everybody.
enum DatasetRoutes {
    /// `GET /v1/datasets`: all, by name.
    static func list(_ request: Request, _ app: App, _ read: ReadTransaction) throws -> Response {
        var fields = try QueryFields(request)
        let page = Page(&fields)
        try fields.finish()
        let list = "datasets"
        var after = ""
        if let cursor = page.cursor {
            after = String(decoding: try app.cursors.open(cursor, for: list), as: UTF8.self)
        }
        let rest = try LandmarkDataset.all(in: read).filter { after.isEmpty || $0.name.utf8.isAfter(after.utf8) }
        let shown = rest.prefix(page.limit)
        var json = JSONWriter(capacity: 512 * (shown.count + 1))
        json.object { json in
            json.key("items")
            json.array { json in
                for dataset in shown { dataset.write(to: &json) }
            }
            json.key("next")
            let last = rest.count > shown.count ? shown.last : nil
            json.optionalString(last.map { app.cursors.seal(Array($0.name.utf8), for: list) })
        }
        return .publicContent("application/json; charset=utf-8", json.bytes)
    }

    /// `GET /v1/datasets/{id}`: one, by its id or name.
    static func show(_ request: Request, _ app: App, _ read: ReadTransaction) throws -> Response {
        try request.refuseQuery()
        guard let dataset = try LandmarkDataset.find(request.parameter("datasetId") ?? "", in: read) else {
            throw HTTPError.notFound
        }
        var json = JSONWriter(capacity: 1024)
        dataset.write(to: &json)
        return .publicContent("application/json; charset=utf-8", json.bytes)
    }
}

extension CurrentLandmarks {
    /// Bytes of text after which a page ends, however few landmarks it has: a client that reads slowly holds its answer in
    /// memory.
    private static var pageRoom: Int { 1 << 20 }

    /// A page of a list, and the rank of its last landmark if more follow.
    func page(
        _ query: LandmarkQuery, after: LandmarkRank?, limit: Int, hasGeometry: Bool, _ names: LandmarkNames?
    ) throws -> (landmarks: [PublishedLandmark], next: LandmarkRank?) {
        let found = try list(query, after: after, limit: limit + 1, names)
        var landmarks: [PublishedLandmark] = []
        var room = Self.pageRoom
        for var item in found.prefix(limit).map(\.landmark) {
            guard room > 0 else { break }
            if hasGeometry { item.geometry = try geometry(of: item.number) }
            room -= item.textBytes
            landmarks.append(item)
        }
        let isLast = found.count == landmarks.count
        return (landmarks, isLast || landmarks.isEmpty ? nil : found[landmarks.count - 1].rank)
    }

    /// The member `attributions`: what is to be shown with landmarks of some datasets.
    func writeAttributions(of shown: Set<Identifier<Dataset>>, to json: inout JSONWriter) {
        json.key("attributions")
        json.array { json in
            for dataset in datasets where shown.contains(dataset.id) { dataset.writeAttribution(to: &json) }
        }
    }
}

extension Response {
    /// What everybody may read: caches ask each time whether it still is so, as a dataset that is deleted, mostly for its
    /// licence, is to be seen no more.
    static let publicHeaders = [Header("Cache-Control", "public, no-cache"), Header("Vary", "Accept")]

    static func publicContent(_ mediaType: String, _ body: [UInt8]) -> Response {
        var response = Response.content(mediaType, body)
        response.headers += publicHeaders
        return response.with("ETag", etag(of: body))
    }
}

extension String.UTF8View {
    /// As SQLite sorts texts: byte by byte.
    fileprivate func isAfter(_ other: String.UTF8View) -> Bool { other.lexicographicallyPrecedes(self) }
}
