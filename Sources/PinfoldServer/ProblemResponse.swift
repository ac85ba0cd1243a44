import HTTP
import Storage

/// The one place where errors become answers: RFC 9457 `application/problem+json`.
enum ProblemResponse {
    /// The answer to `error`. One that is no client's business is logged under the request's id and becomes a bare 500
    /// that carries the id.
    static func make(_ error: any Error, _ request: Request, _ log: Log) -> Response {
        switch error {
        case let error as HTTPError: return response(error.status == 401 ? challenging(error, request) : error)
        case let error as DatabaseError where error.isDiskFull:
            log.error("disk full", request: request.id, ["sql": error.sql])
            return response(.insufficientStorage)
        case is DatabaseBusy, is DatabaseClosed: return response(.unavailable(retryAfter: 1))
        case let error as DatabaseError where error.isBusy: return response(.unavailable(retryAfter: 1))
        case let error as DatabaseError:
            log.error(
                "database error", request: request.id,
                ["code": String(error.code), "message": error.message, "sql": error.sql])
        default: log.error("unexpected error", request: request.id, ["error": String(describing: error)])
        }
        return response(
            HTTPError(500, "internal-error", "Something went wrong here", detail: "report the id \(request.id)"))
    }

    /// Programs that wait to be asked for a password are asked, where an API token could be one. A browser with the web
    /// client is not: it would ask its user, in a window of its own.
    private static func challenging(_ error: HTTPError, _ request: Request) -> HTTPError {
        let triesBasic = request.header("Authorization").map { $0.hasScheme("Basic") }
        let isForPrograms = request.path.hasPrefix("/v1/me/pins.") || request.path.hasPrefix("/ogc")
        let isProgram = request.header("Cookie") == nil && isForPrograms
        guard triesBasic ?? isProgram else { return error }
        var error = error
        error.headers.append(Header("WWW-Authenticate", "Basic realm=\"pinfold\", charset=\"UTF-8\""))
        return error
    }

    private static func response(_ error: HTTPError) -> Response {
        let headers = [Header("Content-Type", "application/problem+json"), Header("Cache-Control", "no-store")]
        return Response(status: error.status, headers: headers + error.headers, body: json(error))
    }

    /// The problem itself.
    static func json(_ error: HTTPError) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.key("type")
            json.string("/problems/" + error.slug)
            json.key("title")
            json.string(error.title)
            json.key("status")
            json.integer(Int64(error.status))
            if let detail = error.detail {
                json.key("detail")
                json.string(detail)
            }
            if !error.faults.isEmpty {
                json.key("errors")
                json.array { json in
                    for fault in error.faults {
                        json.object { json in
                            json.key("field")
                            json.string(fault.field)
                            json.key("message")
                            json.string(fault.message)
                        }
                    }
                }
            }
        }
        return json.bytes
    }
}
