import CWslay
import Glibc

/// What the thread of a `LiveLoop` works with; nobody else touches it.
final class LiveLoopThread {
    let loop: LiveLoop
    let limits: LiveLimits
    let epoll: Int32
    private let event: Int32
    private var slots: [LiveConnection?] = []
    private var freeSlots: [Int] = []
    private var generations: UInt32 = 0
    private var count = 0
    /// Those that have something new to send.
    private var dirty: [LiveConnection] = []
    private var nextSweep: Int64 = 0
    /// When the loop ends whatever is left; nil while it is not stopping.
    private var end: Int64?
    var now = monotonicNow()
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    var spareReaders: [FrameReader] = []
    lazy var inflater = Inflater(limit: limits.messageBytes)
    private var deflaters: [UInt8: Deflater] = [:]

    init(_ loop: LiveLoop, epoll: Int32, event: Int32) {
        self.loop = loop
        limits = loop.limits
        self.epoll = epoll
        self.event = event
    }

    deinit { buffer.deallocate() }

    func run() {
        var wake = epoll_event()
        wake.events = EPOLLIN.rawValue
        wake.data.u64 = Self.wakeMark
        epoll_ctl(epoll, EPOLL_CTL_ADD, event, &wake)
        withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: 512) { events in
            while !isDone {
                let timeout = loop.fallAsleep() ? waitingTime() : 0
                let ready = epoll_wait(epoll, events.baseAddress, Int32(events.count), timeout)
                now = monotonicNow()
                for index in 0..<max(0, Int(ready)) { handle(events[index]) }
                for command in loop.takeCommands() { obey(command) }
                flushDirty()
                if now >= nextSweep { sweep() }
            }
        }
        for connection in slots { if let connection { drop(connection, .goingAway) } }
        loop.finish()
    }

    private var isDone: Bool {
        guard let end else { return false }
        return count == 0 || now >= end
    }

    /// Milliseconds until the next look at the clock; -1 for as long as it takes.
    private func waitingTime() -> Int32 {
        if count == 0 { return end == nil ? -1 : 0 }
        let next = min(nextSweep, end ?? .max)
        return Int32(clamping: max(0, next - now + 999_999) / 1_000_000)
    }

    private func handle(_ ready: epoll_event) {
        if ready.data.u64 == Self.wakeMark {
            var value: UInt64 = 0
            Glibc.read(event, &value, 8)
            return
        }
        let slot = Int(ready.data.u64 & 0xffff_ffff)
        guard let connection = slots[slot], UInt64(connection.generation) == ready.data.u64 >> 32 else { return }
        if ready.events & EPOLLOUT.rawValue != 0 { flush(connection) }
        if ready.events & ~EPOLLOUT.rawValue != 0, connection.phase != .gone { receive(connection) }
    }

    private func obey(_ command: LiveLoop.Command) {
        switch command {
        case .adopt(let connection, let first): adopt(connection, first)
        case .sendOne(let message, let connection): enqueue(bytes(of: message, connection.form), connection)
        case .send(let message, let connections):
            var known: (form: LiveMessage.Form, bytes: SharedBytes)?
            for connection in connections where connection.phase == .open && connection.loop === loop {
                let form = connection.form
                if known?.form != form { known = (form, bytes(of: message, form)) }
                if let known { enqueue(known.bytes, connection) }
            }
        case .close(let connection, let close): begin(close, connection)
        case .whenDrained(let connection, let body):
            guard connection.phase == .open else { return body(false) }
            connection.drained.append(body)
            markDirty(connection)
        case .perform(let body): body()
        case .stop(let grace):
            end = now + grace.nanoseconds
            for connection in slots { if let connection { begin(.goingAway, connection) } }
        }
    }

    private func bytes(of message: LiveMessage, _ form: LiveMessage.Form) -> SharedBytes {
        message.bytes(form) { windowBits, json in
            if deflaters[windowBits] == nil { deflaters[windowBits] = Deflater(windowBits: windowBits) }
            return deflaters[windowBits]?.deflate(json)
        }
    }

    private func adopt(_ connection: LiveConnection, _ first: [UInt8]) {
        var size = Int32(clamping: limits.sendBuffer)
        setsockopt(connection.descriptor, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        if connection.transport == .eventStream {
            // Nothing is heard from an event stream: the system must notice that its client is gone.
            var patience = UInt32(clamping: limits.silence.nanoseconds / 1_000_000)
            let length = socklen_t(MemoryLayout<UInt32>.size)
            setsockopt(connection.descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &patience, length)
        }
        let slot = freeSlots.popLast() ?? slots.count
        if slot == slots.count { slots.append(nil) }
        slots[slot] = connection
        generations &+= 1
        connection.slot = slot
        connection.generation = generations
        connection.heardAt = now
        // Those who came together, as after a restart, are not all sent pings together.
        connection.heartbeatAt = now + limits.heartbeat.nanoseconds / 4 * Int64.random(in: 2...4)
        if count == 0 { nextSweep = now + tick }
        count += 1
        loop.count(1)
        guard watch(connection, EPOLL_CTL_ADD) else { return drop(connection, .lost) }
        connection.phase = .open
        connection.handlers.opened(connection)
        if connection.transport == .eventStream {
            connection.queue.append(SharedBytes(first))
            markDirty(connection)
        }
        if end != nil { return begin(.goingAway, connection) }
        if connection.transport == .webSocket, !first.isEmpty {
            first.withUnsafeBytes { read($0, connection) }
        }
    }

    /// False when the system has no room for one more in the set.
    @discardableResult
    private func watch(_ connection: LiveConnection, _ operation: Int32) -> Bool {
        var interest = epoll_event()
        interest.events = EPOLLIN.rawValue | (connection.waitsForRoom ? EPOLLOUT.rawValue : 0)
        interest.data.u64 = UInt64(connection.generation) << 32 | UInt64(connection.slot)
        return epoll_ctl(epoll, operation, connection.descriptor, &interest) == 0
    }

    // MARK: Sending

    /// Queues a message, or closes a connection whose client is too slow for it.
    func enqueue(_ bytes: SharedBytes, _ connection: LiveConnection) {
        guard connection.phase == .open else { return }
        if !fits(bytes, connection) {
            // The system may have taken nothing yet only because it was not asked.
            if !connection.waitsForRoom { flush(connection) }
            guard connection.phase == .open else { return }
            guard fits(bytes, connection) else { return begin(.slowReader, connection) }
        }
        // What waits on an event stream tells whether its client still takes anything.
        if connection.queue.isEmpty, connection.transport == .eventStream { connection.heardAt = now }
        connection.queue.append(bytes)
        markDirty(connection)
    }

    private func fits(_ bytes: SharedBytes, _ connection: LiveConnection) -> Bool {
        connection.queue.isEmpty || connection.queue.count + bytes.count <= limits.queueBytes
    }

    private func markDirty(_ connection: LiveConnection) {
        if connection.isDirty { return }
        connection.isDirty = true
        dirty.append(connection)
    }

    private func flushDirty() {
        // Handlers that are called on the way can only ask for more by commands.
        for connection in dirty {
            connection.isDirty = false
            if !connection.waitsForRoom { flush(connection) }
        }
        dirty.removeAll(keepingCapacity: dirty.count <= 4096)
    }

    private func flush(_ connection: LiveConnection) {
        guard connection.phase != .gone else { return }
        let before = connection.queue.count
        let progress = connection.queue.send(to: connection.descriptor)
        connection.unsent.store(connection.queue.count, ordering: .relaxed)
        if connection.queue.count < before, connection.transport == .eventStream { connection.heardAt = now }
        switch progress {
        case .failed: return drop(connection, .lost)
        case .some:
            if connection.waitsForRoom { return }
            connection.waitsForRoom = true
            watch(connection, EPOLL_CTL_MOD)
        case .all:
            if connection.waitsForRoom {
                connection.waitsForRoom = false
                watch(connection, EPOLL_CTL_MOD)
            }
            if !connection.drained.isEmpty {
                let bodies = connection.drained
                connection.drained = []
                for body in bodies { body(connection.phase == .open) }
            }
            if connection.phase == .closing { said(connection) }
        }
    }

    // MARK: Closing

    /// Says goodbye: what is queued is still sent, and nothing after it.
    func begin(_ close: LiveClose, _ connection: LiveConnection) {
        guard connection.phase == .open else { return }
        connection.phase = .closing
        connection.deadline = now + limits.closeTime.nanoseconds
        if close == .slowReader { connection.queue.dropWhole() }
        switch connection.transport {
        case .webSocket: connection.queue.append(WebSocketFrame.make(.close, close.payload))
        case .eventStream:
            var json = JSONWriter()
            json.object {
                $0.key("code")
                $0.integer(Int64(close.code))
                $0.key("reason")
                $0.string(close.reason)
            }
            connection.queue.append(SharedBytes(LiveMessage.event(type: "close", data: json.bytes)))
        }
        markDirty(connection)
        release(connection, close)
    }

    /// The goodbye is sent. A WebSocket's client is given time to close, because what it is still sending would make the
    /// system throw away what it has not read yet.
    private func said(_ connection: LiveConnection) {
        if connection.transport == .eventStream || connection.hasClientClosed { return drop(connection, .normal) }
        connection.phase = .lingering
        shutdown(connection.descriptor, Int32(SHUT_WR))
    }

    /// Ends a connection at once.
    func drop(_ connection: LiveConnection, _ close: LiveClose) {
        let wasOpen = connection.phase == .open
        connection.phase = .gone
        connection.queue = OutboundQueue()
        connection.unsent.store(0, ordering: .relaxed)
        epoll_ctl(epoll, EPOLL_CTL_DEL, connection.descriptor, nil)
        Glibc.close(connection.descriptor)
        connection.descriptor = -1
        slots[connection.slot] = nil
        freeSlots.append(connection.slot)
        count -= 1
        loop.count(-1)
        connection.reservation = nil
        connection.ended?()
        connection.ended = nil
        if wasOpen { release(connection, close) }
    }

    /// Lets go of what a connection needs while it is open, and tells its owner.
    private func release(_ connection: LiveConnection, _ close: LiveClose) {
        connection.reader = nil
        let bodies = connection.drained
        connection.drained = []
        for body in bodies { body(false) }
        connection.handlers.closed(connection, close)
    }

    // MARK: Time

    private func sweep() {
        nextSweep = now + tick
        for connection in slots {
            guard let connection else { continue }
            switch connection.phase {
            case .open: look(at: connection)
            case .closing, .lingering: if now >= connection.deadline { drop(connection, .lost) }
            case .new, .gone: break
            }
        }
        flushDirty()
    }

    private func look(at connection: LiveConnection) {
        let isSilent = connection.heardAt < now - limits.silence.nanoseconds
        // Who was not asked is not silent: after a stall of the loop itself, all would seem to be.
        if isSilent, connection.isPinged || !connection.queue.isEmpty {
            return begin(connection.queue.isEmpty ? .silent : .slowReader, connection)
        }
        if connection.reader != nil, connection.readingSince < now - limits.messageTime.nanoseconds {
            return begin(.slowMessage, connection)
        }
        guard now >= connection.heartbeatAt else { return }
        connection.heartbeatAt = now + limits.heartbeat.nanoseconds
        if connection.transport == .webSocket {
            connection.isPinged = true
            enqueue(Self.ping, connection)
        } else if connection.queue.isEmpty {
            connection.heardAt = now
            enqueue(Self.comment, connection)
        }
    }

    /// How often the clock is looked at.
    private var tick: Int64 {
        let shortest = min(
            limits.heartbeat.nanoseconds / 16, limits.silence.nanoseconds / 16, limits.closeTime.nanoseconds / 4,
            limits.messageTime.nanoseconds / 4)
        return max(1_000_000, min(1_000_000_000, shortest))
    }

    private static let wakeMark = UInt64.max
    private static let ping = WebSocketFrame.make(.ping, [])
    private static let comment = SharedBytes(Array(":\n\n".utf8))
}
