import CLinux
import Foundation
import PinfoldServer
import Storage
import Synchronization

/// The folder that holds everything the server writes.
struct DataFolder {
    let path: String

    var database: String { path + "/pinfold.db" }
    var places: String { path + "/places.db" }
    /// Files of landmarks, while they are imported.
    var imports: String { path + "/imports" }
    /// What makes landmarks searchable.
    var landmarks: String { path + "/landmarks" }

    /// Makes the folder if it is not there; only its owner may enter.
    ///
    /// - Throws: `CommandFailure`.
    init(_ path: String) throws {
        self.path = path
        let error = Self.make(path)
        guard error == 0 else {
            throw CommandFailure("the data folder \(path) cannot be made: \(String(cString: strerror(error)))")
        }
    }

    /// Makes a folder, and those above it.
    ///
    /// - Returns: 0 or the system's error, which `FileManager` would not tell.
    private static func make(_ path: String) -> Int32 {
        if mkdir(path, 0o700) == 0 { return 0 }
        let error = errno
        var isDirectory: ObjCBool = false
        if error == EEXIST, FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory),
            isDirectory.boolValue
        {
            return 0
        }
        let parent = (path as NSString).deletingLastPathComponent
        guard error == ENOENT, !parent.isEmpty, parent != path else { return error }
        let above = make(parent)
        if above != 0 { return above }
        return mkdir(path, 0o700) == 0 ? 0 : errno
    }

    /// Opens both databases and puts the service's dependencies together.
    ///
    /// - Parameter withClient: whether the web client is served too.
    func open(
        _ configuration: ServeConfiguration, withClient: Bool = false, log descriptor: Int32? = STDERR_FILENO
    ) throws -> App {
        let clock = systemClock
        // First, since it is quickly said that it cannot be used.
        let basemap = try configuration.openBasemap()
        let client = withClient ? try ClientFolder.load(origins: basemap?.origin.map { [$0] } ?? []) : nil
        return try App(
            database: try openDatabase(), gazetteer: try gazetteer(configuration.gazetteer, clock),
            registration: configuration.registration, client: client, basemap: basemap,
            rateLimits: configuration.hasRateLimits, clock: clock, log: Log(descriptor: descriptor, clock: clock),
            temporaryFolder: path, publicURL: configuration.publicURL, mail: mail(configuration),
            importFolder: imports, categories: try categories())
    }

    private func mail(_ configuration: ServeConfiguration) -> MailSettings {
        guard let smtp = configuration.smtp, let sender = configuration.mailFrom else {
            return MailSettings(sender: configuration.mailFrom, outbox: path + "/outbox")
        }
        return MailSettings(sender: sender, way: .smtp(smtp))
    }

    /// The bundled table of landmark categories; nil where it is not found.
    ///
    /// - Throws: `CategoryTableError`.
    func categories() throws -> CategoryTable? {
        try BundledFile.find("data/landmarks/categories.tsv").map { try CategoryTable(path: $0) }
    }

    /// The database of the service alone.
    ///
    /// - Parameter isSmall: keeps the process small, for long work beside which nothing is served.
    func openDatabase(isSmall: Bool = false) throws -> DatabasePool {
        var pool = Schema.configuration(path: database, clock: systemClock)
        pool.readers = isSmall ? 2 : 24
        if isSmall {
            // What is mapped counts as the process's own while it is read.
            pool.mmapBytes = 0
            pool.writerCacheKiB = 32 << 10
            pool.readerCacheKiB = 16 << 10
        }
        return try DatabasePool(pool, migrations: Schema.migrations)
    }

    /// Loads the gazetteer if that is still to be done: seconds in which a new folder, if stopped, stays without data.
    func loadGazetteer(_ file: String?) throws {
        try gazetteer(file, systemClock).close()
    }

    private func gazetteer(_ file: String?, _ clock: @escaping @Sendable () -> Int64) throws -> Gazetteer {
        guard let bundle = file ?? GazetteerBundle.find() else {
            throw CommandFailure("the gazetteer data/gazetteer.tsv.zst is not found; name it with --gazetteer FILE")
        }
        let bar = ProgressBar("Loading the gazetteer, once")
        let gazetteer = try Gazetteer(path: places, bundle: bundle, clock: clock, progress: { bar.show($0) })
        // What it took to build is not needed again.
        malloc_trim(0)
        return gazetteer
    }
}

/// Milliseconds since 1970 by the system's clock.
let systemClock: @Sendable () -> Int64 = {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
}

/// The bundled gazetteer.
enum GazetteerBundle {
    static func find() -> String? { BundledFile.find("data/gazetteer.tsv.zst") }
}

/// The bundled map of the world.
enum BasemapBundle {
    static func find() -> String? { BundledFile.find("tiles/world.mbtiles") }
}

/// A file that comes with the program: below the current folder, or below a folder above the program.
enum BundledFile {
    static func find(_ name: String) -> String? {
        if FileManager.default.fileExists(atPath: name) { return name }
        let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        var folder = URL(fileURLWithPath: program).deletingLastPathComponent()
        while folder.path != "/" {
            let candidate = folder.appendingPathComponent(name).path
            if FileManager.default.fileExists(atPath: candidate) { return candidate }
            folder.deleteLastPathComponent()
        }
        return nil
    }
}

/// How far long work has come, on one line of standard error that is rewritten; if that is no terminal, a line for each
/// tenth that took more than some seconds, and one at the end.
final class ProgressBar: Sendable {
    private struct State {
        var shown = -1
        var time = Clock.monotonic()
    }

    private let title: String
    private let isTerminal = isatty(STDERR_FILENO) != 0
    private let state = Mutex(State())

    init(_ title: String) {
        self.title = title
    }

    /// - Parameter part: 0 to 1.
    func show(_ part: Double) {
        let percent = Int(min(1, max(0, part)) * 100)
        state.withLock { state in
            if isTerminal {
                guard percent != state.shown else { return }
                let filled = percent * 30 / 100
                let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: 30 - filled)
                FileHandle.standardError.write(Data("\r\(title) \(bar) \(percent) %".utf8))
                if part >= 1 { FileHandle.standardError.write(Data("\n".utf8)) }
            } else if part >= 1 {
                complain("\(title): done")
            } else {
                let now = Clock.monotonic()
                guard percent / 10 > max(0, state.shown) / 10, now - state.time >= 5 else { return }
                state.time = now
                complain("\(title): \(percent) %")
            }
            state.shown = percent
        }
    }

    /// Ends the line of a bar that does not come to its end.
    func end() {
        if isTerminal, state.withLock({ (0..<100).contains($0.shown) }) {
            FileHandle.standardError.write(Data("\n".utf8))
        }
    }
}
