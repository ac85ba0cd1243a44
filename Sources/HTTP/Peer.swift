import Glibc
import Synchronization

/// One connection and the request that is on it.
///
/// The library serves a connection on one thread and one request after the other, so `incoming` needs no lock; what the
/// reaper looks at is atomic.
final class Peer: @unchecked Sendable {
    /// What is going on, as far as others than the connection's thread have to know.
    enum Phase: UInt8, AtomicRepresentable {
        /// No request line has been read since the last answer.
        case idle
        /// A head or a body is being read.
        case reading
        /// The request is complete, and this server's turn.
        case answering
        /// Ended by the reaper: no answer may follow.
        case cut
    }

    /// How far the connection's thread has come with a request.
    enum Step {
        case head, body, working, answered
    }

    /// The request of the moment. A class, because as a struct its many references were counted up and down wherever it
    /// went, for each request several times.
    final class Incoming {
        let id: String
        var head = RequestHead()
        var plan: Router.Plan?
        var body: [UInt8] = []
        /// Where the body goes instead, if the route says so.
        var upload: UploadedFile?
        /// Bytes of the body so far, kept or not.
        var received = 0
        var bodyLimit = 0
        /// Of the memory for bodies, once the request has one.
        var share: BodyBudget.Share?
        /// Where the library's buffer goes on behind the head.
        var bodyStart: UnsafeRawPointer?
        var address: IPAddress
        let startedAt: Int64
        var request: Request?
        var completion: Completion?
        /// What the connection becomes, or was while it streamed events.
        var live: LiveConnection?
        var status = 0
        var sent = 0
        /// Of the file that is being sent.
        var companion: (any Sendable)?

        init(id: String, address: IPAddress, startedAt: Int64) {
            self.id = id
            self.address = address
            self.startedAt = startedAt
        }
    }

    unowned let server: Server
    let descriptor: Int32
    let address: IPAddress
    /// What the connection counts for, if it counts. The table's, once the peer is in it.
    var countedNetwork: IPAddress?
    let phase = Atomic(Phase.idle)
    /// Nanoseconds of the monotonic clock.
    let deadline: Atomic<Int64>
    let idleSince: Atomic<Int64>

    /// The idle time that the reaper has looked into; its alone.
    var lookedAtIdle: Int64 = 0

    var step = Step.head
    /// The target as sent. The array is kept from request to request.
    var target: [UInt8] = []
    var incoming: Incoming?
    var requests = 0
    /// The client may still be sending what is not going to be read.
    var lingers = false

    init(
        server: Server, descriptor: Int32, address: IPAddress, countedNetwork: IPAddress?, now: Int64, deadline: Int64
    ) {
        self.server = server
        self.descriptor = descriptor
        self.address = address
        self.countedNetwork = countedNetwork
        self.deadline = Atomic(deadline)
        idleSince = Atomic(now)
    }

    /// Moves from one phase to another; false if it was in neither, or the reaper came first.
    func move(from old: Phase, to new: Phase) -> Bool {
        phase.compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing).exchanged
    }

    /// Sends as much as the socket takes without waiting, past the library, which must have nothing to send.
    func sendNow(_ bytes: [UInt8]) {
        send(descriptor, bytes, bytes.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
    }
}

/// The monotonic clock in nanoseconds.
func monotonicNow() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

extension Duration {
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
