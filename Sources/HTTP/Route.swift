/// How a route's work is run.
package enum Execution: Sendable {
    /// On the HTTP thread, which must not block for long.
    case immediate(@Sendable (Request) throws -> Response)
    /// Started on the HTTP thread, then the connection waits. `complete` may be called from any thread, at once or
    /// later; the first call counts, others are ignored. What `start` throws is answered unless it has completed.
    case deferred(
        @Sendable (Request, _ complete: @escaping @Sendable (Result<Response, any Error>) -> Void) throws -> Void)
    /// On one of a bounded number of threads that may block; when all are busy and the queue is full, 503.
    case pool(@Sendable (Request) throws -> Response)
    /// As a task. It must not block its thread.
    case async(@Sendable (Request) async throws -> Response)
}

/// One method on one path pattern and what it does. A class, so that handing it on is one reference.
package final class Route: Sendable {
    package let method: String
    /// `/v1/pins/:pinId`: each part is literal or, behind a `:`, the name of a parameter that takes one non-empty part.
    /// A name ends at a dot: `:y.mvt` takes a part that ends in `.mvt`, without that. A last part behind a `*` is the name
    /// of a parameter that takes all that is left, slashes too, if that is not empty.
    package let pattern: String
    package let execution: Execution
    /// The largest body in bytes that is read; more is 413. Nil leaves it to the server's configuration.
    package let bodyLimit: Int?
    /// Has the body written to a file, whatever its size; nil keeps it in memory.
    package let upload: Upload?

    /// Where bodies are written, and whose.
    package struct Upload: Sendable {
        package let folder: String
        /// Called on the HTTP thread with a request that has no body yet; what it throws is answered, and not a byte is
        /// kept.
        package let admit: @Sendable (Request) throws -> Void

        package init(folder: String, admit: @escaping @Sendable (Request) throws -> Void) {
            self.folder = folder
            self.admit = admit
        }
    }

    package init(
        method: String, pattern: String, execution: Execution, bodyLimit: Int? = nil, upload: Upload? = nil
    ) {
        self.method = method
        self.pattern = pattern
        self.execution = execution
        self.bodyLimit = bodyLimit
        self.upload = upload
    }
}
