/// The id of a `Subject`: 64 bits, positive, time-ordered; a decimal string on the wire.
public struct Identifier<Subject>: Hashable, Sendable, Comparable {
    public let rawValue: Int64

    public init(_ rawValue: Int64) {
        self.rawValue = rawValue
    }

    /// Nil for anything but the canonical decimal digits of a positive 64-bit number.
    public init?(parsing text: some StringProtocol) {
        let digits = text.utf8
        guard (1...19).contains(digits.count), digits.first != UInt8(ascii: "0"),
            digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }), let value = Int64(text)
        else { return nil }
        rawValue = value
    }

    public static func < (a: Identifier, b: Identifier) -> Bool { a.rawValue < b.rawValue }
}

extension Identifier: CustomStringConvertible {
    public var description: String { String(rawValue) }
}

extension Identifier: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let identifier = Identifier(parsing: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not an id")
        }
        self = identifier
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
