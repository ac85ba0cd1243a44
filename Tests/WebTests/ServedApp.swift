import Foundation
import Storage
import Synchronization
import WebDriver

@testable import HTTP
@testable import PinfoldServer

/// The real service on a free port of the loopback, with a database of its own and the bundled gazetteer. It can be made
/// to fail, and to be away for a while.
final class ServedApp: Sendable {
    let port: UInt16
    let faults = Faults()
    private let folder: String
    private let app: App
    private let server: Mutex<Server>
    private let record = Record()

    private final class Record: Sendable {
        let exchanges = Mutex<[Exchange]>([])
    }

    var origin: String { "http://127.0.0.1:\(port)" }

    /// All that was answered so far.
    var exchanges: [Exchange] { record.exchanges.withLock { $0 } }

    init() throws {
        try startCrypto()
        folder = FileManager.default.temporaryDirectory.appending(path: "pinfold-web-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let clock: @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1000) }
        let database = try DatabasePool(
            Schema.configuration(path: folder + "/pinfold.db", clock: clock), migrations: Schema.migrations)
        // The links that the service writes name the port, so it is chosen before.
        let (descriptors, port) = try ListeningSockets.open(host: "127.0.0.1", port: 0, count: 1)
        for descriptor in descriptors { close(descriptor) }
        self.port = port
        app = try App(
            database: database, gazetteer: Checkout.gazetteer(), passwords: PasswordHasher(cost: .least),
            client: ClientFiles(folder: Checkout.client.path, mapLibre: Checkout.mapLibre), rateLimits: false,
            clock: clock, log: Log(descriptor: nil, clock: clock), temporaryFolder: folder,
            publicURL: "http://127.0.0.1:\(port)", categories: CategoryTable(path: Checkout.landmarkCategories))
        try app.live.start()
        app.landmarkNames.refresh()
        app.imports.start()
        server = Mutex(try Self.start(app, port: port, faults, record))
    }

    deinit {
        server.withLock { $0.stop(drain: .zero) }
        app.imports.stop()
        app.live.stop()
        app.landmarkNames.close()
        app.database.close()
        app.currentGazetteer.close()
        try? FileManager.default.removeItem(atPath: folder)
    }

    private static func start(_ app: App, port: UInt16, _ faults: Faults, _ record: Record) throws -> Server {
        var configuration = Server.Configuration()
        configuration.port = port
        let server = Server(
            configuration, router: faults.inFront(of: routes(app)),
            respond: { [log = app.log] error, request in ProblemResponse.make(error, request, log) },
            observe: { exchange in record.exchanges.withLock { $0.append(exchange) } })
        try server.start()
        return server
    }

    /// Nobody answers any more, and live connections break.
    func goAway() { server.withLock { $0.stop(drain: .zero) } }

    /// Listens again, on the same port.
    func comeBack() throws {
        try server.withLock { $0 = try Self.start(app, port: port, faults, record) }
    }

    // MARK: Sets up what a test is not about

    /// - Throws: `WebDriverError` if the answer is not 2xx.
    @discardableResult
    func send(_ method: String, _ path: String, _ body: JSON? = nil, token: String? = nil) throws -> JSON {
        try send(method, path, bytes: try body.map { try JSONEncoder().encode($0) }, token: token)
    }

    /// The same with a text as the body.
    func send(_ method: String, _ path: String, text: String, token: String? = nil) throws -> JSON {
        try send(method, path, bytes: Data(text.utf8), token: token)
    }

    private func send(_ method: String, _ path: String, bytes: Data?, token: String?) throws -> JSON {
        let answer = try PlainHTTP.exchange(
            port: port, method, path, headers: token.map { ["Authorization": "Bearer \($0)"] } ?? [:], body: bytes)
        guard (200..<300).contains(answer.status) else {
            throw WebDriverError(
                "\(method) \(path): \(answer.status) \(String(decoding: answer.body.prefix(300), as: UTF8.self))")
        }
        return answer.body.isEmpty ? .null : try JSONDecoder().decode(JSON.self, from: answer.body)
    }

    /// Gives somebody a role, as the command line does.
    func appoint(_ person: Person, _ role: String) throws {
        try app.database.write { write in
            try write.run("UPDATE account SET role = \(role) WHERE username = \(person.username)")
        }
    }

    /// An account made without a browser.
    func signUp(_ username: String) throws -> Person {
        try Person(
            self, username,
            try send(
                "POST", "/v1/users",
                [
                    "username": .string(username), "email": "\(username)@example.org",
                    "password": .string(Person.password(of: username)),
                ]))
    }
}
