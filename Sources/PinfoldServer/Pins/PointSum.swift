import Geo

/// How many points there are, and where.
struct PointSum {
    private(set) var count: Int64 = 0
    private var latitudes: Int64 = 0
    private var longitudes: Int64 = 0
    private var south = Int32.max
    private var north = Int32.min
    private var west = Int32.max
    private var east = Int32.min

    mutating func add(_ coordinate: Coordinate) {
        let (latitude, longitude) = (coordinate.latitudeE7, coordinate.longitudeE7)
        count += 1
        latitudes += Int64(latitude)
        longitudes += Int64(longitude)
        south = min(south, latitude)
        north = max(north, latitude)
        west = min(west, longitude)
        east = max(east, longitude)
    }

    /// The mean of the latitudes and longitudes. Not of no points.
    var coordinate: Coordinate { Coordinate(latitudeE7: mean(latitudes), longitudeE7: mean(longitudes)) }

    /// Rounded to the nearest unit.
    private func mean(_ sum: Int64) -> Int32 {
        let (quotient, remainder) = (2 * sum + count).quotientAndRemainder(dividingBy: 2 * count)
        return Int32(remainder < 0 ? quotient - 1 : quotient)
    }

    /// Of the points of a cluster, the least zoom above `zoom`, which is the cluster's, at which they lie in several cells.
    /// It is at most the one that shows them one by one; from there on, at most the greatest zoom.
    func expansionZoom(at zoom: Int) -> Int {
        let shared = MercatorGrid.sharedLevel(longitudesE7: west...east, latitudesE7: south...north)
        let last = zoom < PinCluster.pinZoom ? PinCluster.pinZoom : TileCoordinate.zooms.upperBound
        // They part at the level below the last one they share, and levels are three ahead of zooms.
        return min(last, shared + 1 - 3)
    }
}
