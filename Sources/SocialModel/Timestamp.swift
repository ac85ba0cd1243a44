import Foundation

/// A moment, in milliseconds since 1970 UTC; RFC 3339 with milliseconds on the wire (`2026-11-29T12:00:00.000Z`).
public struct Timestamp: Hashable, Sendable, Comparable {
    public let milliseconds: Int64

    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    public var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }

    public static func < (a: Timestamp, b: Timestamp) -> Bool { a.milliseconds < b.milliseconds }
}

extension Timestamp: Codable {
    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let date = try Date(container.decode(String.self), strategy: Self.style)
        milliseconds = Int64((date.timeIntervalSince1970 * 1000).rounded())
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rfc3339)
    }

    /// As on the wire.
    public var rfc3339: String {
        // The style cuts what is behind the milliseconds off, and `date` may lie just below its millisecond.
        Date(timeIntervalSince1970: (Double(milliseconds) + 0.25) / 1000).formatted(Self.style)
    }
}
