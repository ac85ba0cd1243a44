import CSQLite
import Glibc

/// A statement that SQLite refused, with all that a log wants to know. It is not for clients: it carries SQL.
package struct DatabaseError: Error, Sendable, CustomStringConvertible {
    /// SQLite's extended result code.
    package let code: Int32
    /// SQLite's words for it.
    package let message: String
    /// The statement, without its values; empty when no statement was at fault.
    package let sql: String
    /// `errno` of the system call that failed, or 0.
    package let systemError: Int32

    package init(code: Int32, message: String, sql: String, systemError: Int32 = 0) {
        self.code = code
        self.message = message
        self.sql = sql
        self.systemError = systemError
    }

    /// The last error of a connection.
    init(of connection: OpaquePointer?, sql: String) {
        let code = sqlite3_extended_errcode(connection)
        self.init(
            code: code,
            message: String(cString: sqlite3_errmsg(connection)),
            sql: sql,
            // SQLite keeps the number of an earlier failure, so it means something only beside an error of this kind.
            systemError: [SQLITE_IOERR, SQLITE_FULL, SQLITE_CANTOPEN].contains(code & 0xff)
                ? sqlite3_system_errno(connection) : 0)
    }

    /// The result code without its extension, such as `SQLITE_CONSTRAINT`.
    package var primaryCode: Int32 { code & 0xff }

    /// The disk, the quota or the allowed size of the file is used up: nothing of the write was stored.
    package var isDiskFull: Bool {
        primaryCode == SQLITE_FULL
            || primaryCode == SQLITE_IOERR && [ENOSPC, EDQUOT, EFBIG].contains(systemError)
    }

    /// Another process holds the file's lock.
    package var isBusy: Bool { primaryCode == SQLITE_BUSY || primaryCode == SQLITE_LOCKED }

    /// A CHECK, NOT NULL, UNIQUE, foreign key or type rule of the schema was broken.
    package var isConstraint: Bool { primaryCode == SQLITE_CONSTRAINT }

    /// A UNIQUE or PRIMARY KEY rule was broken; `constraint` names the columns.
    package var isUniqueViolation: Bool {
        [UniqueCode.unique, UniqueCode.primaryKey, UniqueCode.rowid].contains(code)
    }

    /// A foreign key points nowhere.
    package var isForeignKeyViolation: Bool { code == SQLITE_CONSTRAINT | 3 << 8 }

    /// A statement read a guarded table without a grant, or did what a transaction must not.
    package var isRefused: Bool { primaryCode == SQLITE_AUTH }

    /// What SQLite names as broken: `account.username` (columns) or the name of a CHECK.
    package var constraint: String? {
        guard isConstraint, let colon = message.firstRange(of: "constraint failed: ") else { return nil }
        return String(message[colon.upperBound...])
    }

    package var description: String {
        let system = systemError == 0 ? "" : " (\(String(cString: strerror(systemError))))"
        return "SQLite error \(code): \(message)\(system)" + (sql.isEmpty ? "" : " in: \(sql)")
    }

    /// The extended codes of `isUniqueViolation`, which are C macros of shifts that Swift does not import.
    private enum UniqueCode {
        static let primaryKey = SQLITE_CONSTRAINT | 6 << 8
        static let unique = SQLITE_CONSTRAINT | 8 << 8
        static let rowid = SQLITE_CONSTRAINT | 10 << 8
    }
}

/// The queue of writes is full: try again in a moment. Nothing was stored.
package struct DatabaseBusy: Error, Sendable {
    package init() {}
}

/// The pool is closed: nothing was read or stored.
package struct DatabaseClosed: Error, Sendable {
    package init() {}
}
