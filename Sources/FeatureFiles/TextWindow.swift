/// The part of a text that is being read, in UTF-8 whatever the encoding of the file. It moves on through the file and grows
/// with the longest record, up to a limit.
final class TextWindow {
    enum Growth {
        case grown
        /// The text ends with what is there.
        case atEnd
        /// What is unread is as long as it may be.
        case isFull
    }

    private static let blockSize = 1 << 18

    private let source: ByteSource
    private let limit: Int
    private var capacity = TextWindow.blockSize
    private var transcoder: Transcoder?
    /// What is unread is from `start` up to before `end`.
    private(set) var bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: TextWindow.blockSize)
    var start = 0
    private(set) var end = 0
    /// Where in the text, in bytes of UTF-8, the first byte of the window is.
    private var windowOffset = 0

    /// Bytes of the file that were taken from it.
    var position: Int { source.position }

    /// Where in the text, in bytes of UTF-8, a byte of the window is.
    func offset(of index: Int) -> Int { windowOffset + index }

    /// - Parameters:
    ///   - limit: how much may be unread at a time.
    ///   - look: is called ahead of each piece that is read; what it throws ends the reading.
    /// - Throws: `FeatureFileFault`, or what `look` throws.
    init(path: String, limit: Int, look: (() throws -> Void)? = nil) throws {
        source = try ByteSource(path: path, look: look)
        self.limit = limit
        let head = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
        defer { head.deallocate() }
        let count = try source.read(into: head)
        let known = UnsafeRawBufferPointer(rebasing: head[..<count])
        let encoding = TextEncoding(head: known)
        if encoding == .utf8 {
            reserve(count)
            UnsafeMutableRawBufferPointer(start: bytes, count: count).copyMemory(from: known)
            end = count
        } else {
            transcoder = Transcoder(encoding)
            try append(known)
        }
        if end >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { start = 3 }
    }

    deinit { bytes.deallocate() }

    /// Reads on; what is unread then begins at 0.
    ///
    /// - Throws: `FeatureFileFault`.
    func grow() throws -> Growth {
        let unread = end - start
        guard unread < limit else { return .isFull }
        if start > 0 {
            bytes.update(from: bytes + start, count: unread)
            windowOffset += start
            start = 0
            end = unread
        }
        // A long record doubles, so that what looks at it from its beginning again does so a few times only.
        let block = min(max(Self.blockSize, unread), limit - unread)
        if transcoder != nil {
            let raw = UnsafeMutableRawBufferPointer.allocate(byteCount: block, alignment: 16)
            defer { raw.deallocate() }
            let count = try source.read(into: raw)
            try append(UnsafeRawBufferPointer(rebasing: raw[..<count]))
            if count == 0 { finish() }
            return count == 0 && end == unread ? .atEnd : .grown
        }
        reserve(block)
        let count = try source.read(into: UnsafeMutableRawBufferPointer(start: bytes + end, count: block))
        end += count
        return count == 0 ? .atEnd : .grown
    }

    /// Makes room for more bytes behind the end.
    private func reserve(_ count: Int) {
        guard end + count > capacity else { return }
        capacity = max(end + count, capacity * 2)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        larger.update(from: bytes, count: end)
        bytes.deallocate()
        bytes = larger
    }

    private func append(_ raw: UnsafeRawBufferPointer) throws {
        guard var transcoder else { return }
        reserve(raw.count * 3 + 8)
        end += transcoder.write(raw, to: bytes + end)
        self.transcoder = transcoder
    }

    private func finish() {
        guard var transcoder else { return }
        reserve(8)
        end += transcoder.finish(bytes + end)
        self.transcoder = transcoder
    }
}
