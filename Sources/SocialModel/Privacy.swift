/// What an account lets others know and do.
public struct Privacy: Codable, Hashable, Sendable {
    /// Who finds the account. Friends, and both ends of a pending request, find each other whatever this says.
    public enum Discoverability: String, Codable, CaseIterable, Sendable {
        /// Whoever types how the username or the display name starts.
        case everyone
        /// Whoever types the whole username.
        case exact
        /// To strangers there is no such account.
        case nobody
    }

    /// From whom the account takes friend requests.
    public enum RequestSource: String, Codable, CaseIterable, Sendable {
        case everyone
        /// Those who hold an invite of the account.
        case invite
        case nobody
    }

    /// The audience of a new pin that does not say one.
    public enum DefaultAudience: String, Codable, CaseIterable, Sendable {
        case friends
        case `private`

        public var audience: Pin.Audience {
            switch self {
            case .friends: .friends
            case .private: .private
            }
        }
    }

    public var discoverable: Discoverability
    public var requestsFrom: RequestSource
    /// Friends see when the account is here.
    public var presence: Bool
    /// Others see what the account has read.
    public var receipts: Bool
    public var defaultAudience: DefaultAudience

    /// What a new account has.
    public init(
        discoverable: Discoverability = .everyone, requestsFrom: RequestSource = .everyone, presence: Bool = true,
        receipts: Bool = true, defaultAudience: DefaultAudience = .friends
    ) {
        self.discoverable = discoverable
        self.requestsFrom = requestsFrom
        self.presence = presence
        self.receipts = receipts
        self.defaultAudience = defaultAudience
    }
}
