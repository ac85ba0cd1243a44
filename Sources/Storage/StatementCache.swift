/// The prepared statements of one connection, by text and permission; the one unused for longest goes first.
struct StatementCache {
    private struct Key: Hashable {
        let text: String
        let permission: Statement.Permission
    }

    private let capacity: Int
    private var statements: [Key: Statement] = [:]
    private var uses: UInt64 = 0

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// The statement for `text` that nobody is using.
    mutating func statement(_ text: String, _ permission: Statement.Permission) -> Statement? {
        guard let statement = statements[Key(text: text, permission: permission)], !statement.isInUse else {
            return nil
        }
        uses += 1
        statement.lastUse = uses
        return statement
    }

    /// Keeps `statement`, unless its place is taken by one in use.
    mutating func insert(_ statement: Statement) {
        let key = Key(text: statement.text, permission: statement.permission)
        guard statements[key] == nil else { return }
        if statements.count >= capacity,
            let oldest = statements.filter({ !$0.value.isInUse }).min(by: { $0.value.lastUse < $1.value.lastUse })
        {
            statements[oldest.key] = nil
        }
        uses += 1
        statement.lastUse = uses
        statements[key] = statement
    }

    mutating func removeAll() {
        statements.removeAll()
    }
}
