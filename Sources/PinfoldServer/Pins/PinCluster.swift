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

    private var sum = PointSum()
    /// The pin's, if it is the only one.
    private(set) var id: Int64 = 0
    private var ratingSum: Int64 = 0
    private var ratedCount: Int64 = 0
    /// How many there are of each category, by code.
    private var categories = SIMD8<Int32>()

    mutating func add(_ pin: PinEntry) {
        sum.add(pin.coordinate)
        id = pin.id
        ratingSum += pin.rating
        if pin.rating > 0 { ratedCount += 1 }
        categories[Int(pin.category) & 7] += 1
    }

    var count: Int64 { sum.count }

    /// The mean of the pins' latitudes and longitudes, which lies in their cell. Not for a cluster of none.
    var coordinate: Coordinate { sum.coordinate }

    /// The mean of the ratings there are; nil if there are none.
    var meanRating: Double? { ratedCount > 0 ? Double(ratingSum) / Double(ratedCount) : nil }

    /// That of most pins; of several, the first as `Pin.Category` lists them.
    var category: Pin.Category {
        var most = 0
        for code in 1..<categories.scalarCount where categories[code] > categories[most] { most = code }
        return Pin.Category(code: Int64(most))
    }

    /// See `PointSum`.
    func expansionZoom(at zoom: Int) -> Int { sum.expansionZoom(at: zoom) }
}
