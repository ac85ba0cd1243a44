import SocialModel
import Storage

extension SearchWords {
    /// Goes up with each change of what word forms are made of.
    private static let version = 1
    /// Pins that are made searchable in one transaction.
    private static let batch = 500

    /// Makes the words of all pins, if those that are there were made by another version or an earlier call was stopped.
    ///
    /// - Parameter progress: told how many pins are done, now and then.
    package static func bringUpToDate(_ database: DatabasePool, progress: (Int) -> Void = { _ in }) throws {
        var done = 0
        while let count = try database.write({ try makeBatch(in: $0) }) {
            done += count
            if count > 0, done.isMultiple(of: 200 * batch) { progress(done) }
        }
    }

    /// - Returns: how many pins were done; nil when all are.
    private static func makeBatch(in write: WriteTransaction) throws -> Int? {
        let state = try write.row("SELECT version, lastId FROM pinWordsState") { ($0.int(0), $0.int64(1)) }
        guard let state, state.0 != version else { return nil }
        var last = state.1
        var forms: [(id: Int64, words: String)] = []
        try write.forEach(
            "SELECT id, name, comment, address FROM pin WHERE id > \(last) ORDER BY id LIMIT \(batch)"
        ) { row in
            last = row.int64(0)
            forms.append((last, form(of: (1...3).compactMap(row.optionalText))))
            return true
        }
        for form in forms { try write.run("UPDATE pin SET words = \(form.words) WHERE id = \(form.id)") }
        if forms.count < batch {
            try write.run("UPDATE pinWordsState SET version = \(version), lastId = 0")
        } else {
            try write.run("UPDATE pinWordsState SET lastId = \(last)")
        }
        return forms.count
    }
}
