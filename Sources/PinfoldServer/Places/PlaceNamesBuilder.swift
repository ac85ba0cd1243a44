import Foundation

/// Makes a `PlaceNames`.
struct PlaceNamesBuilder {
    private var bytes: [UInt8] = []
    private var entries: [Entry] = []

    private struct Entry {
        /// The first bytes of the name, for sorting.
        let head: UInt64
        let start: UInt32
        let length: UInt32
        var posting: UInt32
    }

    /// Adds a folded name, which must not be empty. What names a place twice counts as it did first.
    mutating func add(_ name: some Collection<UInt8>, _ posting: PlaceNames.Posting) {
        let start = bytes.count
        bytes.append(contentsOf: PlaceNames.cut(name))
        var head: UInt64 = 0
        for index in 0..<8 { head = head << 8 | UInt64(start + index < bytes.count ? bytes[start + index] : 0) }
        entries.append(
            Entry(
                head: head, start: UInt32(start), length: UInt32(bytes.count - start),
                posting: posting.bits & 0x7FFF_FFFF))
    }

    /// Gives each place another number, before `parts`.
    ///
    /// - Parameter numbers: the new one of each.
    mutating func renumber(_ numbers: [UInt32]) {
        for index in entries.indices {
            let posting = entries[index].posting
            entries[index].posting = posting & ~0xFFFFF | numbers[Int(posting & 0xFFFFF)]
        }
    }

    /// Empties the builder.
    ///
    /// - Parameter importances: of each place.
    mutating func parts(_ name: String, importances: [UInt16]) -> [(name: String, content: [UInt8])] {
        // Sorted in place, and not held twice.
        var entries: [Entry] = []
        swap(&entries, &self.entries)
        defer { bytes = [] }
        return bytes.withUnsafeBufferPointer { bytes in
            var writer = TreeWriter(bytes: bytes)
            writer.take(&entries)
            entries = []
            writer.write()
            let scores = Scores(importances)
            var blocks: [UInt16] = []
            for start in stride(from: 0, to: writer.postings.count, by: PlaceNames.blockSize) {
                let block = writer.postings[start..<min(start + PlaceNames.blockSize, writer.postings.count)]
                blocks.append(block.map { scores.score(PlaceNames.Posting(bits: $0)) }.max() ?? 0)
            }
            return [
                ("\(name).tree", writer.tree), ("\(name).roots", writer.roots.memory),
                ("\(name).samples", writer.samples.memory), ("\(name).postings", writer.postings.memory),
                ("\(name).count", [UInt32(writer.names.count)].memory), ("\(name).blocks", blocks.memory),
                ("\(name).importances", importances.memory),
            ]
        }
    }

    private struct Scores {
        let importances: [UInt16]

        init(_ importances: [UInt16]) {
            self.importances = importances
        }

        func score(_ posting: PlaceNames.Posting) -> UInt16 {
            UInt16(max(0, Int(importances[posting.place]) - PlaceNames.penalty(of: posting.kind)))
        }
    }

    /// Writes the tree from the sorted names.
    private struct TreeWriter {
        let bytes: UnsafeBufferPointer<UInt8>
        /// Each name once, in order.
        private(set) var names: [(start: Int, length: Int)] = []
        private(set) var tree: [UInt8] = []
        private(set) var roots: [UInt32] = []
        private(set) var samples: [UInt32] = []
        private(set) var postings: [UInt32] = []

        init(bytes: UnsafeBufferPointer<UInt8>) {
            self.bytes = bytes
        }

        /// Sorts the entries.
        mutating func take(_ entries: inout [Entry]) {
            guard let base = bytes.baseAddress else { return }
            func compare(_ a: Entry, _ b: Entry) -> Int32 {
                if a.head != b.head { return a.head < b.head ? -1 : 1 }
                // No name has a zero in it, so that the head of a short one is all of it.
                if a.length <= 8, b.length <= 8 { return 0 }
                let order = memcmp(base + Int(a.start), base + Int(b.start), Int(min(a.length, b.length)))
                return order != 0 ? order : Int32(a.length) - Int32(b.length)
            }
            entries.sort { a, b in
                let order = compare(a, b)
                if order != 0 { return order < 0 }
                let (first, second) = (a.posting & 0xFFFFF, b.posting & 0xFFFFF)
                return first != second ? first < second : a.start < b.start
            }
            postings.reserveCapacity(entries.count)
            for (index, entry) in entries.enumerated() {
                let isNew = index == 0 || compare(entries[index - 1], entry) != 0
                if !isNew, entries[index - 1].posting & 0xFFFFF == entry.posting & 0xFFFFF { continue }
                if isNew {
                    if names.count.isMultiple(of: PlaceNames.sampleStep) { samples.append(UInt32(postings.count)) }
                    names.append((Int(entry.start), Int(entry.length)))
                }
                postings.append(entry.posting | (isNew ? 1 << 31 : 0))
            }
        }

        mutating func write() {
            tree.reserveCapacity(bytes.count)
            var start = 0
            while start < names.count, let scalar = scalar(start, 0) {
                var end = start + 1
                while end < names.count, self.scalar(end, 0)?.value == scalar.value { end += 1 }
                roots += [scalar.value, UInt32(tree.count), UInt32(start)]
                writeNode(start..<end, from: scalar.length, to: &tree)
                start = end
            }
        }

        private func scalar(_ name: Int, _ offset: Int) -> (value: UInt32, length: Int)? {
            let (start, length) = names[name]
            guard offset < length else { return nil }
            // Most letters are of ASCII, and tests build indexes without optimization.
            let first = bytes[start + offset]
            if first < 0x80 { return (UInt32(first), 1) }
            return PlaceNames.scalar(bytes[(start + offset)..<(start + length)])
        }

        /// Writes the node of names that have the first `depth` bytes in common.
        private func writeNode(_ range: Range<Int>, from depth: Int, to tree: inout [UInt8]) {
            let first = names[range.lowerBound]
            // Most nodes are the end of one name.
            if range.count == 1, first.length - depth <= PlaceNames.Node.labelLimit {
                tree.append(UInt8(first.length - depth) | PlaceNames.Node.nameFlag)
                tree += bytes[(first.start + depth)..<(first.start + first.length)]
                return
            }
            // Sorted: what the first and the last have in common all have.
            var end = depth
            while let a = scalar(range.lowerBound, end), let b = scalar(range.upperBound - 1, end), a == b,
                end + a.length - depth <= PlaceNames.Node.labelLimit
            {
                end += a.length
            }
            let isName = first.length == end
            var rest = isName ? (range.lowerBound + 1)..<range.upperBound : range
            var head = UInt8(end - depth)
            if isName { head |= PlaceNames.Node.nameFlag }
            if !rest.isEmpty { head |= PlaceNames.Node.childrenFlag }
            tree.append(head)
            tree += bytes[(first.start + depth)..<(first.start + end)]
            guard !rest.isEmpty else { return }

            var (count, directory, bodies): (Int, [UInt8], [UInt8]) = (0, [], [])
            while let firstChild = rest.first, let letter = scalar(firstChild, end) {
                // The names with the same next letter, by halving.
                var (low, high) = (firstChild + 1, rest.upperBound)
                while low < high {
                    let middle = (low + high) / 2
                    if scalar(middle, end)?.value == letter.value { low = middle + 1 } else { high = middle }
                }
                let start = bodies.count
                writeNode(firstChild..<low, from: end + letter.length, to: &bodies)
                let names = low - firstChild
                directory +=
                    bytes[(self.names[firstChild].start + end)..<(self.names[firstChild].start + end + letter.length)]
                directory += Self.number((bodies.count - start) << 1 | (names > 1 ? 1 : 0))
                if names > 1 { directory += Self.number(names) }
                count += 1
                rest = low..<rest.upperBound
            }
            tree += Self.number(count) + Self.number(directory.count) + directory + bodies
        }

        private static func number(_ value: Int) -> [UInt8] {
            var (rest, bytes) = (value, [UInt8]())
            while rest >= 0x80 {
                bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
                rest >>= 7
            }
            return bytes + [UInt8(rest)]
        }
    }
}
