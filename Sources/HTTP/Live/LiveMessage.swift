import Synchronization

/// One message to any number of clients. Each of its forms on the wire is made once, when the first recipient needs it,
/// and all share its bytes.
package final class LiveMessage: Sendable {
    /// What a connection is sent.
    enum Form: Hashable {
        case frame
        /// A frame compressed with a window of so many bits.
        case deflated(UInt8)
        case event
    }

    /// The name of an event on an event stream; a WebSocket is sent the JSON alone.
    package let type: String
    /// The `id` of an event on an event stream.
    package let cursor: String?
    package let json: [UInt8]
    private let forms = Mutex<[(form: Form, bytes: SharedBytes)]>([])

    /// Where an event stream is, without anything to tell: what it comes back with if nothing follows.
    package static func place(_ cursor: String) -> LiveMessage { LiveMessage(type: "", cursor: cursor, json: []) }

    /// - Parameters:
    ///   - type, cursor: of characters that fit into a line. A text with a line end or NUL is left out of an event.
    ///   - json: UTF-8.
    package init(type: String, cursor: String? = nil, json: [UInt8]) {
        self.type = type
        self.cursor = cursor
        self.json = json
    }

    /// - Parameter compress: deflates for a window of so many bits; nil if that fails.
    func bytes(_ form: Form, compress: (UInt8, [UInt8]) -> [UInt8]?) -> SharedBytes {
        forms.withLock { forms in
            for known in forms where known.form == form { return known.bytes }
            let bytes = make(form, compress: compress)
            forms.append((form, bytes))
            return bytes
        }
    }

    private func make(_ form: Form, compress: (UInt8, [UInt8]) -> [UInt8]?) -> SharedBytes {
        switch form {
        case .frame: WebSocketFrame.make(.text, json)
        case .deflated(let windowBits):
            if json.count >= Self.worthCompressing, let small = compress(windowBits, json), small.count < json.count {
                WebSocketFrame.make(.text, small, isCompressed: true)
            } else {
                WebSocketFrame.make(.text, json)
            }
        case .event: SharedBytes(Self.event(type: type, cursor: cursor, data: json))
        }
    }

    /// An event in the HTML standard's `text/event-stream`.
    static func event(type: String, cursor: String? = nil, data: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(data.count + type.utf8.count + (cursor?.utf8.count ?? 0) + 24)
        if let cursor { field("id", Array(cursor.utf8), to: &bytes) }
        if !type.isEmpty { field("event", Array(type.utf8), to: &bytes) }
        if data.isEmpty {
            bytes.append(0x0a)
            return bytes
        }
        // A line of data may end in CR, LF or both; the reader puts them together with LF.
        for line in data.split(omittingEmptySubsequences: false, whereSeparator: { $0 == 0x0a || $0 == 0x0d }) {
            bytes += "data: ".utf8
            bytes += line
            bytes.append(0x0a)
        }
        bytes.append(0x0a)
        return bytes
    }

    private static func field(_ name: String, _ value: [UInt8], to bytes: inout [UInt8]) {
        if value.contains(where: { $0 == 0 || $0 == 0x0a || $0 == 0x0d }) { return }
        bytes += name.utf8
        bytes += ": ".utf8
        bytes += value
        bytes.append(0x0a)
    }

    /// Shorter messages fit into one packet anyway.
    private static let worthCompressing = 128
}
