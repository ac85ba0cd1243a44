import Foundation

/// The square of Web Mercator cut into 2^`level` columns from west to east and as many rows from north to south: level
/// z is the tiles of zoom z, and each cell is four of the next level.
///
/// The square is EPSG:3857's, which the OGC's Two Dimensional Tile Matrix Set standard (17-083r4) cuts up as
/// WebMercatorQuad: with longitude λ and latitude φ in radians, from its north-west corner and in units of its side,
///
///     x = (1 + λ / π) / 2
///     y = (1 - asinh(tan φ) / π) / 2
///
/// (EPSG method 1024, Popular Visualisation Pseudo Mercator). It reaches to latitude ±atan(sinh π).
///
/// Every cell is half-open: what lies on a border belongs to the cell east or south of it, and to no other. A coordinate
/// has whole units of the square at level 31, whose leading bits are its column and row at each other level, so levels
/// nest exactly.
public struct MercatorGrid: Sendable, Hashable {
    /// The finest level: 1.9 cm at the equator.
    public static let greatestLevel = 31

    /// The greatest latitude within the square, in units of 1e-7 degree; the least is its negative.
    public static let latitudeLimitE7: Int32 = 850_511_287

    /// 0 for one cell that is the square.
    public let level: Int

    /// - Parameter level: 0 to 31.
    public init(level: Int) {
        precondition((0...Self.greatestLevel).contains(level), "there is no level \(level)")
        self.level = level
    }

    /// True unless the coordinate is north or south of the square.
    public static func contains(_ coordinate: Coordinate) -> Bool {
        abs(coordinate.latitudeE7) <= latitudeLimitE7
    }

    /// How many columns there are, and how many rows.
    public var side: Int { 1 << level }

    /// The column of a longitude, -1,800,000,000 ..< 1,800,000,000 units of 1e-7 degree.
    public func column(longitudeE7: Int32) -> Int {
        Int(((Int64(longitudeE7) + Self.halfTurn) << Int64(level)) / (2 * Self.halfTurn))
    }

    /// The row of a latitude in units of 1e-7 degree; the outermost row for one beyond the square.
    public func row(latitudeE7: Int32) -> Int { Self.finestRow(latitudeE7) >> (Self.greatestLevel - level) }

    /// The cell of a coordinate at level 31 as one number: the bits of its column and row by turns, from the greatest on
    /// (G. M. Morton, 1966). Sorted by it, the coordinates of a cell follow one another at every level. One beyond the
    /// square is in the outermost row.
    public static func quadkey(of coordinate: Coordinate) -> UInt64 {
        let column = MercatorGrid(level: greatestLevel).column(longitudeE7: coordinate.longitudeE7)
        return spread(UInt64(finestRow(coordinate.latitudeE7))) << 1 | spread(UInt64(column))
    }

    /// The bits of a quadkey that coordinates of one cell of this level have in common, and no others.
    public func prefix(of quadkey: UInt64) -> UInt64 { quadkey >> UInt64(2 * (Self.greatestLevel - level)) }

    /// The column and row of the cell of this level that a quadkey lies in.
    public func cell(of quadkey: UInt64) -> (column: Int, row: Int) {
        let prefix = prefix(of: quadkey)
        return (Int(Self.gathered(prefix)), Int(Self.gathered(prefix >> 1)))
    }

    /// The longitudes of a column, in units of 1e-7 degree.
    public func longitudesE7(ofColumn column: Int) -> Range<Int32> {
        west(ofColumn: column)..<west(ofColumn: column + 1)
    }

    /// The latitudes of a row, in units of 1e-7 degree: from its southernmost to one above its northernmost, within the
    /// square.
    public func latitudesE7(ofRow row: Int) -> Range<Int32> { top(ofRow: row + 1)..<top(ofRow: row) }

    /// The least longitude of a column, which may be `side`, behind the last one: then 1,800,000,000.
    public func west(ofColumn column: Int) -> Int32 {
        // The least whole number that `column(longitudeE7:)` maps to it or behind it.
        let turned = Int64(column) * (2 * Self.halfTurn) + (Int64(side) - 1)
        return Int32((turned >> Int64(level)) - Self.halfTurn)
    }

    /// One above the greatest latitude of a row, which may be `side`, below the last one: then the least latitude of the
    /// square.
    public func top(ofRow row: Int) -> Int32 {
        let border = row << (Self.greatestLevel - level)
        if border <= 0 { return Self.latitudeLimitE7 + 1 }
        if border > Self.finestRow(-Self.latitudeLimitE7) { return -Self.latitudeLimitE7 }
        // The inverse of the formula finds the place to a unit or two, the formula itself has the last word.
        let y = Double(border) / Self.finestSide
        let found = atan(sinh(.pi * (1 - 2 * y))) * 180 / .pi * Coordinate.unitsPerDegree
        var latitude = max(-Self.latitudeLimitE7, min(Self.latitudeLimitE7, Int32(found.rounded())))
        while latitude > -Self.latitudeLimitE7, Self.finestRow(latitude) < border { latitude -= 1 }
        while latitude <= Self.latitudeLimitE7, Self.finestRow(latitude) >= border { latitude += 1 }
        return latitude
    }

    /// The smallest box of whole cells that holds `box`. The outermost rows go on to the poles.
    public func box(covering box: BoundingBox) -> BoundingBox {
        let first = column(longitudeE7: box.west)
        // Beyond the last column they are counted on, round the Earth. A box that ends at 180 holds the meridian -180.
        let last =
            box.east == Int32(Self.halfTurn)
            ? side : column(longitudeE7: box.east) + (box.crossesAntimeridian ? side : 0)
        let goesRound = last - first + 1 >= side
        let south = row(latitudeE7: box.south)
        let north = row(latitudeE7: box.north)
        return BoundingBox(
            west: goesRound ? BoundingBox.world.west : west(ofColumn: first),
            south: south == side - 1 ? BoundingBox.world.south : top(ofRow: south + 1),
            east: goesRound ? BoundingBox.world.east : west(ofColumn: last % side + 1) - 1,
            north: north == 0 ? BoundingBox.world.north : top(ofRow: north) - 1)
    }

    /// How many of the leading bits of their columns and rows at level 31 all coordinates between these have in common:
    /// the finest level at which they share a cell.
    public static func sharedLevel(longitudesE7: ClosedRange<Int32>, latitudesE7: ClosedRange<Int32>) -> Int {
        let finest = MercatorGrid(level: greatestLevel)
        let columns =
            finest.column(longitudeE7: longitudesE7.lowerBound) ^ finest.column(longitudeE7: longitudesE7.upperBound)
        let rows = finestRow(latitudesE7.lowerBound) ^ finestRow(latitudesE7.upperBound)
        return greatestLevel - (Int.bitWidth - (columns | rows).leadingZeroBitCount)
    }

    /// Puts a 0 before each of 32 bits.
    private static func spread(_ bits: UInt64) -> UInt64 {
        var bits = bits
        bits = (bits | bits << 16) & 0x0000_FFFF_0000_FFFF
        bits = (bits | bits << 8) & 0x00FF_00FF_00FF_00FF
        bits = (bits | bits << 4) & 0x0F0F_0F0F_0F0F_0F0F
        bits = (bits | bits << 2) & 0x3333_3333_3333_3333
        return (bits | bits << 1) & 0x5555_5555_5555_5555
    }

    /// Every other bit, the least first: undoes `spread`.
    private static func gathered(_ spread: UInt64) -> UInt64 {
        var bits = spread & 0x5555_5555_5555_5555
        bits = (bits | bits >> 1) & 0x3333_3333_3333_3333
        bits = (bits | bits >> 2) & 0x0F0F_0F0F_0F0F_0F0F
        bits = (bits | bits >> 4) & 0x00FF_00FF_00FF_00FF
        bits = (bits | bits >> 8) & 0x0000_FFFF_0000_FFFF
        return (bits | bits >> 16) & 0x0000_0000_FFFF_FFFF
    }

    private static let halfTurn: Int64 = 1_800_000_000
    private static let finestSide = Double(1 << greatestLevel)

    /// A step of 1e-7 degree is at least 0.59 of these rows, far above the rounding of the formula, so the rows go down
    /// as latitudes go up.
    private static func finestRow(_ latitudeE7: Int32) -> Int {
        let within = max(-latitudeLimitE7, min(latitudeLimitE7, latitudeE7))
        let latitude = Double(within) / Coordinate.unitsPerDegree * .pi / 180
        return Int((1 - asinh(tan(latitude)) / .pi) / 2 * finestSide)
    }
}
