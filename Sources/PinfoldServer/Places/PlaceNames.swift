/// Folded names and whom they name: what a prefix or a misspelling finds, in the order of the names.
///
/// The names are a radix tree in one piece of bytes, nodes in the order of the names, each followed by its children: going
/// through it is going through memory, and a part that cannot match is skipped by its length. Behind the names stand the
/// *postings*: who has the name, and as what. Those of a prefix are one range, in which blocks know their best.
struct PlaceNames: Sendable {
    /// Who has a name, in 32 bits: 20 for the number of the place, 2 for the kind, 9 for which alternate name it is, and
    /// one that says that the posting is the first of its name.
    struct Posting {
        enum Kind: UInt32 {
            case primary, alternate
            /// A later word of the main name and what follows it.
            case inner
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
        var isFirst: Bool { bits >> 31 == 1 }
    }

    /// Postings of a block, which has the best score of them.
    static let blockSize = 64
    /// Names of which one has the place of its postings.
    static let sampleStep = 32

    let tree: MappedArray<UInt8>
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
        }
    }

    /// The best score in a block.
    @inline(__always)
    func best(inBlock block: Int) -> Int { Int(blocks[block] ?? 0) }

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

    /// The names that begin with `text`, folded UTF-8; nil if there are none.
    func find(_ text: some RandomAccessCollection<UInt8>) -> Found? {
        guard let first = Self.scalar(text), let root = root(of: first.value) else { return nil }
        var at = Int(roots[root * 3 + 1] ?? 0)
        var name = Int(roots[root * 3 + 2] ?? 0)
        var end = root + 1 < roots.count / 3 ? Int(roots[root * 3 + 4] ?? 0) : tree.count
        var rest = text[...]
        while at < end {
            guard let node = Node(at, in: tree) else { return nil }
            let common = node.common(with: rest, in: tree)
            if common == rest.count {
                let isWhole = common == node.labelEnd - node.labelStart
                return Found(names: name..<(name + node.names), isExact: isWhole && node.isName)
            }
            if common == node.labelEnd - node.labelStart {
                rest = rest.dropFirst(common)
                at = node.labelEnd + node.countsLength
                end = node.end
                name += node.isName ? 1 : 0
            } else if common >= Self.scalar(rest)?.length ?? 1 {
                // No other child begins with that letter, though some may with its first bytes.
                return nil
            } else {
                at = node.end
                name += node.names
            }
        }
        return nil
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

    /// A node of the tree: a byte with the length of the label and two flags, the label, and if there are children how
    /// many bytes they take and how many names they have.
    ///
    /// A label begins and ends between letters.
    struct Node {
        let labelStart: Int
        let labelEnd: Int
        /// The path to here is a name.
        let isName: Bool
        let countsLength: Int
        /// Behind its children.
        let end: Int
        /// How many names are here and below.
        let names: Int

        static let labelLimit = 63
        static let nameFlag: UInt8 = 0x80
        static let childrenFlag: UInt8 = 0x40

        @inline(__always)
        init?(_ at: Int, in tree: MappedArray<UInt8>) {
            guard let head = tree[at] else { return nil }
            labelStart = at + 1
            labelEnd = labelStart + Int(head & 0x3F)
            isName = head & Self.nameFlag != 0
            guard labelEnd <= tree.count else { return nil }
            guard head & Self.childrenFlag != 0 else {
                countsLength = 0
                end = labelEnd
                names = isName ? 1 : 0
                return
            }
            var place = labelEnd
            let bytes = Self.number(&place, in: tree)
            let below = Self.number(&place, in: tree)
            countsLength = place - labelEnd
            end = min(place + bytes, tree.count)
            names = below + (isName ? 1 : 0)
        }

        /// A number in groups of 7 bits, the lowest first.
        @inline(__always)
        private static func number(_ place: inout Int, in tree: MappedArray<UInt8>) -> Int {
            var value = 0
            var shift = 0
            while let byte = tree[place], shift < 35 {
                place += 1
                value |= Int(byte & 0x7F) << shift
                if byte < 0x80 { break }
                shift += 7
            }
            return value
        }

        /// How many bytes at its start the label has in common with a text.
        @inline(__always)
        func common(with text: some RandomAccessCollection<UInt8>, in tree: MappedArray<UInt8>) -> Int {
            var count = 0
            for byte in text {
                guard labelStart + count < labelEnd, tree[labelStart + count] == byte else { break }
                count += 1
            }
            return count
        }
    }
}
