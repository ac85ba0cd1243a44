import Foundation
import Geo

/// A k-d tree over points of the unit sphere, which knows no poles and no antimeridian; `NearbyPlaces` searches it.
///
/// The tree is implicit. A range of nodes is split by the node in its middle, along the axis in which the range is
/// widest; what stands before it is not greater on that axis, what stands behind it not less. A range of up to
/// `leafSize` nodes is read from end to end. (J. L. Bentley, Multidimensional binary search trees, CACM 18, 1975.)
final class PointIndex: Sendable {
    /// One point, 16 bytes.
    struct Node {
        /// The unit vector of latitude and longitude, good to a metre.
        var x, y, z: Float
        /// What a search asks of the point in its lowest 30 bits, above them the axis that its range is split along.
        var markAndAxis: UInt32

        var mark: UInt32 { markAndAxis & 0x3FFF_FFFF }
        var axis: UInt32 { markAndAxis >> 30 }

        @inline(__always)
        func component(_ axis: UInt32) -> Float { axis == 0 ? x : axis == 1 ? y : z }
    }

    static let leafSize = 8

    let nodes: MappedArray<Node>
    /// The greatest size in each range, at the node in the range's middle; in a range that is read from end to end as well.
    let greatest: MappedArray<UInt8>

    /// The index among some parts, by what their names begin with.
    ///
    /// - Throws: `GazetteerError` if its parts do not fit together.
    init(_ parts: MappedParts, _ name: String) throws {
        nodes = parts.array("\(name).nodes")
        greatest = parts.array("\(name).greatest")
        guard nodes.count > 0, greatest.count == nodes.count else {
            throw GazetteerError("the index of places is damaged")
        }
    }

    var count: Int { nodes.count }

    /// The unit vector of a position.
    static func vector(_ coordinate: Coordinate) -> (x: Float, y: Float, z: Float) {
        let latitude = coordinate.latitude * .pi / 180
        let longitude = coordinate.longitude * .pi / 180
        return (
            Float(cos(latitude) * cos(longitude)), Float(cos(latitude) * sin(longitude)), Float(sin(latitude))
        )
    }
}
