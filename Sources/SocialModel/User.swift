/// What everybody may know of an account.
public struct User: Codable, Hashable, Sendable {
    public var id: Identifier<User>
    /// 3–30 letters, marks, digits, `_`, `.` in any script, NFKC.
    public var username: String
    public var displayName: String
    public var bio: String?
    public var photoURL: String?
    public var createdAt: Timestamp

    public init(
        id: Identifier<User>, username: String, displayName: String, bio: String?, photoURL: String?,
        createdAt: Timestamp
    ) {
        self.id = id
        self.username = username
        self.displayName = displayName
        self.bio = bio
        self.photoURL = photoURL
        self.createdAt = createdAt
    }
}

/// What a viewer is to another account.
public enum Relationship: String, Codable, CaseIterable, Sendable {
    case `self`
    case friend
    /// They have asked the viewer.
    case incoming
    /// The viewer has asked them.
    case outgoing
    case none
}

/// What an account may do beyond its own.
public enum Role: String, Codable, CaseIterable, Sendable {
    case user
    /// May import landmarks.
    case curator
    case admin
}
