import Foundation
import Geo
import HTTP

/// Many positions at once, on all cores: for callers that are not on Swift's cooperative threads.
extension ReverseGeocoder {
    /// The API's objects of positions, in order, as pieces of a JSON array without its brackets.
    ///
    /// - Parameter names: gives the names of a position, nil for GeoNames's main ones.
    package func json(
        _ points: [Coordinate], names: (@Sendable (Coordinate) -> ReverseResult)? = nil
    ) -> [[UInt8]] {
        if let names { return Self.json(Self.lookUp(points, names)) { $0.write(to: &$1) } }
        return Self.json(Self.lookUp(points, match)) { write($0, to: &$1) }
    }

    /// What is found at positions, in their order.
    private static func lookUp<Found>(_ points: [Coordinate], _ find: @Sendable (Coordinate) -> Found) -> [Found] {
        let order = order(points)
        return [Found](unsafeUninitializedCapacity: points.count) { buffer, initialized in
            nonisolated(unsafe) let found = buffer
            // Each writes elements of its own, and together they write all.
            _ = concurrently(points.count) { range in
                for index in order[range] { found.initializeElement(at: index, to: find(points[index])) }
            }
            initialized = points.count
        }
    }

    private static func json<Found: Sendable>(
        _ found: [Found], _ write: @Sendable (Found, inout JSONWriter) -> Void
    ) -> [[UInt8]] {
        concurrently(found.count) { range in
            var json = JSONWriter(capacity: 320 * range.count)
            for index in range { write(found[index], &json) }
            return json.bytes
        }
    }

    /// The numbers of positions by cells of two degrees of latitude and four of longitude, strip by strip: what is looked up
    /// for one is still in the caches for the next.
    private static func order(_ points: [Coordinate]) -> [Int] {
        func cell(_ point: Coordinate) -> Int {
            let strip = (Int(point.latitudeE7) + 900_000_000) / 20_000_000
            return strip * 91 + (Int(point.longitudeE7) + 1_800_000_000) / 40_000_000
        }
        // Counted first, so that each goes to its place at once.
        var starts = [Int](repeating: 0, count: 91 * 91 + 1)
        for point in points { starts[cell(point) + 1] += 1 }
        for index in 1..<starts.count { starts[index] += starts[index - 1] }
        var order = [Int](repeating: 0, count: points.count)
        for (index, point) in points.enumerated() {
            let cell = cell(point)
            order[starts[cell]] = index
            starts[cell] += 1
        }
        return order
    }

    /// Splits `0 ..< count` between the cores and returns the results in order. Few are not split.
    static func concurrently<Piece: Sendable>(_ count: Int, _ body: @Sendable (Range<Int>) -> Piece) -> [Piece] {
        // Many more pieces than cores: none waits long for the last.
        let pieces = min(max(1, ProcessInfo.processInfo.activeProcessorCount) * 16, max(1, count / 200))
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
    package var centres: [Coordinate] { (0..<points.count).map(coordinate(of:)) }
}
