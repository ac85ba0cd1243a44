import Geo
import HTTP

/// The map beneath the pins: its tiles, what they are, and how they are drawn.
enum BasemapRoutes {
    /// `GET /tiles/{z}/{x}/{y}.mvt`: a vector tile; 204 where the map has none.
    static func vectorTile(_ request: Request, _ app: App) throws -> Response {
        let (file, tile) = try tile(request, app)
        guard case .vector = file.content else { throw HTTPError.notFound }
        guard let bytes = try file.bytes(of: tile), !bytes.isEmpty else { return noTile }
        var response = Response.content(VectorTile.mediaType, bytes)
        response.headers += kept + [Header("ETag", Response.etag(of: bytes)), Header("Vary", "Accept-Encoding")]
        guard Gunzip.isGzip(bytes) else { return response }
        if request.takesGzip { return response.with("Content-Encoding", "gzip") }
        guard let plain = Gunzip.inflate(bytes, limit: inflatedLimit) else { throw DamagedTile(tile: tile) }
        response.body = plain
        response.headers.removeAll { $0.name == "ETag" }
        return response.with("ETag", Response.etag(of: plain))
    }

    /// `GET /tiles/{z}/{x}/{y}`: an image; 204 where the map has none.
    static func imageTile(_ request: Request, _ app: App) throws -> Response {
        let (file, tile) = try tile(request, app)
        guard case .image(let mediaType) = file.content else { throw HTTPError.notFound }
        guard let bytes = try file.bytes(of: tile), !bytes.isEmpty else { return noTile }
        var response = Response.content(mediaType, bytes)
        response.headers += kept
        return response.with("ETag", Response.etag(of: bytes))
    }

    /// `GET /tiles.json`: the map as TileJSON.
    static func description(_ request: Request, _ app: App) throws -> Response {
        try request.refuseQuery()
        switch app.basemap?.source {
        case nil: throw HTTPError.notFound
        case .file(let file): return checked(file.tileJSON)
        case .address(let address) where address.kind == .description:
            return Response(
                status: 307, headers: [Header("Location", address.text), Header("Cache-Control", "no-cache")])
        case .address(let address):
            var json = JSONWriter()
            json.object { json in
                json.key("tilejson")
                json.string("3.0.0")
                json.key("tiles")
                json.array { $0.string(address.text) }
                if address.kind == .vector {
                    json.key("vector_layers")
                    json.array { _ in }
                }
            }
            return checked(json.bytes)
        }
    }

    /// `GET /style.json[?theme=][&lang=]`: how MapLibre draws it.
    static func style(_ request: Request, _ app: App) throws -> Response {
        var query = try QueryFields(request)
        let theme = query.optional("theme", .choice(BasemapTheme.self))
        let language = query.optional("lang", .language)
        try query.finish()
        let style = checked(BasemapStyle(theme: theme ?? .light, language: language).json(of: app.basemap))
            .with("Vary", "Accept-Encoding")
        guard request.takesGzip, let tag = style.header("ETag"), let gzip = Gzip.compress(style.body, level: 6) else {
            return style
        }
        var response = style
        response.body = gzip
        response.headers.removeAll { $0.name == "ETag" }
        return response.with("ETag", "\(tag.dropLast())-gzip\"").with("Content-Encoding", "gzip")
    }

    /// The file and the tile that a request is about.
    ///
    /// - Throws: `HTTPError` 400 for numbers that are none of a tile, 404 where this server has no such tiles.
    private static func tile(_ request: Request, _ app: App) throws -> (TileFile, TileCoordinate) {
        var fields = try QueryFields(request)
        let tile = request.tile(&fields)
        _ = fields.optional("v", .text(0...100, blank: true))
        try fields.finish()
        guard let tile, case .file(let file)? = app.basemap?.source, file.metadata.zooms.contains(tile.zoom) else {
            throw HTTPError.notFound
        }
        return (file, tile)
    }

    /// A tile of the map that cannot be unpacked.
    private struct DamagedTile: Error, CustomStringConvertible {
        let tile: TileCoordinate

        var description: String { "the tile \(tile) of the basemap is damaged" }
    }

    /// The most bytes of a tile that is inflated for a client.
    private static let inflatedLimit = 16 << 20

    private static let kept = [Header("Cache-Control", "public, max-age=86400")]
    private static let noTile = Response(status: 204, headers: kept)

    private static func checked(_ json: [UInt8]) -> Response {
        .content("application/json; charset=utf-8", json)
            .with("ETag", Response.etag(of: json)).with("Cache-Control", "no-cache")
    }
}
