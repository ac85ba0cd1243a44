import SocialModel

/// One page of what has become visible, has changed, or is no longer visible since a cursor.
public struct PinChanges: Decodable, Sendable {
    /// Pins that are visible and new or changed, as they are now.
    public var changed: [Pin]
    /// Pins that are no longer visible.
    public var removed: [Identifier<Pin>]
    /// For the next page, or for the live connection if this is the last.
    public var cursor: String
    /// Whether there are more pages.
    public var more: Bool

    /// A page, as a test needs one.
    public init(changed: [Pin], removed: [Identifier<Pin>], cursor: String, more: Bool) {
        self.changed = changed
        self.removed = removed
        self.cursor = cursor
        self.more = more
    }
}
