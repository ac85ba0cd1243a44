import Glibc

/// What waits to be sent on one connection: references to bytes that may wait on others too.
struct OutboundQueue {
    enum Progress {
        case all
        /// The system takes no more for now.
        case some
        case failed
    }

    private var pieces: [SharedBytes] = []
    /// The first piece that is not sent to its end, and how much of it is sent.
    private var first = 0
    private var offset = 0
    /// Bytes that are not sent.
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    mutating func append(_ bytes: SharedBytes) {
        if bytes.count == 0 { return }
        pieces.append(bytes)
        count += bytes.count
    }

    /// Drops what has not begun to be sent.
    mutating func dropWhole() {
        guard offset > 0 else { return self = OutboundQueue() }
        let begun = pieces[first]
        pieces = [begun]
        first = 0
        count = begun.count - offset
    }

    /// Sends as much as the system takes, many pieces in one call.
    mutating func send(to descriptor: Int32) -> Progress {
        while count > 0 {
            let sent = sendOnce(to: descriptor)
            if sent < 0 {
                if errno == EINTR { continue }
                return errno == EAGAIN ? .some : .failed
            }
            remove(sent)
        }
        return .all
    }

    private func sendOnce(to descriptor: Int32) -> Int {
        let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
        if pieces.count - first == 1 {
            return Glibc.send(descriptor, pieces[first].start + offset, pieces[first].count - offset, flags)
        }
        return withUnsafeTemporaryAllocation(of: iovec.self, capacity: Self.pieceLimit) { vectors in
            var used = 0
            for index in first..<min(pieces.count, first + vectors.count) {
                let skip = index == first ? offset : 0
                vectors[used] = iovec(iov_base: pieces[index].start + skip, iov_len: pieces[index].count - skip)
                used += 1
            }
            var header = msghdr()
            header.msg_iov = vectors.baseAddress
            header.msg_iovlen = used
            return sendmsg(descriptor, &header, flags)
        }
    }

    private mutating func remove(_ sent: Int) {
        count -= sent
        var left = sent
        while first < pieces.count, left >= pieces[first].count - offset {
            left -= pieces[first].count - offset
            offset = 0
            first += 1
        }
        offset += left
        if first == pieces.count {
            // A few places are kept: the next message comes soon. Many would add up over idle connections.
            pieces.removeAll(keepingCapacity: pieces.capacity <= Self.keptCapacity)
            first = 0
        } else if first >= Self.pieceLimit {
            pieces.removeFirst(first)
            first = 0
        }
    }

    private static let pieceLimit = 64
    private static let keptCapacity = 8
}
