extension String {
    /// The most combining marks in a row that a text may have: more than any language writes, and few enough that
    /// normalising, comparing and hashing it take linear time (Unicode Standard Annex 15, Stream-Safe Text Format).
    package static let streamSafeMarks = 30

    /// Whether no more than `streamSafeMarks` scalars in a row may combine with what stands before them.
    package var isStreamSafe: Bool {
        // Every scalar that combines takes two bytes at least, and none is ASCII.
        guard utf8.count > 2 * Self.streamSafeMarks, utf8.contains(where: { $0 >= 0x80 }) else { return true }
        var marks = 0
        for scalar in unicodeScalars {
            marks = scalar.value >= 0x300 && scalar.mayCombine ? marks + 1 : 0
            if marks > Self.streamSafeMarks { return false }
        }
        return true
    }
}

extension Unicode.Scalar {
    /// A mark, or one of the Hangul vowels and final consonants that join the syllable before them.
    fileprivate var mayCombine: Bool {
        if (0x1161...0x11FF).contains(value) || (0xD7B0...0xD7FF).contains(value) { return true }
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: return true
        default: return properties.canonicalCombiningClass != .notReordered
        }
    }
}
