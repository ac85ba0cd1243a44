import Foundation

/// A file that is read at any place.
final class RandomAccessFile {
    private let descriptor: Int32
    let byteCount: Int
    let look: (() throws -> Void)?

    /// - Parameter look: is called ahead of each read; what it throws ends the reading.
    /// - Throws: `FeatureFileFault`.
    init(path: String, look: (() throws -> Void)? = nil) throws {
        self.look = look
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
            throw FeatureFileFault("cannot be opened: \(String(cString: strerror(errno)))")
        }
        byteCount = Int(status.st_size)
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Puts what is at a place into `buffer`, as much as fits unless the file ends.
    ///
    /// - Returns: how many bytes they are.
    /// - Throws: `FeatureFileFault`, or what `look` throws.
    func read(into buffer: UnsafeMutableRawBufferPointer, at place: Int) throws -> Int {
        try look?()
        var count = 0
        while count < buffer.count {
            let got = pread(descriptor, buffer.baseAddress.map { $0 + count }, buffer.count - count, place + count)
            if got == 0 { break }
            if got > 0 {
                count += got
            } else if errno != EINTR {
                throw FeatureFileFault("cannot be read: \(String(cString: strerror(errno)))")
            }
        }
        return count
    }

    /// The `count` bytes at a place; nil if the file does not have them all.
    ///
    /// - Throws: `FeatureFileFault`.
    func bytes(_ count: Int, at place: Int) throws -> LittleEndianBytes? {
        guard place >= 0, count >= 0, place <= byteCount - count else { return nil }
        let bytes = try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = try read(into: UnsafeMutableRawBufferPointer(buffer), at: place)
        }
        return bytes.count == count ? LittleEndianBytes(bytes: bytes) : nil
    }
}

/// Bytes with numbers in them, the lowest byte first.
struct LittleEndianBytes {
    let bytes: [UInt8]

    func uint16(_ place: Int) -> Int { Int(bytes[place]) | Int(bytes[place + 1]) << 8 }
    func uint32(_ place: Int) -> UInt64 { UInt64(uint16(place)) | UInt64(uint16(place + 2)) << 16 }
    func uint64(_ place: Int) -> UInt64 { uint32(place) | uint32(place + 4) << 32 }
}
