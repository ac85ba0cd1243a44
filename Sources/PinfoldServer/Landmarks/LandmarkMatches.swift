import Geo

/// What has some words in its texts, of some shards, along the Hilbert curve. Of very many only those that are asked for
/// are looked at.
struct LandmarkMatches {
    private struct Part {
        let shard: LandmarkShard
        let bits: LandmarkBits
        /// The next one, and where it is; `end` after the last.
        var landmark = 0
        var position = Part.end

        static let end = Int64.max

        init(_ shard: LandmarkShard, _ words: PlaceFolding.Words) {
            self.shard = shard
            bits = shard.landmarks(having: words)
        }

        mutating func move(to landmark: Int) {
            let next = bits.next(from: landmark)
            self.landmark = next ?? shard.count
            position = next.map(shard.position) ?? Self.end
        }
    }

    private var parts: [Part]

    init(_ shards: [LandmarkShard], having words: LandmarkWords) {
        let wanted = LandmarkFolding.folding.words(words.text.unicodeScalars).words
        parts = wanted.isEmpty ? [] : shards.map { Part($0, wanted) }
    }

    /// Hands out those of a range of the curve along it, until `body` returns false. Their rows may no longer be current.
    mutating func forEach(inPlaces range: ClosedRange<Int64>, _ body: (LandmarkEntry) throws -> Bool) rethrows {
        for part in parts.indices { parts[part].move(to: parts[part].shard.first(from: range.lowerBound)) }
        while let next = parts.indices.min(by: { parts[$0].position < parts[$1].position }),
            parts[next].position != Part.end, parts[next].position <= range.upperBound
        {
            let (shard, landmark) = (parts[next].shard, parts[next].landmark)
            parts[next].move(to: landmark + 1)
            guard try body(shard.entry(of: landmark)) else { return }
        }
    }

    /// The same in no order, all of them.
    func forEachUnordered(inPlaces range: ClosedRange<Int64>, _ body: (LandmarkEntry) throws -> Void) rethrows {
        for part in parts {
            var landmark = part.bits.next(from: part.shard.first(from: range.lowerBound))
            while let found = landmark, part.shard.position(of: found) <= range.upperBound {
                try body(part.shard.entry(of: found))
                landmark = part.bits.next(from: found + 1)
            }
        }
    }
}
