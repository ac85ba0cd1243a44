import Foundation
import SocialModel

/// Something that has happened, as the viewer may see it when it is sent.
public struct LiveEvent: Sendable, Hashable {
    /// What has happened.
    public enum Kind: Sendable, Hashable {
        /// A pin is visible that was not.
        case pinCreated(Pin)
        case pinUpdated(Pin)
        /// A pin is no longer visible, whatever the cause.
        case pinRemoved(Identifier<Pin>)
        case friendRequestCreated(FriendRequest)
        case friendRequestAccepted(FriendRequest)
        case friendRequestRejected(FriendRequest)
        case friendRequestCancelled(FriendRequest)
        /// Their older pins don't come as events: ask `pinChanges` for them, as `PinCache` does.
        case friendAdded(User)
        /// All of their pins are visible no more.
        case friendRemoved(User)
        /// Oneself or a friend has another profile.
        case profileUpdated(User)
        case presence(Presence)
        /// A type that this client does not know, or not in this form, with the event as it was sent.
        case other(type: String, json: Data)
    }

    /// Whether a friend is there.
    public struct Presence: Decodable, Sendable, Hashable {
        /// Whose presence it is.
        public var userId: Identifier<User>
        /// Whether they are there.
        public var online: Bool
        /// Roughly; nil if they don't tell.
        public var lastSeenAt: Timestamp?
    }

    /// What has happened, and to what.
    public var kind: Kind
    /// Where to go on behind this event; nil for what is not kept, such as presence.
    public var cursor: String?
    /// When it happened.
    public var at: Timestamp?

    /// An event, as a test or a preview needs one.
    public init(_ kind: Kind, cursor: String? = nil, at: Timestamp? = nil) {
        self.kind = kind
        self.cursor = cursor
        self.at = at
    }
}

extension LiveEvent: Decodable {
    private enum Key: String, CodingKey {
        case type, cursor, at, pin, id, friendRequest, user
    }

    /// An event with its own fields; `other` for types that are not known here.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        cursor = try values.decodeIfPresent(String.self, forKey: .cursor)
        at = try values.decodeIfPresent(Timestamp.self, forKey: .at)
        let type = try values.decode(String.self, forKey: .type)
        func request() throws -> FriendRequest { try values.decode(FriendRequest.self, forKey: .friendRequest) }
        switch type {
        case "pin.created": kind = .pinCreated(try values.decode(Pin.self, forKey: .pin))
        case "pin.updated": kind = .pinUpdated(try values.decode(Pin.self, forKey: .pin))
        case "pin.removed": kind = .pinRemoved(try values.decode(Identifier<Pin>.self, forKey: .id))
        case "friendRequest.created": kind = .friendRequestCreated(try request())
        case "friendRequest.accepted": kind = .friendRequestAccepted(try request())
        case "friendRequest.rejected": kind = .friendRequestRejected(try request())
        case "friendRequest.cancelled": kind = .friendRequestCancelled(try request())
        case "friend.added": kind = .friendAdded(try values.decode(User.self, forKey: .user))
        case "friend.removed": kind = .friendRemoved(try values.decode(User.self, forKey: .user))
        case "profile.updated": kind = .profileUpdated(try values.decode(User.self, forKey: .user))
        case "presence": kind = .presence(try Presence(from: decoder))
        default: kind = .other(type: type, json: Data())
        }
    }

    /// What `message` carries; nothing that comes is an error, so that a newer server does not stop an older client.
    init(_ message: ServerSentEvent) {
        let json = Data(message.data.utf8)
        if let event = try? JSONDecoder().decode(LiveEvent.self, from: json) {
            self = event
            if case .other(let type, _) = event.kind { kind = .other(type: type, json: json) }
        } else {
            self.init(.other(type: message.type, json: json))
        }
        if cursor == nil, case .presence = kind { return }
        // The stream's `id` is the cursor; it stays the same for what has none of its own.
        if cursor == nil, !message.id.isEmpty { cursor = message.id }
    }
}
