/// One step of the schema: SQL that runs once for a database, in one transaction.
///
/// The list of migrations only grows; the text of one that has landed is never edited, which is checked at each start.
/// SpatiaLite's metadata tables are there before the first one. A `SELECT` in a migration is a call, as of
/// `RecoverGeometryColumn`, and fails the migration when its first column is 0: that is how SpatiaLite reports failure.
package struct Migration: Sendable {
    package let name: String
    package let sql: String

    package init(name: String, sql: String) {
        self.name = name
        self.sql = sql
    }

    /// FNV-1a of the text (64 bits, http://www.isthe.com/chongo/tech/comp/fnv/): it finds edits made by mistake.
    var fingerprint: Int64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in sql.utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
        }
        return Int64(bitPattern: hash)
    }
}
