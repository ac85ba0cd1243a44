import Foundation
import Storage
import Synchronization

@testable import HTTP
@testable import PinfoldClient
@testable import PinfoldServer

/// The real service on a free port of the loopback, with a database of its own.
final class ServedApp: Sendable {
    let folder: TemporaryFolder
    private let app: App
    private let server: Server
    private let answered: Answered

    private final class Answered: Sendable {
        let exchanges = Mutex<[Exchange]>([])
    }

    var port: UInt16 { server.port }

    /// Has a dataset `sights` made of a file.
    func importLandmarks(_ text: String) async throws {
        let path = folder.file("sights.csv").path
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        let (imports, bytes) = (app.imports, Int64(text.utf8.count))
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            // A thread that may block.
            Thread {
                continuation.resume(
                    with: Result {
                        var request = ImportRequest(dataset: "sights", fileName: "sights.csv")
                        request.attribution = "Somebody"
                        _ = try imports.run(request, path: path, bytes: bytes, watch: { _, _ in })
                    })
            }.start()
        }
    }

    /// All that was answered so far.
    var exchanges: [Exchange] { answered.exchanges.withLock { $0 } }

    init(hasGazetteer: Bool = false) throws {
        try startCrypto()
        let folder = try TemporaryFolder()
        let clock: @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1000) }
        let database = try DatabasePool(
            Schema.configuration(path: folder.file("pinfold.db").path, clock: clock), migrations: Schema.migrations)
        let gazetteer =
            hasGazetteer
            ? try Gazetteer(
                path: folder.file("places.db").path, bundle: SmallGazetteer.write(to: folder), clock: clock) : nil
        app = try App(
            database: database, gazetteer: gazetteer, passwords: PasswordHasher(cost: .least), rateLimits: false,
            clock: clock, log: Log(descriptor: nil, clock: clock), temporaryFolder: folder.url.path)
        self.folder = folder
        var configuration = Server.Configuration()
        // A test's next step may have to wait for other tests.
        configuration.headerTime = .seconds(3600)
        configuration.bodyTime = .seconds(3600)
        configuration.idleTime = .seconds(3600)
        let answered = Answered()
        self.answered = answered
        server = Server(
            configuration, router: routes(app),
            respond: { [log = app.log] error, request in ProblemResponse.make(error, request, log) },
            observe: { exchange in answered.exchanges.withLock { $0.append(exchange) } })
        try app.live.start()
        try server.start()
    }

    /// Closes all live connections, as a server does that goes away.
    func closeLiveConnections() {
        for client in app.live.state.withLock({ Array($0.clients.values) }) { client.connection.close(.goingAway) }
    }

    /// Sends the mail that waits, and gives back the last message in the outbox.
    func sentMail() async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { [app, folder] in
                let text = Result { () throws -> String in
                    while try app.mail.sendDue() > 0 {}
                    let outbox = folder.file("outbox")
                    let names = try FileManager.default.contentsOfDirectory(atPath: outbox.path).sorted()
                    let last = try Data(contentsOf: outbox.appending(path: names.last ?? ""))
                    return String(decoding: last, as: UTF8.self)
                }
                continuation.resume(with: text)
            }
        }
    }

    deinit {
        server.stop(drain: .zero)
        app.live.stop()
        app.database.close()
        app.gazetteer?.close()
    }

    func client(
        port: UInt16? = nil, retry: RetryPolicy = .quick, tokens: any TokenStore = MemoryTokenStore(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) -> PinfoldClient {
        .test(port: port ?? self.port, retry: retry, tokens: tokens, now: now)
    }

    /// A client that has signed up.
    func signUp(_ username: String, port: UInt16? = nil) async throws -> PinfoldClient {
        let client = client(port: port)
        try await client.signUp(.test(username))
        return client
    }
}
