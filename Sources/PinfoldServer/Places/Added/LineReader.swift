import Foundation

/// The lines of a text that comes in pieces, with their numbers. Memory holds a piece and the longest line.
struct LineReader {
    /// A longer line is none that this reads; it is passed over.
    static let limit = 1 << 18

    private var buffer: [UInt8] = []
    private var at = 0
    private var number = 0

    /// Hands each line to `body`, without its end (LF or CR LF) and without a mark of byte order; nil for one that is too
    /// long. Empty lines are passed over.
    ///
    /// - Parameter read: gives the next piece, an empty one at the end.
    mutating func forEach(
        read: () throws -> [UInt8], _ body: (_ number: Int, _ line: UnsafeRawBufferPointer?) throws -> Void
    ) throws {
        var isTooLong = false
        while true {
            let piece = try read()
            if piece.isEmpty { break }
            buffer.removeFirst(at)
            at = 0
            buffer += piece
            try buffer.withUnsafeBytes { bytes in
                guard let base = bytes.baseAddress else { return }
                while let feed = memchr(base + at, 0x0A, bytes.count - at) {
                    let end = UnsafeRawPointer(feed) - base
                    number += 1
                    if isTooLong || end - at > Self.limit {
                        isTooLong = false
                        try body(number, nil)
                    } else {
                        try hand(bytes, at..<end, body)
                    }
                    at = end + 1
                }
            }
            if buffer.count - at > Self.limit {
                isTooLong = true
                at = buffer.count
            }
        }
        number += 1
        if isTooLong {
            try body(number, nil)
        } else if at < buffer.count {
            try buffer.withUnsafeBytes { try hand($0, at..<$0.count, body) }
        }
    }

    private func hand(
        _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>, _ body: (Int, UnsafeRawBufferPointer?) throws -> Void
    ) throws {
        var range = range
        if number == 1, bytes[range].starts(with: [0xEF, 0xBB, 0xBF]) {
            range = (range.lowerBound + 3)..<range.upperBound
        }
        if let last = bytes[range].last, last == 0x0D { range = range.lowerBound..<(range.upperBound - 1) }
        if !range.isEmpty { try body(number, UnsafeRawBufferPointer(rebasing: bytes[range])) }
    }
}
