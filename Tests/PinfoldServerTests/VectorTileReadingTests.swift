import Geo
import Testing

/// What `VectorTile` writes, read by the specification.
@Suite struct VectorTileReadingTests {
    private func randomValue(using generator: inout SplitMix64) -> (VectorTile.Value, DecodedTile.Value) {
        switch generator.int(0..<5) {
        case 0:
            let text = generator.pick(["", "food", "café", "cafe\u{301}", "🍜", String(repeating: "東", count: 100)])
            return (.string(text), .string(Array(text.utf8)))
        case 1:
            let value = generator.pick([0, 1.5, -2, .pi, .greatestFiniteMagnitude, .leastNonzeroMagnitude])
            return (.double(value), .double(value))
        case 2:
            let value = generator.pick([0, 1, -1, 127, 128, .max, .min]) as Int64
            return (.integer(value), .integer(value))
        case 3:
            let value = generator.pick([0, 1, 127, 128, 16_384, .max]) as UInt64
            return (.unsigned(value), .unsigned(value))
        default:
            let value = generator.chance(50)
            return (.bool(value), .bool(value))
        }
    }

    @Test func `every feature of every layer comes back as it was written`() throws {
        var generator = SplitMix64(seed: 80)
        for _ in 0..<30 {
            var tile = VectorTile()
            var expected: [[DecodedTile.Feature]] = []
            for number in 0..<generator.int(0..<4) {
                var features: [DecodedTile.Feature] = []
                tile.layer("layer \(number)", extent: 1 << number) { layer in
                    for id in 0..<generator.int(0..<200) {
                        var feature = DecodedTile.Feature()
                        feature.id = generator.chance(20) ? nil : UInt64(id) << UInt64(generator.int(0..<50))
                        (feature.x, feature.y) = (generator.int(-100..<5000), generator.int(-100..<5000))
                        let (first, firstRead) = randomValue(using: &generator)
                        let (second, secondRead) = randomValue(using: &generator)
                        let isThere = generator.chance(70)
                        feature.properties = ["first": firstRead, "é": secondRead]
                        if !isThere { feature.properties["first"] = nil }
                        // Ids that are there already would not be unique.
                        if features.contains(where: { $0.id == feature.id }) { feature.id = nil }
                        features.append(feature)
                        layer.point(
                            x: feature.x, y: feature.y, id: feature.id, ["first": isThere ? first : nil, "é": second])
                    }
                    #expect(layer.featureCount == features.count)
                }
                if !features.isEmpty { expected.append(features) }
            }
            let layers = try DecodedTile(tile.bytes).layers
            #expect(layers.map(\.features) == expected)
            for layer in layers {
                #expect(layer.name == "layer \(layer.extent.trailingZeroBitCount)")
                #expect(layer.keys.count <= 2 && layer.values.count <= 28)
            }
        }
    }
}
