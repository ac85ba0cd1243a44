/// How the characters of a text are written down.
enum TextEncoding: Sendable {
    case utf8, utf16LittleEndian, utf16BigEndian

    /// The encoding of UTF-16 by its byte order mark, or else by where bytes are zero; UTF-8 for all else.
    init(head: UnsafeRawBufferPointer) {
        self = .utf8
        guard head.count >= 2 else { return }
        if head[0] == 0xFF && head[1] == 0xFE {
            self = .utf16LittleEndian
        } else if head[0] == 0xFE && head[1] == 0xFF {
            self = .utf16BigEndian
        } else {
            let pairs = min(head.count, 4096) / 2
            let even = (0..<pairs).count { head[2 * $0] == 0 }
            let odd = (0..<pairs).count { head[2 * $0 + 1] == 0 }
            if odd * 5 > pairs && even * 10 < odd { self = .utf16LittleEndian }
            if even * 5 > pairs && odd * 10 < even { self = .utf16BigEndian }
        }
    }

    /// The beginning of a text in UTF-8, without byte order mark and white space before.
    static func head(_ head: UnsafeRawBufferPointer) -> ArraySlice<UInt8> {
        var text: [UInt8]
        switch TextEncoding(head: head) {
        case .utf16LittleEndian: text = Array(String(decoding: units(head, low: 0), as: UTF16.self).utf8)
        case .utf16BigEndian: text = Array(String(decoding: units(head, low: 1), as: UTF16.self).utf8)
        default: text = Array(head)
        }
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { text.removeFirst(3) }
        return text.drop { $0 == 0x20 || (9...13).contains($0) }
    }

    private static func units(_ head: UnsafeRawBufferPointer, low: Int) -> [UInt16] {
        (0..<head.count / 2).map { UInt16(head[2 * $0 + low]) | UInt16(head[2 * $0 + 1 - low]) << 8 }
    }
}
