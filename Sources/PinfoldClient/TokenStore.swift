import Foundation
import SocialModel

/// The tokens of one session.
public struct Tokens: Codable, Hashable, Sendable {
    /// Whose session it is.
    public var user: Identifier<User>
    /// For `Authorization: Bearer`.
    public var access: String
    /// Good for one renewal of both tokens.
    public var refresh: String
    /// When the access token ends, by this device's clock.
    public var expiresAt: Date

    /// As a store has kept them.
    public init(user: Identifier<User>, access: String, refresh: String, expiresAt: Date) {
        self.user = user
        self.access = access
        self.refresh = refresh
        self.expiresAt = expiresAt
    }
}

/// Where the tokens of a session outlive the process. An app brings one that writes to the Keychain.
///
/// A store belongs to one client at a time: two that renew the same tokens would end each other's session.
public protocol TokenStore: Sendable {
    /// What was saved last; nil if there is nothing.
    func load() async throws -> Tokens?
    /// Keeps the tokens, nil for none. They must be kept when it returns: renewed tokens are not used before.
    func save(_ tokens: Tokens?) async throws
}

/// Tokens that end with the process.
public actor MemoryTokenStore: TokenStore {
    private var tokens: Tokens?

    /// Begins with `tokens`.
    public init(_ tokens: Tokens? = nil) {
        self.tokens = tokens
    }

    /// What was saved last.
    public func load() -> Tokens? { tokens }

    /// Takes the place of what was saved before.
    public func save(_ tokens: Tokens?) { self.tokens = tokens }
}
