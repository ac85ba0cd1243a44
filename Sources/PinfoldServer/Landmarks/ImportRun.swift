import FeatureFiles
import Foundation
import HTTP
import SocialModel
import Storage

/// One run of a job, from its file to the dataset's new version.
final class ImportRun {
    /// Why a run does not go on.
    enum Halt: Error {
        case cancelled
        /// The process ends; the job goes on when it starts again.
        case stopping
    }

    /// Why a job has failed.
    struct Failure: Error {
        let problem: String
        let message: String
        /// The columns that the file has, where it is they that cannot be used as they are told.
        var columns: [String] = []
    }

    private let job: ImportJob
    private let path: String
    private let categories: CategoryTable?
    private let isLand: ImportWorker.LandTest?
    private let names: LandmarkNames
    private let database: DatabasePool
    private let log: Log
    private let halt: () -> Halt?
    /// Told how far it has come, some times a second.
    var watch: (ImportJob.Progress) -> Void = { _ in }

    /// What is being read.
    private weak var reading: ImportReading?
    private var progress = ImportJob.Progress()
    private var faults: [ImportJob.Fault] = []
    private var storedFaults = 0
    private var storedAt = ContinuousClock.now

    init(
        _ job: ImportJob, _ path: String, _ categories: CategoryTable?, _ isLand: ImportWorker.LandTest?,
        _ names: LandmarkNames, in database: DatabasePool, _ log: Log,
        halt: @escaping () -> Halt?
    ) {
        self.job = job
        self.path = path
        self.categories = categories
        self.isLand = isLand
        self.names = names
        self.database = database
        self.log = log
        self.halt = halt
    }

    /// Runs the job to its end, or until it shall not go on. What came of it is stored with the job.
    ///
    /// - Returns: whether a dataset has changed.
    func run() -> Bool {
        do {
            guard let head = try begin() else { return false }
            let result: Result<Bool, any Error> = Result { try self.run(head) }
            return try end(result)
        } catch {
            log.error("an import could not be ended", ["error": String(describing: error)])
            return false
        }
    }

    /// Nil if the job was cancelled while it waited.
    private func begin() throws -> DatasetHead? {
        let job = job
        return try database.write { write in
            guard try ImportJob.isUnderWay(job.id, in: write) else { return nil }
            let found = try DatasetHead(named: job.request.dataset, in: write)
            var head: DatasetHead
            if job.request.isDryRun {
                head = found ?? .none
            } else {
                head = try found ?? .create(named: job.request.dataset, title: job.request.title, in: write)
                head.isResumed = job.state == .running && job.toState == head.next
            }
            try ImportJob.begin(job.id, head, isDryRun: job.request.isDryRun, in: write)
            return head
        }
    }

    // MARK: Reading

    private func run(_ head: DatasetHead) throws -> Bool {
        guard let digest = job.request.digest(ofFile: path, categories) else {
            throw Failure(problem: "unreadable-file", message: "the file is gone; send it again")
        }
        if try repeatReport(of: head, digest) { return false }
        let request = job.request
        var options = LandmarkImport.Options()
        options.replaces = request.mode == .replace
        options.mostRemoved = request.isForced ? nil : request.mostRemoved
        options.isDryRun = request.isDryRun
        let importer = LandmarkImport(database, head, options) { [unowned self] row, field, message in
            try note(ImportJob.Fault(row: row, field: field, message: message))
        }
        defer {
            importer.abandon()
            progress.counts = importer.counts
        }
        try read(into: importer)
        if request.isStrict, importer.counts.rejected > 0 {
            throw Failure(
                problem: "rejected-rows",
                message: "\(importer.counts.rejected) rows cannot be used, and the import is strict")
        }
        do {
            try importer.finish()
        } catch is LandmarkImport.NoLandmarks {
            throw Failure(
                problem: "no-landmarks",
                message: progress.read == 0 ? "the file has no rows" : "none of the file's rows can be used")
        } catch let excess as LandmarkImport.TooManyRemoved {
            throw Failure(
                problem: "too-many-removed",
                message: """
                    the file lacks \(excess.removed) of the dataset's \(excess.count) landmarks, and at most \
                    \(Int((request.mostRemoved * 100).rounded())) % may be removed: is it complete? If it is, say force
                    """)
        }
        progress.counts = importer.counts
        try commit(importer, digest)
        return !request.isDryRun
    }

    private func read(into importer: LandmarkImport) throws {
        let reading: ImportReading
        do {
            reading = try ImportReading(path, job.request, categories, isLand: isLand) { [unowned self] in
                try glance(importer, self.reading)
            }
            self.reading = reading
        } catch {
            // Whoever is to tell the columns must know them.
            let columns = (error as? FeatureFileFault)?.columns ?? (error as? Failure)?.columns ?? []
            progress.findings.columns = Array(columns.prefix(ImportFindings.listed))
            throw error
        }
        do {
            try reading.read { item in
                progress.read += 1
                switch item {
                case .success(let draft): try importer.take(draft)
                case .failure(let fault): try importer.rejected(fault.row, fault.field, fault.message)
                }
                // Each may take long.
                try glance(importer, reading)
            }
        } catch {
            progress.findings = reading.findings
            throw error
        }
        progress.findings = reading.findings
        progress.total = progress.read
        progress.part = 1
    }

    // MARK: Telling

    /// Looks whether to go on, and now and then stores how far it is.
    private func glance(_ importer: LandmarkImport, _ reading: ImportReading?) throws {
        try lookOn {
            progress.counts = importer.counts
            // It may still be opening its file.
            guard let reading else { return }
            progress.findings = reading.findings
            progress.total = reading.total
            progress.part = reading.part
        }
    }

    private func lookOn(_ update: () -> Void = {}) throws {
        if let halt = halt() { throw halt }
        guard storedAt.duration(to: .now) >= .milliseconds(400) else { return }
        storedAt = .now
        update()
        watch(progress)
        let (job, progress) = (job.id, progress)
        try database.write { write in
            guard try ImportJob.isUnderWay(job, in: write) else { throw Halt.cancelled }
            try ImportJob.store(progress, of: job, in: write)
        }
    }

    /// Keeps a row that did not go in for the report.
    private func note(_ fault: ImportJob.Fault) throws {
        guard storedFaults + faults.count < ImportJob.keptFaults else { return }
        faults.append(fault)
        if faults.count >= 500 { try storeFaults() }
    }

    private func storeFaults() throws {
        guard !faults.isEmpty else { return }
        let (job, batch, first) = (job.id, faults, storedFaults + 1)
        try database.write { try ImportJob.store(batch, from: first, of: job, in: $0) }
        storedFaults += faults.count
        faults = []
    }

    // MARK: The end

    private func commit(_ importer: LandmarkImport, _ digest: [UInt8]) throws {
        try storeFaults()
        let (job, progress, head) = (job, progress, importer.dataset)
        let made = try database.write { Timestamp(milliseconds: $0.now) }
        let version = importer.version(made: made, by: job.account)
        if version != nil, !job.request.isDryRun {
            try names.prepare(
                dataset: head.id, version: (head.next, made),
                rows: importer.counts.inserted + importer.counts.updated
            ) { try lookOn() }
        }
        try database.write { write in
            guard try ImportJob.isUnderWay(job.id, in: write) else { throw Halt.cancelled }
            if !job.request.isDryRun {
                try head.describe(job.request, in: write)
                let number = try version.map { try head.flip(to: $0, in: write) }
                try head.keep(digest, of: job.id, in: write)
                try Audit.log(
                    .datasetImport, job.request.dataset, detail: progress.auditDetail(version: number, of: job),
                    by: job.account, in: write)
            }
            try ImportJob.store(progress, of: job.id, in: write)
            try ImportJob.end(job.id, .succeeded, in: write)
            // Without a new version rows may be written all the same, where that now is not the state that was written last.
            if version != nil || head.state == head.version {
                try ImportJob.forgetState(of: job.id, in: write)
            }
        }
    }

    /// Where the dataset holds just what this file says, the report is that of the import which read it.
    ///
    /// - Returns: whether it is so, and the job has ended.
    private func repeatReport(of head: DatasetHead, _ digest: [UInt8]) throws -> Bool {
        let job = job
        return try database.write { write in
            guard try ImportJob.isUnderWay(job.id, in: write) else { throw Halt.cancelled }
            guard let known = try head.job(ofSource: digest, in: write),
                let old = try ImportJob.find(known, in: write), old.state == .succeeded,
                !job.request.isStrict || old.rejected == 0
            else { return false }
            try head.describe(job.request, in: write)
            var progress = ImportJob.Progress(read: old.read, total: old.total, part: 1, findings: old.findings)
            progress.counts.unchanged = old.inserted + old.updated + old.unchanged
            progress.counts.rejected = old.rejected
            try write.run(
                """
                INSERT INTO importFault (jobId, ordinal, row, field, message)
                SELECT \(job.id), ordinal, row, field, message FROM importFault WHERE jobId = \(known)
                """)
            try ImportJob.store(progress, of: job.id, in: write)
            try ImportJob.end(job.id, .succeeded, in: write)
            try ImportJob.forgetState(of: job.id, in: write)
            if !job.request.isDryRun {
                try Audit.log(
                    .datasetImport, job.request.dataset, detail: progress.auditDetail(of: job), by: job.account,
                    in: write)
            }
            return true
        }
    }

    /// Stores what came of it, unless it was cancelled. What an import that does not succeed has written is undone after
    /// this by `LandmarkImport.undoLeftovers`.
    private func end(_ result: Result<Bool, any Error>) throws -> Bool {
        switch result {
        case .success(let isChanged): return isChanged
        case .failure(is Halt): return false
        case .failure(let error):
            try storeFaults()
            let (job, progress, failure) = (job, progress, failure(of: error))
            try database.write { write in
                guard try ImportJob.isUnderWay(job.id, in: write) else { return }
                try ImportJob.store(progress, of: job.id, in: write)
                try ImportJob.end(job.id, .failed, problem: failure.problem, message: failure.message, in: write)
                if !job.request.isDryRun {
                    try Audit.log(
                        .datasetImport, job.request.dataset, detail: progress.auditDetail(failure: failure, of: job),
                        by: job.account, in: write)
                }
            }
            return false
        }
    }

    private func failure(of error: any Error) -> Failure {
        switch error {
        case let failure as Failure: return failure
        case let fault as FeatureFileFault:
            return Failure(problem: "unreadable-file", message: "the file \(fault)")
        case let error as DatabaseError where error.isDiskFull:
            return Failure(problem: "insufficient-storage", message: "the server has no room for it")
        case let error as GazetteerError:
            log.error("landmarks cannot be made searchable", ["error": error.description])
            return Failure(
                problem: "insufficient-storage", message: "the server cannot store what makes it searchable")
        default:
            log.error("an import failed", ["job": job.id.description, "error": String(describing: error)])
            return Failure(problem: "internal-error", message: "something went wrong here; the log says more")
        }
    }
}

extension ImportJob.Progress {
    fileprivate func auditDetail(
        version: Int64? = nil, failure: ImportRun.Failure? = nil, of job: ImportJob
    ) -> JSONWriter {
        var json = JSONWriter()
        json.object { json in
            json.key("job")
            json.identifier(job.id)
            json.key("fileName")
            json.string(job.request.fileName)
            if let version {
                json.key("version")
                json.integer(version)
            }
            if let failure {
                json.key("problem")
                json.string(failure.problem)
            }
            let counts: KeyValuePairs = [
                "inserted": counts.inserted, "updated": counts.updated, "unchanged": counts.unchanged,
                "removed": counts.removed, "rejected": counts.rejected,
            ]
            for (name, count) in counts {
                json.key(escaping: name)
                json.integer(Int64(count))
            }
        }
        return json
    }
}

extension DatasetHead {
    /// Gives the dataset what an import says of it.
    fileprivate func describe(_ request: ImportRequest, in write: WriteTransaction) throws {
        guard !request.isDryRun else { return }
        try write.run(
            """
            UPDATE dataset SET title = ifnull(\(request.title), title), licence = ifnull(\(request.licence), licence),
                attribution = ifnull(\(request.attribution), attribution),
                sourceURL = ifnull(\(request.sourceURL), sourceURL),
                description = ifnull(\(request.description), description)
            WHERE id = \(id)
            """)
    }
}

extension DatasetHead {
    /// The import that read a source whose digest is this, and which the dataset is as; nil if it is as another says.
    fileprivate func job(ofSource digest: [UInt8], in read: some Transaction) throws -> Identifier<ImportJob>? {
        guard !isResumed else { return nil }
        return try read.row("SELECT sourceJobId FROM dataset WHERE id = \(id) AND sourceDigest = \(digest)") {
            $0.identifier(0)
        }
    }

    fileprivate func keep(_ digest: [UInt8], of job: Identifier<ImportJob>, in write: WriteTransaction) throws {
        try write.run("UPDATE dataset SET sourceDigest = \(digest), sourceJobId = \(job) WHERE id = \(id)")
    }
}

extension ImportRequest {
    /// Of the file and of all that decides what is read from it; nil if it cannot be read.
    fileprivate func digest(ofFile path: String, _ categories: CategoryTable?) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var relevant = self
        (relevant.fileName, relevant.isDryRun, relevant.isForced, relevant.isStrict) = ("", false, false, false)
        (relevant.title, relevant.licence, relevant.attribution) = (nil, nil, nil)
        (relevant.sourceURL, relevant.description, relevant.mostRemoved) = (nil, nil, 0)
        let digest = BLAKE2b()
        digest.update("\(ImportReading.revision) \(categories?.version ?? "") \(relevant.text)\n")
        var piece = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = Foundation.read(descriptor, &piece, piece.count)
            guard count >= 0 else { return nil }
            if count == 0 { return digest.finish() }
            piece.withUnsafeBytes { digest.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        }
    }
}
