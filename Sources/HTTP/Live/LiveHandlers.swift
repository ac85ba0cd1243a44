/// What the owner of live connections is told. All of it is called on the loop's thread, one call after the other, and
/// must not block: every other connection waits.
package struct LiveHandlers: Sendable {
    /// The connection can be sent to. Comes first, once.
    package var opened: @Sendable (LiveConnection) -> Void
    /// A text message, which is valid UTF-8. An event stream receives none.
    package var received: @Sendable (LiveConnection, [UInt8]) -> Void
    /// Nothing is sent or received any more. Comes last, once, unless the connection never opened.
    package var closed: @Sendable (LiveConnection, LiveClose) -> Void

    package init(
        opened: @escaping @Sendable (LiveConnection) -> Void = { _ in },
        received: @escaping @Sendable (LiveConnection, [UInt8]) -> Void = { _, _ in },
        closed: @escaping @Sendable (LiveConnection, LiveClose) -> Void = { _, _ in }
    ) {
        self.opened = opened
        self.received = received
        self.closed = closed
    }
}
