import Synchronization

extension Router {
    /// What a request comes to before any of its work is done.
    enum Plan: Sendable {
        case run(Route, [Header])
        case answer(Response)
        case fail(HTTPError)
    }

    func plan(method: String, path: String) -> Plan {
        do {
            if method == "OPTIONS" {
                if path == "*" { return .answer(Response(status: 204, headers: [Header("Allow", Self.allMethods)])) }
                let methods = try allowedMethods(path: path)
                if methods.isEmpty { return .fail(.notFound) }
                return .answer(Response(status: 204, headers: [Header("Allow", methods.joined(separator: ", "))]))
            }
            let (route, parameters) = try match(method: method, path: path)
            return .run(route, parameters)
        } catch let error as HTTPError {
            return .fail(error)
        } catch {
            return .fail(.malformed("the path cannot be read"))  // not reached: `match` throws nothing else
        }
    }

    private static let allMethods = "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT"

    /// Runs a request without a socket, the way the server does: routing, the route's work however it is run, error
    /// mapping, conditional reads and `HEAD`.
    ///
    /// - Parameter respond: makes the answer of an error, as for `Server`.
    package func respond(
        to request: Request, respond: @escaping @Sendable (any Error, Request) -> Response
    ) async -> Response {
        let isHead = request.method == "HEAD"
        var request = request
        var response: Response
        switch plan(method: request.method, path: request.path) {
        case .answer(let answer): return answer
        case .fail(let error): response = respond(error, request)
        case .run(let route, let parameters):
            request = Request(
                id: request.id, method: isHead ? "GET" : request.method, path: request.path,
                queryText: request.queryText, headers: request.headers, body: request.body, upload: request.upload,
                address: request.address, parameters: parameters)
            do {
                let limit = route.bodyLimit ?? Server.Configuration().bodyLimit
                guard request.body.count <= limit else { throw HTTPError.contentTooLarge(limit: limit) }
                response = try await Self.run(route.execution, request)
                response = EntityTag.answer(
                    response, method: request.method, ifNoneMatch: request.header("If-None-Match"))
            } catch {
                response = respond(error, request)
            }
        }
        if isHead { response.body = [] }
        return response
    }

    private static func run(_ execution: Execution, _ request: Request) async throws -> Response {
        switch execution {
        case .immediate(let handler): return try handler(request)
        case .async(let handler): return try await handler(request)
        case .pool(let handler):
            return try await withCheckedThrowingContinuation { continuation in
                let started = startThread { continuation.resume(with: Result { try handler(request) }) }
                if !started { continuation.resume(throwing: HTTPError.unavailable(retryAfter: 1)) }
            }
        case .deferred(let start):
            return try await withCheckedThrowingContinuation { continuation in
                let once = Once(continuation)
                do {
                    try start(request) { once.resume($0) }
                } catch {
                    once.resume(.failure(error))
                }
            }
        }
    }

    /// A continuation that ignores all results but the first.
    private final class Once: Sendable {
        private let continuation: Mutex<CheckedContinuation<Response, any Error>?>

        init(_ continuation: CheckedContinuation<Response, any Error>) {
            self.continuation = Mutex(continuation)
        }

        func resume(_ result: Result<Response, any Error>) {
            let continuation = continuation.withLock { stored in
                defer { stored = nil }
                return stored
            }
            continuation?.resume(with: result)
        }
    }
}
