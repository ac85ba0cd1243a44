import Testing

@testable import HTTP

/// The reader against bytes that no client would send.
@Suite struct FrameReaderTests {
    /// Reads all bytes in pieces; what came of it.
    private func read(_ bytes: [UInt8], pieces: () -> Int, limit: Int = 1000) throws -> (
        [FrameReader.Item], LiveClose?, Bool
    ) {
        let reader = try #require(FrameReader(limit: limit))
        var items: [FrameReader.Item] = []
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + max(1, pieces()))
            let piece = Array(bytes[start..<end])
            let close: LiveClose? = piece.withUnsafeBytes { piece in
                do throws(LiveClose) {
                    reader.feed(piece, inflates: true)
                    while let item = try reader.next() { items.append(item) }
                    return nil
                } catch {
                    return error
                }
            }
            if let close { return (items, close, false) }
            start = end
        }
        return (items, nil, reader.isAtRest)
    }

    @Test func garbageIsRefusedTheSameHoweverItIsCut() throws {
        var random = SystemRandomNumberGenerator()
        var refusals: [UInt16: Int] = [:]
        for round in 0..<20_000 {
            var bytes = (0..<Int.random(in: 1...200)).map { _ in UInt8.random(in: 0...255, using: &random) }
            // A plausible beginning gets further.
            if round.isMultiple(of: 2) {
                bytes =
                    LiveClient.frame(
                        UInt8.random(in: 0...10), bytes, isFinal: .random(),
                        reserved: .random() ? 0 : .random(in: 0...7)) + bytes
            }
            let whole = try read(bytes, pieces: { bytes.count }, limit: 100)
            let cut = try read(bytes, pieces: { Int.random(in: 1...20) }, limit: 100)
            #expect(whole == cut)
            if let close = whole.1 { refusals[close.code, default: 0] += 1 }
        }
        #expect(Set(refusals.keys).isSuperset(of: [1002, 1003, 1007, 1009]))
        #expect(refusals.keys.allSatisfy { [1002, 1003, 1007, 1009].contains($0) })
    }

    @Test func framesAreReadHoweverTheyAreCut() throws {
        for _ in 0..<500 {
            var bytes: [UInt8] = []
            var expected: [FrameReader.Item] = []
            for _ in 0..<Int.random(in: 1...10) {
                let parts = (0..<Int.random(in: 1...4)).map { _ in
                    [UInt8](
                        repeating: UInt8.random(in: 0x20...0x7e), count: [0, 1, 125, 126, 240].randomElement() ?? 0)
                }
                for (index, part) in parts.enumerated() {
                    let isLast = index == parts.count - 1
                    bytes += LiveClient.frame(index == 0 ? 1 : 0, part, isFinal: isLast)
                    expected.append(isLast ? .message(parts.flatMap(\.self), isCompressed: false) : .fragment)
                    if Bool.random() {
                        bytes += LiveClient.frame(9, [1, 2, 3])
                        expected.append(.ping([1, 2, 3]))
                    }
                }
            }
            let (items, close, isAtRest) = try read(bytes, pieces: { Int.random(in: 1...50) })
            #expect(items == expected && close == nil && isAtRest)
        }
    }

    @Test func readerRestsOnlyBetweenMessages() throws {
        let bytes = LiveClient.frame(1, [0x61, 0x62], isFinal: false) + LiveClient.frame(0, [0x63])
        for count in 1..<bytes.count {
            #expect(try !read(Array(bytes[..<count]), pieces: { 1 }).2, "after \(count) bytes")
        }
        #expect(try read(bytes, pieces: { 1 }).2)
    }

    @Test func hashIsTheStandards() {
        func hash(_ text: String) -> String {
            SHA1.hash(Array(text.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
        #expect(hash("") == "da39a3ee5e6b4b0d3255bfef95601890afd80709")
        #expect(hash("abc") == "a9993e364706816aba3e25717850c26c9cd0d89d")
        #expect(
            hash("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
                == "84983e441c3bd26ebaae4aa1f95129e5e54670f1")
        #expect(hash(String(repeating: "a", count: 1_000_000)) == "34aa973cd4c4daa4f61eeb2bdbad27316534016f")
    }
}
