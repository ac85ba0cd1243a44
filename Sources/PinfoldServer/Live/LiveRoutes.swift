import Dispatch
import HTTP
import SocialModel
import Storage
import Synchronization

/// One connection for all that happens: as a WebSocket, or as Server-Sent Events.
enum LiveRoutes {
    /// Without a token in its head, the WebSocket signs in by its first message. A page of another site might open one with
    /// a cookie, and read it.
    static func webSocket(_ request: Request, _ app: App) throws -> Response {
        try app.site.requireOwnPage(request)
        let signsInLater = try app.token(of: request) == nil && request.header("Upgrade") != nil
        let signedIn = signsInLater ? nil : try pass(of: request, app)
        let after = try after(request, app)
        return try .webSocket(request, handlers(app, signedIn, after: after))
    }

    static func events(_ request: Request, _ app: App) throws -> Response {
        let signedIn = try pass(of: request, app)
        return .eventStream(handlers(app, signedIn, after: try after(request, app)))
    }

    /// The place that the client has come to.
    private static func after(_ request: Request, _ app: App) throws -> LogCursor? {
        var query = try QueryFields(request)
        let asked = query.optional("after", .text(1...1000))
        try query.finish()
        // A stream that reconnects by itself says it in the head, where it is newer than in the address.
        let (text, field) = request.header("Last-Event-ID").map { ($0, "Last-Event-ID") } ?? (asked, "after")
        guard let text, !text.isEmpty else { return nil }
        let cursor = try app.logCursors.open(text, field: field)
        try app.database.read { try cursor.require(within: LogEntry.ends(in: $0), field: field) }
        return cursor
    }

    private static func pass(of request: Request, _ app: App) throws -> (LiveClient.Pass, end: Int64) {
        try app.database.read { read in
            guard let token = try app.token(of: request) else {
                throw HTTPError.unauthorized("the request carries no token")
            }
            return try app.livePass(ofToken: token, in: read)
        }
    }

    private static func handlers(
        _ app: App, _ signedIn: (pass: LiveClient.Pass, end: Int64)?, after: LogCursor?
    ) -> LiveHandlers {
        let box = ClientBox()
        let cursor = after ?? signedIn.map { .at($0.end) }
        return LiveHandlers(
            opened: { connection in
                let client = LiveClient(connection, signedIn?.pass, after: cursor, openedAt: app.clock())
                box.set(client)
                app.live.opened(client)
            },
            received: { _, bytes in
                if let client = box.client { ClientMessage.take(bytes, from: client, app) }
            },
            closed: { _, _ in if let client = box.client { app.live.closed(client) } })
    }
}

/// The client of a connection, once that is open.
private final class ClientBox: Sendable {
    private let held = Mutex<LiveClient?>(nil)

    var client: LiveClient? { held.withLock { $0 } }

    func set(_ client: LiveClient) { held.withLock { $0 = client } }
}

extension App {
    /// Who the token signs in, and where the log ends then.
    func livePass(
        ofToken token: some StringProtocol, in read: some Transaction
    ) throws -> (LiveClient.Pass, end: Int64) {
        let (viewer, expiresAt) = try viewer(ofToken: token, in: read)
        let pass = LiveClient.Pass(viewer: viewer.id, session: viewer.session, expiresAt: expiresAt)
        return (pass, try LogEntry.ends(in: read).end)
    }
}

/// What a client may say on its WebSocket. On the loop's thread, so nothing here waits.
private enum ClientMessage {
    static func take(_ bytes: [UInt8], from client: LiveClient, _ app: App) {
        do {
            let message = try JSONValue(parsing: bytes)
            guard let type = message["type"]?.text else { throw HTTPError.badRequest("type", "is required") }
            switch type {
            case "ping": client.connection.send(LiveNews.pong)
            case "ack":
                guard let cursor = message["cursor"]?.text else { throw HTTPError.badRequest("cursor", "is required") }
                _ = try app.logCursors.open(cursor, field: "cursor")
            case "typing":
                guard message["conversationId"]?.text != nil else {
                    throw HTTPError.badRequest("conversationId", "is required")
                }
            case "auth":
                guard let token = message["token"]?.text else { throw HTTPError.badRequest("token", "is required") }
                guard client.beginSigningIn() else { throw HTTPError.badRequest("type", "is for the first message") }
                app.live.signIn(client, token, app)
            default: throw HTTPError.badRequest("type", "is not a known type")
            }
            if client.isAnonymous, type != "auth", type != "ping" { client.connection.close(.signInMissing) }
        } catch let error as HTTPError {
            client.connection.send(LiveNews.problem(error))
        } catch {
            client.connection.send(LiveNews.problem(.malformed("the message is not JSON")))
        }
    }
}

extension LiveHub {
    /// Signs a connection in, on a thread that may wait.
    fileprivate func signIn(_ client: LiveClient, _ token: String, _ app: App) {
        DispatchQueue.global().async { [self] in
            do {
                let (pass, end) = try database.read { try app.livePass(ofToken: token, in: $0) }
                client.state.withLock { state in
                    state.pass = pass
                    state.cursor = state.cursor ?? .at(end)
                }
                queue(client)
            } catch {
                client.connection.close(.signInMissing)
            }
        }
    }
}
