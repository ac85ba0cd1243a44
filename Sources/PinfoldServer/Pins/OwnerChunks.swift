/// How many owners one statement takes: larger chunks carry the cutoff worse, smaller ones are more statements.
let ownerChunk = 200

/// How many owners the first statement of a list takes: few, because nothing bounds it yet, and what it keeps is enough
/// to spare the next ones most of their rows.
let firstOwnerChunk = 30

/// `ids` in runs of `next`, the first one of `first`.
func chunks<Item>(of ids: [Item], first: Int = ownerChunk, next: Int = ownerChunk) -> [[Item]] {
    var chunks: [[Item]] = []
    var start = 0
    while start < ids.count {
        let end = min(start + (start == 0 ? first : next), ids.count)
        chunks.append(Array(ids[start..<end]))
        start = end
    }
    return chunks
}

/// A chunk filled up with an id that nobody has, so that lists of all lengths are a few prepared statements.
func padded(_ owners: [Int64]) -> [Int64] {
    let length = [1, 10, firstOwnerChunk, 51, 101, ownerChunk].first { owners.count <= $0 } ?? owners.count
    return owners + Array(repeating: -1, count: length - owners.count)
}
