import CZlib

/// Bytes in the content coding gzip, as they were before (RFC 1952).
package enum Gunzip {
    /// Whether bytes begin as gzip does.
    package static func isGzip(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x1F, 0x8B]) }

    /// - Parameter limit: the most bytes that they may become.
    /// - Returns: nil for what is damaged, cut short, has something behind its end or becomes too large.
    package static func inflate(_ bytes: [UInt8], limit: Int) -> [UInt8]? {
        guard bytes.count < Int32.max else { return nil }
        var stream = z_stream()
        let windowBits: Int32 = 15 + 16  // as zlib wants it for the frame of gzip
        guard inflateInit2_(&stream, windowBits, zlibVersion(), Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            return nil
        }
        defer { inflateEnd(&stream) }
        var input = bytes
        var output: [UInt8] = []
        return input.withUnsafeMutableBufferPointer { input in
            stream.next_in = input.baseAddress
            stream.avail_in = UInt32(input.count)
            while true {
                let room = min(max(4 * bytes.count, 16 << 10), limit - output.count + 1)
                let (status, piece) = piece(of: &stream, room)
                output += piece
                guard output.count <= limit, status == Z_OK || status == Z_STREAM_END else { return nil }
                if status == Z_STREAM_END { return stream.avail_in == 0 ? output : nil }
            }
        }
    }

    private static func piece(of stream: inout z_stream, _ room: Int) -> (status: Int32, bytes: [UInt8]) {
        var status = Z_OK
        let bytes = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
            stream.next_out = buffer.baseAddress
            stream.avail_out = UInt32(room)
            status = CZlib.inflate(&stream, Z_NO_FLUSH)
            count = room - Int(stream.avail_out)
        }
        return (status, bytes)
    }
}
