import Foundation
import HTTP
import Storage
import Synchronization

/// The whole service, running: HTTP in front, the database behind, housekeeping beside.
package final class Service: Sendable {
    package let app: App
    private let server: Server
    private let isStopping = Mutex(false)

    package init(_ app: App, _ configuration: Server.Configuration) {
        self.app = app
        server = Server(
            configuration, router: routes(app),
            respond: { error, request in ProblemResponse.make(error, request, app.log) },
            observe: { exchange in
                app.metrics.count(exchange)
                app.log.access(exchange)
            })
        // Not weakly: an object that was once referred to weakly is slower to retain ever after, and this one is retained
        // for each request. `stop` ends the cycle.
        app.metrics.watchConnections { [server] in (server.openConnections, server.live.count) }
    }

    package var port: UInt16 { server.port }

    /// - Throws: `ListenError`.
    package func start() throws {
        app.landmarkNames.load()
        try app.live.start()
        try server.start()
        app.mail.start()
        app.imports.start()
        let thread = Thread { [self] in
            var rounds = 0
            while !isStopping.withLock({ $0 }) {
                if rounds.isMultiple(of: Housekeeping.roundsPerSurvey) { surveyPins() }
                rounds += 1
                app.database.submit({ try Housekeeping.run(in: $0) }) { [log = app.log] result in
                    if case .failure(let error) = result {
                        log.error("housekeeping failed", ["error": String(describing: error)])
                    }
                }
                Thread.sleep(forTimeInterval: Housekeeping.interval)
            }
        }
        thread.name = "housekeeping"
        thread.start()
        watchGazetteer()
    }

    /// Takes in the gazetteers that an admin adds while the service runs.
    private func watchGazetteer() {
        let thread = Thread { [self] in
            // What all languages share is read, so that nobody waits for it.
            if let english = LanguageTag("en") { _ = try? app.gazetteer?.names.names(in: english) }
            while !isStopping.withLock({ $0 }) {
                Thread.sleep(forTimeInterval: 2)
                do {
                    if try app.currentGazetteer.refresh() { app.log.info("the gazetteer was replaced") }
                } catch {
                    app.log.error("the gazetteer cannot be replaced", ["error": String(describing: error)])
                }
            }
        }
        thread.name = "gazetteer"
        thread.start()
    }

    private func surveyPins() {
        do { try app.planner.refresh(app.database) } catch {
            if !isStopping.withLock({ $0 }) {
                app.log.error("looking where pins are failed", ["error": String(describing: error)])
            }
        }
    }

    /// Takes no more requests, finishes those under way for at most `drain`, closes the database.
    package func stop(drain: Duration) {
        isStopping.withLock { $0 = true }
        server.stop(drain: drain)
        app.imports.stop()
        app.live.stop()
        app.mail.stop()
        app.landmarkNames.close()
        app.metrics.watchConnections { (0, 0) }
        app.database.close()
        app.currentGazetteer.close()
        app.log.close()
    }
}
