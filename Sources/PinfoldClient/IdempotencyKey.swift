import Foundation

/// A client's name for one creation: sent again within 24 hours with the same content, it gets the first answer again.
public struct IdempotencyKey: Hashable, Sendable, Codable {
    /// 1–255 printable ASCII characters.
    public let text: String

    /// A new one that nobody else has.
    public init() {
        text = UUID().uuidString
    }

    /// From its text.
    public init(from decoder: any Decoder) throws {
        text = try decoder.singleValueContainer().decode(String.self)
    }

    /// As its text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
