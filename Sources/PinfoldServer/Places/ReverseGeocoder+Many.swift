import Foundation
import Geo
import HTTP

/// Many positions at once, on all cores: for callers that are not on Swift's cooperative threads.
extension ReverseGeocoder {
    /// The API's objects of positions, in order, as pieces of a JSON array without its brackets.
    ///
    /// - Parameter names: gives the names of a position.
    package func json(
        _ points: [Coordinate], names: (@Sendable (Coordinate) -> ReverseResult)? = nil
    ) -> [[UInt8]] {
        Self.concurrently(points.count) { range in
            var json = JSONWriter(capacity: 256 * range.count)
            json.array { json in
                for point in points[range] { (names?(point) ?? reverse(point)).write(to: &json) }
            }
            return Array(json.bytes.dropFirst().dropLast())
        }
    }

    /// Splits `0 ..< count` between the cores and returns the results in order. Few are not split.
    static func concurrently<Piece: Sendable>(_ count: Int, _ body: @Sendable (Range<Int>) -> Piece) -> [Piece] {
        // More pieces than cores: a core that is busy with something else holds up little.
        let pieces = min(max(1, ProcessInfo.processInfo.activeProcessorCount) * 4, max(1, count / 200))
        @Sendable func range(_ piece: Int) -> Range<Int> { (count * piece / pieces)..<(count * (piece + 1) / pieces) }
        guard pieces > 1 else { return count > 0 ? [body(0..<count)] : [] }
        return [Piece?](unsafeUninitializedCapacity: pieces) { buffer, initialized in
            buffer.initialize(repeating: nil)
            nonisolated(unsafe) let results = buffer
            // Each writes an element of its own.
            DispatchQueue.concurrentPerform(iterations: pieces) { results[$0] = body(range($0)) }
            initialized = pieces
        }.compactMap { $0 }
    }
}

extension ReverseGeocoder {
    /// The centres of all places, in no order.
    package var centres: [Coordinate] { (0..<points.count).map(points.coordinate) }
}
