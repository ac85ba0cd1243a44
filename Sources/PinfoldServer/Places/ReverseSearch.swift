import Foundation
import Geo

/// One search of the k-d tree for the places that may name a position: the nearest, and those in whose reach it lies
/// most by the size of the place.
struct ReverseSearch {
    /// A place that was found.
    struct Find {
        var row = -1
        /// Its node in the tree.
        var node = -1
        /// The length of the chord to it on the unit sphere.
        var chord = Float.infinity
        /// See `PlaceSize.score`.
        var score = Float.infinity

        var exists: Bool { row >= 0 }
        /// On a sphere, a few metres in a kilometre off.
        var metres: Double { Double(chord) * Geodesic.meanRadius }
    }

    /// What places must have to count, nil for all.
    let country, zone: UInt16?
    /// The division whose places are looked for on their own, 0 for none.
    let division: UInt16

    /// Of all places.
    private(set) var nearest = Find()
    /// Of the places that are no part of another.
    private(set) var inCountry = Find()
    private(set) var inDivision = Find()

    private let x, y, z: Float
    private let limit: Float

    /// Searches within `metres`.
    init(
        around coordinate: Coordinate, within metres: Double, country: UInt16?, zone: UInt16?, division: UInt16,
        in geocoder: ReverseGeocoder
    ) {
        (x, y, z) = PointIndex.vector(coordinate)
        limit = Float(2 * sin(min(metres / Geodesic.meanRadius, .pi) / 2))
        self.country = country
        self.zone = zone
        self.division = division
        geocoder.points.nodes.withUnsafeBufferPointer { nodes in
            geocoder.places.withUnsafeBufferPointer { places in
                geocoder.greatest.withUnsafeBufferPointer { greatest in
                    visit(nodes, places, greatest, 0, nodes.count)
                }
            }
        }
    }

    private mutating func visit(
        _ nodes: UnsafeBufferPointer<PointIndex.Node>, _ places: UnsafeBufferPointer<ReverseGeocoder.Place>,
        _ greatest: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int
    ) {
        guard end - start > PointIndex.leafSize else {
            for index in start..<end { offer(nodes[index], index, places) }
            return
        }
        let middle = (start + end) / 2
        let node = nodes[middle]
        let position = node.axis == 0 ? x : node.axis == 1 ? y : z
        let offset = position - node.component(node.axis)
        let (near, far) = offset < 0 ? (start..<middle, (middle + 1)..<end) : ((middle + 1)..<end, start..<middle)
        visit(nodes, places, greatest, near.lowerBound, near.upperBound)
        offer(node, middle, places)
        if !far.isEmpty, mayImprove(at: abs(offset), greatest[(far.lowerBound + far.upperBound) / 2]) {
            visit(nodes, places, greatest, far.lowerBound, far.upperBound)
        }
    }

    /// Whether a place of at most this size that is at least so far away can be better than what was found.
    private func mayImprove(at chord: Float, _ size: UInt8) -> Bool {
        guard chord <= limit else { return false }
        if chord <= nearest.chord { return true }
        let score = PlaceSize.score(chord, size)
        return score <= inCountry.score || division != 0 && score <= inDivision.score
    }

    @inline(__always)
    private mutating func offer(
        _ node: PointIndex.Node, _ index: Int, _ places: UnsafeBufferPointer<ReverseGeocoder.Place>
    ) {
        let (dx, dy, dz) = (node.x - x, node.y - y, node.z - z)
        let squared = dx * dx + dy * dy + dz * dz
        guard squared <= limit * limit else { return }
        let place = places[node.row]
        if let country, place.country != country { return }
        if let zone, place.zone != zone { return }
        var find = Find(row: node.row, node: index, chord: squared.squareRoot())
        find.score = PlaceSize.score(find.chord, place.size)
        if (find.chord, find.row) < (nearest.chord, nearest.row) { nearest = find }
        guard !place.isPart else { return }
        if (find.score, find.row) < (inCountry.score, inCountry.row) { inCountry = find }
        if division != 0, place.admin1 == division, (find.score, find.row) < (inDivision.score, inDivision.row) {
            inDivision = find
        }
    }
}

/// How far a place's name reaches, as a small number.
enum PlaceSize {
    /// The least radius in metres, of size 0; each size is 4 % larger than the one before.
    private static let least = 500.0
    private static let step = 1.04

    /// On the unit sphere.
    private static let radii = (0...255).map { Float(radius(UInt8($0)) / Geodesic.meanRadius) }
    /// How far beyond its radius the score of a place grows by 1, in metres.
    private static let fade = 2000.0

    /// How little a position so far away, on the unit sphere, is in the reach of a place of that size: up to the radius the
    /// part of it, beyond it 1 and more by the way from there. So a city wins far out within itself, and the nearest place
    /// between them.
    @inline(__always)
    static func score(_ chord: Float, _ size: UInt8) -> Float {
        let radius = radii[Int(size)]
        return chord <= radius ? chord / radius : 1 + (chord - radius) * Float(Geodesic.meanRadius / fade)
    }

    /// In metres.
    static func radius(_ size: UInt8) -> Double { least * pow(step, Double(size)) }

    /// The size of a place by its people and its rank (a feature code of GeoNames), where the number of people may be
    /// unknown: 0.
    static func size(population: Int, featureCode: String) -> UInt8 {
        let expected =
            switch featureCode {
            case "PPLC": 50_000
            case "PPLA": 10_000
            case "PPLA2", "PPLA3": 5000
            default: 1000
            }
        let people = Double(population > 0 ? max(population, 1000) : expected)
        // Some 2000 people on a square kilometre; large cities spread further than that, and are named from further.
        let radius = max(1000, 4000 * pow(people / 100_000, 0.55))
        return UInt8(min(255, max(0, (log(radius / least) / log(step)).rounded())))
    }
}
