import Foundation
import Testing

@testable import PinfoldServer

@Suite struct MappedPartsTests {
    private static let parts: [(name: String, content: [UInt8])] = [
        ("numbers", [1, 0, 0, 0, 2, 0, 0, 0, 9]), ("none", []), ("text", Array("all that is in it".utf8)),
    ]

    private func withFile(_ body: (String) throws -> Void) throws {
        let folder = try BundledGazetteer.temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try MappedParts.write(Self.parts, version: "v1", to: folder + "/file")
        try body(folder + "/file")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["file"])
    }

    @Test func `what was written is mapped, each part where words may lie`() throws {
        try withFile { path in
            let parts = try #require(MappedParts.open(path, version: "v1"))
            for parts in [parts, MappedParts(Self.parts)] {
                let numbers: MappedArray<UInt32> = parts.array("numbers")
                #expect(numbers.count == 2 && numbers[0] == 1 && numbers[1] == 2)
                #expect(numbers[2] == nil && numbers[-1] == nil && numbers.slice(1..<900).count == 1)
                #expect(numbers.elements.baseAddress.map { UInt(bitPattern: $0) % 64 } == 0)
                #expect(Array(parts.array("text", of: UInt8.self).elements) == Self.parts[2].content)
                #expect(parts.array("none", of: UInt8.self).count == 0)
                #expect(parts.array("unknown", of: UInt64.self)[0] == nil)
            }
        }
    }

    @Test func `parts of the same content are stored once`() throws {
        let content = [UInt8](repeating: 7, count: 1000)
        let folder = try BundledGazetteer.temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try MappedParts.write([("a", content), ("b", [1]), ("c", content)], version: "v1", to: folder + "/file")
        let parts = try #require(MappedParts.open(folder + "/file", version: "v1"))
        let (a, c) = (parts.array("a", of: UInt8.self), parts.array("c", of: UInt8.self))
        #expect(Array(a.elements) == content && a.elements.baseAddress == c.elements.baseAddress)
        #expect(parts.array("b", of: UInt8.self)[0] == 1)
    }

    @Test(arguments: [(1, 0), (9, 255), (100, 255), (100, 256), (17, 65_535), (3, 65_536)])
    func `texts are what they were, and no damage leads beyond them`(count: Int, longest: Int) throws {
        var generator = SplitMix64(seed: UInt64(count + longest))
        var texts = (0..<count).map { _ in
            (0..<generator.int(0..<min(longest, 40) + 1)).map { _ in UInt8.random(in: 0...255, using: &generator) }
        }
        texts[count / 2] = [UInt8](repeating: 9, count: longest)
        let whole = MappedTexts.parts("x", texts)
        let mapped = MappedTexts(MappedParts(whole), "x")
        #expect(mapped.count == count && (0..<count).map { Array(mapped.bytes($0)) } == texts)
        for outside in [-1, count, count + 7, .max] { #expect(mapped.bytes(outside).isEmpty) }
        for _ in 0..<200 {
            var damaged = whole
            for part in damaged.indices where !damaged[part].content.isEmpty {
                let place = generator.int(0..<damaged[part].content.count)
                damaged[part].content[place] = .random(in: 0...255, using: &generator)
                if generator.chance(20) { damaged[part].content.removeLast(generator.int(0..<place + 1)) }
            }
            let texts = MappedTexts(MappedParts(damaged), "x")
            for index in 0..<min(texts.count, 200) { _ = texts.bytes(index).reduce(0) { $0 ^ $1 } }
        }
    }

    @Test func `another version and every damage are noticed`() throws {
        try withFile { path in
            #expect(MappedParts.open(path, version: "v2") == nil)
            #expect(MappedParts.open(path + "x", version: "v1") == nil)
            let whole = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
            for place in whole.indices {
                var damaged = whole
                damaged[place] ^= 1 << UInt8(place % 8)
                try Data(damaged).write(to: URL(fileURLWithPath: path))
                #expect(MappedParts.open(path, version: "v1") == nil, "\(place)")
            }
            for length in [0, 1, 8, 191, 192, 200, whole.count - 64, whole.count - 1] {
                try Data(whole[..<length]).write(to: URL(fileURLWithPath: path))
                #expect(MappedParts.open(path, version: "v1") == nil, "\(length)")
            }
            try Data(whole + [0]).write(to: URL(fileURLWithPath: path))
            #expect(MappedParts.open(path, version: "v1") == nil)
        }
    }

    @Test func `a damaged or missing index is built anew`() throws {
        let folder = try BundledGazetteer.temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let bundle = try SmallGazetteer.write(to: folder)
        let progress = Progress()
        func open() throws {
            let gazetteer = try Gazetteer(
                path: folder + "/places.db", bundle: bundle, clock: { 0 }, progress: { progress.note($0) })
            #expect(gazetteer.search.results("mitte", limit: 3).count == 1)
            gazetteer.close()
        }
        try open()
        try open()
        #expect(progress.finished == 1)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: folder + "/places.index"))
        bytes[bytes.count / 2] ^= 1
        try bytes.write(to: URL(fileURLWithPath: folder + "/places.index"))
        try open()
        #expect(progress.finished == 2)
        try FileManager.default.removeItem(atPath: folder + "/places.index")
        try open()
        #expect(progress.finished == 3)
    }
}
