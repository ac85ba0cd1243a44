import SocialModel
import Storage

/// A row of the event log, as it is read.
struct LogEntry: Sendable {
    enum Kind: String, Sendable {
        case pin, friendAdded, friendRemoved, blockAdded, blockRemoved, requestCreated, requestAccepted
        case requestRejected, requestCancelled, profile, privacy, accountCreated, accountRemoved, circleJoined,
            circleLeft
        case sessionEnded
    }

    /// Its place in the log.
    let sequence: Int64
    /// Milliseconds since 1970.
    let at: Int64
    let kind: Kind
    /// Whose topic it is in.
    let account: Int64
    /// The pin, request, circle or other account; 0 for none.
    let subject: Int64
    /// The audience codes of a pin, before and after; nil where it does not exist.
    let before: Int64?
    let after: Int64?

    static let columns: StaticString = "sequence, at, kind, accountId, subjectId, audienceBefore, audienceAfter"

    /// From `columns`; nil for a kind that this version does not know.
    init?(_ row: Row) {
        guard let kind = Kind(rawValue: row.text(2)) else { return nil }
        self.kind = kind
        sequence = row.int64(0)
        at = row.int64(1)
        account = row.int64(3)
        subject = row.int64(4)
        before = row.optionalInt64(5)
        after = row.optionalInt64(6)
    }

    /// Where the log begins and ends in the snapshot: a cursor before `floor` misses entries that are gone.
    static func ends(in read: some Transaction) throws -> (floor: Int64, end: Int64) {
        let end = try read.row("SELECT seq FROM sqlite_sequence WHERE name = 'event'") { $0.int64(0) } ?? 0
        let first = try read.row("SELECT min(sequence) FROM event") { $0.optionalInt64(0) } ?? nil
        return (first.map { $0 - 1 } ?? end, end)
    }

    /// All entries behind `start`, up to `end`.
    static func all(after start: Int64, upTo end: Int64, in read: some Transaction) throws -> [LogEntry] {
        try entries(
            """
            SELECT \(literal: columns) FROM event WHERE sequence > \(start) AND sequence <= \(end) ORDER BY sequence
            """, in: read)
    }

    fileprivate static func entries(_ sql: SQL, in read: some Transaction) throws -> [LogEntry] {
        var entries: [LogEntry] = []
        try read.forEach(sql) { row in
            if let entry = LogEntry(row) { entries.append(entry) }
            return true
        }
        return entries
    }
}

/// The entries between two places of the log, by what they are about: from memory where they are recent.
struct LogPart<Snapshot: Transaction> {
    private let start: Int64
    private let end: Int64
    private let read: Snapshot
    private let recent: ArraySlice<LogEntry>?

    /// - Parameter end: of the log in the snapshot.
    init(after start: Int64, upTo end: Int64, in read: Snapshot, _ tail: LogTail?) throws {
        self.start = start
        self.end = end
        self.read = read
        recent = try tail?.entries(after: start, upTo: end, in: read)
    }

    /// In the topic of an account.
    func topic(of account: Identifier<User>) throws -> [LogEntry] {
        if let recent { return recent.filter { $0.account == account.rawValue } }
        return try entries(where: "accountId = \(account)")
    }

    /// Of pins of some owners.
    func pins(of owners: IntegerSet) throws -> [LogEntry] {
        if let recent { return recent.filter { $0.kind == .pin && owners.contains($0.account) } }
        return try entries(where: "memberOf(accountId, \(owners)) AND kind = 'pin'")
    }

    /// Of changed profiles of some accounts.
    func profiles(of accounts: IntegerSet) throws -> [LogEntry] {
        if let recent { return recent.filter { $0.kind == .profile && accounts.contains($0.account) } }
        return try entries(where: "kind = 'profile' AND memberOf(accountId, \(accounts))")
    }

    private func entries(where condition: SQL) throws -> [LogEntry] {
        try LogEntry.entries(
            """
            SELECT \(literal: LogEntry.columns) FROM event
            WHERE sequence > \(start) AND sequence <= \(end) AND \(condition) ORDER BY sequence
            """, in: read)
    }
}
