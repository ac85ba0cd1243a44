import Foundation
import Geo

/// One search of the k-d tree for the places that may name a position: the nearest, and those in whose reach it lies
/// most by the size of the place.
struct NearbyPlaces {
    /// A place that was found.
    struct Find {
        var row = -1
        /// The length of the chord to it on the unit sphere.
        var chord = Float.infinity
        /// See `PlaceSize.score`.
        var score = Float.infinity

        var exists: Bool { row >= 0 }
        @inline(__always)
        func isBetter(than other: Find) -> Bool { score < other.score || score == other.score && row < other.row }
        /// On a sphere, a few metres in a kilometre off.
        var metres: Double { Double(chord) * Geodesic.meanRadius }
    }

    /// Of all places.
    private(set) var nearest = Find()
    /// Of the places that are no part of another.
    private(set) var inCountry = Find()
    private(set) var inDivision = Find()

    /// A little more than the square of the chord to `nearest`.
    private var nearestSquare = Float.infinity
    /// How far out a place is better than the one found so far whose score is the worst: by its radius, and beyond it.
    private var worst = PlaceSize.reach(of: .infinity)
    /// More than all rounding.
    private static let allowance: Float = 1.000_1

    private let x, y, z: Float
    private let limit: Float
    /// A little more than its square.
    private let squareLimit: Float
    /// The bits of `ReverseGeocoder.Place.mark` that places must have, and what they must be.
    private let mask, wanted: UInt32
    private let division: UInt16

    /// What is searched, for as long as the search lasts.
    private struct Tree {
        let nodes: UnsafePointer<PointIndex.Node>
        let splits: UnsafeBufferPointer<PointIndex.Split>
        let places: UnsafePointer<ReverseGeocoder.Place>
        let radii: UnsafePointer<Float>
    }

    /// Searches within `metres`.
    ///
    /// - Parameters:
    ///   - country, zone: what places must have to count, nil for all.
    ///   - division: whose places are looked for on their own as well, 0 for none.
    init(
        around coordinate: Coordinate, within metres: Double, country: UInt16?, zone: UInt16?, division: UInt16,
        in geocoder: ReverseGeocoder
    ) {
        (x, y, z) = PointIndex.vector(coordinate)
        limit = Float(2 * sin(min(metres / Geodesic.meanRadius, .pi) / 2))
        squareLimit = limit * limit * 1.001
        mask = (country == nil ? 0 : 0xFF00) | (zone == nil ? 0 : 0x1FF_0000)
        wanted = UInt32(country ?? 0) << 8 | UInt32(zone ?? 0) << 16
        self.division = division
        // Both have a base address and the same count: a geocoder has one place at least.
        guard let nodes = geocoder.points.nodes.elements.baseAddress, let places = geocoder.places.elements.baseAddress
        else { return }
        // The caller's geocoder keeps them.
        let tree = Tree(
            nodes: nodes, splits: geocoder.points.splits.elements, places: places, radii: PlaceSize.radii)
        visit(tree, 0, 0, geocoder.points.count, Gap())
    }

    /// How far the position is from the box that a range of nodes lies in, along each axis, and the square of the whole.
    /// (S. Arya, D. M. Mount, Algorithms for fast vector quantization, DCC 1993.)
    private struct Gap {
        var x: Float = 0
        var y: Float = 0
        var z: Float = 0
        var square: Float = 0

        /// With another gap along an axis, which is not less.
        @inline(__always)
        func with(_ offset: Float, _ axis: UInt8) -> Gap {
            var gap = self
            switch axis {
            case 0: gap.x = offset
            case 1: gap.y = offset
            default: gap.z = offset
            }
            gap.square = gap.x * gap.x + gap.y * gap.y + gap.z * gap.z
            return gap
        }
    }

    /// Searches the nodes of a split, or those of a range behind the last split.
    private mutating func visit(_ tree: borrowing Tree, _ number: Int, _ start: Int, _ end: Int, _ gap: Gap) {
        guard number < tree.splits.count else {
            for index in start..<end { offer(index, tree) }
            return
        }
        let split = tree.splits[number]
        let middle = (start + end) / 2
        let offset = (split.axis == 0 ? x : split.axis == 1 ? y : z) - split.value
        let farGap = gap.with(offset, split.axis)
        if offset < 0 {
            visit(tree, 2 * number + 1, start, middle, gap)
            if mayImprove(at: farGap.square, tree.radii[Int(split.greatestBehind)]) {
                visit(tree, 2 * number + 2, middle, end, farGap)
            }
        } else {
            visit(tree, 2 * number + 2, middle, end, gap)
            if mayImprove(at: farGap.square, tree.radii[Int(split.greatestBefore)]) {
                visit(tree, 2 * number + 1, start, middle, farGap)
            }
        }
    }

    /// Whether a place of at most this radius, the square of whose chord is at least this, can be better than what was found.
    /// It has no root and no division, and where rounding might matter the answer is yes.
    @inline(__always)
    private func mayImprove(at square: Float, _ radius: Float) -> Bool {
        guard square <= squareLimit else { return false }
        let reach = radius * worst.inside + worst.beyond
        return square <= nearestSquare || square <= reach * reach
    }

    @inline(__always)
    private mutating func offer(_ index: Int, _ tree: borrowing Tree) {
        let node = tree.nodes[index]
        guard node.mark & mask == wanted else { return }
        let (dx, dy, dz) = (node.x - x, node.y - y, node.z - z)
        let square = dx * dx + dy * dy + dz * dz
        let radius = tree.radii[Int(node.mark & 0xFF)]
        guard mayImprove(at: square, radius) else { return }
        let chord = square.squareRoot()
        guard chord <= limit else { return }
        let find = Find(row: index, chord: chord, score: PlaceSize.score(chord, radius))
        if chord < nearest.chord || chord == nearest.chord && index < nearest.row {
            nearest = find
            nearestSquare = square * Self.allowance
        }
        guard node.mark & 1 << 25 == 0 else { return }
        if find.isBetter(than: inCountry) {
            inCountry = find
            if division == 0 { worst = PlaceSize.reach(of: find.score * Self.allowance) }
        }
        if division != 0, find.isBetter(than: inDivision), tree.places[index].admin1 == division {
            inDivision = find
            worst = PlaceSize.reach(of: find.score * Self.allowance)
        }
    }
}

/// How far a place's name reaches, as a small number.
enum PlaceSize {
    /// The least radius in metres, of size 0; each size is 4 % larger than the one before.
    private static let least = 500.0
    private static let step = 1.04

    /// The radius of each size on the unit sphere.
    // Written before anyone can read it and never after, so sharing it is safe.
    nonisolated(unsafe) static let radii: UnsafePointer<Float> = {
        let radii = UnsafeMutablePointer<Float>.allocate(capacity: 256)
        for size in 0...255 { radii[size] = Float(radius(UInt8(size)) / Geodesic.meanRadius) }
        return UnsafePointer(radii)
    }()
    private static let perChord = Float(Geodesic.meanRadius / fade)
    /// How far beyond its radius the score of a place grows by 1, in metres.
    private static let fade = 2000.0

    /// How little a position so far away is in the reach of a place of that radius, both on the unit sphere: up to the radius the
    /// part of it, beyond it 1 and more by the way from there. So a city wins far out within itself, and the nearest place
    /// between them.
    @inline(__always)
    static func score(_ chord: Float, _ radius: Float) -> Float {
        chord <= radius ? chord / radius : 1 + (chord - radius) * perChord
    }

    /// The way out to where the score of any place is this: so many times its radius, and so much more.
    @inline(__always)
    static func reach(of score: Float) -> (inside: Float, beyond: Float) {
        (min(score, 1), max(score - 1, 0) / perChord)
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
