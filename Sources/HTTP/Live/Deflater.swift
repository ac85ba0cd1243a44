import CZlib

/// Compresses messages for permessage-deflate, each by itself (RFC 7692, 7.2.1). Not for two threads at once.
final class Deflater {
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)

    /// - Parameter windowBits: 9 to 15; nil for others, and when there is no memory.
    init?(windowBits: UInt8) {
        stream.initialize(to: z_stream())
        let result =
            (9...15).contains(windowBits)
            ? deflateInit2_(
                stream, Self.level, Z_DEFLATED, -Int32(windowBits), 8, Z_DEFAULT_STRATEGY, zlibVersion(),
                Int32(MemoryLayout<z_stream>.size)) : Z_STREAM_ERROR
        guard result == Z_OK else { return nil }
    }

    deinit {
        deflateEnd(stream)  // does nothing where `init` has failed
        stream.deallocate()
    }

    /// The message without the four bytes that end every flush; nil if it cannot be compressed.
    func deflate(_ message: [UInt8]) -> [UInt8]? {
        guard message.count < Int32.max, deflateReset(stream) == Z_OK else { return nil }
        var input = message
        let capacity = Int(deflateBound(stream, UInt(message.count))) + 16
        var output = [UInt8](unsafeUninitializedCapacity: capacity) { output, count in
            input.withUnsafeMutableBufferPointer { input in
                stream.pointee.next_in = input.baseAddress
                stream.pointee.avail_in = UInt32(input.count)
                stream.pointee.next_out = output.baseAddress
                stream.pointee.avail_out = UInt32(capacity)
                let result = CZlib.deflate(stream, Z_SYNC_FLUSH)
                if result == Z_OK, stream.pointee.avail_in == 0, stream.pointee.avail_out > 0 {
                    count = capacity - Int(stream.pointee.avail_out)
                }
            }
        }
        guard output.suffix(4) == [0, 0, 0xff, 0xff] else { return nil }
        output.removeLast(4)
        return output
    }

    /// Fast: a message is compressed while all its recipients wait.
    private static let level: Int32 = 3
}
