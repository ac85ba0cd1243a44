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
        /// See `letters(of:)`.
        private(set) var letters: UInt64 = 0

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
                self.letters |= Self.bit(of: letter)
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

        /// Which letters a text has, a bit for each, which some share: more letters that are missing in a name than errors
        /// are allowed cannot be made up for.
        static func letters(of text: some Sequence<Unicode.Scalar>) -> UInt64 {
            text.reduce(0) { $0 | bit(of: $1.value) }
        }

        @inline(__always)
        private static func bit(of letter: UInt32) -> UInt64 { 1 << UInt64(letter & 63) }

        /// How a name begins with the text but for errors; nil if it does not, or begins with the text itself.
        ///
        /// - Parameter name: folded UTF-8; its spaces do not count.
        func correction(of name: some RandomAccessCollection<UInt8>) -> (errors: Int, isWhole: Bool)? {
            var path = Path(of: self)
            var rest = name[...]
            var isAtEnd = true
            while let letter = PlaceNames.scalar(rest) {
                rest = rest.dropFirst(letter.length)
                if letter.value == 0x20 { continue }
                let mask = letter.value < 0x80 ? hasASCII ? ascii[Int(letter.value)] : nil : self.mask(letter.value)
                guard let mask, let next = path.after(mask, self) else {
                    isAtEnd = false
                    break
                }
                path = next
                if let errors = path.errors(self) { path.found = min(path.found, errors) }
            }
            guard path.found < 3 else { return nil }
            return (path.found, isAtEnd && path.errors(self) == path.found)
        }

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
        text.ascii.withUnsafeBufferPointer { ascii in
            tree.withBytes { bytes in
                guard let masks = ascii.baseAddress, let base = bytes.baseAddress else { return }
                var walk = Walk(
                    text: text, ascii: masks, tree: bytes, base: base, count: bytes.count, budget: budget)
                for root in 0..<(roots.count / 3) {
                    guard let letter = roots[root * 3], text.allows(letter) else { continue }
                    let name = Int(roots[root * 3 + 2] ?? 0)
                    let end = Int(roots[root * 3 + 5] ?? UInt32(nameCount))
                    walk.follow(
                        letter, Int(roots[root * 3 + 1] ?? 0), name, max(0, end - name), Path(of: text), body)
                }
                budget = walk.budget
            }
        }
    }

    /// The way from the root to a node.
    private struct Path {
        var row: Row
        /// One letter earlier.
        var before: Row
        /// Where the last letter stands in the text.
        var letter: UInt64
        /// With how few errors the text is found on the path; 3 if it is not.
        var found = 3

        init(of text: Misspelling) {
            row = Row(zero: 1, one: 3 & text.all, two: 7 & text.all & text.secondError)
            before = Row(zero: 0, one: 0, two: 0)
            letter = 0
        }

        private init(row: Row, before: Row, letter: UInt64, found: Int) {
            self.row = row
            self.before = before
            self.letter = letter
            self.found = found
        }

        /// One letter on.
        ///
        /// - Parameter mask: where the letter stands in the text.
        /// - Returns: nil if nothing matches from here on.
        @inline(__always)
        func after(_ mask: UInt64, _ text: Misspelling) -> Path? {
            let zero = row.zero << 1 & mask
            let one =
                (row.one << 1 & mask | row.zero << 1 | row.zero | zero << 1
                    | before.zero << 2 & letter & mask << 1) & text.all
            let two =
                (row.two << 1 & mask | row.one << 1 | row.one | one << 1
                    | before.one << 2 & letter & mask << 1) & text.allWithTwo
            // What begins with the text itself is no correction.
            guard one | two != 0, zero & text.end == 0 else { return nil }
            return Path(row: Row(zero: zero, one: one, two: two), before: row, letter: mask, found: found)
        }

        /// With how few errors the text ends here; nil if it does not.
        @inline(__always)
        func errors(_ text: Misspelling) -> Int? {
            row.one & text.end != 0 ? 1 : row.two & text.end != 0 ? 2 : nil
        }
    }

    /// Goes through the tree. Nothing is read outside of its bytes, whatever they are.
    private struct Walk {
        let text: Misspelling
        let ascii: UnsafePointer<UInt64>
        let tree: UnsafeBufferPointer<UInt8>
        let base: UnsafePointer<UInt8>
        let count: Int
        var budget: Int

        /// Goes one letter on.
        ///
        /// - Returns: nil if nothing matches from here on.
        @inline(__always)
        private func step(_ path: Path, _ letter: UInt32) -> Path? {
            let mask: UInt64
            if letter < 0x80 {
                guard text.hasASCII else { return nil }
                mask = ascii[Int(letter)]
            } else {
                guard let known = text.mask(letter) else { return nil }
                mask = known
            }
            return path.after(mask, text)
        }

        /// Where the next letter must stand in the text when no error is left; else all bits.
        private func lettersNeeded(_ path: Path) -> UInt64 {
            let row = path.row
            guard row.zero == 0, text.secondError == 0 || row.one == 0 else { return .max }
            let (last, swapped) = text.secondError == 0 ? (row.one, path.before.zero) : (row.two, path.before.one)
            return last << 1 | (swapped << 2 & path.letter) >> 1
        }

        /// Hands out the names below the end of the path, if it matches with fewer errors than before.
        @inline(__always)
        private func note(_ path: inout Path, _ names: Range<Int>, _ body: (Correction) -> Void) {
            guard let errors = path.errors(text), errors < path.found else { return }
            path.found = errors
            body(Correction(names: names, errors: errors, isWhole: false))
        }

        /// Follows the letter that leads to a node, and all below it.
        mutating func follow(
            _ letter: UInt32, _ at: Int, _ name: Int, _ names: Int, _ start: Path, _ body: (Correction) -> Void
        ) {
            guard budget > 0, var path = step(start, letter) else { return }
            budget -= 1
            let all = name..<(name + names)
            note(&path, all, body)
            guard let node = Node(at, in: tree) else { return }
            var label = node.labelStart
            while label < node.labelEnd {
                var letter = UInt32(tree[label])
                if letter < 0x80 {
                    label += 1
                } else {
                    guard let long = PlaceNames.scalar(tree[label..<node.labelEnd]) else { return }
                    letter = long.value
                    label += long.length
                }
                guard let next = step(path, letter) else { return }
                path = next
                note(&path, all, body)
            }
            if node.isName, let errors = path.errors(text) {
                body(Correction(names: name..<(name + 1), errors: errors, isWhole: true))
            }
            // Most children end here: their directory is read by hand.
            var (at, below) = (node.entries.at, node.entries.body)
            var child = name + (node.isName ? 1 : 0)
            let needed = lettersNeeded(path)
            for _ in 0..<node.children {
                guard at + 1 < count else { return }
                var letter = UInt32(base[at])
                at += 1
                var mayMatch = true
                if letter < 0x80 {
                    mayMatch = ascii[Int(letter)] & needed != 0 || needed == .max
                } else {
                    at -= 1
                    guard let long = PlaceNames.scalar(tree[at..<min(at + 4, count)]) else { return }
                    letter = long.value
                    at += long.length
                }
                let length = number(&at)
                let names = length & 1 == 0 ? 1 : number(&at)
                if mayMatch { follow(letter, below, child, names, path, body) }
                below += length >> 1
                child += names
            }
        }

        @inline(__always)
        private func number(_ place: inout Int) -> Int {
            if place < count, base[place] < 0x80 {
                place += 1
                return Int(base[place - 1])
            }
            return PlaceNames.number(&place, in: tree)
        }
    }
}
