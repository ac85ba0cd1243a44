import Geo
import HTTP
import SocialModel
import Storage

/// Pins as maps draw them: vector tiles, and the same clusters as JSON.
enum PinMapRoutes {
    /// `GET /v1/tiles/pins/{z}/{x}/{y}.mvt`: the layer `pins` of a tile; 204 where there is none.
    static func tile(_ request: Request, _ app: App, _ read: ReadTransaction) throws -> Response {
        let viewer = try app.viewer(of: request, in: read)
        var fields = try QueryFields(request)
        let tile = request.tile(&fields)
        let query = PinQuery(filters: &fields)
        try fields.finish()
        // `finish` has thrown unless there is one.
        guard let tile else { throw HTTPError.notFound }

        let bytes = try VisiblePins(of: viewer, in: read, app.planner).tile(tile, query).bytes
        guard !bytes.isEmpty else { return Response(status: 204, headers: Response.privateHeaders) }
        var response = Response.content(VectorTile.mediaType, bytes)
        response.headers += Response.privateHeaders
        return response.with("ETag", Response.etag(of: bytes))
    }

    /// `GET /v1/pins/clusters?bbox=&zoom=`: what a map of the box shows at the zoom.
    static func clusters(_ request: Request, _ app: App, _ read: ReadTransaction) throws -> Response {
        let viewer = try app.viewer(of: request, in: read)
        var fields = try QueryFields(request)
        let box = fields.required("bbox", .boundingBox)
        let zoom = fields.required("zoom", .integer(TileCoordinate.zooms))
        let query = PinQuery(filters: &fields)
        try fields.finish()
        // `finish` has thrown unless both are there.
        guard let box, let zoom else { throw HTTPError.badRequest("bbox", "is required") }

        return .json(try VisiblePins(of: viewer, in: read, app.planner).clusters(in: box, zoom: zoom, query))
    }
}
