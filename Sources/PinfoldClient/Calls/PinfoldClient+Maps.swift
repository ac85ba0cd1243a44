import Foundation
import Geo
import SocialModel

extension PinfoldClient {
    /// The visible pins of a tile as a Mapbox Vector Tile 2.1 with the layer `pins`; empty if there are none.
    public func pinTile(_ tile: TileCoordinate, _ filter: PinFilter = PinFilter()) async throws -> Tagged<Data> {
        let reply = try await send(Call(.get, "/v1/tiles/pins/\(tile).mvt").filtered(filter))
        return Tagged(reply.body, tag: reply.header("ETag"))
    }

    /// As `pinTile(_:_:)`; nil if it still has this tag.
    public func pinTile(
        _ tile: TileCoordinate, _ filter: PinFilter = PinFilter(), changedFrom tag: String?
    ) async throws -> Tagged<Data>? {
        let reply = try await send(Call(.get, "/v1/tiles/pins/\(tile).mvt").filtered(filter).ifNoneMatch(tag))
        return reply.status == 304 ? nil : Tagged(reply.body, tag: reply.header("ETag"))
    }

    /// What a map shows of a box at a zoom of 0–22: clusters, and pins that stand alone.
    public func pinClusters(
        in box: BoundingBox, zoom: Int, _ filter: PinFilter = PinFilter()
    ) async throws -> Tagged<PinClusters> {
        try await tagged(
            Call(.get, "/v1/pins/clusters").query("bbox", box.description).query("zoom", String(zoom))
                .filtered(filter))
    }
}
