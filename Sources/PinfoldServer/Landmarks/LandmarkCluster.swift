import Geo
import SocialModel

/// What the landmarks of one cell of a map come to; the cells are those of `PinCluster`.
struct LandmarkCluster {
    private var sum = PointSum()
    /// The number of the row, if it is the only one.
    private(set) var number: Int64 = 0
    /// How many there are of each category, by code.
    private var categories = SIMD32<Int32>()

    var count: Int64 { sum.count }

    mutating func add(_ landmark: LandmarkEntry, at coordinate: Coordinate) {
        sum.add(coordinate)
        number = landmark.number
        categories[Int(landmark.category) & 31] += 1
    }

    /// See `PinCluster`.
    var coordinate: Coordinate { sum.coordinate }
    func expansionZoom(at zoom: Int) -> Int { sum.expansionZoom(at: zoom) }

    /// That of most landmarks; of several, the first as `Landmark.Category` lists them.
    var category: Landmark.Category {
        var most = 0
        for code in 1..<categories.scalarCount where categories[code] > categories[most] { most = code }
        return Landmark.Category(code: Int64(most))
    }
}
