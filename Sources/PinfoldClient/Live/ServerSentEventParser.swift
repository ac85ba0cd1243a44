/// Reads an event stream from its bytes, cut anywhere (WHATWG HTML, 9.2.5 and 9.2.6, "Server-sent events").
struct ServerSentEventParser: Sendable {
    /// A line or an event was longer than this reader keeps.
    struct TooLong: Error {}

    /// The last `id` so far, with or without an event; what a connection resumes from. Empty if there was none.
    private(set) var lastEventID = ""
    /// How long the stream asks its clients to wait before they come back, in milliseconds.
    private(set) var retry: Int?

    /// The most bytes of a line, and of the data of an event.
    private let limit: Int
    private var line: [UInt8] = []
    private var isFirstLine = true
    /// The last byte was CR: a LF that follows is part of the same line end.
    private var isBehindReturn = false
    private var type = ""
    private var data = ""
    private var hasData = false
    /// The `id` of the block that is being read; it holds from the block's end on.
    private var idBuffer = ""

    init(limit: Int = 1 << 20) {
        self.limit = limit
    }

    /// Takes the next bytes of the stream.
    ///
    /// - Returns: the events that are complete with them.
    /// - Throws: `TooLong`; the parser is of no use after that.
    mutating func consume(_ bytes: some Sequence<UInt8>) throws -> [ServerSentEvent] {
        var events: [ServerSentEvent] = []
        for byte in bytes {
            let wasBehindReturn = isBehindReturn
            isBehindReturn = byte == UInt8(ascii: "\r")
            switch byte {
            case UInt8(ascii: "\n") where wasBehindReturn: break
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"): try endLine(&events)
            default:
                guard line.count < limit else { throw TooLong() }
                line.append(byte)
            }
        }
        return events
    }

    private mutating func endLine(_ events: inout [ServerSentEvent]) throws {
        var bytes = line[...]
        if isFirstLine, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
        isFirstLine = false
        defer { line.removeAll(keepingCapacity: line.capacity <= 1 << 16) }
        guard !bytes.isEmpty else {
            endBlock(&events)
            return
        }
        // A line end is no part of any longer UTF-8 sequence, so each line is decoded by itself.
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else {
            try field(bytes, "")
            return
        }
        var value = bytes[bytes.index(after: colon)...]
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        // In front of nothing it is a comment.
        if colon > bytes.startIndex { try field(bytes[..<colon], String(decoding: value, as: UTF8.self)) }
    }

    private mutating func field(_ name: ArraySlice<UInt8>, _ value: String) throws {
        switch String(decoding: name, as: UTF8.self) {
        case "event": type = value
        case "data":
            guard data.utf8.count + value.utf8.count < limit else { throw TooLong() }
            if hasData { data += "\n" }
            data += value
            hasData = true
        case "id" where !value.utf8.contains(0): idBuffer = value
        case "retry":
            let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
            if !value.isEmpty, value.utf8.allSatisfy(digits.contains), let time = Int(value) { retry = time }
        default: break
        }
    }

    private mutating func endBlock(_ events: inout [ServerSentEvent]) {
        lastEventID = idBuffer
        if hasData {
            events.append(ServerSentEvent(type: type.isEmpty ? "message" : type, data: data, id: lastEventID))
        }
        type = ""
        data = ""
        hasData = false
    }
}
