import CZstd
import Foundation

/// The bytes of a file from its beginning; those of a file that is packed by Zstandard (RFC 8878) are unpacked.
final class ByteSource {
    private let descriptor: Int32
    private var unpacking: OpaquePointer?
    private let packed: UnsafeMutableRawBufferPointer
    private var input = ZSTD_inBuffer()
    private var isFrameOpen = false
    private var unpackedCount = 0
    private let look: (() throws -> Void)?
    /// Bytes of the file that were read, packed if it is.
    private(set) var position = 0

    /// How long the file is, packed if it is.
    let byteCount: Int

    var isPacked: Bool { unpacking != nil }

    /// - Parameter look: is called ahead of each piece of at most 1 MB; what it throws ends the reading.
    /// - Throws: `FeatureFileFault`.
    init(path: String, look: (() throws -> Void)? = nil) throws {
        self.look = look
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        packed = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        var status = stat()
        byteCount = descriptor >= 0 && fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
        guard descriptor >= 0 else { throw Self.fault("opened", errno) }
        guard status.st_mode & S_IFMT != S_IFDIR else { throw FeatureFileFault("is a folder") }
        var magic: [UInt8] = [0, 0, 0, 0]
        guard pread(descriptor, &magic, 4, 0) == 4, magic == [0x28, 0xB5, 0x2F, 0xFD] else { return }
        guard let stream = ZSTD_createDStream() else { throw FeatureFileFault("cannot be unpacked: no memory") }
        unpacking = stream
        // As much as any level without `--ultra` or `--long` asks for: 8 MB.
        ZSTD_DCtx_setParameter(stream, ZSTD_d_windowLogMax, 23)
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        if let unpacking { ZSTD_freeDStream(unpacking) }
        packed.deallocate()
    }

    /// Puts the next bytes into `buffer`, as many as fit unless the file ends.
    ///
    /// - Returns: How many they are; 0 at the end.
    /// - Throws: `FeatureFileFault`, or what `look` throws.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        var count = 0
        while count < buffer.count {
            try look?()
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count..<min(count + 1 << 20, buffer.count)])
            let more = try unpacking.map { try unpack(by: $0, into: rest) } ?? readPlain(into: rest)
            if more == 0 { break }
            count += more
        }
        return count
    }

    private func readPlain(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        while true {
            let count = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
            if count >= 0 {
                position += count
                return count
            }
            guard errno == EINTR else { throw Self.fault("read", errno) }
        }
    }

    private func unpack(by stream: OpaquePointer, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        var output = ZSTD_outBuffer(dst: buffer.baseAddress, size: buffer.count, pos: 0)
        while output.pos == 0 {
            if input.pos == input.size {
                // Of what is packed, much may unpack to nothing.
                try look?()
                let count = try readPlain(into: packed)
                if count == 0 {
                    guard !isFrameOpen else { throw FeatureFileFault("ends too early: it is not packed whole") }
                    return 0
                }
                input = ZSTD_inBuffer(src: packed.baseAddress, size: count, pos: 0)
            }
            let left = ZSTD_decompressStream(stream, &output, &input)
            guard ZSTD_isError(left) == 0 else {
                throw FeatureFileFault("cannot be unpacked: \(String(cString: ZSTD_getErrorName(left)))")
            }
            isFrameOpen = left != 0
        }
        unpackedCount += output.pos
        guard unpackedCount <= max(1 << 26, position * 200) else {
            throw FeatureFileFault("unpacks to more than 200 times its size; unpack it first")
        }
        return output.pos
    }

    private static func fault(_ verb: String, _ error: Int32) -> FeatureFileFault {
        FeatureFileFault("cannot be \(verb): \(String(cString: strerror(error)))")
    }
}
