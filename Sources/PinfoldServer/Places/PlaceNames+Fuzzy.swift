/// Misspelt names: the tree is gone through with all alignments of the text at once, and what has too many errors is left.
extension PlaceNames {
    /// A text that is looked for with errors.
    ///
    /// For each number of errors a word of bits has the lengths of the text's prefixes that can be aligned with the path in
    /// the tree (Wu and Manber's bit-parallel matching, CACM 35 (1992), with Hyyrö's term for transpositions): optimal
    /// string alignment, one for a letter that is missing, too much or wrong, and for two neighbours that changed places.
    struct Misspelling {
        /// The letters of a text that is longer are not corrected.
        static let lengthLimit = 60
        /// From so many letters on, one error is allowed, and two.
        static let oneErrorLength = 4
        static let twoErrorsLength = 8

        let errors: Int
        fileprivate let end: UInt64
        fileprivate let all: UInt64
        fileprivate let secondError: UInt64
        private var ascii = [UInt64](repeating: 0, count: 128)
        private var others: [(scalar: UInt32, mask: UInt64)] = []
        /// The scripts of the letters, a bit for each: a slip of the finger stays within its script.
        private var scripts: UInt64 = 0

        /// Nil for a text that is too short or too long.
        ///
        /// - Parameter errors: the most; nil for as many as its length allows.
        init?(_ text: some Sequence<UInt8>, errors limit: Int? = nil) {
            let letters = Array(String(decoding: Array(text), as: UTF8.self).unicodeScalars.map(\.value))
            guard letters.count >= Self.oneErrorLength, letters.count <= Self.lengthLimit else { return nil }
            errors = min(letters.count >= Self.twoErrorsLength ? 2 : 1, limit ?? 2)
            end = 1 << UInt64(letters.count)
            all = end << 1 - 1
            secondError = errors > 1 ? .max : 0
            for (index, letter) in letters.enumerated() {
                let bit: UInt64 = 2 << UInt64(index)
                scripts |= 1 << Self.script(of: letter)
                if letter < 0x80 {
                    ascii[Int(letter)] |= bit
                } else if let known = others.firstIndex(where: { $0.scalar == letter }) {
                    others[known].mask |= bit
                } else {
                    others.append((letter, bit))
                }
            }
        }

        /// Where the letter stands in the text; nil if its script is not the text's.
        @inline(__always)
        fileprivate func mask(_ letter: UInt32) -> UInt64? {
            if letter < 0x80 {
                return scripts & 1 != 0 ? ascii.withUnsafeBufferPointer { $0[Int(letter)] } : nil
            }
            guard scripts & 1 << Self.script(of: letter) != 0 else { return nil }
            for other in others where other.scalar == letter { return other.mask }
            return 0
        }

        @inline(__always)
        func allows(_ letter: UInt32) -> Bool { scripts & 1 << Self.script(of: letter) != 0 }

        /// A number below 64 for the script of a letter, by Unicode's blocks.
        static func script(of letter: UInt32) -> UInt64 {
            switch letter {
            case ..<0x370: 0
            case ..<0x400: 1
            case ..<0x530: 2
            case ..<0x590: 3
            case ..<0x600: 4
            case ..<0x900: 5
            // The scripts of India, Thai, Lao and Tibetan have 128 each, and so on.
            case ..<0x1100: 6 + UInt64((letter - 0x900) >> 7)
            case ..<0x1200: 22
            case ..<0x3040: 23 + UInt64((letter - 0x1200) >> 10)
            case ..<0x3100: 40
            case ..<0xA000: 41
            default: 42
            }
        }
    }

    /// The alignments after a letter of the path: for 0, 1 and 2 errors.
    private struct Row {
        var zero: UInt64
        var one: UInt64
        var two: UInt64
    }

    /// What a misspelling found.
    struct Correction {
        let names: Range<Int>
        let errors: Int
        /// The whole name matches; else names that begin so.
        let isWhole: Bool
    }

    /// Hands out the names of which a prefix matches with 1 to `errors` errors, and, again, those that match whole; a range
    /// of names may lie in one that was handed out before, with fewer errors.
    ///
    /// - Parameter budget: how many nodes may be visited.
    func forEachCorrection(_ text: Misspelling, budget: Int = 400_000, _ body: (Correction) -> Void) {
        var walk = Walk(text: text, tree: tree, budget: budget)
        let start = Row(zero: 1, one: 3 & text.all, two: 7 & text.all & text.secondError)
        for root in 0..<(roots.count / 3) where text.allows(roots[root * 3] ?? 0) {
            let end = root + 1 < roots.count / 3 ? Int(roots[root * 3 + 4] ?? 0) : tree.count
            walk.visit(
                Int(roots[root * 3 + 1] ?? 0), end, Int(roots[root * 3 + 2] ?? 0), start,
                Row(zero: 0, one: 0, two: 0), 0, found: 3, body)
        }
    }

    private struct Walk {
        let text: Misspelling
        let tree: MappedArray<UInt8>
        var budget: Int

        /// - Parameters:
        ///   - row: after the path so far; `before` one letter earlier, `letter` the mask of the last one.
        ///   - found: with how few errors the text is found on the path; 3 if it is not.
        mutating func visit(
            _ start: Int, _ end: Int, _ firstName: Int, _ row: Row, _ before: Row, _ letter: UInt64, found: Int,
            _ body: (Correction) -> Void
        ) {
            var (at, name) = (start, firstName)
            while at < end, budget > 0, let node = Node(at, in: tree) {
                budget -= 1
                follow(node, name, row, before, letter, found, body)
                at = node.end
                name += node.names
            }
        }

        private mutating func follow(
            _ node: Node, _ name: Int, _ startRow: Row, _ startBefore: Row, _ startLetter: UInt64, _ startFound: Int,
            _ body: (Correction) -> Void
        ) {
            var (row, before, letter, found) = (startRow, startBefore, startLetter, startFound)
            var at = node.labelStart
            let label = tree.slice(node.labelStart..<node.labelEnd)
            while at < node.labelEnd {
                guard let next = PlaceNames.scalar(label[(at - node.labelStart)...]), let mask = text.mask(next.value)
                else { return }
                at += next.length
                let zero = row.zero << 1 & mask
                let one =
                    row.one << 1 & mask | row.zero << 1 | row.zero | zero << 1
                    | before.zero << 2 & letter & mask << 1
                let two =
                    (row.two << 1 & mask | row.one << 1 | row.one | one << 1 | before.one << 2 & letter & mask << 1)
                    & text.secondError
                before = row
                row = Row(zero: zero, one: one & text.all, two: two & text.all)
                letter = mask
                guard row.one | row.two != 0 else { return }
                // What begins with the text itself is no correction.
                if row.zero & text.end != 0 { return }
                let errors = errors(row)
                if errors < found {
                    found = errors
                    body(Correction(names: name..<(name + node.names), errors: errors, isWhole: false))
                }
            }
            if node.isName {
                let errors = errors(row)
                if errors < 3 { body(Correction(names: name..<(name + 1), errors: errors, isWhole: true)) }
            }
            if node.end > node.labelEnd {
                let below = node.labelEnd + node.countsLength
                visit(below, node.end, name + (node.isName ? 1 : 0), row, before, letter, found: found, body)
            }
        }

        @inline(__always)
        private func errors(_ row: Row) -> Int { row.one & text.end != 0 ? 1 : row.two & text.end != 0 ? 2 : 3 }
    }
}
