/// Some of one's friends, by a name of one's own, to show pins to. Only its owner knows of it.
public struct Circle: Hashable, Sendable, Codable {
    public var id: Identifier<Circle>
    public var name: String
    /// Friends of the owner, by id.
    public var members: [Identifier<User>]
    public var createdAt: Timestamp
    public var updatedAt: Timestamp

    public init(
        id: Identifier<Circle>, name: String, members: [Identifier<User>], createdAt: Timestamp, updatedAt: Timestamp
    ) {
        self.id = id
        self.name = name
        self.members = members
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}
