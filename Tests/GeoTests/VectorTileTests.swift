import Geo
import Testing

@Suite struct VectorTileTests {
    @Test func `a tile is the bytes that the specification says`() {
        var tile = VectorTile()
        tile.layer("ab") { layer in
            layer.point(x: 25, y: 17, id: 300, ["k": .string("v"), "none": nil])
            layer.point(x: -1, y: 4095, ["u": .unsigned(200), "k": .string("v")])
        }
        let first: [UInt8] = [
            0x08, 0xAC, 0x02,  // id 300
            0x12, 2, 0, 0,  // tags: key 0, value 0
            0x18, 1,  // a point
            0x22, 3, 9, 50, 34,  // MoveTo once, +25 +17: the specification's own example
        ]
        let second: [UInt8] = [0x12, 4, 1, 1, 0, 0, 0x18, 1, 0x22, 4, 9, 1, 0xFE, 0x3F]
        var layer: [UInt8] = [0x78, 2, 0x0A, 2] + Array("ab".utf8)
        layer += [0x12, UInt8(first.count)] + first + [0x12, UInt8(second.count)] + second
        layer += [0x1A, 1] + Array("k".utf8) + [0x1A, 1] + Array("u".utf8)
        layer += [0x22, 3, 0x0A, 1] + Array("v".utf8) + [0x22, 3, 0x28, 0xC8, 0x01]
        layer += [0x28, 0x80, 0x20]  // extent 4096
        #expect(tile.bytes == [0x1A, UInt8(layer.count)] + layer)
    }

    @Test func `each kind of value has its field`() {
        for (value, bytes) in [
            (.string(""), [0x0A, 0]), (.string("é"), [0x0A, 2, 0xC3, 0xA9]),
            (.double(-2), [0x19, 0, 0, 0, 0, 0, 0, 0, 0xC0]), (.integer(-1), [0x30, 1]), (.integer(1), [0x30, 2]),
            (.integer(.min), [0x30] + [UInt8](repeating: 0xFF, count: 9) + [1]), (.unsigned(127), [0x28, 127]),
            (.unsigned(.max), [0x28] + [UInt8](repeating: 0xFF, count: 9) + [1]), (.bool(true), [0x38, 1]),
            (.bool(false), [0x38, 0]),
        ] as [(VectorTile.Value, [UInt8])] {
            var tile = VectorTile()
            tile.layer("l", extent: 1) { $0.point(x: 0, y: 0, ["k": value]) }
            #expect(tile.bytes.suffix(bytes.count + 4) == [0x22, UInt8(bytes.count)] + bytes + [0x28, 1], "\(value)")
        }
    }

    @Test func `a layer without features is left out, and layers follow one another`() {
        var (empty, one, both) = (VectorTile(), VectorTile(), VectorTile())
        empty.layer("none") { #expect($0.featureCount == 0) }
        #expect(empty.bytes.isEmpty)
        one.layer("one") { $0.point(x: 1, y: 1, [:]) }
        both.layer("one") { $0.point(x: 1, y: 1, [:]) }
        both.layer("none") { _ in }
        let alone = both.bytes
        both.layer("two") { $0.point(x: 1, y: 1, [:]) }
        #expect(alone == one.bytes && both.bytes.starts(with: alone) && both.bytes.count == 2 * alone.count)
    }

    /// Swift holds these texts for equal, and 0 for -0.
    @Test func `values that differ in a byte stay apart`() {
        let pairs: [(VectorTile.Value, VectorTile.Value)] = [
            (.string("\u{E9}"), .string("e\u{301}")), (.double(0), .double(-0.0)), (.integer(1), .unsigned(1)),
            (.bool(true), .unsigned(1)),
        ]
        for (a, b) in pairs {
            #expect(a != b && Set([a, b, a, b]).count == 2)
        }
        #expect(VectorTile.Value.double(.nan) == .double(.nan))
        var tile = VectorTile()
        tile.layer("l") { layer in
            layer.point(x: 0, y: 0, ["e\u{301}": .bool(true)])
            layer.point(x: 0, y: 0, ["\u{E9}": .bool(true)])
        }
        #expect(tile.bytes.firstRange(of: [0x1A, 3, 0x65, 0xCC, 0x81, 0x1A, 2, 0xC3, 0xA9]) != nil)
    }
}
