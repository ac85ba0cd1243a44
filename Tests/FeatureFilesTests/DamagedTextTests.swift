import CZstd
import Foundation
import Testing

@testable import FeatureFiles

/// Files that were whole once. What matters is that reading them ends, without a crash, and with nothing that was not there.
@Suite struct DamagedTextTests {
    private static func geoJSON() -> [UInt8] {
        var random = SeededRandom(21)
        let features = (0..<30).map { number in
            #"{"type":"Feature","id":\#(number),"properties":{"name":"Nö \#(number) \"q\"","k":[1,{"a":null}]},"geometry":\#(TestGeometry.random(&random).geoJSON)}"#
        }
        return Array(#"{"type":"FeatureCollection","features":[\#(features.joined(separator: ",\n"))],"x":{}}"#.utf8)
    }

    private static func table() -> [UInt8] {
        var random = SeededRandom(22)
        let rows = (0..<40).map { "\"Nö, \"\"\($0)\"\"\",\"\(TestGeometry.random(&random).text)\",\($0)" }
        return Array(("name,wkt,number\r\n" + rows.joined(separator: "\r\n")).utf8)
    }

    private static func lines() -> [UInt8] {
        Array(
            (0..<40).map {
                #"{"type":"Feature","properties":{"n":\#($0)},"geometry":{"type":"Point","coordinates":[\#($0),1]}}"#
            }
            .joined(separator: "\n").utf8)
    }

    private static func sixteen() -> [UInt8] {
        "name;lat;lon\nŻółw 😀;1,5;2,5\n\"a;b\";3;4\n".utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    }

    private static func packed() throws -> [UInt8] {
        let text = table()
        var packed = [UInt8](repeating: 0, count: ZSTD_compressBound(text.count))
        let count = ZSTD_compress(&packed, packed.count, text, text.count, 3)
        try #require(ZSTD_isError(count) == 0)
        return Array(packed[..<count])
    }

    /// Whether what is read of damaged text is no more than it has, and each record as records are.
    private func isSound(_ bytes: [UInt8]) throws -> Bool {
        let file = try ReadText(bytes)
        let arePoints = file.features.allSatisfy { feature in
            if case .point(let x, let y)? = feature.geometry { x.isFinite && y.isFinite } else { true }
        }
        return arePoints && file.features.allSatisfy { $0.values.count <= file.columns.count && $0.row > 0 }
            && file.features.count + file.faults.count <= bytes.count + 1
    }

    @Test func `a file that is packed is read as it was`() throws {
        let plain = try ReadText(Self.table())
        let packed = try ReadText(try Self.packed())
        #expect(plain.features.count == 40)
        #expect(packed.features == plain.features)
        let cut = try ReadText(Array(try Self.packed().dropLast(5)))
        #expect(cut.fault != nil)
    }

    @Test func `what unpacks to far more than it is, is refused`() throws {
        let zeros = [UInt8](repeating: 0, count: 1 << 24)
        var packed = [UInt8](repeating: 0, count: ZSTD_compressBound(zeros.count))
        let count = ZSTD_compress(&packed, packed.count, zeros, zeros.count, 3)
        let bomb = Array(repeating: Array(packed[..<count]), count: 6).flatMap { $0 }
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("bomb-\(UUID().uuidString)").path
        try Data(bomb).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let source = try ByteSource(path: path)
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
        defer { block.deallocate() }
        var blocks = 0
        #expect(throws: FeatureFileFault("unpacks to more than 200 times its size; unpack it first")) {
            while try source.read(into: block) > 0 { blocks += 1 }
        }
        #expect(blocks <= 64)
    }

    @Test(arguments: 0..<5)
    func `cut anywhere`(_ which: Int) throws {
        let bytes = try [Self.geoJSON(), Self.table(), Self.lines(), Self.sixteen(), Self.packed()][which]
        for length in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 300)) {
            #expect(try isSound(Array(bytes[..<length])), "cut at \(length)")
        }
    }

    @Test(arguments: 0..<5)
    func `with bytes changed, removed and doubled`(_ which: Int) throws {
        let bytes = try [Self.geoJSON(), Self.table(), Self.lines(), Self.sixteen(), Self.packed()][which]
        var random = SeededRandom(UInt64(which) + 100)
        let likely = Array("\"{}[],:\\ \n\r\0;'-.0e".utf8) + [0xFF, 0xC3, 0xE2]
        for _ in 0..<400 {
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<damaged.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: damaged[place] = UInt8.random(in: 0...255, using: &random)
                case 1: damaged[place] = likely.randomElement(using: &random) ?? 0
                case 2: damaged.remove(at: place)
                default: damaged.insert(contentsOf: damaged[place..<min(place + 30, damaged.count)], at: place)
                }
            }
            #expect(try isSound(damaged), "\(damaged)")
        }
    }
}
