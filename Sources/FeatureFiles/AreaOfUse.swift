import CProj

/// The part of the Earth that a reference system is made for, in degrees. Its west is greater than its east if it crosses
/// the antimeridian.
package struct AreaOfUse: Sendable, Equatable {
    package var west: Double
    package var south: Double
    package var east: Double
    package var north: Double
    /// In the words of the system's authority; empty if there are none.
    package var name: String

    static let world = AreaOfUse(west: -180, south: -90, east: 180, north: 90, name: "the world")

    /// Whether a position is inside, or within `margin` degrees.
    package func contains(longitude: Double, latitude: Double, margin: Double = 0) -> Bool {
        guard latitude >= south - margin, latitude <= north + margin else { return false }
        var width = east - west
        if width < 0 { width += 360 }
        guard width + 2 * margin < 360 else { return abs(longitude) <= 180 }
        var from = (longitude - (west - margin)).truncatingRemainder(dividingBy: 360)
        if from < 0 { from += 360 }
        return from <= width + 2 * margin
    }
}

extension AreaOfUse {
    /// What PROJ knows of a system; nil if that is nothing.
    init?(of system: OpaquePointer, _ context: OpaquePointer) {
        var (west, south, east, north) = (0.0, 0.0, 0.0, 0.0)
        var words: UnsafePointer<CChar>?
        guard proj_get_area_of_use(context, system, &west, &south, &east, &north, &words) != 0,
            abs(west) <= 180, abs(east) <= 180, abs(south) <= 90, abs(north) <= 90, south <= north
        else { return nil }
        self.init(
            west: west, south: south, east: east, north: north, name: words.map { String(cString: $0) } ?? "")
    }
}
