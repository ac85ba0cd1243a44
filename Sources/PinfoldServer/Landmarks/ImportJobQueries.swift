import HTTP
import SocialModel
import Storage

extension ImportJob {
    /// Jobs with ids up to `last`, newest first.
    static func all(to last: Int64 = .max, limit: Int, in read: some Transaction) throws -> [ImportJob] {
        try read.rows("\(columns) WHERE importJob.id <= \(last) ORDER BY importJob.id DESC LIMIT \(limit)") {
            try job($0)
        }
    }

    /// With its first faults; nil if there is none.
    package static func find(_ id: Identifier<ImportJob>, in read: some Transaction) throws -> ImportJob? {
        guard var job = try read.row("\(columns) WHERE importJob.id = \(id)", { try job($0) }) else { return nil }
        job.faults = try faults(of: id, limit: shownFaults, in: read).map(\.fault)
        return job
    }

    /// The one that is to run next: one that was cut short ahead of those that wait.
    static func next(in read: some Transaction) throws -> ImportJob? {
        let first: SQL = "ORDER BY importJob.state = 'queued', importJob.id LIMIT 1"
        return try read.row("\(columns) WHERE importJob.state IN ('queued', 'running') \(first)") { try job($0) }
    }

    /// Whether an import of the dataset waits or runs: others leave it alone until then.
    static func isUnderWay(of dataset: String, in read: some Transaction) throws -> Bool {
        try read.exists("SELECT 1 FROM importJob WHERE state IN ('queued', 'running') AND dataset = \(dataset)")
    }

    /// The faults with ordinals from `first` on, in the order of the file.
    static func faults(
        of job: Identifier<ImportJob>, from first: Int64 = 1, limit: Int, in read: some Transaction
    ) throws -> [(fault: Fault, ordinal: Int64)] {
        try read.rows(
            """
            SELECT row, field, message, ordinal FROM importFault
            WHERE jobId = \(job) AND ordinal >= \(first) ORDER BY ordinal LIMIT \(limit)
            """
        ) { (Fault(row: $0.int(0), field: $0.text(1), message: $0.text(2)), $0.int64(3)) }
    }

    /// A job that waits.
    static func create(
        _ request: ImportRequest, id: Identifier<ImportJob>, bytes: Int64, by account: Identifier<User>?,
        in write: WriteTransaction
    ) throws {
        try write.run(
            """
            INSERT INTO importJob (id, dataset, accountId, state, options, fileName, bytes, createdAt)
            VALUES (\(id), \(request.dataset), \(account), 'queued', \(request.text), \(request.fileName), \(bytes),
                \(write.now))
            """)
    }

    /// Ends one that waits or runs: from now on nothing of it can take effect. What it has written is undone by the worker.
    ///
    /// - Returns: whether it waited or ran.
    @discardableResult
    static func cancel(
        _ id: Identifier<ImportJob>, by account: Identifier<User>?, in write: WriteTransaction
    ) throws -> Bool {
        let isEnded =
            try write.run(
                """
                UPDATE importJob SET state = 'cancelled', finishedAt = \(write.now)
                WHERE id = \(id) AND state IN ('queued', 'running')
                """) == 1
        guard isEnded, let job = try find(id, in: write), !job.request.isDryRun else { return isEnded }
        var detail = JSONWriter()
        detail.object { json in
            json.key("job")
            json.identifier(id)
            json.key("fileName")
            json.string(job.request.fileName)
        }
        try Audit.log(.importCancel, job.request.dataset, detail: detail, by: account, in: write)
        return true
    }

    /// Ends all that an account has begun: it may not import any more.
    static func cancelAll(
        of account: Identifier<User>, by admin: Identifier<User>?, in write: WriteTransaction
    ) throws {
        let jobs = try write.rows(
            "SELECT id FROM importJob WHERE accountId = \(account) AND state IN ('queued', 'running')"
        ) { $0.identifier(0) as Identifier<ImportJob> }
        for job in jobs { try cancel(job, by: admin, in: write) }
    }

    /// Whether it waits or runs, and was not cancelled.
    static func isUnderWay(_ id: Identifier<ImportJob>, in read: some Transaction) throws -> Bool {
        try read.exists("SELECT 1 FROM importJob WHERE id = \(id) AND state IN ('queued', 'running')")
    }

    /// Marks it as begun. Its counts begin at 0, also where it was cut short.
    static func begin(
        _ id: Identifier<ImportJob>, _ dataset: DatasetHead, isDryRun: Bool = false, in write: WriteTransaction
    ) throws {
        try write.run("DELETE FROM importFault WHERE jobId = \(id)")
        let stored: Int64? = dataset.id == 0 ? nil : dataset.id
        let state = isDryRun ? nil : dataset.next
        try write.run(
            """
            UPDATE importJob SET state = 'running', startedAt = ifnull(startedAt, \(write.now)),
                datasetId = \(stored), toState = \(state), read = 0, part = 0, inserted = 0, updated = 0,
                unchanged = 0, removed = 0, rejected = 0
            WHERE id = \(id)
            """)
    }

    /// Those that have ended with rows under a state of their own, which are to be undone.
    static func havingLeftovers(
        in read: some Transaction
    ) throws -> [(job: Identifier<ImportJob>, dataset: Identifier<Dataset>?, state: Int64)] {
        try read.rows(
            """
            SELECT id, datasetId, toState FROM importJob INDEXED BY importJobToUndo
            WHERE toState IS NOT NULL AND state IN ('succeeded', 'failed', 'cancelled') ORDER BY id
            """
        ) { ($0.identifier(0), $0.optionalInt64(1).map(Identifier.init), $0.int64(2)) }
    }

    /// Nothing is left of its state that is to be undone.
    static func forgetState(of id: Identifier<ImportJob>, in write: WriteTransaction) throws {
        try write.run("UPDATE importJob SET toState = NULL WHERE id = \(id)")
    }

    /// How far it has come.
    struct Progress: Sendable {
        var read = 0
        var total: Int?
        /// Of the file, 0 to 1.
        var part = 0.0
        var counts = LandmarkImport.Counts()
        var findings = ImportFindings()
    }

    static func store(_ progress: Progress, of id: Identifier<ImportJob>, in write: WriteTransaction) throws {
        let counts = progress.counts
        try write.run(
            """
            UPDATE importJob SET read = \(progress.read), total = \(progress.total), part = \(progress.part),
                inserted = \(counts.inserted),
                updated = \(counts.updated), unchanged = \(counts.unchanged), removed = \(counts.removed),
                rejected = \(counts.rejected), report = \(progress.findings.text)
            WHERE id = \(id)
            """)
    }

    static func store(
        _ faults: [Fault], from ordinal: Int, of id: Identifier<ImportJob>, in write: WriteTransaction
    ) throws {
        for (index, fault) in faults.enumerated() {
            try write.run(
                """
                INSERT INTO importFault (jobId, ordinal, row, field, message)
                VALUES (\(id), \(ordinal + index), \(fault.row), \(fault.field), \(fault.message))
                """)
        }
    }

    /// Its end, and how it came. What it has written under its state, if that has not become the dataset's, is undone by
    /// the worker.
    static func end(
        _ id: Identifier<ImportJob>, _ state: State, problem: String? = nil, message: String? = nil,
        in write: WriteTransaction
    ) throws {
        try write.run(
            """
            UPDATE importJob SET state = \(state.rawValue), problem = \(problem), message = \(message),
                finishedAt = \(write.now)
            WHERE id = \(id)
            """)
    }

    /// All that a job is read from.
    private static let columns: SQL = """
        SELECT importJob.id, importJob.options, importJob.datasetId, importJob.state, importJob.report,
            importJob.bytes, importJob.read, importJob.total, importJob.inserted, importJob.updated,
            importJob.unchanged, importJob.removed, importJob.rejected, importJob.problem, importJob.message,
            account.username, importJob.createdAt, importJob.startedAt, importJob.finishedAt, importJob.toState,
            importJob.accountId, importJob.part
        FROM importJob LEFT JOIN account ON account.id = importJob.accountId
        """

    private static func job(_ row: Row) throws -> ImportJob {
        ImportJob(
            id: row.identifier(0), request: try ImportRequest(text: row.text(1)),
            dataset: row.optionalInt64(2).map(Identifier.init), state: State(rawValue: row.text(3)) ?? .failed,
            findings: try row.optionalText(4).map(ImportFindings.init(text:)) ?? ImportFindings(),
            bytes: row.int64(5), read: row.int(6), total: row.optionalInt64(7).map(Int.init), part: row.double(21),
            inserted: row.int(8),
            updated: row.int(9), unchanged: row.int(10), removed: row.int(11), rejected: row.int(12),
            problem: row.optionalText(13), message: row.optionalText(14),
            account: row.optionalInt64(20).map(Identifier.init), createdBy: row.optionalText(15),
            createdAt: row.timestamp(16), startedAt: row.optionalInt64(17).map(Timestamp.init(milliseconds:)),
            finishedAt: row.optionalInt64(18).map(Timestamp.init(milliseconds:)), toState: row.optionalInt64(19))
    }
}
