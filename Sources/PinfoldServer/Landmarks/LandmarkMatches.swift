import Geo

/// What is of a query, but for its place and its datasets, of some shards, along the Hilbert curve. Of very many only those
/// that are asked for are looked at.
struct LandmarkMatches {
    private struct Part {
        let shard: LandmarkShard
        /// What has the words or the name; nil where none are wanted.
        let bits: LandmarkBits?
        let categoryMask: Int64
        let updated: ClosedRange<Int64>?
        /// What is left of a range, and where its first one is; `end` for none.
        var landmarks = 0..<0
        var position = Part.end

        static let end = Int64.max

        init(_ shard: LandmarkShard, _ bits: LandmarkBits?, _ query: LandmarkQuery) {
            self.shard = shard
            self.bits = bits
            categoryMask = query.categoryMask
            updated = query.updated
        }

        /// The first one of some.
        func first(of landmarks: Range<Int>) -> Int? {
            var next = landmarks.lowerBound
            while true {
                if let bits {
                    guard let found = bits.next(from: next) else { return nil }
                    next = found
                }
                guard next < landmarks.upperBound else { return nil }
                if categoryMask & 1 << shard.category(of: next) != 0, bits != nil || !shard.isGone(next),
                    updated?.contains(shard.updated(next)) ?? true
                {
                    return next
                }
                next += 1
            }
        }

        mutating func move(to landmarks: Range<Int>) {
            let first = first(of: landmarks) ?? landmarks.upperBound
            self.landmarks = first..<landmarks.upperBound
            position = self.landmarks.isEmpty ? Self.end : shard.position(of: first)
        }
    }

    private var parts: [Part]
    /// Whether the database need not be asked whether they are current and of the query.
    let areSure: Bool

    init(_ shards: [LandmarkShard], _ query: LandmarkQuery, areCurrent: Bool) {
        // A name is folded where it is looked up.
        areSure = areCurrent && query.name == nil
        let folding = LandmarkFolding.folding
        if let words = query.words {
            let words = folding.words(words.text.unicodeScalars).words
            parts = words.isEmpty ? [] : shards.map { Part($0, $0.landmarks(having: words), query) }
        } else {
            parts = shards.map { shard in Part(shard, query.name.map(shard.landmarks(named:)), query) }
        }
    }

    /// Hands out those of a range of the curve along it, until `body` returns false. Their rows may no longer be current.
    mutating func forEach(inPlaces range: ClosedRange<Int64>, _ body: (LandmarkEntry) throws -> Bool) rethrows {
        for part in parts.indices { parts[part].move(to: parts[part].shard.landmarks(inPlaces: range)) }
        while let next = parts.indices.min(by: { parts[$0].position < parts[$1].position }),
            parts[next].position != Part.end
        {
            let (shard, landmarks) = (parts[next].shard, parts[next].landmarks)
            parts[next].move(to: landmarks.dropFirst())
            guard try body(shard.entry(of: landmarks.lowerBound)) else { return }
        }
    }

    /// The same in no order, all of them.
    func forEachUnordered(inPlaces range: ClosedRange<Int64>, _ body: (LandmarkEntry) throws -> Void) rethrows {
        for part in parts {
            var landmarks = part.shard.landmarks(inPlaces: range)
            while let landmark = part.first(of: landmarks) {
                try body(part.shard.entry(of: landmark))
                landmarks = (landmark + 1)..<landmarks.upperBound
            }
        }
    }
}
