import CSQLite

/// A set of positive integers that never changes, for a statement to test a column against: `memberOf(ownerId, \(set))`
/// costs a tenth of what a row costs that is handed out to be refused. NULL is a member of no set.
package final class IntegerSet: Sendable {
    // Written before anyone else can see it and never after.
    nonisolated(unsafe) let table: UnsafeMutablePointer<csqlite_integer_set>
    package let count: Int

    /// - Parameter members: each above 0; the same one twice counts twice.
    package init(_ members: [Int64]) {
        guard let table = csqlite_integer_set_create(members, members.count) else {
            fatalError("out of memory")  // as Swift's own collections end the process: there is nothing to go on with
        }
        self.table = table
        count = members.count
    }

    deinit { csqlite_integer_set_free(table) }

    package func contains(_ value: Int64) -> Bool { csqlite_integer_set_contains(table, value) != 0 }
}

extension IntegerSet: Hashable {
    package static func == (a: IntegerSet, b: IntegerSet) -> Bool { a === b }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension IntegerSet: SQLValueConvertible {
    package var sqlValue: SQLValue { .set(self) }
}
