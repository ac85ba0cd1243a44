/// A tile of the Web Mercator pyramid: zoom z has 2^z columns x from west to east and 2^z rows y from north to south
/// (OGC 17-083r4, WebMercatorQuad; `MercatorGrid` has the formulas).
public struct TileCoordinate: Sendable, Hashable {
    /// The zooms there are.
    public static let zooms = 0...22

    public let zoom: Int
    public let x: Int
    public let y: Int

    /// Nil outside the pyramid.
    public init?(zoom: Int, x: Int, y: Int) {
        guard Self.zooms.contains(zoom), x >= 0, y >= 0, x < 1 << zoom, y < 1 << zoom else { return nil }
        self.zoom = zoom
        self.x = x
        self.y = y
    }

    /// The tile that holds a coordinate at a zoom of 0 to 22; nil for other zooms and beyond latitude ±85.0511287.
    public init?(holding coordinate: Coordinate, zoom: Int) {
        guard Self.zooms.contains(zoom), MercatorGrid.contains(coordinate) else { return nil }
        let grid = MercatorGrid(level: zoom)
        self.zoom = zoom
        x = grid.column(longitudeE7: coordinate.longitudeE7)
        y = grid.row(latitudeE7: coordinate.latitudeE7)
    }

    /// The tiles of this zoom.
    public var grid: MercatorGrid { MercatorGrid(level: zoom) }

    /// True for each coordinate of exactly one tile of a zoom, if it is not beyond latitude ±85.0511287.
    public func contains(_ coordinate: Coordinate) -> Bool {
        MercatorGrid.contains(coordinate) && grid.column(longitudeE7: coordinate.longitudeE7) == x
            && grid.row(latitudeE7: coordinate.latitudeE7) == y
    }

    /// The box of the coordinates that the tile contains: it ends one unit before the next tile begins.
    public var boundingBox: BoundingBox {
        let longitudes = grid.longitudesE7(ofColumn: x)
        let latitudes = grid.latitudesE7(ofRow: y)
        return BoundingBox(
            west: longitudes.lowerBound, south: latitudes.lowerBound, east: longitudes.upperBound - 1,
            north: latitudes.upperBound - 1)
    }

    /// Where a coordinate of this tile lies in it, in units of its side over `extent`, a power of two: from its
    /// north-west corner, 0 ..< extent.
    public func position(of coordinate: Coordinate, extent: Int) -> (x: Int, y: Int) {
        let finest = MercatorGrid(level: MercatorGrid.greatestLevel)
        let shift = MercatorGrid.greatestLevel - zoom
        let column = finest.column(longitudeE7: coordinate.longitudeE7) - x << shift
        let row = finest.row(latitudeE7: coordinate.latitudeE7) - y << shift
        return ((column * extent) >> shift, (row * extent) >> shift)
    }
}

extension TileCoordinate: CustomStringConvertible {
    /// `z/x/y`, as in the paths of tiles.
    public var description: String { "\(zoom)/\(x)/\(y)" }
}
