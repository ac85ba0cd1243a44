/// Folded names and whom they name: what a prefix or a misspelling finds, in the order of the names.
///
/// The names are a radix tree in one piece of bytes, nodes in the order of the names, each followed by its children, of
/// which it has a directory: a child whose first letter cannot match is skipped without touching its memory. Behind the names stand the
/// *postings*: who has the name, and as what. Those of a prefix are one range, in which blocks know their best.
final class PlaceNames: Sendable {
    /// Who has a name, in 32 bits: 20 for the number of the place, 2 for the kind, 9 for which alternate name it is, and
    /// one that says that the posting is the first of its name.
    struct Posting {
        enum Kind: UInt32 {
            case primary, alternate
            /// A later word of the main name and what follows it.
            case inner
            /// An alternate name that is the first letters of the main name's words, as people abbreviate it: LA, NYC.
            case initials
        }

        let bits: UInt32

        static let placeLimit = 1 << 20
        /// The number of an alternate name that is not one of those that can be numbered.
        static let unnumbered = 511

        init(bits: UInt32) {
            self.bits = bits
        }

        init(place: Int, kind: Kind, alternate: Int) {
            bits = UInt32(place) | kind.rawValue << 20 | UInt32(min(alternate, Self.unnumbered)) << 22
        }

        var place: Int { Int(bits & 0xFFFFF) }
        var kind: Kind { Kind(rawValue: bits >> 20 & 3) ?? .inner }
        var alternate: Int { Int(bits >> 22 & 511) }
        var isAlternate: Bool { kind == .alternate || kind == .initials }
        var isFirst: Bool { bits >> 31 == 1 }
    }

    /// Postings of a block, which has the best score of them.
    static let blockSize = 64
    /// Names of which one has the place of its postings.
    static let sampleStep = 32

    let tree: MappedArray<UInt8>
    /// How many names there are.
    let nameCount: Int
    /// For the first letter of names: the letter, where its node is in the tree, and the number of its first name.
    let roots: MappedArray<UInt32>
    private let samples: MappedArray<UInt32>
    let postings: MappedArray<UInt32>
    private let blocks: MappedArray<UInt16>
    /// Of each place.
    let importances: MappedArray<UInt16>

    init(_ parts: MappedParts, _ name: String) {
        tree = parts.array("\(name).tree")
        roots = parts.array("\(name).roots")
        samples = parts.array("\(name).samples")
        postings = parts.array("\(name).postings")
        blocks = parts.array("\(name).blocks")
        importances = parts.array("\(name).importances")
        nameCount = Int(parts.array("\(name).count", of: UInt32.self)[0] ?? 0)
    }

    /// The names that begin with a text.
    struct Found {
        /// The numbers of the names.
        var names: Range<Int>
        /// The first is the text itself.
        var isExact: Bool
    }

    // MARK: Scores

    /// What a posting counts without regard to how well the name matches, in thousandths of a power of ten of people.
    @inline(__always)
    func score(_ posting: Posting) -> Int {
        max(0, Int(importances[posting.place] ?? 0) - Self.penalty(of: posting.kind))
    }

    static func penalty(of kind: Posting.Kind) -> Int {
        switch kind {
        case .primary: 0
        case .alternate: 1300
        case .inner: 1500
        case .initials: 300
        }
    }

    /// The best score in a block.
    @inline(__always)
    func best(inBlock block: Int) -> Int { Int(blocks[block] ?? 0) }

    /// The best scores in some blocks.
    func best(inBlocks range: Range<Int>) -> UnsafeBufferPointer<UInt16> { blocks.slice(range) }

    // MARK: Names

    /// Where the postings of a range of names are.
    func postings(of names: Range<Int>) -> Range<Int> {
        let start = start(of: names.lowerBound)
        return start..<max(start, self.start(of: names.upperBound))
    }

    private func start(of name: Int) -> Int {
        guard let sample = samples[name / Self.sampleStep] else { return postings.count }
        var at = Int(sample)
        var left = name % Self.sampleStep
        while left > 0 {
            at += 1
            guard let bits = postings[at] else { return postings.count }
            if bits >> 31 == 1 { left -= 1 }
        }
        return at
    }

    /// Of names that are longer only the beginning is kept and looked up, in whole letters.
    private static let nameLimit = 240

    /// A name as it is kept.
    static func cut<Name: Collection<UInt8>>(_ name: Name) -> Name.SubSequence {
        let beginning = name.prefix(nameLimit)
        guard beginning.endIndex != name.endIndex else { return beginning }
        // Bytes of a letter behind its first one begin with the bits 10.
        var end = beginning.endIndex
        var length = beginning.count
        while length > 1, name[end] & 0xC0 == 0x80 {
            length -= 1
            end = name.index(name.startIndex, offsetBy: length)
        }
        return name[..<end]
    }

    /// The names that begin with `text`, folded UTF-8; nil if there are none.
    func find(_ text: some RandomAccessCollection<UInt8>) -> Found? {
        guard let first = Self.scalar(text), let root = root(of: first.value) else { return nil }
        let text = Array(Self.cut(text))
        return tree.withBytes { bytes -> Found? in
            var at = Int(roots[root * 3 + 1] ?? 0)
            var name = Int(roots[root * 3 + 2] ?? 0)
            var names = max(0, Int(roots[root * 3 + 5] ?? UInt32(nameCount)) - name)
            var done = first.length
            while true {
                guard let node = Node(at, in: bytes) else { return nil }
                var label = node.labelStart
                while label < node.labelEnd, done < text.count {
                    guard bytes[label] == text[done] else { return nil }
                    label += 1
                    done += 1
                }
                if done == text.count {
                    let isExact = label == node.labelEnd && node.isName
                    return Found(names: name..<(name + max(names, 1)), isExact: isExact)
                }
                name += node.isName ? 1 : 0
                guard node.children > 0, let letter = Self.scalar(text[done...]) else { return nil }
                var entries = node.entries
                var isFound = false
                for _ in 0..<node.children {
                    guard let entry = entries.next(in: bytes) else { return nil }
                    if entry.letter == letter.value {
                        (at, names, isFound) = (entry.body, entry.names, true)
                        break
                    }
                    name += entry.names
                }
                guard isFound else { return nil }
                done += letter.length
            }
        }
    }

    private func root(of scalar: UInt32) -> Int? {
        var (low, high) = (0, roots.count / 3)
        while low < high {
            let middle = (low + high) / 2
            if roots[middle * 3] ?? 0 < scalar { low = middle + 1 } else { high = middle }
        }
        return roots[low * 3] == scalar ? low : nil
    }

    /// The first scalar of valid UTF-8 and its length; of other bytes something, without reading beyond them.
    @inline(__always)
    static func scalar(_ text: some RandomAccessCollection<UInt8>) -> (value: UInt32, length: Int)? {
        guard let first = text.first else { return nil }
        if first < 0x80 { return (UInt32(first), 1) }
        let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
        var value = UInt32(first) & (0xFF >> UInt32(length + 1))
        for byte in text.dropFirst().prefix(length - 1) { value = value << 6 | UInt32(byte & 0x3F) }
        return (value, min(length, text.count))
    }

    /// A node of the tree: a byte with the length of its label and two flags, the label, and if there are children their
    /// number, a directory of them, and they themselves.
    ///
    /// Labels are whole letters, without the first one: that is in the directory of the parent, with the length of the child
    /// and the number of names that are in it.
    struct Node {
        let labelStart: Int
        let labelEnd: Int
        /// The path to here is a name.
        let isName: Bool
        let children: Int
        /// At the first child.
        let entries: Entries

        static let labelLimit = 63
        static let nameFlag: UInt8 = 0x80
        static let childrenFlag: UInt8 = 0x40

        @inline(__always)
        init?(_ at: Int, in tree: UnsafeBufferPointer<UInt8>) {
            guard at >= 0, at < tree.count else { return nil }
            let head = tree[at]
            labelStart = at + 1
            labelEnd = labelStart + Int(head & 0x3F)
            isName = head & Self.nameFlag != 0
            guard labelEnd <= tree.count else { return nil }
            guard head & Self.childrenFlag != 0 else {
                children = 0
                entries = Entries(at: labelEnd, body: labelEnd)
                return
            }
            var place = labelEnd
            children = PlaceNames.number(&place, in: tree)
            let length = PlaceNames.number(&place, in: tree)
            entries = Entries(at: place, body: place + length)
        }

        /// Goes through a directory.
        struct Entries {
            private(set) var at: Int
            private(set) var body: Int

            init(at: Int, body: Int) {
                self.at = at
                self.body = body
            }

            @inline(__always)
            mutating func next(in tree: UnsafeBufferPointer<UInt8>) -> (letter: UInt32, body: Int, names: Int)? {
                guard at < tree.count else { return nil }
                var letter = UInt32(tree[at])
                if letter < 0x80 {
                    at += 1
                } else {
                    guard let long = PlaceNames.scalar(tree[at..<min(at + 4, tree.count)]) else { return nil }
                    letter = long.value
                    at += long.length
                }
                let length = PlaceNames.number(&at, in: tree)
                let names = length & 1 == 0 ? 1 : PlaceNames.number(&at, in: tree)
                defer { body += length >> 1 }
                return (letter, body, names)
            }
        }
    }

    /// A number in groups of 7 bits, the lowest first.
    @inline(__always)
    static func number(_ place: inout Int, in tree: UnsafeBufferPointer<UInt8>) -> Int {
        var value = 0
        var shift = 0
        while place < tree.count, shift < 35 {
            let byte = tree[place]
            place += 1
            value |= Int(byte & 0x7F) << shift
            if byte < 0x80 { break }
            shift += 7
        }
        return value
    }
}
