import SocialModel

/// One row of a batch: a pin, and what its sender knows it by.
public struct BatchPin: Encodable, Hashable, Sendable {
    public var pin: NewPin
    /// The pin of one's own that has this already is changed, so that a batch can be sent again.
    public var externalId: String?
    /// When it was made elsewhere.
    public var createdAt: Timestamp?

    /// A row.
    public init(_ pin: NewPin, externalId: String? = nil, createdAt: Timestamp? = nil) {
        self.pin = pin
        self.externalId = externalId
        self.createdAt = createdAt
    }

    private enum Key: String, CodingKey {
        case externalId, createdAt
    }

    /// A row of the request.
    public func encode(to encoder: any Encoder) throws {
        try pin.encode(to: encoder)
        var values = encoder.container(keyedBy: Key.self)
        try values.encodeIfPresent(externalId, forKey: .externalId)
        try values.encodeIfPresent(createdAt, forKey: .createdAt)
    }
}

/// What became of one row of a batch.
public struct BatchResult: Decodable, Hashable, Sendable {
    /// 201 for a new pin, 200 for one that was there, 400 for a faulty row.
    public var status: Int
    /// The pin; nil for a faulty row.
    public var id: Identifier<Pin>?
    /// Left out where the answer would be too long.
    public var pin: Pin?
    /// What is wrong with the row.
    public var errors: [Problem.Fault]?
}
