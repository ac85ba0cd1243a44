import Geo
import SocialModel

extension VisiblePins {
    /// The visible pins of a tile as its layer `pins`, of `query` but for its area.
    ///
    /// Below zoom 14 the pins of a cell are one feature with `point_count`, `expansion_zoom`, `mean_rating` (absent if
    /// none is rated) and `category`; a pin that is alone in its cell is a feature with its id and `id` (as text: it is
    /// greater than what a double holds), `name`, `category`, `rating` (absent if there is none) and `owner_id`. From
    /// zoom 14 on each pin is a feature, unless there are more than `tilePins`: then they are clustered as below.
    ///
    /// Clusters come first, from north-west to south-east; then pins by id.
    func tile(_ tile: TileCoordinate, _ query: PinQuery) throws -> VectorTile {
        var query = query
        query.area = .box(tile.boundingBox)
        var cells = TileCells(of: tile, PinCluster())
        var ids: [Int64] = []
        let showsPins = tile.zoom >= PinCluster.pinZoom
        try forEachEntry(query) { pin in
            cells.add(at: pin.coordinate) { $0.add(pin) }
            if showsPins, ids.count <= tilePins { ids.append(pin.id) }
        }
        let isClustered = !showsPins || ids.count > tilePins
        if isClustered { ids = cells.clusters.filter { $0.count == 1 }.map(\.id) }

        var vectorTile = VectorTile()
        try vectorTile.layer("pins") { layer in
            for cluster in cells.clusters where isClustered && cluster.count > 1 { layer.add(cluster, in: tile) }
            // A few at a time: a pin is read with its long texts.
            for chunk in chunks(of: ids.sorted()) {
                let pins = try pins(chunk)
                for pin in chunk.compactMap({ pins[$0] }) { layer.add(pin, in: tile) }
            }
        }
        return vectorTile
    }
}

/// The most features of a tile.
let tilePins = 10_000

extension VectorTile.Layer {
    fileprivate mutating func add(_ cluster: PinCluster, in tile: TileCoordinate) {
        let position = tile.position(of: cluster.coordinate, extent: VectorTile.extent)
        point(
            x: position.x, y: position.y,
            [
                "point_count": .unsigned(UInt64(cluster.count)),
                "expansion_zoom": .unsigned(UInt64(cluster.expansionZoom(at: tile.zoom))),
                "mean_rating": cluster.meanRating.map { .double($0) },
                "category": .string(cluster.category.rawValue),
            ])
    }

    fileprivate mutating func add(_ pin: Pin, in tile: TileCoordinate) {
        let position = tile.position(of: pin.coordinate, extent: VectorTile.extent)
        point(
            x: position.x, y: position.y, id: UInt64(pin.id.rawValue),
            [
                "id": .string(pin.id.description), "name": .string(pin.name),
                "category": .string(pin.category.rawValue), "rating": pin.rating.map { .unsigned(UInt64($0)) },
                "owner_id": .string(pin.ownerId.description),
            ])
    }
}
