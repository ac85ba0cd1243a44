import Geo
import HTTP
import Storage

/// Landmarks as maps draw them.
enum LandmarkMapRoutes {
    /// The last zoom that maps should ask for; they draw its tiles larger beyond it.
    private static let lastZoom = 18
    /// Tiles up to this zoom are kept: there are few, and each takes long.
    private static let lastKeptZoom = 9

    /// `GET /v1/tiles/landmarks/{z}/{x}/{y}.mvt`: the layers `landmarks` and `landmark_shapes` of a tile; 204 where there is
    /// neither.
    static func tile(_ request: Request, _ app: App, _ read: ReadTransaction) throws -> Response {
        let landmarks = try CurrentLandmarks(in: read)
        var fields = try QueryFields(request)
        let tile = request.tile(&fields)
        let query = LandmarkQuery(filters: &fields, landmarks.datasets)
        let version = fields.optional("v", .text(0...100, blank: true))
        try fields.finish()
        // `finish` has thrown unless there is one.
        guard let tile else { throw HTTPError.notFound }

        let signature = LandmarkDataset.signature(of: landmarks.datasets)
        // A tile of the version that it is asked for by stays as it is; `landmarks.json` names no other than the current.
        let age = version == Self.version(of: signature) ? "max-age=86400" : "no-cache"
        let headers = [Header("Cache-Control", "public, \(age)")]
        let key = "\(tile) \(query.description)"
        let isKept = tile.zoom <= lastKeptZoom
        var bytes = isKept ? app.landmarkTiles.tile(key, of: signature) : nil
        if bytes == nil {
            bytes = try landmarks.tile(tile, query, app.landmarkNames).bytes
            if isKept { app.landmarkTiles.keep(bytes ?? [], key, of: signature) }
        }
        guard let bytes, !bytes.isEmpty else { return Response(status: 204, headers: headers) }
        var response = Response.content(VectorTile.mediaType, bytes)
        response.headers += headers
        return response.with("ETag", Response.etag(of: bytes))
    }

    /// `GET /v1/tiles/landmarks.json`: what the tiles are, as TileJSON 3.0. Filters go into the address of the tiles.
    static func description(_ request: Request, _ app: App, _ read: ReadTransaction) throws -> Response {
        let all = try LandmarkDataset.all(in: read)
        var fields = try QueryFields(request)
        let query = LandmarkQuery(filters: &fields, all)
        try fields.finish()
        let shown = all.filter { query.datasets?.contains($0.id.rawValue) ?? true }
        let filters = (request.queryText ?? "").split(separator: "&").map(String.init)
        let version = "v=\(version(of: LandmarkDataset.signature(of: all)))"
        var json = JSONWriter(capacity: 2048)
        json.object { json in
            json.key("tilejson")
            json.string("3.0.0")
            json.key("name")
            json.string("Landmarks")
            json.key("scheme")
            json.string("xyz")
            json.key("tiles")
            json.array {
                $0.string("/v1/tiles/landmarks/{z}/{x}/{y}.mvt?" + (filters + [version]).joined(separator: "&"))
            }
            json.key("minzoom")
            json.integer(0)
            json.key("maxzoom")
            json.integer(Int64(lastZoom))
            writeBounds(of: shown, to: &json)
            let credits = shown.compactMap(\.attribution).map { AttributionMarkup($0).html }
            if !credits.isEmpty {
                json.key("attribution")
                json.string(credits.joined(separator: " | "))
            }
            json.key("vector_layers")
            json.array { json in
                for layer in layers { layer.write(to: &json) }
            }
        }
        return .publicContent("application/json; charset=utf-8", json.bytes)
    }

    private static func writeBounds(of datasets: [LandmarkDataset], to json: inout JSONWriter) {
        let extents = datasets.compactMap(\.extent)
        guard let south = extents.map(\.south).min(), let north = extents.map(\.north).max(),
            let west = extents.map(\.west).min(), let east = extents.map(\.east).max()
        else { return }
        // No box of TileJSON crosses the antimeridian.
        let goesRound = extents.contains(where: \.crossesAntimeridian)
        json.key("bounds")
        json.array { json in
            json.e7(goesRound ? -1_800_000_000 : west)
            json.e7(south)
            json.e7(goesRound ? 1_800_000_000 : east)
            json.e7(north)
        }
    }

    private static let layers: [TileMetadata.Layer] = {
        let fields = [
            ("id", "The id of a landmark."), ("name", "Its name."), ("category", "Its category, or that of most."),
            ("dataset", "The name of its dataset."),
        ]
        let clusters = [
            ("point_count", "How many landmarks a cluster has."),
            ("expansion_zoom", "The least zoom at which it comes apart."),
        ]
        return [
            TileMetadata.Layer(
                id: "landmarks", description: "Landmarks, and clusters of them.",
                fields: (fields + clusters).map { ($0.0, $0.1) }, zooms: TileCoordinate.zooms.lowerBound...lastZoom),
            TileMetadata.Layer(
                id: "landmark_shapes", description: "Lines and areas.", fields: fields.map { ($0.0, $0.1) },
                zooms: TileCoordinate.zooms.lowerBound...lastZoom),
        ]
    }()

    private static func version(of signature: String) -> String {
        base64URL(blake2b(Array(signature.utf8), count: 9))
    }
}
