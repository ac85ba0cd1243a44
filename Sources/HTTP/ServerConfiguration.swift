extension Server {
    /// The server's limits and where it listens.
    package struct Configuration: Sendable {
        /// An IPv4 or IPv6 address, or `localhost`. `::` takes both families.
        package var host = "127.0.0.1"
        /// 0 takes a free one.
        package var port: UInt16 = 0
        /// Each has its own listening socket and its own connections.
        package var threads = 2
        /// Bytes of a body where the route says nothing else.
        package var bodyLimit = 1 << 20
        /// Bytes of bodies, of all requests together, that are kept in memory, but for the first 64 KiB of each; whoever
        /// sends more is told to come again.
        package var bodyBudget = 256 << 20
        /// For a request's head, from the connection's start or from its request line on.
        package var headerTime = Duration.seconds(10)
        /// For a body and for an answer, before what `bytesPerSecond` adds.
        package var bodyTime = Duration.seconds(20)
        /// The slowest client that is served adds this many bytes a second to a body, or takes as many of an answer.
        package var bytesPerSecond = 8192
        /// For a connection without a request, and for one where nothing moves.
        package var idleTime = Duration.seconds(30)
        package var connectionLimit = 10_000
        /// Connections of one IPv4 address or one IPv6 /64; those of trusted proxies don't count, and live ones count for
        /// `live.perAddress` instead.
        package var perAddressConnectionLimit: Int?
        /// Whose `X-Forwarded-For` is believed.
        package var trustedProxies: [CIDRBlock] = []
        package var poolThreads = 16
        /// Jobs that wait while all of the pool's threads are busy.
        package var poolQueue = 256
        /// Memory of a connection; a request's head must fit in.
        package var connectionMemory = 16 << 10

        /// For WebSockets and event streams.
        package var live = LiveLimits()

        package init() {}
    }
}
