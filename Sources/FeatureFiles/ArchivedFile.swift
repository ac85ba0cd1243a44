import CZlib

/// A file in an archive while it is unpacked.
package final class ArchivedFile: ByteStream {
    /// What any file may unpack to, and how many times its packed size beyond that.
    private static let unsuspicious = 64 << 20
    private static let mostTimes = 200
    private static let mostBytes = 64 << 30
    private static let inputSize = 1 << 16

    private let entry: ArchiveListing.Entry
    private let file: RandomAccessFile
    /// Where the packed bytes begin, and how many of them were read.
    private let start: Int
    private var taken = 0
    private var unpacked = 0
    private var checksum: UInt = 0
    private var isAtEnd = false
    /// On the heap, as the library remembers where it is; nil for a file that is stored as it is.
    private let stream: UnsafeMutablePointer<z_stream>?
    private let input = UnsafeMutableRawBufferPointer.allocate(byteCount: inputSize, alignment: 16)

    package var position: Int { taken }

    /// - Throws: `FeatureFileFault`.
    init(_ entry: ArchiveListing.Entry, in file: RandomAccessFile) throws {
        self.entry = entry
        self.file = file
        let isPacked = entry.method != 0
        stream = isPacked ? .allocate(capacity: 1) : nil
        stream?.initialize(to: z_stream())
        // Its names and fields may be others than in the directory.
        let head = try file.bytes(30, at: entry.place)
        start = entry.place + 30 + (head.map { $0.uint16(26) + $0.uint16(28) } ?? 0)
        // Without the frame of zlib.
        if let stream, inflateInit2_(stream, -15, zlibVersion(), Int32(MemoryLayout<z_stream>.size)) != Z_OK {
            throw FeatureFileFault("cannot be unpacked: no memory")
        }
        guard let head, head.uint32(0) == 0x0403_4B50 else { throw fault("\(entry.name) cannot be unpacked") }
        guard entry.packedSize <= file.byteCount - start else { throw cut }
    }

    deinit {
        if let stream {
            inflateEnd(stream)
            stream.deallocate()
        }
        input.deallocate()
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        var count = 0
        while count < buffer.count, !isAtEnd {
            try file.look?()
            let room = UnsafeMutableRawBufferPointer(rebasing: buffer[count..<min(count + 1 << 20, buffer.count)])
            let got = try stream.map { try unpack(by: $0, into: room) } ?? copy(into: room)
            checksum = crc32(checksum, room.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt32(got))
            count += got
            unpacked += got
            guard unpacked <= Self.unsuspicious || unpacked <= Self.mostBytes && isPlausible else {
                throw FeatureFileFault(
                    "is a ZIP archive whose \(entry.name) unpacks to more than \(Self.mostTimes) times its size; unpack "
                        + "it first")
            }
            if isAtEnd || got == 0 { try end() }
        }
        return count
    }

    private var isPlausible: Bool { unpacked / Self.mostTimes <= entry.packedSize }

    private func end() throws {
        isAtEnd = true
        guard unpacked == entry.size else { throw fault("\(entry.name) is not as long as its list of files says") }
        guard UInt32(truncatingIfNeeded: checksum) == entry.checksum else {
            throw fault("the checksum of \(entry.name) is wrong")
        }
    }

    private func copy(into room: UnsafeMutableRawBufferPointer) throws -> Int {
        let wanted = min(room.count, entry.packedSize - taken)
        let got = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: room[..<wanted]), at: start + taken)
        guard got == wanted else { throw cut }
        taken += got
        return got
    }

    /// - Returns: how many bytes it put into `room`: some, unless that was the end.
    private func unpack(by stream: UnsafeMutablePointer<z_stream>, into room: UnsafeMutableRawBufferPointer) throws
        -> Int
    {
        stream.pointee.next_out = room.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = UInt32(room.count)
        while true {
            if stream.pointee.avail_in == 0, taken < entry.packedSize {
                let wanted = min(input.count, entry.packedSize - taken)
                let rest = UnsafeMutableRawBufferPointer(rebasing: input[..<wanted])
                guard try file.read(into: rest, at: start + taken) == wanted else { throw cut }
                taken += wanted
                stream.pointee.next_in = rest.baseAddress?.assumingMemoryBound(to: UInt8.self)
                stream.pointee.avail_in = UInt32(wanted)
            }
            let status = inflate(stream, Z_NO_FLUSH)
            let got = room.count - Int(stream.pointee.avail_out)
            switch status {
            case Z_STREAM_END:
                isAtEnd = true
                return got
            case Z_OK, Z_BUF_ERROR:
                if got > 0 { return got }
                guard stream.pointee.avail_in > 0 || taken < entry.packedSize else { throw cut }
                // With input and room the library goes on.
                guard status == Z_OK || stream.pointee.avail_in == 0 else { throw cut }
            default: throw cut
            }
        }
    }

    private var cut: FeatureFileFault { fault("\(entry.name) cannot be unpacked to its end") }

    private func fault(_ text: String) -> FeatureFileFault { FeatureFileFault("is a damaged ZIP archive: \(text)") }
}
