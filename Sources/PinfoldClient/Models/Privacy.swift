import SocialModel

/// Who may find and ask one, and what others are told.
public struct Privacy: Codable, Hashable, Sendable {
    /// Who finds one by searching.
    public enum Discoverable: String, Codable, CaseIterable, Sendable {
        case everyone
        /// Whoever knows the whole username.
        case exact
        case nobody
    }

    /// Who may ask to be friends.
    public enum RequestsFrom: String, Codable, CaseIterable, Sendable {
        case everyone
        /// Whoever holds an invite.
        case invite
        case nobody
    }

    public var discoverable: Discoverable
    public var requestsFrom: RequestsFrom
    /// Whether friends see when one is there.
    public var presence: Bool
    /// Whether others see what one has read.
    public var receipts: Bool
    /// Who sees a new pin that does not say it.
    public var defaultAudience: Pin.Audience.Kind
}

/// What changes in one's privacy.
public struct PrivacyChange: Encodable, Hashable, Sendable {
    public var discoverable: Privacy.Discoverable?
    public var requestsFrom: Privacy.RequestsFrom?
    public var presence: Bool?
    public var receipts: Bool?
    public var defaultAudience: Pin.Audience.Kind?

    public init() {}
}
