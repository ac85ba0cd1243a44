import Foundation
import SocialModel

/// Something to be written once the server can be reached.
public struct QueuedWrite: Codable, Hashable, Sendable, Identifiable {
    /// A pin that the server knows, or one whose creation is still queued.
    public enum Target: Codable, Hashable, Sendable {
        case pin(Identifier<Pin>)
        case queued(QueuedWrite.ID)
    }

    /// What is to be done.
    public enum Action: Codable, Hashable, Sendable {
        case create(NewPin)
        /// Only if the pin still has this tag, if there is one.
        case change(Target, PinChange, tag: String?)
        /// Only if the pin still has this tag, if there is one.
        case delete(Target, tag: String?)
    }

    /// Names it to writes that follow.
    public var id: UUID
    public var action: Action
    /// Under which a creation is done once.
    var key: IdempotencyKey
    /// When it was first sent, if it was; its answer may have been lost.
    var firstSentAt: Date?

    init(_ action: Action) {
        id = UUID()
        key = IdempotencyKey()
        self.action = action
    }
}

/// What became of a queued write.
public struct QueuedOutcome: Sendable {
    /// How it ended.
    public enum Result: Sendable {
        /// The pin as it is now.
        case written(Tagged<Pin>)
        case deleted
        /// The server won't: the pin is gone (404) or has changed since (412), a field is at fault (400), … What the
        /// user wrote is in `write`.
        case refused(PinfoldError)
        /// It was for a pin that was never created, because its creation was refused.
        case withoutPin
        /// A creation whose answer was lost more than a day ago: sent again it might be there twice. The user may look.
        case unknown
    }

    /// What was queued.
    public var write: QueuedWrite
    /// How it ended.
    public var result: Result
}
