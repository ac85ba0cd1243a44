import Foundation
import SocialModel

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What the server answered, whatever its status.
struct Reply: Sendable {
    let status: Int
    let body: Data
    let headers: [String: String]

    init(_ response: HTTPURLResponse, body: Data) {
        status = response.statusCode
        self.body = body
        headers = Reply.headers(of: response)
    }

    init(status: Int) {
        self.status = status
        body = Data()
        headers = [:]
    }

    /// By lowercase name.
    private static func headers(of response: HTTPURLResponse) -> [String: String] {
        var headers: [String: String] = [:]
        for (name, value) in response.allHeaderFields {
            if let name = name as? String, let value = value as? String { headers[name.lowercased()] = value }
        }
        return headers
    }

    func header(_ name: String) -> String? { headers[name.lowercased()] }

    /// The error of an answer that is none of success.
    var error: PinfoldError {
        guard let problem = try? JSONDecoder().decode(Problem.self, from: body), problem.status == status else {
            return .unreadable(status: status, reason: String(decoding: body.prefix(200), as: UTF8.self))
        }
        return .refused(problem, retryAfter: header("Retry-After").flatMap { Int($0) })
    }

    func decoded<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        do { return try JSONDecoder().decode(Value.self, from: body) } catch {
            throw PinfoldError.unreadable(status: status, reason: "\(error)")
        }
    }
}

/// Sends requests to one server by `URLSession`, without cookies and without a cache of its own.
struct Transport: Sendable {
    private let baseURL: String
    private let userAgent: String
    private let session: URLSession
    let configuration: @Sendable () -> URLSessionConfiguration

    init(_ configuration: PinfoldClient.Configuration) {
        var base = configuration.baseURL.absoluteString
        while base.hasSuffix("/") { base.removeLast() }
        baseURL = base
        userAgent = configuration.userAgent
        let timeout = configuration.timeout
        self.configuration = {
            // A new one each time: it is not `Sendable`.
            let settings = URLSessionConfiguration.ephemeral
            settings.httpShouldSetCookies = false
            settings.httpCookieAcceptPolicy = .never
            settings.urlCache = nil
            settings.requestCachePolicy = .reloadIgnoringLocalCacheData
            settings.timeoutIntervalForRequest = timeout
            return settings
        }
        session = URLSession(configuration: self.configuration())
    }

    func close() { session.invalidateAndCancel() }

    /// The answer, held in memory.
    ///
    /// - Throws: `PinfoldError.noAnswer`; `CancellationError`.
    func send(_ call: Call, token: String?) async throws -> Reply {
        let request = try request(call, token: token)
        return try await answer {
            let (data, response) =
                if case .file(let file, _) = call.body {
                    try await session.upload(for: request, fromFile: file)
                } else {
                    try await session.data(for: request)
                }
            return Reply(try http(response), body: data)
        }
    }

    /// The answer of success as a file at `destination`, where it replaces what was there; a refusal in memory.
    func download(_ call: Call, token: String?, to destination: URL) async throws -> Reply {
        let request = try request(call, token: token)
        return try await answer {
            let (file, response) = try await session.download(for: request)
            defer { try? FileManager.default.removeItem(at: file) }
            let http = try http(response)
            guard http.statusCode == 200 else { return Reply(http, body: try Data(contentsOf: file)) }
            try? FileManager.default.removeItem(at: destination)
            try FileManager.default.moveItem(at: file, to: destination)
            return Reply(http, body: Data())
        }
    }

    func request(_ call: Call, token: String?) throws -> URLRequest {
        guard let url = URL(string: baseURL + call.target) else {
            throw PinfoldError.invalidInput("\(baseURL + call.target) is not a URL")
        }
        var request = URLRequest(url: url)
        request.httpMethod = call.method.rawValue
        request.setValue(userAgent, forHTTPHeaderField: "User-Agent")
        for (name, value) in call.headers { request.setValue(value, forHTTPHeaderField: name) }
        if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        switch call.body {
        case .data(let data, let mediaType):
            request.httpBody = data
            request.setValue(mediaType, forHTTPHeaderField: "Content-Type")
        case .file(_, let mediaType): request.setValue(mediaType, forHTTPHeaderField: "Content-Type")
        case nil: break
        }
        return request
    }

    private func http(_ response: URLResponse) throws -> HTTPURLResponse {
        guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
        return response
    }

    private func answer(_ body: () async throws -> Reply) async throws -> Reply {
        do { return try await body() } catch {
            if Task.isCancelled { throw CancellationError() }
            throw PinfoldError.noAnswer(error)
        }
    }
}
