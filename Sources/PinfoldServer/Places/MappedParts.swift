import Foundation
import Synchronization

/// Named pieces of bytes in one file that is mapped into memory, so that opening it reads nothing and what is never used
/// takes no memory: what was computed once, to be looked up for ever.
///
/// The file is in this machine's byte order: it is made where it is used, and made again when it is not as expected.
/// Each piece begins at a multiple of 64 bytes. The header has a version and a checksum of all that follows.
///
/// Unchecked, since nobody writes the bytes.
final class MappedParts: @unchecked Sendable {
    private let base: UnsafeMutableRawPointer
    private let size: Int
    private let isMapped: Bool
    private let ranges: [String: Range<Int>]

    private static let magic: UInt64 = 0x3253_5452_4150_4650  // "PFPARTS2"
    private static let alignment = 64
    /// Magic, checksum, size of the file, number of parts; then the version.
    private static let versionStart = 32
    private static let directoryStart = 192
    private static let nameLength = 32
    private static let entryLength = 48
    private static let partLimit = 1000

    /// Maps a file.
    ///
    /// - Returns: nil if there is no file, or one of another version, or one that is damaged anywhere.
    static func open(_ path: String, version: String) -> MappedParts? {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_size >= directoryStart,
            let base = mmap(nil, Int(status.st_size), PROT_READ, MAP_PRIVATE, descriptor, 0), base != MAP_FAILED
        else { return nil }
        let size = Int(status.st_size)
        guard isHead(base, size, of: version), checksum(descriptor, size: size) == storedChecksum(base),
            let ranges = directory(base, size)
        else {
            munmap(base, size)
            return nil
        }
        return MappedParts(base, size: size, isMapped: true, ranges: ranges)
    }

    /// The same in memory alone.
    convenience init(_ parts: [(name: String, content: [UInt8])]) {
        let bytes = Self.pack(parts, version: "")
        let base = UnsafeMutableRawPointer.allocate(byteCount: bytes.count, alignment: Self.alignment)
        bytes.withUnsafeBytes { base.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(base), byteCount: $0.count) }
        self.init(base, size: bytes.count, isMapped: false, ranges: Self.directory(base, bytes.count) ?? [:])
    }

    /// Whether a file begins as one of that version and size does.
    private static func isHead(_ base: UnsafeMutableRawPointer, _ size: Int, of version: String) -> Bool {
        let bytes = UnsafeRawBufferPointer(start: base, count: size)
        return bytes.load(as: UInt64.self) == magic && bytes.load(fromByteOffset: 16, as: UInt64.self) == UInt64(size)
            && bytes[versionStart..<directoryStart].elementsEqual(field(version, versionLength))
    }

    private static func storedChecksum(_ base: UnsafeMutableRawPointer) -> UInt64 {
        base.load(fromByteOffset: 8, as: UInt64.self)
    }

    private init(_ base: UnsafeMutableRawPointer, size: Int, isMapped: Bool, ranges: [String: Range<Int>]) {
        self.base = base
        self.size = size
        self.isMapped = isMapped
        self.ranges = ranges
    }

    deinit {
        if isMapped { munmap(base, size) } else { base.deallocate() }
    }

    /// The part with that name as elements of a type without pointers; empty if there is none.
    func array<Element: BitwiseCopyable>(_ name: String, of type: Element.Type = Element.self) -> MappedArray<Element> {
        let range = ranges[name] ?? 0..<0
        let count = range.count / MemoryLayout<Element>.stride
        return MappedArray(
            owner: self,
            elements: UnsafeBufferPointer(
                start: UnsafeRawPointer(base + range.lowerBound).assumingMemoryBound(to: Element.self), count: count))
    }

    // MARK: Writing

    /// Writes a file, first under a name of its own beside its place: there is never a half of it.
    ///
    /// - Throws: `GazetteerError`.
    static func write(_ parts: [(name: String, content: [UInt8])], version: String, to path: String) throws {
        let bytes = pack(parts, version: version)
        let partial = "\(path).\(getpid()).partial"
        defer { unlink(partial) }
        let descriptor = Glibc.open(partial, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        var written = 0
        while descriptor >= 0, written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { break }
            written += count
        }
        let isStored = descriptor >= 0 && written == bytes.count && fsync(descriptor) == 0
        let error = errno
        if descriptor >= 0 { close(descriptor) }
        guard isStored, rename(partial, path) == 0 else {
            throw GazetteerError("\(path) cannot be written: \(String(cString: strerror(isStored ? errno : error)))")
        }
    }

    private static func pack(_ parts: [(name: String, content: [UInt8])], version: String) -> [UInt8] {
        func aligned(_ offset: Int) -> Int { (offset + alignment - 1) / alignment * alignment }
        var offset = aligned(directoryStart + parts.count * entryLength)
        var directory: [UInt8] = []
        // Parts of the same content are one.
        var stored: [(offset: Int, content: [UInt8])] = []
        for part in parts {
            assert(part.name.utf8.count <= nameLength, "the name of a part would be cut")
            let known = stored.first { $0.content.count == part.content.count && $0.content == part.content }
            directory += field(part.name, nameLength) + word(known?.offset ?? offset) + word(part.content.count)
            guard known == nil else { continue }
            stored.append((offset, part.content))
            offset = aligned(offset + part.content.count)
        }
        var bytes = word(Int(magic)) + word(0) + word(offset) + word(parts.count)
        bytes.reserveCapacity(offset)
        bytes += field(version, versionLength) + directory
        for (_, content) in stored {
            bytes += repeatElement(0, count: aligned(bytes.count) - bytes.count)
            bytes += content
        }
        bytes += repeatElement(0, count: offset - bytes.count)
        let sum = bytes.withUnsafeBytes { checksum($0) }
        bytes.replaceSubrange(8..<16, with: withUnsafeBytes(of: sum) { [UInt8]($0) })
        return bytes
    }

    private static var versionLength: Int { directoryStart - versionStart }

    private static func word(_ value: Int) -> [UInt8] { withUnsafeBytes(of: UInt64(value)) { [UInt8]($0) } }

    /// A text of so many bytes, cut or filled with zeros.
    private static func field(_ text: String, _ length: Int) -> [UInt8] {
        let bytes = [UInt8](text.utf8.prefix(length))
        return bytes + repeatElement(0, count: length - bytes.count)
    }

    private static func directory(_ base: UnsafeMutableRawPointer, _ size: Int) -> [String: Range<Int>]? {
        let bytes = UnsafeRawBufferPointer(start: base, count: size)
        let count = bytes.load(fromByteOffset: 24, as: UInt64.self)
        guard count <= partLimit, directoryStart + Int(count) * entryLength <= size else { return nil }
        var ranges: [String: Range<Int>] = [:]
        for part in 0..<Int(count) {
            let entry = directoryStart + part * entryLength
            let name = String(decoding: bytes[entry..<(entry + nameLength)].prefix { $0 != 0 }, as: UTF8.self)
            let start = bytes.load(fromByteOffset: entry + nameLength, as: UInt64.self)
            let length = bytes.load(fromByteOffset: entry + nameLength + 8, as: UInt64.self)
            guard start <= UInt64(size), length <= UInt64(size) - start, start % UInt64(alignment) == 0 else {
                return nil
            }
            ranges[name] = Int(start)..<Int(start + length)
        }
        return ranges
    }

    // MARK: Checking

    /// Checksums are of blocks, so that several cores share the work.
    private static let blockSize = 1 << 18

    /// Of all behind the checksum itself, from memory.
    private static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var sum: UInt64 = 0
        for start in stride(from: 0, to: bytes.count, by: blockSize) {
            let block = bytes[start..<min(start + blockSize, bytes.count)]
            sum = mixed(sum, blockChecksum(UnsafeRawBufferPointer(rebasing: block), at: start))
        }
        return sum
    }

    /// The same, read from a file: a mapping would have to be filled for it and emptied again, which takes longer.
    ///
    /// - Returns: nil if it cannot be read.
    private static func checksum(_ descriptor: Int32, size: Int) -> UInt64? {
        let blocks = (size + blockSize - 1) / blockSize
        let workers = min(blocks, max(1, ProcessInfo.processInfo.activeProcessorCount))
        var sums = [UInt64?](repeating: nil, count: blocks)
        sums.withUnsafeMutableBufferPointer { buffer in
            // Each block is written by the one worker that took it.
            nonisolated(unsafe) let sums = buffer
            let next = Atomic(0)
            DispatchQueue.concurrentPerform(iterations: workers) { _ in
                let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: blockSize, alignment: alignment)
                defer { memory.deallocate() }
                while true {
                    let block = next.add(1, ordering: .relaxed).oldValue
                    guard block < blocks else { break }
                    let start = block * blockSize
                    let count = min(blockSize, size - start)
                    guard pread(descriptor, memory.baseAddress, count, start) == count else { continue }
                    sums[block] = blockChecksum(UnsafeRawBufferPointer(rebasing: memory[..<count]), at: start)
                }
            }
        }
        return sums.reduce(UInt64?(0)) { sum, block in
            guard let sum, let block else { return nil }
            return mixed(sum, block)
        }
    }

    /// Of a block that begins at `start` of the file. It finds damage, not malice: eight lanes of multiply and rotate over
    /// words of 8 bytes, so that checking costs about what reading costs.
    private static func blockChecksum(_ block: UnsafeRawBufferPointer, at start: Int) -> UInt64 {
        var lanes: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) =
            (1, 2, 3, 4, 5, 6, 7, 8)
        // The first block's magic and checksum are left out.
        var offset = start == 0 ? 16 : 0
        if let base = block.baseAddress {
            while offset + 64 <= block.count {
                // Within the block by the condition above.
                let words = (base + offset).assumingMemoryBound(to: UInt64.self)
                lanes.0 = mixed(lanes.0, words[0])
                lanes.1 = mixed(lanes.1, words[1])
                lanes.2 = mixed(lanes.2, words[2])
                lanes.3 = mixed(lanes.3, words[3])
                lanes.4 = mixed(lanes.4, words[4])
                lanes.5 = mixed(lanes.5, words[5])
                lanes.6 = mixed(lanes.6, words[6])
                lanes.7 = mixed(lanes.7, words[7])
                offset += 64
            }
        }
        while offset < block.count {
            lanes.0 = mixed(lanes.0, UInt64(block[offset]))
            offset += 1
        }
        let halves = (
            mixed(mixed(mixed(lanes.0, lanes.1), lanes.2), lanes.3),
            mixed(mixed(mixed(lanes.4, lanes.5), lanes.6), lanes.7)
        )
        return mixed(halves.0, halves.1)
    }

    @inline(__always)
    private static func mixed(_ lane: UInt64, _ word: UInt64) -> UInt64 {
        let product = (lane ^ word) &* 0x9E37_79B9_7F4A_7C15
        return product << 29 | product >> 35
    }
}

/// A part as elements. Reading outside of it gives nil, so that no content of a file can lead astray.
struct MappedArray<Element: BitwiseCopyable>: @unchecked Sendable {
    /// Keeps the bytes where they are.
    private let owner: MappedParts
    let elements: UnsafeBufferPointer<Element>

    fileprivate init(owner: MappedParts, elements: UnsafeBufferPointer<Element>) {
        self.owner = owner
        self.elements = elements
    }

    var count: Int { elements.count }

    @inline(__always)
    subscript(index: Int) -> Element? {
        index >= 0 && index < elements.count ? elements[index] : nil
    }

    /// Hands out the memory, for loops in which a check for each element costs too much.
    func withBytes<Result>(_ body: (UnsafeBufferPointer<Element>) -> Result) -> Result {
        withExtendedLifetime(owner) { body(elements) }
    }

    /// All bytes, in this machine's order.
    var memory: [UInt8] { withBytes { [UInt8](UnsafeRawBufferPointer($0)) } }

    /// The elements of a range as far as they are there.
    @inline(__always)
    func slice(_ range: Range<Int>) -> UnsafeBufferPointer<Element> {
        UnsafeBufferPointer(rebasing: elements[range.clamped(to: 0..<elements.count)])
    }
}

extension Array where Element: BitwiseCopyable {
    /// Its memory, in this machine's order.
    var memory: [UInt8] { withUnsafeBytes { [UInt8]($0) } }
}
