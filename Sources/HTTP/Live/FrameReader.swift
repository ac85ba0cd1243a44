import CWslay

/// Reads a client's frames and puts its messages together (RFC 6455, 5 and 6.2). libwslay takes the frames apart and
/// unmasks them; the order of frames, sizes and encodings are judged here.
///
/// A connection has one only while something of it is incomplete, so an idle connection costs nothing.
final class FrameReader {
    enum Item: Equatable {
        /// A text message. Compressed, it has yet to be inflated and looked at; otherwise it is UTF-8.
        case message([UInt8], isCompressed: Bool)
        /// A part of a message whose end has yet to come.
        case fragment
        case ping([UInt8])
        case pong
        /// The client closes: with what it said, or `.noCode`.
        case close(LiveClose)
    }

    private var context: wslay_frame_context_ptr?
    private let limit: Int
    /// Whether permessage-deflate was agreed on.
    private var inflates = false
    private var input = UnsafeRawBufferPointer(start: nil, count: 0)
    /// Bytes that were taken from the input and belong to no complete frame.
    private var pending = 0
    /// Bytes of the frame that have come; nil between frames.
    private var frameCount: Int?
    private var message: [UInt8]?
    private var isCompressed = false
    private var control: [UInt8] = []

    /// - Parameter limit: the most bytes of a message; nil when there is no memory.
    init?(limit: Int) {
        self.limit = limit
        var callbacks = wslay_frame_callbacks()
        callbacks.recv_callback = { buffer, count, _, reader in
            guard let buffer, let reader else { return -1 }
            return Unmanaged<FrameReader>.fromOpaque(reader).takeUnretainedValue().take(buffer, count)
        }
        guard wslay_frame_context_init(&context, &callbacks, Unmanaged.passUnretained(self).toOpaque()) == 0 else {
            return nil
        }
    }

    deinit { wslay_frame_context_free(context) }

    /// Nothing is incomplete: the reader may serve another connection.
    var isAtRest: Bool { pending == 0 && message == nil && input.isEmpty }

    /// Sets what is read next. `next` must then be called until it returns nil or throws, while `bytes` lie still.
    func feed(_ bytes: UnsafeRawBufferPointer, inflates: Bool) {
        input = bytes
        self.inflates = inflates
    }

    private func take(_ buffer: UnsafeMutablePointer<UInt8>, _ count: Int) -> Int {
        let taken = min(count, input.count)
        guard taken > 0, let start = input.baseAddress else { return -1 }
        UnsafeMutableRawPointer(buffer).copyMemory(from: start, byteCount: taken)
        input = UnsafeRawBufferPointer(rebasing: input.dropFirst(taken))
        pending += taken
        return taken
    }

    /// What the next frame brings; nil when the input is used up.
    ///
    /// - Throws: why the connection must be closed. The reader is then of no more use.
    func next() throws(LiveClose) -> Item? {
        while true {
            var frame = wslay_frame_iocb()
            let result = wslay_frame_recv(context, &frame)
            if result < 0 {
                if result == Int(WSLAY_ERR_WANT_READ.rawValue) { return nil }
                throw .protocolError("a frame is malformed")
            }
            let isControl = frame.opcode >= 8
            if frameCount == nil { try begin(frame, isControl: isControl) }
            let piece = UnsafeBufferPointer(start: frame.data, count: frame.data_length)
            if isControl { control.append(contentsOf: piece) } else { message?.append(contentsOf: piece) }
            let count = (frameCount ?? 0) + piece.count
            frameCount = count
            guard count == Int(frame.payload_length) else { continue }
            frameCount = nil
            pending -= Self.headSize(payload: count) + count
            return try end(frame)
        }
    }

    private func begin(_ frame: wslay_frame_iocb, isControl: Bool) throws(LiveClose) {
        guard frame.mask == 1 else { throw .protocolError("a client's frames must be masked") }
        let mayCompress = inflates && (frame.opcode == 1 || frame.opcode == 2)
        guard frame.rsv == 0 || frame.rsv == 4 && mayCompress else { throw .protocolError("a reserved bit is set") }
        switch WebSocketFrame.Opcode(rawValue: frame.opcode) {
        case .continuation:
            guard message != nil else { throw .protocolError("there is no message to go on with") }
        case .text, .binary:
            guard message == nil else { throw .protocolError("a message begins within another") }
            guard frame.opcode == 1 else { throw .notText }
            message = []
            isCompressed = frame.rsv != 0
        case .close, .ping, .pong: control = []
        case nil: throw .protocolError("a frame has an unknown opcode")
        }
        if !isControl, frame.payload_length > UInt64(limit - (message?.count ?? 0)) { throw .tooBig(limit: limit) }
    }

    private func end(_ frame: wslay_frame_iocb) throws(LiveClose) -> Item {
        switch WebSocketFrame.Opcode(rawValue: frame.opcode) {
        case .close: return .close(try close())
        case .ping: return .ping(control)
        case .pong: return .pong
        default:
            guard frame.fin == 1, let whole = message else { return .fragment }
            message = nil
            guard isCompressed || whole.isUTF8 else { throw .notUTF8 }
            return .message(whole, isCompressed: isCompressed)
        }
    }

    private func close() throws(LiveClose) -> LiveClose {
        if control.isEmpty { return .noCode }
        guard control.count >= 2 else { throw .protocolError("a close frame has half a code") }
        let code = UInt16(control[0]) << 8 | UInt16(control[1])
        guard LiveClose.mayBeSent(code) else { throw .protocolError("a close frame has a code that nobody may send") }
        guard let reason = String(validating: control[2...], as: UTF8.self) else { throw .notUTF8 }
        return LiveClose(code, reason)
    }

    /// Bytes of a masked frame before its payload; lengths are minimal, which libwslay sees to.
    private static func headSize(payload: Int) -> Int {
        payload < 126 ? 6 : payload < 65536 ? 8 : 14
    }
}

extension [UInt8] {
    var isUTF8: Bool { String(validating: self, as: UTF8.self) != nil }
}
