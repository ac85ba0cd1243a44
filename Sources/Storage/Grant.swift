/// Permission to read tables that are guarded: it is passed with each statement that reads them on a reader.
package struct Grant: Sendable, Hashable {
    let tables: Set<String>

    package init(_ tables: Set<String>) {
        self.tables = tables
    }
}
