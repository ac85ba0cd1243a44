import Glibc

/// What clients send.
extension LiveLoopThread {
    /// Takes what the system has for a connection, at most one buffer full, so that no client keeps the others waiting.
    func receive(_ connection: LiveConnection) {
        let count = recv(connection.descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
        if count < 0, errno == EAGAIN || errno == EINTR { return }
        guard count > 0 else { return drop(connection, .lost) }
        guard connection.phase == .open else { return }
        switch connection.transport {
        case .webSocket: read(UnsafeRawBufferPointer(rebasing: buffer[..<count]), connection)
        case .eventStream:
            connection.ignored += count
            if connection.ignored > Self.ignoredLimit { begin(.flood, connection) }
        }
    }

    /// Reads frames of an open WebSocket.
    func read(_ bytes: UnsafeRawBufferPointer, _ connection: LiveConnection) {
        connection.heardAt = now
        connection.isPinged = false
        guard let reader = connection.reader ?? spareReaders.popLast() ?? FrameReader(limit: limits.messageBytes) else {
            return drop(connection, .lost)
        }
        if connection.reader == nil { connection.readingSince = now }
        connection.reader = reader
        reader.feed(bytes, inflates: connection.deflate != nil)
        do throws(LiveClose) {
            while connection.phase == .open, let item = try reader.next() { try handle(item, connection) }
        } catch {
            return begin(error, connection)
        }
        if connection.phase == .open, reader.isAtRest {
            connection.reader = nil
            if spareReaders.count < Self.spareLimit { spareReaders.append(reader) }
        }
    }

    private func handle(_ item: FrameReader.Item, _ connection: LiveConnection) throws(LiveClose) {
        switch item {
        case .message(let bytes, let isCompressed):
            connection.readingSince = now
            try charge(connection, 1)
            guard isCompressed else { return connection.handlers.received(connection, bytes) }
            guard let inflater else { throw .notInflatable }
            let inflated = try inflater.inflate(bytes)
            guard inflated.isUTF8 else { throw .notUTF8 }
            connection.handlers.received(connection, inflated)
        case .fragment: try charge(connection, 1 / Self.fragmentsPerMessage)
        case .ping(let payload):
            try charge(connection, 1)
            enqueue(WebSocketFrame.make(.pong, payload), connection)
        case .pong: try charge(connection, 1)
        case .close(let close):
            connection.hasClientClosed = true
            begin(close, connection)
        }
    }

    private func charge(_ connection: LiveConnection, _ messages: Double) throws(LiveClose) {
        guard let allowed = limits.floodMessages else { return }
        let rate = FloodGauge.Rate(messages: allowed, window: limits.floodWindow)
        if !connection.flood.charge(messages, at: now, rate) { throw .flood }
    }

    private static let fragmentsPerMessage = 16.0
    private static let spareLimit = 64
    /// What a client of an event stream may send before it is too much: the library has read no further than its request.
    private static let ignoredLimit = 4096
}
