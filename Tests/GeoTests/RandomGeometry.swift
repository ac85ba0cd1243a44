import Foundation
import Geo

/// SplitMix64 (Steele, Lea, Flood, 2014): the same points in each run.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// A coordinate, often at a pole, on the antimeridian or the equator, or within metres of one of them.
    mutating func coordinate() -> Coordinate {
        let near = Int32.random(in: -2_000...2_000, using: &self)
        let latitude: Int32 =
            switch Int.random(in: 0..<8, using: &self) {
            case 0: 900_000_000
            case 1: -900_000_000
            case 2: 900_000_000 - abs(near)
            case 3: near
            default: Int32.random(in: -900_000_000...900_000_000, using: &self)
            }
        let longitude: Int32 =
            switch Int.random(in: 0..<8, using: &self) {
            case 0: -1_800_000_000
            case 1: near < 0 ? -1_800_000_000 - near : 1_799_999_999 - near
            case 2: near
            default: Int32.random(in: -1_800_000_000..<1_800_000_000, using: &self)
            }
        return Coordinate(latitudeE7: latitude, longitudeE7: longitude)
    }

    /// A box between two such coordinates, or a small one around one; often over the antimeridian.
    mutating func box() -> BoundingBox {
        let (a, b) = (coordinate(), coordinate())
        if Bool.random(using: &self) {
            return BoundingBox(
                west: a.longitude, south: min(a.latitude, b.latitude), east: b.longitude,
                north: max(a.latitude, b.latitude)) ?? .world
        }
        return BoundingBox(around: a, metres: pow(10, Double.random(in: -1...6, using: &self)))
    }

    /// A coordinate in a box.
    mutating func coordinate(in box: BoundingBox) -> Coordinate {
        let longitudes = box.longitudeRanges[Int.random(in: 0..<box.longitudeRanges.count, using: &self)]
        return Coordinate(
            latitudeE7: Int32.random(in: box.south...box.north, using: &self),
            longitudeE7: Int32.random(in: longitudes, using: &self))
    }
}

extension Coordinate {
    /// The other end of the Earth, moved by up to `units` of 1e-7 degree.
    func antipode(within units: Int32, using generator: inout SeededGenerator) -> Coordinate {
        let latitude = min(900_000_000, max(-900_000_000, -latitudeE7 + .random(in: -units...units, using: &generator)))
        let turned = Int64(longitudeE7) + 1_800_000_000 + .random(in: -Int64(units)...Int64(units), using: &generator)
        let wrapped = (turned + 1_800_000_000 + 3_600_000_000) % 3_600_000_000 - 1_800_000_000
        return Coordinate(latitudeE7: latitude, longitudeE7: Int32(wrapped))
    }
}
