/// The limits of live connections: WebSockets and event streams.
package struct LiveLimits: Sendable {
    /// Live connections of all clients together; more are answered with 503.
    package var connections = 20_000
    /// Event streams of all clients together. Each also takes one of the server's `connectionLimit`, because the library
    /// keeps the connection; a WebSocket leaves it.
    package var eventStreams = 4_000
    /// Live connections of one IPv4 address or one IPv6 /64, behind trusted proxies as they name it; more are answered
    /// with 429. They count here until they are closed, and no longer for `perAddressConnectionLimit`.
    package var perAddress: Int?
    /// Bytes of a message from a client, before and after it is inflated; more closes with 1009.
    package var messageBytes = 64 << 10
    /// How long a message may take from its first byte to its last; a slower one closes with 1008. What has come of it is
    /// kept in memory.
    package var messageTime = Duration.seconds(20)
    /// Bytes that wait for a client beyond what the system has taken. One message alone may be larger. Who has more
    /// waiting is closed with 4408.
    package var queueBytes = 64 << 10
    /// Bytes that the system takes ahead of a client, roughly.
    package var sendBuffer = 64 << 10
    /// How often a client is sent a ping, or an event stream a comment.
    package var heartbeat = Duration.seconds(30)
    /// A client from which nothing has come for so long, or that has taken nothing of what waits for it, is closed.
    package var silence = Duration.seconds(75)
    /// How long a closing connection may take to say goodbye.
    package var closeTime = Duration.seconds(5)
    /// Messages that a client may send within `floodWindow`, all at once or spread; more closes with 4429. A control
    /// frame counts as a message. Nil lets all through.
    package var floodMessages: Int? = 60
    package var floodWindow = Duration.seconds(10)

    package init() {}
}
