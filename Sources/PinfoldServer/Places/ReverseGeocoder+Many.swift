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
        let order = Self.order(points)
        let pieces = Self.concurrently(points.count) { range in
            var json = JSONWriter(capacity: 320 * range.count)
            var ends: [Int] = []
            ends.reserveCapacity(range.count)
            for index in order[range] {
                let point = points[index]
                if let names { names(point).write(to: &json) } else { write(match(point), to: &json) }
                ends.append(json.bytes.count)
            }
            return Written(first: range.lowerBound, json: json.bytes, ends: ends)
        }
        return Self.sorted(pieces, order)
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

    /// Objects with commas before all but the first.
    private struct Written {
        /// Its place in the order.
        let first: Int
        let json: [UInt8]
        /// Where each object ends.
        let ends: [Int]
    }

    /// Puts objects that were written in some order where their positions were: in pieces, on all cores.
    private static func sorted(_ pieces: [Written], _ order: [Int]) -> [[UInt8]] {
        var placed = [(piece: Int, object: Int)](repeating: (0, 0), count: order.count)
        for (number, piece) in pieces.enumerated() {
            for object in piece.ends.indices { placed[order[piece.first + object]] = (number, object) }
        }
        let places = placed
        return concurrently(places.count) { range in
            var json: [UInt8] = []
            json.reserveCapacity(320 * range.count)
            for place in places[range] {
                let piece = pieces[place.piece]
                // Behind the comma.
                let start = place.object == 0 ? 0 : piece.ends[place.object - 1] + 1
                if !json.isEmpty { json.append(UInt8(ascii: ",")) }
                piece.json.withUnsafeBufferPointer {
                    json.append(contentsOf: UnsafeBufferPointer(rebasing: $0[start..<piece.ends[place.object]]))
                }
            }
            return json
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
    package var centres: [Coordinate] { (0..<points.count).map(coordinate(of:)) }
}
