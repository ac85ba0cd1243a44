import SocialModel

/// What changes in one's privacy; what is nil stays.
public struct PrivacyChange: Encodable, Hashable, Sendable {
    public var discoverable: Privacy.Discoverability?
    public var requestsFrom: Privacy.RequestSource?
    public var presence: Bool?
    public var receipts: Bool?
    public var defaultAudience: Privacy.DefaultAudience?

    /// Nothing yet.
    public init() {}
}
