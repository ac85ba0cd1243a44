import Testing

@testable import HTTP

@Suite struct GunzipTests {
    private func noise(_ count: Int) -> [UInt8] {
        var state: UInt64 = 7
        return (0..<count).map { index in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return index % 3 == 0 ? UInt8(truncatingIfNeeded: state >> 33) : 65
        }
    }

    @Test func `what was compressed comes back`() throws {
        for size in [0, 1, 100, 16 << 10, 300_000] {
            let bytes = noise(size)
            let packed = try #require(Gzip.compress(bytes, level: 6))
            #expect(Gunzip.isGzip(packed))
            #expect(Gunzip.inflate(packed, limit: size) == bytes)
            #expect(Gunzip.inflate(packed, limit: 1 << 30) == bytes)
        }
    }

    @Test func `what grows beyond the limit is refused`() throws {
        let packed = try #require(Gzip.compress([UInt8](repeating: 0, count: 5_000_000), level: 6))
        #expect(packed.count < 10_000)
        #expect(Gunzip.inflate(packed, limit: 4_999_999) == nil)
        #expect(Gunzip.inflate(packed, limit: 0) == nil)
        #expect(Gunzip.inflate(packed, limit: 5_000_000)?.count == 5_000_000)
    }

    @Test func `what is cut short, goes on or is damaged is refused`() throws {
        let bytes = noise(5000)
        let packed = try #require(Gzip.compress(bytes, level: 6))
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
