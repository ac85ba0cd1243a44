import Foundation
import Geo

/// A k-d tree over points of the unit sphere, which knows no poles and no antimeridian; `NearbyPlaces` searches it.
///
/// The tree is implicit. Split 0 is of all nodes; split n parts its nodes in their middle: what stands before it is not
/// greater on the split's axis, what stands from it on not less. The parts are those of the splits 2n + 1 and 2n + 2, or,
/// where these would be behind the last, are read from end to end. (J. L. Bentley, Multidimensional binary search trees,
/// CACM 18, 1975.) The splits stand apart from the nodes, so that a search has all of them in the caches.
final class PointIndex: Sendable {
    /// One point, 16 bytes.
    struct Node {
        /// The unit vector of latitude and longitude, good to a metre.
        var x, y, z: Float
        /// What a search asks of the point.
        var mark: UInt32

        @inline(__always)
        func component(_ axis: UInt8) -> Float { axis == 0 ? x : axis == 1 ? y : z }
    }

    /// Where a range of nodes is parted, 8 bytes.
    struct Split {
        var value: Float
        /// 0, 1 or 2: the axis in which the range is widest.
        var axis: UInt8
        /// The greatest size of the nodes before and behind it.
        var greatestBefore, greatestBehind: UInt8
        var unused: UInt8 = 0
    }

    /// How many nodes are read from end to end at most.
    static let leafSize = 16

    let nodes: MappedArray<Node>
    /// One less than a power of two.
    let splits: MappedArray<Split>

    /// The index among some parts, by what their names begin with.
    ///
    /// - Throws: `GazetteerError` if its parts do not fit together.
    init(_ parts: MappedParts, _ name: String) throws {
        nodes = parts.array("\(name).nodes")
        splits = parts.array("\(name).splits")
        // More splits than nodes would be a long way to nothing.
        guard nodes.count > 0, splits.count <= nodes.count else {
            throw GazetteerError("the index of places is damaged")
        }
    }

    var count: Int { nodes.count }

    /// The unit vector of a position.
    static func vector(_ coordinate: Coordinate) -> (x: Float, y: Float, z: Float) {
        let latitude = coordinate.latitude * .pi / 180
        let longitude = coordinate.longitude * .pi / 180
        let parallel = cos(latitude)
        return (Float(parallel * cos(longitude)), Float(parallel * sin(longitude)), Float(sin(latitude)))
    }
}
