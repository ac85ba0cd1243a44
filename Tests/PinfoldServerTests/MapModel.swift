import Foundation
import Geo
import SocialModel

@testable import PinfoldServer

/// What maps must show, by brute force over plain arrays and the formulas of Web Mercator in floating point.
struct ModelCluster {
    let zoom: Int
    let pins: [ModelPin]

    struct Cell: Hashable {
        let x, y: Int
    }

    /// The place in the square of Web Mercator, 0 ..< 1; beyond its latitudes, the edge.
    static func place(_ coordinate: Coordinate) -> (x: Double, y: Double) {
        let latitude = max(-85.0511287, min(85.0511287, coordinate.latitude)) * .pi / 180
        return ((coordinate.longitude + 180) / 360, (1 - log(tan(latitude) + 1 / cos(latitude)) / .pi) / 2)
    }

    /// The cell at 2^level cells a side.
    static func cell(_ coordinate: Coordinate, level: Int) -> Cell {
        let place = place(coordinate)
        return Cell(x: Int(place.x * pow(2, Double(level))), y: Int(place.y * pow(2, Double(level))))
    }

    static func isOnTiles(_ pin: ModelPin) -> Bool { abs(pin.coordinate.latitude) <= 85.05112878 }

    /// The clusters of a zoom: pins that lie in one of 8 by 8 cells of a tile.
    static func all(_ pins: [ModelPin], zoom: Int) -> [ModelCluster] {
        Dictionary(grouping: pins) { cell($0.coordinate, level: zoom + 3) }.values.map {
            ModelCluster(zoom: zoom, pins: $0)
        }
    }

    var coordinate: Coordinate {
        func mean(_ values: [Int32]) -> Int32 {
            Int32((Double(values.reduce(0) { $0 + Int64($1) }) / Double(values.count) + 0.5).rounded(.down))
        }
        return Coordinate(
            latitudeE7: mean(pins.map(\.coordinate.latitudeE7)), longitudeE7: mean(pins.map(\.coordinate.longitudeE7)))
    }

    var meanRating: Double? {
        let ratings = pins.compactMap(\.rating)
        return ratings.isEmpty ? nil : Double(ratings.reduce(0, +)) / Double(ratings.count)
    }

    var category: Pin.Category {
        let counts = Pin.Category.allCases.map { category in pins.filter { $0.category == category }.count }
        return Pin.Category.allCases[counts.firstIndex(of: counts.max() ?? 0) ?? 0]
    }

    func expansionZoom(atMost last: Int) -> Int {
        (zoom + 1..<max(zoom + 1, last)).first { next in
            Set(pins.map { Self.cell($0.coordinate, level: next + 3) }).count > 1
        } ?? last
    }
}

/// What a map shows of one cluster or pin, wherever it was read.
struct Shown: Hashable, CustomStringConvertible {
    var count: Int
    /// Of a pin.
    var id: String?
    var expansionZoom: Int?
    var meanRating: Double?
    var category: String?

    init(_ cluster: ModelCluster, lastZoom: Int = 14) {
        count = cluster.pins.count
        id = count == 1 ? "\(cluster.pins[0].id)" : nil
        expansionZoom = count == 1 ? nil : cluster.expansionZoom(atMost: lastZoom)
        meanRating = cluster.meanRating
        category = cluster.category.rawValue
    }

    /// A feature of a tile.
    init(_ feature: DecodedTile.Feature) {
        count = feature.unsigned("point_count").map { Int($0) } ?? 1
        id = feature.text("id")
        expansionZoom = feature.unsigned("expansion_zoom").map { Int($0) }
        meanRating = feature.double("mean_rating") ?? feature.unsigned("rating").map { Double($0) }
        category = feature.text("category")
    }

    /// An item of the clusters as JSON.
    init(_ item: JSON) {
        count = Int(item["count"]?.number ?? 0)
        id = item["pin"]?["id"]?.text
        expansionZoom = item["expansionZoom"]?.number.map { Int($0) }
        meanRating = item["meanRating"]?.number
        category = item["category"]?.text
    }

    var description: String {
        "\(count) \(id ?? "-") \(expansionZoom ?? -1) \(meanRating ?? -1) \(category ?? "-")"
    }
}

/// How often each is there.
func tally(_ shown: some Sequence<Shown>) -> [Shown: Int] {
    Dictionary(shown.map { ($0, 1) }, uniquingKeysWith: +)
}
