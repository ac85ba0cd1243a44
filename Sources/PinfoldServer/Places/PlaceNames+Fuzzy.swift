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
        fileprivate let allWithTwo: UInt64
        fileprivate private(set) var ascii = [UInt64](repeating: 0, count: 128)
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
            allWithTwo = all & secondError
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

        /// Where a letter beyond ASCII stands in the text; nil if its script is not the text's.
        @inline(__always)
        fileprivate func mask(_ letter: UInt32) -> UInt64? {
            guard scripts & 1 << Self.script(of: letter) != 0 else { return nil }
            for other in others where other.scalar == letter { return other.mask }
            return 0
        }

        /// Letters of ASCII may stand in a correction.
        fileprivate var hasASCII: Bool { scripts & 1 != 0 }

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
    /// - Parameter budget: how many nodes may be visited; those that were are taken off.
    func forEachCorrection(_ text: Misspelling, budget: inout Int, _ body: (Correction) -> Void) {
        let start = Row(zero: 1, one: 3 & text.all, two: 7 & text.all & text.secondError)
        text.ascii.withUnsafeBufferPointer { ascii in
            tree.withBytes { bytes in
                guard let base = bytes.baseAddress, let masks = ascii.baseAddress else { return }
                var walk = Walk(text: text, ascii: masks, base: base, count: bytes.count, budget: budget)
                for root in 0..<(roots.count / 3) where text.allows(roots[root * 3] ?? 0) {
                    let end = root + 1 < roots.count / 3 ? Int(roots[root * 3 + 4] ?? 0) : bytes.count
                    walk.visit(
                        Int(roots[root * 3 + 1] ?? 0), min(end, bytes.count), Int(roots[root * 3 + 2] ?? 0), start,
                        Row(zero: 0, one: 0, two: 0), 0, found: 3, body)
                }
                budget = walk.budget
            }
        }
    }

    /// Goes through the tree. Nothing is read outside of its bytes, whatever they are.
    private struct Walk {
        let text: Misspelling
        let ascii: UnsafePointer<UInt64>
        let base: UnsafePointer<UInt8>
        let count: Int
        var budget: Int

        /// Visits neighbouring nodes with all below them.
        ///
        /// - Parameters:
        ///   - startRow: after the path so far; `startBefore` one letter earlier, `startLetter` the mask of the last one.
        ///   - startFound: with how few errors the text is found on the path; 3 if it is not.
        mutating func visit(
            _ start: Int, _ end: Int, _ firstName: Int, _ startRow: Row, _ startBefore: Row, _ startLetter: UInt64,
            found startFound: Int, _ body: (Correction) -> Void
        ) {
            var (at, name) = (start, firstName)
            nodes: while at < end {
                budget -= 1
                let head = base[at]
                var label = at + 1
                let labelEnd = label + Int(head & 0x3F)
                guard budget > 0, labelEnd <= count else { return }
                let isName = head & Node.nameFlag != 0
                var (below, next, names) = (labelEnd, labelEnd, isName ? 1 : 0)
                if head & Node.childrenFlag != 0 {
                    let length = number(&below)
                    names += number(&below)
                    next = min(below + length, count)
                }
                let first = name
                at = next
                name += names

                var (row, before, letter, found) = (startRow, startBefore, startLetter, startFound)
                while label < labelEnd {
                    let byte = base[label]
                    let mask: UInt64
                    if byte < 0x80 {
                        guard text.hasASCII else { continue nodes }
                        mask = ascii[Int(byte)]
                        label += 1
                    } else {
                        let rest = UnsafeBufferPointer(start: base + label, count: labelEnd - label)
                        guard let scalar = PlaceNames.scalar(rest), let known = text.mask(scalar.value) else {
                            continue nodes
                        }
                        mask = known
                        label += scalar.length
                    }
                    let zero = row.zero << 1 & mask
                    let one =
                        (row.one << 1 & mask | row.zero << 1 | row.zero | zero << 1
                            | before.zero << 2 & letter & mask << 1) & text.all
                    let two =
                        (row.two << 1 & mask | row.one << 1 | row.one | one << 1
                            | before.one << 2 & letter & mask << 1) & text.allWithTwo
                    // What begins with the text itself is no correction.
                    guard one | two != 0, zero & text.end == 0 else { continue nodes }
                    before = row
                    row = Row(zero: zero, one: one, two: two)
                    letter = mask
                    if (one | two) & text.end != 0 {
                        let errors = one & text.end != 0 ? 1 : 2
                        if errors < found {
                            found = errors
                            body(Correction(names: first..<(first + names), errors: errors, isWhole: false))
                        }
                    }
                }
                if isName, (row.one | row.two) & text.end != 0 {
                    let errors = row.one & text.end != 0 ? 1 : 2
                    body(Correction(names: first..<(first + 1), errors: errors, isWhole: true))
                }
                if next > below {
                    visit(below, next, first + (isName ? 1 : 0), row, before, letter, found: found, body)
                }
            }
        }

        /// A number in groups of 7 bits, the lowest first.
        @inline(__always)
        private func number(_ place: inout Int) -> Int {
            var value = 0
            var shift = 0
            while place < count, shift < 35 {
                let byte = base[place]
                place += 1
                value |= Int(byte & 0x7F) << shift
                if byte < 0x80 { break }
                shift += 7
            }
            return value
        }
    }
}
