import Synchronization

/// A client that messages are pushed to, over a WebSocket or an event stream. Any thread may send to it and close it; what
/// it is asked for after it was closed is quietly dropped.
///
/// It costs no buffers while nothing is under way.
package final class LiveConnection: @unchecked Sendable {  // what is not constant or atomic is the loop's thread's
    package enum Transport: Sendable, Hashable {
        case webSocket
        /// Server-Sent Events.
        case eventStream
    }

    /// Unlike any other of the process.
    package let id: UInt64
    /// The client, behind trusted proxies as they name it.
    package let address: IPAddress
    package let transport: Transport
    /// The loop that serves it.
    package let loop: LiveLoop
    let deflate: PermessageDeflate?
    let handlers: LiveHandlers
    let unsent = Atomic(0)

    enum Phase {
        /// Handed to the loop, which has not seen it yet.
        case new
        case open
        /// Nothing is taken any more but the goodbye, which has yet to be sent.
        case closing
        /// All is sent, and the client has yet to close.
        case lingering
        case gone
    }

    var phase = Phase.new
    /// Its own; closed with it.
    var descriptor: Int32 = -1
    /// Where the loop keeps it, and what tells it from others that were kept there.
    var slot = 0
    var generation: UInt32 = 0
    var queue = OutboundQueue()
    /// What is called once nothing waits to be sent any more.
    var drained: [@Sendable (Bool) -> Void] = []
    var reader: FrameReader?
    /// Since when there is a reader, or its last message ended.
    var readingSince: Int64 = 0
    /// Nanoseconds of the monotonic clock: when the client was last heard, or took something of what waits for it.
    var heardAt: Int64 = 0
    var heartbeatAt: Int64 = 0
    /// A WebSocket's client was sent a ping since it was last heard.
    var isPinged = false
    /// When the closing must be over.
    var deadline: Int64 = .max
    var flood = FloodGauge()
    var waitsForRoom = false
    var isDirty = false
    /// The client's own close frame has come: nothing follows it.
    var hasClientClosed = false
    /// Bytes from an event stream's client, who has nothing to say.
    var ignored = 0
    /// What the connection counts for, until it is gone.
    var reservation: LiveReservation?
    /// Called when the descriptor is closed.
    var ended: (@Sendable () -> Void)?

    private static let identifiers = Atomic<UInt64>(1)

    init(
        _ transport: Transport, loop: LiveLoop, address: IPAddress, deflate: PermessageDeflate?,
        handlers: LiveHandlers, reservation: LiveReservation
    ) {
        id = Self.identifiers.add(1, ordering: .relaxed).oldValue
        self.transport = transport
        self.loop = loop
        self.address = address
        self.deflate = deflate
        self.handlers = handlers
        self.reservation = reservation
    }

    /// The form in which it is sent a message.
    var form: LiveMessage.Form {
        switch transport {
        case .eventStream: .event
        case .webSocket: deflate.map { .deflated($0.windowBits) } ?? .frame
        }
    }

    /// Bytes that wait beyond what the system has taken, as of a moment ago; what the loop has yet to look at not counted.
    package var unsentBytes: Int { unsent.load(ordering: .relaxed) }

    /// Sends a message. Messages arrive in the order in which they were sent by one thread.
    package func send(_ message: LiveMessage) { loop.post(.sendOne(message, self)) }

    /// Closes after what was sent before. A WebSocket gets a close frame, an event stream an event `close` with
    /// `{"code", "reason"}`.
    package func close(_ close: LiveClose) { loop.post(.close(self, close)) }

    /// Calls `body` on the loop's thread when the system has taken all that was sent before, so that a long backlog can be
    /// sent in pages of at most `LiveLimits.queueBytes` without overflowing; with false if the connection was closed
    /// instead. It must not block.
    package func whenDrained(_ body: @escaping @Sendable (_ isOpen: Bool) -> Void) {
        loop.post(.whenDrained(self, body))
    }
}

/// A place among the live connections that there may be, given back when nobody refers to it any more.
final class LiveReservation: Sendable {
    private let giveBack: @Sendable () -> Void

    init(giveBack: @escaping @Sendable () -> Void) { self.giveBack = giveBack }

    deinit { giveBack() }
}
