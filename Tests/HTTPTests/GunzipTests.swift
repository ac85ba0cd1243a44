import CZlib
import Testing

@testable import HTTP

@Suite struct GunzipTests {
    private func gzip(_ bytes: [UInt8]) -> [UInt8] {
        var stream = z_stream()
        deflateInit2_(
            &stream, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY, zlibVersion(), Int32(MemoryLayout<z_stream>.size))
        defer { deflateEnd(&stream) }
        var input = bytes
        return [UInt8](unsafeUninitializedCapacity: bytes.count + 1000) { output, count in
            input.withUnsafeMutableBufferPointer { input in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                #expect(deflate(&stream, Z_FINISH) == Z_STREAM_END)
                count = output.count - Int(stream.avail_out)
            }
        }
    }

    private func noise(_ count: Int) -> [UInt8] {
        var state: UInt64 = 7
        return (0..<count).map { index in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return index % 3 == 0 ? UInt8(truncatingIfNeeded: state >> 33) : 65
        }
    }

    @Test func `what was compressed comes back`() {
        for size in [0, 1, 100, 16 << 10, 300_000] {
            let bytes = noise(size)
            let packed = gzip(bytes)
            #expect(Gunzip.isGzip(packed))
            #expect(Gunzip.inflate(packed, limit: size) == bytes)
            #expect(Gunzip.inflate(packed, limit: 1 << 30) == bytes)
        }
    }

    @Test func `what grows beyond the limit is refused`() {
        let packed = gzip([UInt8](repeating: 0, count: 5_000_000))
        #expect(packed.count < 10_000)
        #expect(Gunzip.inflate(packed, limit: 4_999_999) == nil)
        #expect(Gunzip.inflate(packed, limit: 0) == nil)
        #expect(Gunzip.inflate(packed, limit: 5_000_000)?.count == 5_000_000)
    }

    @Test func `what is cut short, goes on or is damaged is refused`() {
        let bytes = noise(5000)
        let packed = gzip(bytes)
        for length in stride(from: 0, to: packed.count, by: 7) {
            #expect(Gunzip.inflate(Array(packed.prefix(length)), limit: 10_000) == nil)
        }
        #expect(Gunzip.inflate(packed + [0], limit: 10_000) == nil)
        // Behind the header, whose time and system anything may be, its sum finds each change.
        for index in stride(from: 10, to: packed.count, by: 5) {
            var damaged = packed
            damaged[index] ^= 0x55
            #expect(Gunzip.inflate(damaged, limit: 10_000) == nil)
        }
    }
}
