/// A token of an account for a script or a GIS program, as its owner sees it; the token itself is shown once, when it is
/// made.
public struct APIToken: Hashable, Sendable, Codable {
    /// What a token may be used for.
    public enum Scope: String, CaseIterable, Hashable, Sendable, Codable {
        /// Reading what the account sees.
        case read
        /// Changing pins, circles, friends and blocks.
        case write
        /// Importing files.
        case `import`
    }

    public var id: Identifier<APIToken>
    /// What its owner calls it.
    public var name: String
    /// Without those that this program does not know.
    public var scopes: Set<Scope>
    public var createdAt: Timestamp
    /// To ten minutes; nil if it never was.
    public var lastUsedAt: Timestamp?
    /// Nil if it stays good until it is revoked.
    public var expiresAt: Timestamp?

    public init(
        id: Identifier<APIToken>, name: String, scopes: Set<Scope>, createdAt: Timestamp,
        lastUsedAt: Timestamp? = nil, expiresAt: Timestamp? = nil
    ) {
        self.id = id
        self.name = name
        self.scopes = scopes
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
        self.expiresAt = expiresAt
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        id = try values.decode(Identifier<APIToken>.self, forKey: .id)
        name = try values.decode(String.self, forKey: .name)
        scopes = Set(try values.decode([String].self, forKey: .scopes).compactMap(Scope.init))
        createdAt = try values.decode(Timestamp.self, forKey: .createdAt)
        lastUsedAt = try values.decodeIfPresent(Timestamp.self, forKey: .lastUsedAt)
        expiresAt = try values.decodeIfPresent(Timestamp.self, forKey: .expiresAt)
    }
}
