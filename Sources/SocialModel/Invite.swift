/// A code that makes whoever accepts it its owner's friend, and lets a newcomer sign up where that needs one.
public struct Invite: Codable, Hashable, Sendable {
    /// 16 letters, digits, `-` and `_`.
    public var code: String
    /// The link to hand on.
    public var url: String
    public var createdAt: Timestamp
    public var expiresAt: Timestamp
    /// How many may accept it.
    public var maxUses: Int
    /// How many have.
    public var uses: Int

    public init(
        code: String, url: String, createdAt: Timestamp, expiresAt: Timestamp, maxUses: Int, uses: Int
    ) {
        self.code = code
        self.url = url
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.maxUses = maxUses
        self.uses = uses
    }
}

/// What an invite says to whoever holds it, signed in or not.
public struct InviteGreeting: Codable, Hashable, Sendable {
    public var code: String
    /// Who invites.
    public var from: User
    public var expiresAt: Timestamp

    public init(code: String, from: User, expiresAt: Timestamp) {
        self.code = code
        self.from = from
        self.expiresAt = expiresAt
    }
}
