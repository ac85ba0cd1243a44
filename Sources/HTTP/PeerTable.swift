import Glibc
import Synchronization

/// All open connections, so that they can be counted, timed and ended.
///
/// A connection is removed before its descriptor is closed. Whoever holds the table's lock can therefore use the
/// descriptors in it: none can have become another connection's.
final class PeerTable: Sendable {
    private struct Contents {
        var peers: [ObjectIdentifier: Peer] = [:]
        var perNetwork: [IPAddress: Int] = [:]
        var live = 0
        var eventStreams = 0
        var livePerNetwork: [IPAddress: Int] = [:]
        var lingering: [(descriptor: Int32, until: Int64)] = []

        mutating func discount(_ network: IPAddress) {
            guard let count = perNetwork[network] else { return }
            perNetwork[network] = count > 1 ? count - 1 : nil
        }
    }

    private let contents = Mutex(Contents())

    var count: Int { contents.withLock { $0.peers.count } }

    var isAnyAnswering: Bool {
        contents.withLock { $0.peers.values.contains { $0.phase.load(ordering: .acquiring) == .answering } }
    }

    func connections(of network: IPAddress) -> Int {
        contents.withLock { $0.perNetwork[network] ?? 0 }
    }

    /// Takes a place among the live connections, until what is returned is let go.
    ///
    /// - Parameter network: what the connection counts for, if it counts.
    /// - Throws: 503 when there are too many, 429 when there are too many of one network.
    func reserveLive(
        _ transport: LiveConnection.Transport, network: IPAddress?, limits: LiveLimits
    ) throws(HTTPError) -> LiveReservation {
        let isStream = transport == .eventStream
        let problem: HTTPError? = contents.withLock { contents in
            if contents.live >= limits.connections || isStream && contents.eventStreams >= limits.eventStreams {
                return .unavailable(retryAfter: 30)
            }
            if let network {
                let count = contents.livePerNetwork[network] ?? 0
                if let limit = limits.perAddress, count >= limit { return .tooManyRequests(retryAfter: 30) }
                contents.livePerNetwork[network] = count + 1
            }
            contents.live += 1
            if isStream { contents.eventStreams += 1 }
            return nil
        }
        if let problem { throw problem }
        return LiveReservation { [self] in
            contents.withLock { contents in
                contents.live -= 1
                if isStream { contents.eventStreams -= 1 }
                if let network, let count = contents.livePerNetwork[network] {
                    contents.livePerNetwork[network] = count > 1 ? count - 1 : nil
                }
            }
        }
    }

    /// A connection counts no longer for its network: it is live, and counts there.
    func stopCounting(_ peer: Peer) {
        contents.withLock { contents in
            if let network = peer.countedNetwork { contents.discount(network) }
            peer.countedNetwork = nil
        }
    }

    func insert(_ peer: Peer) {
        contents.withLock { contents in
            contents.peers[ObjectIdentifier(peer)] = peer
            if let network = peer.countedNetwork { contents.perNetwork[network, default: 0] += 1 }
        }
    }

    /// Removes a connection that the library is about to close.
    ///
    /// If the client may still be sending, a second descriptor keeps the socket for a while: closing it with unread
    /// bytes makes the kernel reset the connection, and the client may lose the answer that says why.
    func remove(_ peer: Peer) {
        let spare = peer.lingers ? dup(peer.descriptor) : -1
        if spare >= 0 { shutdown(spare, Int32(SHUT_WR)) }
        contents.withLock { contents in
            contents.peers[ObjectIdentifier(peer)] = nil
            if let network = peer.countedNetwork { contents.discount(network) }
            if spare >= 0 {
                if contents.lingering.count >= Self.lingeringLimit {
                    close(contents.lingering.removeFirst().descriptor)
                }
                contents.lingering.append((spare, monotonicNow() + Self.lingeringTime))
            }
        }
    }

    /// Ends the connections whose time is over.
    ///
    /// - Parameter farewell: what a client is sent whose request has begun to arrive.
    func cutExpired(now: Int64, farewell: () -> [UInt8]) {
        contents.withLock { contents in
            for peer in contents.peers.values where peer.deadline.load(ordering: .relaxed) < now {
                if peer.move(from: .reading, to: .cut) {
                    let bytes = farewell()
                    peer.sendNow(bytes)
                } else {
                    _ = peer.move(from: .idle, to: .cut)
                }
                peer.deadline.store(.max, ordering: .relaxed)
                shutdown(peer.descriptor, Int32(SHUT_RDWR))
            }
            endHalfClosed(contents, now: now)
            drainLingering(&contents, now: now)
        }
    }

    /// Ends connections that have their answer, and whose client said before it that nothing more will come: the library
    /// does not notice. One look for each time that a connection falls idle.
    private func endHalfClosed(_ contents: Contents, now: Int64) {
        for peer in contents.peers.values where peer.phase.load(ordering: .relaxed) == .idle {
            let idleSince = peer.idleSince.load(ordering: .relaxed)
            guard peer.lookedAtIdle != idleSince, idleSince < now - Self.idleBeforeLook else { continue }
            peer.lookedAtIdle = idleSince
            var byte: UInt8 = 0
            guard recv(peer.descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) == 0 else { continue }
            if peer.move(from: .idle, to: .cut) { shutdown(peer.descriptor, Int32(SHUT_RDWR)) }
        }
    }

    /// Ends the connections on which nothing has happened since `time`.
    func cutIdle(since time: Int64) {
        contents.withLock { contents in
            for peer in contents.peers.values
            where peer.idleSince.load(ordering: .relaxed) < time && peer.move(from: .idle, to: .cut) {
                shutdown(peer.descriptor, Int32(SHUT_RDWR))
            }
        }
    }

    /// Ends all connections, whatever they are at.
    func cutAll() {
        contents.withLock { contents in
            for peer in contents.peers.values { shutdown(peer.descriptor, Int32(SHUT_RDWR)) }
            for (descriptor, _) in contents.lingering { close(descriptor) }
            contents.lingering = []
        }
    }

    private func drainLingering(_ contents: inout Contents, now: Int64) {
        withUnsafeTemporaryAllocation(byteCount: 65536, alignment: 16) { buffer in
            contents.lingering.removeAll { descriptor, until in
                for _ in 0..<16 {
                    let count = recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
                    if count > 0 { continue }
                    if count < 0, errno == EAGAIN || errno == EINTR { break }
                    close(descriptor)
                    return true
                }
                guard until < now else { return false }
                close(descriptor)
                return true
            }
        }
    }

    private static let idleBeforeLook = Duration.milliseconds(100).nanoseconds
    private static let lingeringLimit = 256
    private static let lingeringTime = Duration.seconds(2).nanoseconds
}
