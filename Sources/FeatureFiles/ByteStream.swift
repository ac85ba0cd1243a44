/// Bytes that come one after the other.
protocol ByteStream: AnyObject {
    /// Puts the next bytes into `buffer`, as many as fit unless the stream ends.
    ///
    /// - Returns: How many they are; 0 at the end.
    /// - Throws: `FeatureFileFault`.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int

    /// Bytes of the file that were read, packed if it is.
    var position: Int { get }
}

extension ByteSource: ByteStream {}

final class BytesInMemory: ByteStream {
    private let bytes: [UInt8]
    private(set) var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let next = bytes[position...].prefix(buffer.count)
        buffer.copyBytes(from: next)
        position = next.endIndex
        return next.count
    }
}

extension ByteStream {
    /// The next `count` bytes, fewer only at the end.
    func bytes(_ count: Int) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = try read(into: UnsafeMutableRawBufferPointer(buffer))
        }
    }

    /// Passes over `count` bytes.
    ///
    /// - Returns: Whether there were as many.
    func skip(_ count: Int) throws -> Bool {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: min(max(count, 1), 1 << 16), alignment: 16)
        defer { buffer.deallocate() }
        var left = count
        while left > 0 {
            let got = try read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(left, buffer.count)]))
            if got == 0 { return false }
            left -= got
        }
        return true
    }
}
