import Geo
import SocialModel

/// What the pins of one cell of a map come to.
///
/// The cells of a zoom are the quarters of the quarters of the quarters of its tiles, eight by eight in each. So a
/// cluster is the same whichever tile or box is asked for, and those of a zoom are parts of those of the one before.
struct PinCluster {
    /// From this zoom on maps show each pin by itself.
    static let pinZoom = 14

    /// How many cells lie side by side in a tile.
    static let cellsPerTile = 8

    /// The cells of a zoom.
    static func grid(zoom: Int) -> MercatorGrid { MercatorGrid(level: zoom + 3) }

    private(set) var count: Int64 = 0
    /// The pin's, if it is the only one.
    private(set) var id: Int64 = 0
    private var latitudeSum: Int64 = 0
    private var longitudeSum: Int64 = 0
    private var south = Int32.max
    private var north = Int32.min
    private var west = Int32.max
    private var east = Int32.min
    private var ratingSum: Int64 = 0
    private var ratedCount: Int64 = 0
    /// How many there are of each category, by code.
    private var categories = SIMD8<Int32>()

    mutating func add(_ pin: PinEntry) {
        let (latitude, longitude) = (pin.coordinate.latitudeE7, pin.coordinate.longitudeE7)
        count += 1
        id = pin.id
        latitudeSum += Int64(latitude)
        longitudeSum += Int64(longitude)
        south = min(south, latitude)
        north = max(north, latitude)
        west = min(west, longitude)
        east = max(east, longitude)
        ratingSum += pin.rating
        if pin.rating > 0 { ratedCount += 1 }
        categories[Int(pin.category) & 7] += 1
    }

    /// The mean of the pins' latitudes and longitudes, which lies in their cell. Not for a cluster of none.
    var coordinate: Coordinate {
        Coordinate(latitudeE7: mean(latitudeSum), longitudeE7: mean(longitudeSum))
    }

    /// Rounded to the nearest unit.
    private func mean(_ sum: Int64) -> Int32 {
        let (quotient, remainder) = (2 * sum + count).quotientAndRemainder(dividingBy: 2 * count)
        return Int32(remainder < 0 ? quotient - 1 : quotient)
    }

    /// The mean of the ratings there are; nil if there are none.
    var meanRating: Double? { ratedCount > 0 ? Double(ratingSum) / Double(ratedCount) : nil }

    /// That of most pins; of several, the first as `Pin.Category` lists them.
    var category: Pin.Category {
        var most = 0
        for code in 1..<categories.scalarCount where categories[code] > categories[most] { most = code }
        return Pin.Category(code: Int64(most))
    }

    /// The least zoom above `zoom`, which is this cluster's, at which its pins lie in several cells. It is at most the
    /// one that shows them one by one; from there on, at most the greatest zoom.
    func expansionZoom(at zoom: Int) -> Int {
        let shared = MercatorGrid.sharedLevel(longitudesE7: west...east, latitudesE7: south...north)
        let last = zoom < Self.pinZoom ? Self.pinZoom : TileCoordinate.zooms.upperBound
        // They part at the level below the last one they share, and levels are three ahead of zooms.
        return min(last, shared + 1 - 3)
    }
}
