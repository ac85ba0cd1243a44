import Geo

/// The clusters of a tile's cells while what it shows comes in; the cells are those of `PinCluster`.
struct TileCells<Cluster> {
    /// Row by row; those of nothing too.
    private(set) var clusters: [Cluster]
    private let grid: MercatorGrid
    private let firstColumn: Int
    /// Where each row but the first begins: with these nothing need be projected.
    private let tops: [Int32]

    /// - Parameter none: a cluster of nothing.
    init(of tile: TileCoordinate, _ none: Cluster) {
        let side = PinCluster.cellsPerTile
        clusters = [Cluster](repeating: none, count: side * side)
        let grid = PinCluster.grid(zoom: tile.zoom)
        self.grid = grid
        firstColumn = tile.x * side
        tops = (1..<side).map { grid.top(ofRow: tile.y * side + $0) }
    }

    /// Hands out the cluster of a position of the tile, to be added to.
    @inline(__always)
    mutating func add(at coordinate: Coordinate, _ add: (inout Cluster) -> Void) {
        var row = 0
        for top in tops where coordinate.latitudeE7 < top { row += 1 }
        let column = grid.column(longitudeE7: coordinate.longitudeE7) - firstColumn
        add(&clusters[row * PinCluster.cellsPerTile + column])
    }
}
