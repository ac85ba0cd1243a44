import CSQLite
import Glibc

/// Texts that must all be in another one, for a statement to test a column against: `containsAll(words, \(pattern))`.
/// They are compared byte by byte.
package final class TextPattern: Sendable {
    // Written before anyone else can see them and never after.
    nonisolated(unsafe) let table: UnsafeMutablePointer<csqlite_text_pattern>
    nonisolated(unsafe) private let texts: UnsafeMutableBufferPointer<UnsafePointer<CChar>?>

    /// - Parameter needles: each ends at its first NUL.
    package init(_ needles: [String]) {
        texts = .allocate(capacity: needles.count)
        for (index, needle) in needles.enumerated() {
            texts.initializeElement(at: index, to: needle.withCString { UnsafePointer(strdup($0)) })
        }
        table = .allocate(capacity: 1)
        table.initialize(to: csqlite_text_pattern(count: needles.count, needles: texts.baseAddress))
    }

    deinit {
        for text in texts { free(UnsafeMutablePointer(mutating: text)) }
        texts.deallocate()
        table.deallocate()
    }
}

extension TextPattern: Hashable {
    package static func == (a: TextPattern, b: TextPattern) -> Bool { a === b }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension TextPattern: SQLValueConvertible {
    package var sqlValue: SQLValue { .pattern(self) }
}
