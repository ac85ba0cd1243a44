import SocialModel

/// The answer to signing up, signing in and renewing tokens.
struct SignedIn: Decodable, Sendable {
    let user: User
    let accessToken: String
    let refreshToken: String
    /// Seconds that the access token lives.
    let expiresIn: Int
}

/// Who signs up.
public struct NewAccount: Encodable, Hashable, Sendable {
    /// 3–30 letters, marks, digits, `_` and `.` of any script.
    public var username: String
    public var email: String
    /// 8–256 characters.
    public var password: String
    /// The username if left out.
    public var displayName: String?
    public var phone: String?
    /// The code of an invite, whose owner becomes a friend.
    public var invite: String?

    /// An account to be.
    public init(
        username: String, email: String, password: String, displayName: String? = nil, phone: String? = nil,
        invite: String? = nil
    ) {
        self.username = username
        self.email = email
        self.password = password
        self.displayName = displayName
        self.phone = phone
        self.invite = invite
    }
}

/// One's own account.
public struct Me: Decodable, Hashable, Sendable {
    public var user: User
    public var email: String
    public var phone: String?
    /// `user` where this client does not know the role.
    public var role: Role
    /// Friend requests that wait for an answer.
    public var incomingRequests: Int
    /// Conversations with something new.
    public var unreadConversations: Int
    /// How many pins one has.
    public var pins: Int

    private enum Key: String, CodingKey {
        case email, phone, role, counts, usage
    }

    private enum CountKey: String, CodingKey {
        case incomingRequests, unreadConversations, pins
    }

    public init(from decoder: any Decoder) throws {
        user = try User(from: decoder)
        let values = try decoder.container(keyedBy: Key.self)
        email = try values.decode(String.self, forKey: .email)
        phone = try values.decodeIfPresent(String.self, forKey: .phone)
        role = Role(rawValue: try values.decode(String.self, forKey: .role)) ?? .user
        let counts = try values.nestedContainer(keyedBy: CountKey.self, forKey: .counts)
        incomingRequests = try counts.decode(Int.self, forKey: .incomingRequests)
        unreadConversations = try counts.decode(Int.self, forKey: .unreadConversations)
        pins = try values.nestedContainer(keyedBy: CountKey.self, forKey: .usage).decode(Int.self, forKey: .pins)
    }
}

/// What changes in one's own account.
public struct MeChange: Encodable, Hashable, Sendable {
    public var displayName: String?
    public var bio: Change<String> = .keep
    public var phone: Change<String> = .keep
    /// Needs `currentPassword`.
    public var email: String?
    /// Proves that it is oneself.
    public var currentPassword: String?

    /// Nothing yet.
    public init() {}

    private enum Key: String, CodingKey {
        case displayName, bio, phone, email, currentPassword
    }

    /// A merge patch.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encodeIfPresent(displayName, forKey: .displayName)
        try values.encode(bio, forKey: .bio)
        try values.encode(phone, forKey: .phone)
        try values.encodeIfPresent(email, forKey: .email)
        try values.encodeIfPresent(currentPassword, forKey: .currentPassword)
    }
}

/// Another account, and what it is to the viewer.
public struct Profile: Decodable, Hashable, Sendable {
    public var user: User
    /// `none` where this client does not know it.
    public var relationship: Relationship

    private enum Key: String, CodingKey {
        case relationship
    }

    public init(from decoder: any Decoder) throws {
        user = try User(from: decoder)
        let values = try decoder.container(keyedBy: Key.self)
        relationship = Relationship(rawValue: try values.decode(String.self, forKey: .relationship)) ?? .none
    }
}

/// Somebody who shows the viewer their pins, and the other way round.
public struct Friend: Decodable, Hashable, Sendable {
    public var user: User
    /// When they became friends.
    public var since: Timestamp

    private enum Key: String, CodingKey {
        case since
    }

    public init(from decoder: any Decoder) throws {
        user = try User(from: decoder)
        since = try decoder.container(keyedBy: Key.self).decode(Timestamp.self, forKey: .since)
    }
}

/// One sign-in on one device.
public struct DeviceSession: Decodable, Hashable, Sendable {
    public var id: Identifier<DeviceSession>
    public var createdAt: Timestamp
    /// When it was last used, to ten minutes.
    public var lastSeenAt: Timestamp
    /// The IP address that signed in.
    public var address: String
    public var userAgent: String?
    /// Whether it is the one of this client.
    public var current: Bool
}
