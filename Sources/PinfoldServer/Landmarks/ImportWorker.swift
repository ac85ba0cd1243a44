import CLinux
import Foundation
import HTTP
import SocialModel
import Storage
import Synchronization

/// Runs the imports, one after the other, on a thread of its own that gives way to requests. One that the end of the
/// process cuts short is done when it starts again.
package final class ImportWorker: Sendable {
    /// Where the files lie.
    let folder: String
    private let database: DatabasePool
    private let log: Log
    private let isStopping = Atomic(false)
    private let hasStarted = Atomic(false)
    private let news = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)
    /// What an import makes searchable.
    private let names: LandmarkNames
    let categories: CategoryTable?
    private let isLand: LandTest?

    /// Whether there is land at a longitude and latitude.
    package typealias LandTest = @Sendable (Double, Double) -> Bool

    /// For how long the file of an import that has ended is kept, in seconds: what was tried is then done for good
    /// without sending it again.
    static let fileLifetime: TimeInterval = 3_600
    /// Of so many imports that have ended, the last ones.
    static let keptFiles = 20
    /// A file that no job has may be that of one that is just being made, for so long.
    private static let makingTime: TimeInterval = 600

    package init(
        _ database: DatabasePool, folder: String, names: LandmarkNames, categories: CategoryTable?, log: Log,
        isLand: LandTest? = nil
    ) {
        self.database = database
        self.folder = folder
        // Only the server's owner may look in.
        mkdir(folder, 0o700)
        self.categories = categories
        self.log = log
        self.isLand = isLand
        self.names = names
    }

    /// Where the file of a job lies.
    func path(of job: Identifier<ImportJob>) -> String { "\(folder)/\(job)" }

    /// Begins with what was cut short, then what waits.
    package func start() {
        let thread = Thread { [self] in
            // A request that comes waits for no more than a slice.
            _ = pinfold_set_thread_priority(10, 100_000)
            while !isStopping.load(ordering: .relaxed) {
                tidy()
                do {
                    // Whoever has woken this may still be within its write.
                    try database.write { _ in }
                    while !isStopping.load(ordering: .relaxed), try runNext() {}
                    try eraseDatasets()
                } catch {
                    log.error("imports cannot go on", ["error": String(describing: error)])
                    // What nobody waits for makes room for what undoes and erases.
                    if (error as? DatabaseError)?.isDiskFull == true { tidy(keeping: 0) }
                }
                names.refresh()
                _ = news.wait(timeout: .now() + 60)
            }
            ended.signal()
        }
        thread.name = "imports"
        hasStarted.store(true, ordering: .relaxed)
        thread.start()
    }

    /// Leaves the job that runs where it is, and returns when the database is free of it.
    package func stop() {
        isStopping.store(true, ordering: .relaxed)
        news.signal()
        if hasStarted.load(ordering: .relaxed) { ended.wait() }
    }

    /// Says that there is something to do, or that there will be when the write has ended which says it.
    func wake() { news.signal() }

    /// - Returns: false if there is none.
    private func runNext() throws -> Bool {
        guard try undoLeftovers(), let job = try database.read({ try ImportJob.next(in: $0) }) else { return false }
        run(job, path(of: job.id))
        // What it took of memory the system gets back: the library would keep some hundred megabytes for the next one.
        malloc_trim(0)
        return true
    }

    /// Runs a job to its end, whatever that is.
    ///
    /// - Parameter path: where its file is.
    func run(_ job: ImportJob, _ path: String, watch: @escaping (ImportJob.Progress) -> Void = { _ in }) {
        let run = ImportRun(job, path, categories, isLand, names, in: database, log) { [self] in
            isStopping.load(ordering: .relaxed) ? .stopping : nil
        }
        run.watch = watch
        if run.run() { names.refresh() }
        guard path == self.path(of: job.id) else { return }
        let ended = try? database.read { try ImportJob.find(job.id, in: $0) }
        if ended?.state == .succeeded, !job.request.isDryRun {
            unlink(path)
        } else {
            // Its lifetime begins.
            let now = [timeval(tv_sec: time(nil), tv_usec: 0), timeval(tv_sec: time(nil), tv_usec: 0)]
            utimes(path, now)
        }
    }

    /// Runs what waits or was cut short, on this thread: for a process that has the database to itself.
    ///
    /// - Throws: `DatabaseError`.
    package func runAll() throws {
        while try runNext() {}
    }

    /// Runs an import on this thread, of a file that stays where it is.
    ///
    /// - Parameter watch: is told how far it has come, some times a second.
    /// - Returns: the job at its end.
    /// - Throws: `DatabaseError`.
    package func run(
        _ request: ImportRequest, path: String, bytes: Int64, watch: @escaping (Int, Double) -> Void
    ) throws -> ImportJob? {
        try undoLeftovers()
        let id = try database.write { write in
            let id = Identifier<ImportJob>(write.newIdentifier())
            try ImportJob.create(request, id: id, bytes: bytes, by: nil, in: write)
            return id
        }
        guard let job = try database.read({ try ImportJob.find(id, in: $0) }) else { return nil }
        run(job, path) { watch($0.read, $0.part) }
        try undoLeftovers()
        return try database.read { try ImportJob.find(id, in: $0) }
    }

    /// Queues an import of a file that is copied.
    ///
    /// - Throws: `DatabaseError`; `HTTPError` 507 when the disk is full; nil for a file that cannot be read.
    func queue(_ request: ImportRequest, copying path: String) throws -> Identifier<ImportJob>? {
        guard let file = try UploadedFile(copying: path, folder: folder) else { return nil }
        let id = try database.write { Identifier<ImportJob>($0.newIdentifier()) }
        let bytes = Int64(file.count)
        try file.keep(as: self.path(of: id))
        try database.write { try ImportJob.create(request, id: id, bytes: bytes, by: nil, in: $0) }
        wake()
        return id
    }

    /// Removes the files that are not needed any more.
    private func tidy(keeping most: Int = keptFiles) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        var ended: [(path: String, age: TimeInterval)] = []
        for name in names {
            let path = "\(folder)/\(name)"
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            let age = (attributes?[.modificationDate] as? Date).map { -$0.timeIntervalSinceNow } ?? 0
            guard let id = Identifier<ImportJob>(parsing: name) else {
                if age > Self.fileLifetime { unlink(path) }
                continue
            }
            do {
                let job = try database.read { try ImportJob.find(id, in: $0) }
                if job == nil ? age > Self.makingTime : job?.state.isEnd == true { ended.append((path, age)) }
            } catch { log.error("a file of an import cannot be looked up", ["error": String(describing: error)]) }
        }
        ended.sort { $0.age < $1.age }
        for (index, file) in ended.enumerated() where index >= most || file.age > Self.fileLifetime {
            unlink(file.path)
        }
    }

    /// Removes what is left of datasets that were deleted.
    private func eraseDatasets() throws {
        let gone = try database.read { read in
            try read.rows("SELECT id FROM dataset WHERE name IS NULL") { $0.int64(0) }
        }
        for dataset in gone { try LandmarkImport.erase(dataset, in: database, while: goesOn) }
    }

    /// Ahead of any import: the rows of one that came to nothing must not be read in a state that follows.
    @discardableResult
    private func undoLeftovers() throws -> Bool {
        try LandmarkImport.undoLeftovers(in: database, while: goesOn)
    }

    private var goesOn: () -> Bool { { [self] in !isStopping.load(ordering: .relaxed) } }
}
