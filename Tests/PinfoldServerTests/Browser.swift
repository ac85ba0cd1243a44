import HTTP
import Testing

@testable import PinfoldServer

/// A browser at a page of the service: keeps cookies as RFC 6265 says, and names its origin where browsers do.
struct Browser: Sendable {
    let client: Client
    var host = "127.0.0.1:8080"
    var origin: String? = "http://127.0.0.1:8080"
    private(set) var cookies: [Cookie] = []

    struct Cookie: Hashable, Sendable {
        let name: String
        let value: String
        let path: String
        let attributes: Set<String>
    }

    init(_ client: Client) {
        self.client = client
    }

    /// The value of `Cookie` for a path; nil if there is none to send.
    func cookieField(for path: String) -> String? {
        let path = path.prefix { $0 != "?" }
        let sent = cookies.filter { $0.path == "/" || path == $0.path || path.hasPrefix($0.path + "/") }
        return sent.isEmpty ? nil : sent.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }

    /// What a request has besides its body.
    func headers(_ method: String, _ path: String) -> [(String, String)] {
        var headers = [("Host", host)]
        if let field = cookieField(for: path) { headers.append(("Cookie", field)) }
        if method != "GET", let origin { headers.append(("Origin", origin)) }
        return headers
    }

    /// Keeps what an answer sets.
    mutating func keep(_ answer: Answer) {
        for field in answer.response.headers where field.name == "Set-Cookie" {
            let parts = field.value.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
            let pair = parts[0].split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let attributes = Set(parts.dropFirst())
            let path = attributes.first { $0.hasPrefix("Path=") }.map { String($0.dropFirst(5)) } ?? ""
            cookies.removeAll { $0.name == pair[0] && $0.path == path }
            if attributes.contains("Max-Age=0") { continue }
            cookies.append(Cookie(name: pair[0], value: pair[1], path: path, attributes: attributes))
        }
    }

    @discardableResult
    mutating func send(
        _ method: String, _ path: String, _ body: JSON? = nil, headers more: [(String, String)] = [],
        expect: Status? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Answer {
        let answer = try await client.send(
            method, path, body: body?.bytes, headers: headers(method, path) + more, expect: expect,
            sourceLocation: sourceLocation)
        keep(answer)
        return answer
    }

    @discardableResult
    mutating func signUp(_ username: String) async throws -> Answer {
        try await send(
            "POST", "/v1/users",
            [
                "username": .string(username), "email": .string("\(username)@example.org"),
                "password": .string(Client.password(of: username)), "cookie": true,
            ], expect: .created)
    }

    @discardableResult
    mutating func signIn(_ login: String, expect: Status? = .created) async throws -> Answer {
        try await send(
            "POST", "/v1/sessions",
            ["login": .string(login), "password": .string(Client.password(of: login)), "cookie": true], expect: expect)
    }
}
