/// One person's wish to be another's friend, and what became of it.
public struct FriendRequest: Codable, Hashable, Sendable {
    public enum Status: String, Codable, CaseIterable, Sendable {
        case pending, accepted, rejected, cancelled
    }

    /// Which end of a request the viewer is.
    public enum Direction: String, Codable, CaseIterable, Sendable {
        case incoming, outgoing
    }

    public var id: Identifier<FriendRequest>
    public var from: User
    public var to: User
    public var status: Status
    public var createdAt: Timestamp
    /// When it stopped being pending.
    public var respondedAt: Timestamp?

    public init(
        id: Identifier<FriendRequest>, from: User, to: User, status: Status, createdAt: Timestamp,
        respondedAt: Timestamp?
    ) {
        self.id = id
        self.from = from
        self.to = to
        self.status = status
        self.createdAt = createdAt
        self.respondedAt = respondedAt
    }
}
