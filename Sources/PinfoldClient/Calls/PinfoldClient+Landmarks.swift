import Foundation
import Geo
import SocialModel

extension PinfoldClient {
    /// The datasets of landmarks, by name. Needs no sign-in.
    public func datasets(pageSize: Int? = nil) -> Pages<PublicDataset> {
        pages(Call(.get, "/v1/datasets", access: .everyone), limit: pageSize)
    }

    /// A dataset by its name. Needs no sign-in.
    public func dataset(_ name: String) async throws -> Tagged<PublicDataset> {
        try await tagged(Call(.get, "/v1/datasets/\(name)", access: .everyone))
    }

    /// Landmarks: those of an area, or the nearest first. Needs no sign-in.
    ///
    /// - Parameters:
    ///   - box: only what is in it, or reaches into it.
    ///   - point: the nearest to it first; goes without a box.
    ///   - datasets: the names of those wanted; empty for all.
    ///   - words: in the name or another text.
    public func landmarks(
        in box: BoundingBox? = nil, near point: Coordinate? = nil, datasets: [String] = [],
        categories: [Landmark.Category] = [], words: String? = nil, pageSize: Int? = nil
    ) -> Pages<PublicLandmark> {
        var call = Call(.get, "/v1/landmarks", access: .everyone).query("bbox", box?.description)
            .query("near", point?.description).query("q", words)
        for dataset in datasets { call = call.query("dataset", dataset) }
        for category in categories { call = call.query("category", category.rawValue) }
        return pages(call, limit: pageSize)
    }

    /// A landmark. Needs no sign-in.
    public func landmark(_ id: Identifier<Landmark>) async throws -> Tagged<PublicLandmark> {
        try await tagged(Call(.get, "/v1/landmarks/\(id)", access: .everyone))
    }

    /// The landmarks of a tile as a Mapbox Vector Tile 2.1 with the layers `landmarks` and `landmark_shapes`; empty if
    /// there are none. Needs no sign-in.
    public func landmarkTile(_ tile: TileCoordinate) async throws -> Tagged<Data> {
        let reply = try await send(Call(.get, "/v1/tiles/landmarks/\(tile).mvt", access: .everyone))
        return Tagged(reply.body, tag: reply.header("ETag"))
    }
}
