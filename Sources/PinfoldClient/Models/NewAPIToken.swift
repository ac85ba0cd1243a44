import SocialModel

/// An API token that was just made.
public struct NewAPIToken: Decodable, Hashable, Sendable {
    public var token: APIToken
    /// The token itself: for `Authorization: Bearer`, or as the password of HTTP Basic. The server does not show it again.
    public var secret: String

    private enum Key: String, CodingKey {
        case token
    }

    public init(from decoder: any Decoder) throws {
        token = try APIToken(from: decoder)
        secret = try decoder.container(keyedBy: Key.self).decode(String.self, forKey: .token)
    }
}
