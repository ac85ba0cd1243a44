import Foundation
import Geo
import HTTP
import Storage
import Synchronization
import Testing

@testable import PinfoldServer

/// A whole service without its socket: a database file of its own, a clock that the test moves, repeatable randomness.
final class TestApp: Sendable {
    let app: App
    let clock: TestClock
    let statements: PreparedStatements
    /// Holds the database and the outbox.
    let folder: String
    private let router: Router

    var database: DatabasePool { app.database }

    /// What differs from a plain start.
    struct Setup {
        var registration = Registration.open
        var rateLimits = false
        var hasGazetteer = false
        /// How many pages the database may grow by; nil for what the disk holds.
        var sparePages: Int?
        /// Where large answers are written; nil for beside the database.
        var temporaryFolder: String?
        var publicURL = "http://127.0.0.1:8080"
        /// How mail leaves; nil for files beside the database.
        var mail: MailSettings?
    }

    fileprivate init(_ setup: Setup, folder: String) throws {
        try startCrypto()
        let clock = TestClock()
        let statements = PreparedStatements()
        let path = folder + "/pinfold.db"
        try FileManager.default.copyItem(atPath: Template.path.get(), toPath: path)
        var configuration = Schema.configuration(path: path) { clock.now }
        configuration.onPrepare = { statements.add($0) }
        if let sparePages = setup.sparePages {
            let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
            configuration.maximumPages = size / 4096 + sparePages
        }
        let database = try DatabasePool(configuration, migrations: Schema.migrations)
        let gazetteer = setup.hasGazetteer ? try Self.gazetteer(in: folder) : nil
        let random = Mutex(SplitMix64(seed: 1))
        app = try App(
            database: database, gazetteer: gazetteer, passwords: PasswordHasher(cost: .least),
            registration: setup.registration, rateLimits: setup.rateLimits, clock: { clock.now },
            random: { count in
                random.withLock { generator in (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) } }
            },
            log: Log(descriptor: nil, clock: { clock.now }), temporaryFolder: setup.temporaryFolder ?? folder,
            publicURL: setup.publicURL, mail: setup.mail ?? MailSettings(outbox: folder + "/outbox"))
        self.folder = folder
        router = routes(app)
        self.clock = clock
        self.statements = statements
    }

    /// Middle at 10 N 20 E, Pole at the north pole, Edge on the antimeridian; nothing else.
    private static func gazetteer(in folder: String) throws -> Gazetteer {
        let bundle = try SmallGazetteer.write(to: folder)
        return try Gazetteer(path: folder + "/places.db", bundle: bundle, clock: { 0 })
    }

    /// Through the real router, errors made into answers as the server does.
    func respond(to request: Request) async -> Response {
        await router.respond(to: request) { [log = app.log] error, request in
            ProblemResponse.make(error, request, log)
        }
    }

    fileprivate func close() {
        app.database.close()
        app.gazetteer?.close()
    }
}

/// Runs `body` with a fresh service and a client of it, and clears up.
func withApp(
    _ setup: TestApp.Setup = TestApp.Setup(), _ body: (TestApp, Client) async throws -> Void
) async throws {
    await Seats.all.take()
    let result = await result(of: setup, body)
    await Seats.all.giveBack()
    try result.get()
}

private func result(
    of setup: TestApp.Setup, _ body: (TestApp, Client) async throws -> Void
) async -> Result<Void, any Error> {
    do {
        let folder = try Template.temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let app = try TestApp(setup, folder: folder)
        defer { app.close() }
        return .success(try await body(app, Client(app: app)))
    } catch {
        return .failure(error)
    }
}

/// How many services run at once: enough to keep the processors busy, and so few that a test with real time limits
/// elsewhere in the process gets its turn soon.
private actor Seats {
    static let all = Seats()
    private var free = 2 * ProcessInfo.processInfo.activeProcessorCount
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func take() async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    func giveBack() {
        if waiting.isEmpty {
            free += 1
        } else {
            waiting.removeFirst().resume()
        }
    }
}

/// A database that has been migrated once and closed, for each test to copy.
private enum Template {
    static let path = Result {
        let path = try temporaryFolder() + "/template.db"
        try DatabasePool(Schema.configuration(path: path) { 0 }, migrations: Schema.migrations).close()
        return path
    }

    static func temporaryFolder() throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pinfold-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return folder
    }
}

/// A clock that stands still until the test moves it.
final class TestClock: Sendable {
    static let start: Int64 = 1_764_417_600_000
    private let milliseconds = Mutex(TestClock.start)

    var now: Int64 { milliseconds.withLock { $0 } }

    func advance(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        milliseconds.withLock { $0 += seconds * 1000 + attoseconds / 1_000_000_000_000_000 }
    }
}

/// The statements that the service has prepared so far.
final class PreparedStatements: Sendable {
    private let texts = Mutex<[String]>([])

    func add(_ text: String) { texts.withLock { $0.append(text) } }

    var all: [String] { texts.withLock { $0 } }
}
