/// Many short texts in one piece of memory, by number.
///
/// Each has its length, of 1, 2 or 4 bytes as the longest needs it, and each eighth its place: that takes a third of what the
/// place of each would take.
struct MappedTexts: Sendable {
    private let starts: MappedArray<UInt32>
    private let lengths: MappedArray<UInt8>
    private let content: MappedArray<UInt8>
    let count: Int
    /// Bytes of a length.
    private let width: Int

    private static let step = 8

    init(_ parts: MappedParts, _ name: String) {
        starts = parts.array("\(name).starts")
        lengths = parts.array("\(name).lengths")
        content = parts.array("\(name).content")
        let sizes = parts.array("\(name).sizes", of: UInt32.self)
        let width = [1, 2, 4].contains(sizes[1] ?? 0) ? Int(sizes[1] ?? 0) : 1
        // Whatever a file says, no length is read beyond them.
        let most = min(lengths.count / width, starts.count * Self.step) / Self.step * Self.step
        count = min(Int(sizes[0] ?? 0), most)
        self.width = width
    }

    /// Empty for a number that there is not.
    @inline(__always)
    func bytes(_ index: Int) -> UnsafeBufferPointer<UInt8> {
        guard index >= 0, index < count, let base = lengths.elements.baseAddress else { return content.slice(0..<0) }
        var start = Int(starts[index / Self.step] ?? 0)
        let length: Int
        if width == 1 {
            // The lengths before it in its eight, added at once.
            let eight = UnsafeRawPointer(base + index / Self.step * Self.step).loadUnaligned(as: UInt64.self)
            let before = UInt64(littleEndian: eight) & ((1 << UInt64(index % Self.step * 8)) - 1)
            let pairs = (before & 0x00FF_00FF_00FF_00FF) + (before >> 8 & 0x00FF_00FF_00FF_00FF)
            start += Int((pairs &* 0x0001_0001_0001_0001) >> 48)
            length = Int(base[index])
        } else {
            for text in (index / Self.step * Self.step)..<index { start += wideLength(text) }
            length = wideLength(index)
        }
        return content.slice(min(start, content.count)..<(min(start, content.count) + length))
    }

    private func wideLength(_ index: Int) -> Int {
        (0..<width).reduce(0) { $0 | Int(lengths[index * width + $1] ?? 0) << (8 * $1) }
    }

    func text(_ index: Int) -> String { String(decoding: bytes(index), as: UTF8.self) }

    /// What is stored.
    static func parts(_ name: String, _ texts: some Sequence<some Sequence<UInt8>>) -> [(
        name: String, content: [UInt8]
    )] {
        var (ends, content): ([UInt32], [UInt8]) = ([], [])
        for text in texts {
            content.append(contentsOf: text)
            ends.append(UInt32(content.count))
        }
        return parts(name, ends: ends, content)
    }

    /// The same for texts of which each begins where the one before it ends.
    static func parts(_ name: String, ends: [UInt32], _ content: [UInt8]) -> [(name: String, content: [UInt8])] {
        let begins = [0] + ends.dropLast()
        let longest = zip(begins, ends).map { $1 - $0 }.max() ?? 0
        let width = longest <= 0xFF ? 1 : longest <= 0xFFFF ? 2 : 4
        var lengths: [UInt8] = []
        lengths.reserveCapacity((ends.count + step) * width)
        for (begin, end) in zip(begins, ends) {
            for byte in 0..<width { lengths.append(UInt8(truncatingIfNeeded: (end - begin) >> UInt32(8 * byte))) }
        }
        let eights = (ends.count + step - 1) / step
        lengths += repeatElement(0, count: eights * step * width - lengths.count)
        let starts = stride(from: 0, to: ends.count, by: step).map { begins[$0] }
        return [
            ("\(name).sizes", [UInt32(ends.count), UInt32(width)].memory), ("\(name).starts", starts.memory),
            ("\(name).lengths", lengths), ("\(name).content", content),
        ]
    }
}
