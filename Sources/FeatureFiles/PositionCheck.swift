import Foundation

/// Judges the positions of an import as a whole: whether they can be meant in the reference system that was named. What is
/// wrong with one alone is that record's fault; here it is about most of them. Takes a few counters of memory.
package struct PositionCheck {
    private static let sampleSize = 1000

    private let system: String?
    private let transformer: CoordinateTransformer
    private var count = 0
    private var atZero = 0
    private var outsideDegrees = 0
    private var outsideArea = 0
    private var failed = 0
    /// Of positions as the file has them, each with the same chance to be in it (reservoir sampling, Vitter's R).
    private var sample: [(x: Double, y: Double)] = []
    private var random: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// - Parameters:
    ///   - system: what the transformer was made from; nil if the file names no system and none was given.
    package init(_ system: String?, _ transformer: CoordinateTransformer) {
        self.system = system
        self.transformer = transformer
    }

    /// Takes the position of a record, and what the transformer made of it.
    ///
    /// - Returns: whether it lies where its system is meant to be used, or near.
    @discardableResult
    package mutating func take(
        x: Double, y: Double, as position: (longitude: Double, latitude: Double)?
    ) -> Bool {
        if x == 0, y == 0 { atZero += 1 }
        return note(x, y, position)
    }

    private mutating func note(
        _ x: Double, _ y: Double, _ position: (longitude: Double, latitude: Double)?
    ) -> Bool {
        count += 1
        keep(x, y)
        if transformer.isGeographic, !(abs(x) <= 180 && abs(y) <= 90) { outsideDegrees += 1 }
        guard let position else {
            failed += 1
            outsideArea += 1
            return false
        }
        guard isInside(position) else {
            outsideArea += 1
            return false
        }
        return true
    }

    /// The same for a record's geometry as the file has it, of a shape its first position.
    @discardableResult
    package mutating func take(_ geometry: Feature.Geometry) -> Bool {
        switch geometry {
        case .point(let x, let y): return take(x: x, y: y, as: transformer.position(x: x, y: y))
        case .shape(let shape):
            // One that begins at 0, 0 goes on elsewhere.
            guard let first = ShapeBinary.firstPosition(of: shape) else { return true }
            return note(first.x, first.y, transformer.position(x: first.x, y: first.y))
        }
    }

    private mutating func keep(_ x: Double, _ y: Double) {
        guard sample.count == Self.sampleSize else { return sample.append((x, y)) }
        // xorshift64 (Marsaglia): any even spread does.
        random ^= random << 13
        random ^= random >> 7
        random ^= random << 17
        let slot = Int(random % UInt64(count))
        if slot < Self.sampleSize { sample[slot] = (x, y) }
    }

    private func isInside(_ position: (longitude: Double, latitude: Double)) -> Bool {
        guard let area = transformer.areaOfUse else { return true }
        return area.contains(longitude: position.longitude, latitude: position.latitude, margin: 1.5)
    }

    /// Why the import is to be refused, unless it is said that 0, 0 is meant: most positions are just that, as programs write
    /// it for want of one. A single record says nothing. A sentence without its full stop.
    package var refusalOfZeros: String? {
        guard atZero > 1, 2 * atZero > count else { return nil }
        return """
            \(share(atZero)) of the positions are 0, 0: take the columns that hold the coordinates, or say force if they \
            are meant
            """
    }

    /// Why the import is to be refused, with the likely cure: a sentence without its full stop. Nil if nothing is found.
    ///
    /// - Parameter isLand: whether there is land at a place, asked for at most 2,000 of them; nil if nobody knows.
    package func refusal(isLand: ((_ longitude: Double, _ latitude: Double) -> Bool)? = nil) -> String? {
        guard count > 0 else { return nil }
        if transformer.isGeographic {
            if 2 * outsideDegrees > count { return refusalOfDegrees() }
            if outsideDegrees == 0 || 10 * outsideDegrees < count {
                if 2 * outsideArea > count { return refusalOfArea() }
                return isLand.flatMap(refusalAtSea)
            }
            // Some latitudes fit and some don't, as it is with longitudes in their place.
            return looksSwapped ? swapped : nil
        }
        return 2 * outsideArea > count ? refusalOfArea() : nil
    }

    // MARK: Reasons

    private var swapped: String {
        "longitude and latitude look swapped; name the columns the other way round, or swap the axes"
    }

    private func refusalOfDegrees() -> String {
        if looksSwapped { return "\(share(outsideDegrees)) of the positions are no degrees as they are: \(swapped)" }
        let largest = sample.reduce(0) { max($0, abs($1.x), abs($1.y)) }
        if largest.isFinite, largest > 360 {
            if largest >= 1e6, fits({ ($0 / 1e7, $1 / 1e7) }), sample.allSatisfy({ $0.x == $0.x.rounded() }) {
                let candidates = candidates()
                if candidates.isEmpty {
                    return
                        "\(share(outsideDegrees)) of the positions are no degrees; they look like units of 1e-7 degree: "
                        + "divide them by 10,000,000 first"
                }
            }
            let candidates = candidates()
            let cure =
                candidates.isEmpty
                ? "say which it is by its number, such as --crs EPSG:3857"
                : "they would fit \(candidates.joined(separator: " or ")): say which it is, such as --crs "
                    + (candidates[0].split(separator: " ").first.map(String.init) ?? "EPSG:3857")
            return
                "\(share(outsideDegrees)) of the positions are no degrees; they look like metres of a projected system: "
                + cure
        }
        if fits({ ($0 > 180 ? $0 - 360 : $0, $1) }) {
            return "\(share(outsideDegrees)) of the positions have longitudes beyond 180; count them from -180 to 180"
        }
        return "\(share(outsideDegrees)) of the positions are not within -180 to 180 and -90 to 90 degrees; "
            + "take the columns that hold the coordinates, or say the system they are in, such as --crs EPSG:3857"
    }

    private func refusalOfArea() -> String {
        let place = transformer.areaOfUse.map { $0.name.isEmpty ? "" : " (\($0.name.trimmedToWords))" } ?? ""
        let start = "\(share(outsideArea)) of the positions are outside of the area of \(transformer.name)\(place)"
        if fitsArea({ ($1, $0) }) { return "\(start): the two axes look swapped" }
        if !transformer.isGeographic, fits({ ($0, $1) }) {
            return "\(start): they look like degrees of longitude and latitude; say --crs EPSG:4326"
        }
        let candidates = candidates()
        guard let first = candidates.first?.split(separator: " ").first else {
            return "\(start); say which system they are in"
        }
        return
            "\(start); they would fit \(candidates.joined(separator: " or ")): say which it is, such as --crs \(first)"
    }

    private func refusalAtSea(_ isLand: (Double, Double) -> Bool) -> String? {
        var (asGiven, turned, looked) = (0, 0, 0)
        for (x, y) in sample {
            guard let position = transformer.position(x: x, y: y),
                let other = transformer.position(x: y, y: x)
            else { continue }
            looked += 1
            if isLand(position.longitude, position.latitude) { asGiven += 1 }
            if isLand(other.longitude, other.latitude) { turned += 1 }
        }
        // A few points say nothing, and where there is no other way to read them nothing is swapped.
        guard looked >= 10, 2 * looked > sample.count, 10 * asGiven <= 4 * looked, 10 * turned >= 9 * looked else {
            return nil
        }
        return
            "\(100 - 100 * asGiven / looked) % of the positions are at sea, and would be on land the other way round: "
            + swapped
    }

    private func share(_ part: Int) -> String {
        part == count ? "all" : "\(max(1, part * 100 / count)) %"
    }

    // MARK: What would fit

    private var looksSwapped: Bool {
        // Of those that cannot be as they are, all can the other way round.
        let wrong = sample.filter { !(abs($0.x) <= 180 && abs($0.y) <= 90) }
        return !wrong.isEmpty && wrong.allSatisfy { abs($0.y) <= 180 && abs($0.x) <= 90 } && fits { ($1, $0) }
    }

    /// Whether nine in ten of the sample are degrees once they are changed.
    private func fits(_ change: (Double, Double) -> (Double, Double)) -> Bool {
        let fitting = sample.count { point in
            let (x, y) = change(point.x, point.y)
            return abs(x) <= 180 && abs(y) <= 90
        }
        return 10 * fitting >= 9 * sample.count
    }

    private func fitsArea(_ change: (Double, Double) -> (Double, Double)) -> Bool {
        guard transformer.areaOfUse != nil else { return false }
        let fitting = sample.count { point in
            let (x, y) = change(point.x, point.y)
            return transformer.position(x: x, y: y).map(isInside) ?? false
        }
        return 10 * fitting >= 9 * sample.count
    }

    /// Systems that data is often in; the first that fits is the likeliest.
    private static let common = [
        "EPSG:2154", "EPSG:27700", "EPSG:28992", "EPSG:2056", "EPSG:21781", "EPSG:31370", "EPSG:2180", "EPSG:3006",
        "EPSG:3067", "EPSG:5514", "EPSG:25832", "EPSG:25833", "EPSG:3035", "EPSG:26915", "EPSG:3857",
    ]

    private func candidates() -> [String] {
        var found: [String] = []
        for system in Self.common where found.count < 3 && system != self.system {
            guard let other = try? CoordinateTransformer(from: system), let area = other.areaOfUse else { continue }
            let fitting = sample.count { point in
                guard let (longitude, latitude) = other.position(x: point.x, y: point.y) else { return false }
                return area.contains(longitude: longitude, latitude: latitude)
            }
            if 10 * fitting >= 9 * sample.count { found.append(other.name) }
        }
        return found
    }
}

extension String {
    /// The words up to the first full stop or semicolon, at most 60 characters.
    fileprivate var trimmedToWords: String {
        let words = prefix { $0 != "." && $0 != ";" }
        return words.count <= 60 ? String(words) : words.prefix(59) + "…"
    }
}
