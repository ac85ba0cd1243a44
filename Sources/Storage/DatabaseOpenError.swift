/// Why a database cannot be opened. Its file is as it was before.
package struct DatabaseOpenError: Error, Sendable, CustomStringConvertible {
    /// The kinds that callers and tests tell apart.
    package enum Reason: Sendable, Hashable {
        /// The directory of the file is missing or not a directory.
        case noDirectory
        /// The file or its directory cannot be written. A file without any write permission counts, even for root.
        case readOnly
        /// Another process has the file open.
        case locked
        /// The file is something else than an SQLite database, or an SQLite database of another program.
        case notADatabase
        /// The file is damaged.
        case corrupt
        /// The file was written by a newer version.
        case newerVersion
        /// A migration that was applied has another text now.
        case editedMigration
        /// A migration failed; nothing of it is in the file.
        case migrationFailed
        /// The system refused for some other reason.
        case system
    }

    package let reason: Reason
    /// One line for whoever starts the server.
    package let description: String
    /// The error beneath, for the log.
    package let underlying: DatabaseError?

    init(_ reason: Reason, _ description: String, underlying: DatabaseError? = nil) {
        self.reason = reason
        self.description = description
        self.underlying = underlying
    }
}
