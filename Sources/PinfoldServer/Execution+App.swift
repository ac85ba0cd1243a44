import HTTP
import SocialModel
import Storage

/// A change that a handler has checked and prepared; it runs on the writer, in one transaction with its event-log row.
///
/// `body` may run more than once (a group that failed runs its writes again alone), so it has no effect but on the
/// database.
struct Write: Sendable {
    let body: @Sendable (WriteTransaction, Viewer) throws -> Response

    init(_ body: @escaping @Sendable (WriteTransaction, Viewer) throws -> Response) {
        self.body = body
    }
}

/// How the handlers of this API run: `Routes` says which, and what scope an API token needs. `scope: nil` lets no API
/// token in: it is for what concerns the account itself. Whichever way, a write that stands on a session cookie must come
/// from a page of this service.
extension App {
    /// Reads on the HTTP thread, in one snapshot.
    func read(
        scope: APIToken.Scope? = .read,
        _ handler: @escaping @Sendable (Request, App, ReadTransaction) throws -> Response
    ) -> Execution {
        let app = needing(scope)
        return .immediate { request in
            try app.admit(request)
            return try app.database.read { try handler(request, app, $0) }.compressed(for: request)
        }
    }

    /// Reads on the pool, in one snapshot: what may take many milliseconds, such as counting all that somebody with
    /// thousands of friends sees, holds up nobody's small request there.
    func longRead(
        _ handler: @escaping @Sendable (Request, App, ReadTransaction) throws -> Response
    ) -> Execution {
        let app = needing(.read)
        return .pool { request in
            try app.admit(request)
            return try app.database.read { try handler(request, app, $0) }.compressed(for: request)
        }
    }

    /// Signs the viewer in and checks the input on the HTTP thread, then runs what the handler prepared on the writer,
    /// in a group with other writes; answers after COMMIT.
    ///
    /// The viewer is looked up twice, so that a stranger's bad input is 401 and a session that ended in between does
    /// not write. An `Idempotency-Key` is honoured for a POST.
    func write(
        scope: APIToken.Scope? = .write, _ handler: @escaping @Sendable (Request, App, Viewer) throws -> Write
    ) -> Execution {
        let app = needing(scope)
        return .deferred { request, complete in
            app.database.submit(try app.prepare(request, handler), completion: complete)
        }
    }

    /// As `write`, for input that takes long to check: that is done on the pool. Of large ones only a few run at a time,
    /// so that the writer has small writes in between.
    func poolWrite(_ handler: @escaping @Sendable (Request, App, Viewer) throws -> Write) -> Execution {
        let app = needing(.write)
        return .pool { request in
            func write() throws -> Response { try app.database.write(try app.prepare(request, handler)) }
            return try request.body.count > 256 << 10 ? app.importSlots.run(write) : write()
        }
    }

    private func prepare(
        _ request: Request, _ handler: (Request, App, Viewer) throws -> Write
    ) throws -> @Sendable (WriteTransaction) throws -> Response {
        try admit(request)
        let viewer = try database.read { try self.viewer(of: request, in: $0) }
        let key = request.method == "POST" ? try IdempotencyKey(request) : nil
        let write = try handler(request, self, viewer)
        return { transaction in
            let viewer = try self.viewer(of: request, in: transaction)
            guard let key else { return try write.body(transaction, viewer) }
            return try key.answer(for: viewer, in: transaction) { try write.body(transaction, viewer) }
        }
    }

    /// Runs on the pool, where blocking is allowed: hashing a password, then reading or writing.
    func pool(
        scope: APIToken.Scope? = nil, _ handler: @escaping @Sendable (Request, App) throws -> Response
    ) -> Execution {
        let app = needing(scope)
        return .pool { request in
            try app.admit(request)
            return try handler(request, app)
        }
    }

    /// Needs nothing but memory, on the HTTP thread.
    func immediate(
        scope: APIToken.Scope? = nil, _ handler: @escaping @Sendable (Request, App) throws -> Response
    ) -> Execution {
        let app = needing(scope)
        return .immediate { request in
            try app.admit(request)
            return try handler(request, app).compressed(for: request)
        }
    }

    /// - Throws: `HTTPError` 403 for a write that another site's page may have sent.
    private func admit(_ request: Request) throws {
        if request.method != "GET" { try site.requireOwnPage(request) }
    }
}
