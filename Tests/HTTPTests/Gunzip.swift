import CZlib

/// What gzip-coded bytes hold; nil if they are not one whole and sound member.
func gunzip(_ bytes: [UInt8]) -> [UInt8]? {
    var stream = z_stream()
    guard inflateInit2_(&stream, 15 + 16, zlibVersion(), Int32(MemoryLayout<z_stream>.size)) == Z_OK else { return nil }
    defer { inflateEnd(&stream) }
    var input = bytes
    var result: [UInt8] = []
    return input.withUnsafeMutableBufferPointer { input in
        stream.next_in = input.baseAddress
        stream.avail_in = UInt32(input.count)
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let status = buffer.withUnsafeMutableBufferPointer { buffer in
                stream.next_out = buffer.baseAddress
                stream.avail_out = UInt32(buffer.count)
                return inflate(&stream, Z_NO_FLUSH)
            }
            guard status == Z_OK || status == Z_STREAM_END else { return nil }
            result += buffer.prefix(buffer.count - Int(stream.avail_out))
            if status == Z_STREAM_END { return stream.avail_in == 0 ? result : nil }
        }
    }
}
