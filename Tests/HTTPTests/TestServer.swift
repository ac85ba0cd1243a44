import Synchronization

@testable import HTTP

/// A server on a free port of the loopback, with routes for every kind of execution.
///
/// Its deadlines are far off unless a test sets them. A test's next step may have to wait until other tests let go of the
/// threads that tasks run on, and by then a server with the usual ten seconds has ended the silent client, as it should.
final class TestServer: Sendable {
    let server: Server
    let records: Records
    var port: UInt16 { server.port }

    /// What the server and its routes leave for a test to look at.
    final class Records: Sendable {
        let exchanges = Mutex<[Exchange]>([])
        /// What `/held` has been given to complete, in the order of arrival.
        let held = Mutex<[@Sendable (Result<Response, any Error>) -> Void]>([])
    }

    init(
        _ configure: (inout Server.Configuration) -> Void = { _ in }, routes: (inout Router) -> Void = { _ in }
    ) throws {
        var configuration = Server.Configuration()
        configuration.headerTime = .seconds(3600)
        configuration.bodyTime = .seconds(3600)
        configuration.idleTime = .seconds(3600)
        configure(&configuration)
        let records = Records()
        self.records = records
        var router = Self.router(records)
        routes(&router)
        server = Server(
            configuration, router: router, respond: TestServer.problem,
            observe: { exchange in records.exchanges.withLock { $0.append(exchange) } })
        try server.start()
    }

    deinit { server.stop(drain: .zero) }

    static func router(_ records: Records = Records()) -> Router {
        var router = Router()
        router.get("/health", .immediate { _ in .text("ok") })
        router.get("/tagged", .immediate { _ in .text("tagged").with("ETag", "\"a\"").with("Vary", "Accept") })
        router.get("/from", .immediate { .text($0.address.description) })
        router.get("/things/:name", .immediate { .text($0.parameter("name") ?? "") })
        router.get("/fails", .immediate { _ in throw HTTPError.conflict("taken", "It is taken") })
        router.get("/unsafe", .immediate { _ in .text("x").with("X-A", "b\r\nX-B: c").with("X-C", "d") })
        router.get("/async", .async { _ in .text("async") })
        router.get("/pool", .pool { _ in .text("pool") })
        router.get(
            "/twice",
            .deferred { _, complete in
                complete(.success(.text("first")))
                complete(.success(.text("second")))
            })
        router.get("/starting-fails", .deferred { _, _ in throw HTTPError.notFound })
        router.get("/held", .deferred { _, complete in records.held.withLock { $0.append(complete) } })
        router.post("/echo", .immediate { Response(status: 200, body: $0.body) })
        router.post("/small", bodyLimit: 10, .immediate { .text(String($0.body.count)) })
        return router
    }

    @Sendable static func problem(_ error: any Error, _ request: Request) -> Response {
        let error = error as? HTTPError ?? HTTPError(500, "internal", "A fault of the server")
        var response = Response.content(
            "application/problem+json", Array("{\"status\":\(error.status),\"slug\":\"\(error.slug)\"}".utf8),
            status: error.status)
        response.headers += error.headers
        return response
    }

    /// A client that has connected and sent `text`.
    func connect(sending text: String = "") async throws -> RawClient {
        let port = port
        return try await onThread {
            let client = try RawClient(port: port)
            client.send(text)
            return client
        }
    }

    /// Sends `pieces` and reads until the server closes, or falls silent for `silence`.
    func send(
        _ pieces: String..., halfClose: Bool = false, silence: Duration = .milliseconds(500)
    ) async throws -> Reply {
        let port = port
        return try await onThread {
            let client = try RawClient(port: port)
            for piece in pieces { client.send(piece) }
            if halfClose { client.closeSending() }
            return client.readAll(silence: silence)
        }
    }
}

extension Response {
    static func text(_ text: String) -> Response { .content("text/plain", Array(text.utf8)) }
}

/// Runs what blocks away from the threads that tasks run on, of which there may be two.
func onThread<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
    try await withCheckedThrowingContinuation { continuation in
        if !startThread(running: { continuation.resume(with: Result { try body() }) }) {
            continuation.resume(throwing: ListenError(description: "no thread"))
        }
    }
}

/// Waits until `condition` holds, at most as long as `patience`.
func eventually(_ condition: @Sendable () -> Bool) async throws -> Bool {
    for _ in 0..<(patience.nanoseconds / 5_000_000) {
        if condition() { return true }
        try await Task.sleep(for: .milliseconds(5))
    }
    return condition()
}

/// How long a test waits for what must come: longer than all tests take together on a loaded machine, because a server's
/// `.async` route runs on the threads that the tests run on.
let patience = Duration.seconds(300)
