import Foundation
import HTTP
import Synchronization

@testable import PinfoldServer

/// The service of a test behind a port of the loopback, with live connections; its calls block their thread.
final class LiveService: Sendable {
    let app: App
    private let service: Service
    private let isHeld = Atomic(false)

    var port: UInt16 { service.port }

    init(_ test: TestApp, _ configure: (inout Server.Configuration) -> Void = { _ in }) throws {
        app = test.app
        var configuration = Server.Configuration()
        // A test's next step may have to wait for other tests.
        configuration.headerTime = .seconds(3600)
        configuration.bodyTime = .seconds(3600)
        configuration.idleTime = .seconds(3600)
        configuration.live.silence = .seconds(3600)
        configuration.live.heartbeat = .seconds(3000)
        configure(&configuration)
        service = Service(test.app, configuration)
        try service.start()
        app.database.observeCommits { [weak self] in
            guard let self, !isHeld.load(ordering: .relaxed) else { return }
            app.live.wake()
        }
    }

    /// Lets commits pile up, as they do when the machine is busy, until they are released together.
    func hold() { isHeld.store(true, ordering: .relaxed) }

    func release() {
        isHeld.store(false, ordering: .relaxed)
        app.live.wake()
    }

    func stop() { service.stop(drain: .zero) }

    func connect(
        token: String?, after cursor: String? = nil, path: String = "/v1/live"
    ) throws -> LiveSocket {
        try LiveSocket(
            port: port, path: path + (cursor.map { "?after=\($0)" } ?? ""),
            fields: token.map { ["Authorization: Bearer \($0)"] } ?? [])
    }
}

/// Starts the service behind a port, and has `body` use it on a thread of its own. What it finds wrong it throws.
func withLiveService(
    _ test: TestApp, _ configure: (inout Server.Configuration) -> Void = { _ in },
    _ body: @escaping @Sendable (LiveService) throws -> Void
) async throws {
    let service = try LiveService(test, configure)
    try await onThread {
        defer { service.stop() }
        try body(service)
    }
}

/// What a test found wrong, where it cannot go on.
struct LiveFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
