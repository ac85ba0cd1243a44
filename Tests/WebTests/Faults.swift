import HTTP
import Synchronization

/// Failures that a test plays in front of the service: answers it gives in place of the real ones.
final class Faults: Sendable {
    struct Fault: Sendable {
        /// Nil for all methods.
        var method: String?
        /// What the path begins with.
        var path: String
        var status: Int
        var headers: [Header] = []
        /// How many more times; nil for until it is cleared.
        var times: Int?
    }

    private let faults = Mutex<[Fault]>([])

    /// From now on requests whose path begins with `path` fail.
    func add(_ status: Int, _ path: String, method: String? = nil, headers: [Header] = [], times: Int? = nil) {
        faults.withLock {
            $0.append(Fault(method: method, path: path, status: status, headers: headers, times: times))
        }
    }

    func clear() { faults.withLock { $0 = [] } }

    private func answer(to request: Request) -> Response? {
        faults.withLock { faults in
            let index = faults.firstIndex { fault in
                request.path.hasPrefix(fault.path) && (fault.method ?? request.method) == request.method
            }
            guard let index else { return nil }
            let fault = faults[index]
            if let times = fault.times {
                faults[index].times = times - 1
                if times <= 1 { faults.remove(at: index) }
            }
            let problem = """
                {"type":"/problems/played","title":"Played","status":\(fault.status),"detail":"a test plays this"}
                """
            var response = Response.content("application/problem+json", Array(problem.utf8), status: fault.status)
            response.headers += fault.headers
            return response
        }
    }

    /// The same routes, each of which fails when a fault says so.
    func inFront(of router: Router) -> Router {
        var all = Router()
        for route in router.routes {
            let execution: Execution =
                switch route.execution {
                case .immediate(let handler): .immediate { try self.answer(to: $0) ?? handler($0) }
                case .pool(let handler): .pool { try self.answer(to: $0) ?? handler($0) }
                case .async(let handler):
                    .async { request in
                        if let response = self.answer(to: request) { return response }
                        return try await handler(request)
                    }
                case .deferred(let start):
                    .deferred { request, complete in
                        if let response = self.answer(to: request) { return complete(.success(response)) }
                        try start(request, complete)
                    }
                }
            all.add(
                Route(
                    method: route.method, pattern: route.pattern, execution: execution, bodyLimit: route.bodyLimit))
        }
        return all
    }
}
