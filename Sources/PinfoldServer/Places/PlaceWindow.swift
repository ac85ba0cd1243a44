import Foundation
import Geo

/// Where the one who searches is or looks: what is there comes up.
struct PlaceBias: Sendable {
    var point: Coordinate?
    var box: BoundingBox?

    /// What the searcher's own place counts; half of it so far away.
    static let most = 4000.0
    private static let halfDistance = 30_000.0
    /// What a place in the box counts.
    private static let inBox = 2500

    /// What a position counts.
    func bonus(at coordinate: Coordinate) -> Int {
        var bonus = 0
        if let point {
            bonus = Int(Self.most / (1 + Geodesic.haversine(point, coordinate) / Self.halfDistance))
        }
        if let box, box.contains(coordinate) { bonus = max(bonus, Self.inBox) }
        return bonus
    }
}

/// The places that are near to the one who searches: they are read even if others count more.
struct PlaceWindow {
    private let index: PlaceIndex
    private let bias: PlaceBias
    private var places: [UInt64]

    /// Cells of a box that is worth going through.
    private static let cellLimit = 64

    /// Nil without a point or a box.
    init?(_ index: PlaceIndex, _ bias: PlaceBias) {
        guard bias.point != nil || bias.box != nil else { return nil }
        self.index = index
        self.bias = bias
        places = [UInt64](repeating: 0, count: index.count / 64 + 1)
        if let point = bias.point {
            let (row, column) = PlaceIndex.cell(point)
            for near in (row - 1)...(row + 1) {
                // As wide as three cells at the equator; all round at the poles.
                let latitude = (abs(Double(near) - 89.5) + 0.5) * .pi / 180
                let reach = min(180, Int((1 / max(0.005, cos(latitude))).rounded(.up)))
                add(row: near, columns: (column - reach)...(column + reach))
            }
        }
        if let box = bias.box {
            let (south, north) = (PlaceIndex.cell(row: box.south), PlaceIndex.cell(row: box.north))
            let west = PlaceIndex.cell(column: box.west)
            var east = PlaceIndex.cell(column: box.east)
            if box.crossesAntimeridian { east += PlaceIndex.cellColumns }
            if (north - south + 1) * (east - west + 1) <= Self.cellLimit, west <= east {
                for row in south...north { add(row: row, columns: west...east) }
            }
        }
    }

    private mutating func add(row: Int, columns: ClosedRange<Int>) {
        index.forEachPlace(inRow: row, columns: columns) { places[$0 >> 6] |= 1 << UInt64($0 & 63) }
    }

    @inline(__always)
    func contains(_ place: Int) -> Bool {
        place >> 6 < places.count && places[place >> 6] & 1 << UInt64(place & 63) != 0
    }

    /// What the place's position counts.
    func bonus(of place: Int) -> Int { bias.bonus(at: index.coordinate(of: place)) }
}
