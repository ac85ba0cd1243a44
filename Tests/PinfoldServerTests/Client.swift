import Foundation
import HTTP
import SocialModel
import Testing

@testable import PinfoldServer

/// An HTTP status, by the names that RFC 9110 gives.
struct Status: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    let rawValue: Int

    static let ok = Status(rawValue: 200)
    static let created = Status(rawValue: 201)
    static let accepted = Status(rawValue: 202)
    static let noContent = Status(rawValue: 204)
    static let notModified = Status(rawValue: 304)
    static let badRequest = Status(rawValue: 400)
    static let unauthorized = Status(rawValue: 401)
    static let forbidden = Status(rawValue: 403)
    static let notFound = Status(rawValue: 404)
    static let methodNotAllowed = Status(rawValue: 405)
    static let conflict = Status(rawValue: 409)
    static let preconditionFailed = Status(rawValue: 412)
    static let contentTooLarge = Status(rawValue: 413)
    static let unsupportedMediaType = Status(rawValue: 415)
    static let unprocessable = Status(rawValue: 422)
    static let tooManyRequests = Status(rawValue: 429)
    static let insufficientStorage = Status(rawValue: 507)

    var description: String { String(rawValue) }
}

/// What the service answered.
struct Answer: Sendable {
    let status: Status
    let response: Response

    var json: JSON { (try? JSON(parsing: response.body)) ?? .null }
    var text: String { String(decoding: response.body, as: UTF8.self) }
    var etag: String? { response.header("ETag") }

    func header(_ name: String) -> String? { response.header(name) }

    func decoded<T: Decodable>(_ type: T.Type = T.self) throws -> T {
        try JSONDecoder().decode(T.self, from: Data(response.body))
    }

    /// The names of the fields at fault.
    var faults: Set<String> { Set((json["errors"]?.elements ?? []).compactMap { $0["field"]?.text }) }

    /// The ids of a list's items.
    var ids: [String] { (json["items"]?.elements ?? []).compactMap { $0["id"]?.text } }

    var next: String? { json["next"]?.text }
}

/// The answer had another status than the test needs to go on.
struct UnexpectedStatus: Error, CustomStringConvertible {
    let description: String
}

/// Sends requests without a token.
struct Client: Sendable {
    let app: TestApp
    var address = IPAddress.loopback

    /// Sends one request and checks what holds for all answers.
    @discardableResult
    func send(
        _ method: String, _ path: String, body: [UInt8]? = nil, token: String? = nil, headers: [(String, String)] = [],
        expect: Status? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Answer {
        let parts = path.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        var fields = headers.map { Header($0.0, $0.1) }
        if let token { fields.append(Header("Authorization", "Bearer \(token)")) }
        if body != nil, !headers.contains(where: { $0.0 == "Content-Type" }) {
            fields.append(Header("Content-Type", "application/json"))
        }
        let request = Request(
            id: "0123456789abcdef", method: method, path: parts[0], queryText: parts.count > 1 ? parts[1] : nil,
            headers: fields, body: body ?? [], address: address)
        let response = await app.respond(to: request)
        let answer = Answer(status: Status(rawValue: response.status), response: response)
        answer.checkConventions(of: "\(method) \(path)", sourceLocation)
        if let expect, answer.status != expect {
            throw UnexpectedStatus(
                description:
                    "\(method) \(path): \(answer.status) where \(expect) was due (line \(sourceLocation.line)): "
                    + answer.text.prefix(300))
        }
        return answer
    }

    @discardableResult
    func get(
        _ path: String, headers: [(String, String)] = [], expect: Status? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Answer {
        try await send("GET", path, headers: headers, expect: expect, sourceLocation: sourceLocation)
    }

    @discardableResult
    func post(
        _ path: String, _ body: JSON, expect: Status? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Answer {
        try await send("POST", path, body: body.bytes, expect: expect, sourceLocation: sourceLocation)
    }

    static func password(of username: String) -> String { "correct horse \(username)" }

    @discardableResult
    func signUp(_ username: String) async throws -> Person {
        let answer = try await post(
            "/v1/users",
            [
                "username": .string(username), "email": .string("\(username)@example.org"),
                "password": .string(Self.password(of: username)),
            ], expect: .created)
        return try Person(answer, client: self)
    }

    /// Signs two people up, as friends if so wished.
    func signUp(_ a: String, _ b: String, friends: Bool = false) async throws -> (Person, Person) {
        let pair = (try await signUp(a), try await signUp(b))
        if friends { try await pair.0.befriend(pair.1) }
        return pair
    }

    func signUp(_ a: String, _ b: String, _ c: String) async throws -> (Person, Person, Person) {
        (try await signUp(a), try await signUp(b), try await signUp(c))
    }

    @discardableResult
    func signIn(
        _ login: String, password: String? = nil, expect: Status? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Answer {
        try await post(
            "/v1/sessions", ["login": .string(login), "password": .string(password ?? Self.password(of: login))],
            expect: expect, sourceLocation: sourceLocation)
    }

    @discardableResult
    func refresh(_ token: String, expect: Status? = nil) async throws -> Answer {
        try await post("/v1/sessions/refresh", ["refreshToken": .string(token)], expect: expect)
    }
}

/// Somebody who has signed in, and sends requests with the token of that.
struct Person: Sendable {
    let client: Client
    let id: Identifier<User>
    let username: String
    let token: String
    let refreshToken: String

    /// From the answer to signing up, signing in or refreshing.
    init(_ answer: Answer, client: Client) throws {
        let body = try answer.decoded(SignedInBody.self)
        self.client = client
        id = body.user.id
        username = body.user.username
        token = body.accessToken
        refreshToken = body.refreshToken
    }

    private struct SignedInBody: Decodable {
        let user: User
        let accessToken: String
        let refreshToken: String
    }

    @discardableResult
    func send(
        _ method: String, _ path: String, _ body: JSON? = nil, headers: [(String, String)] = [],
        expect: Status? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Answer {
        try await client.send(
            method, path, body: body?.bytes, token: token, headers: headers, expect: expect,
            sourceLocation: sourceLocation)
    }

    @discardableResult
    func get(
        _ path: String, headers: [(String, String)] = [], expect: Status? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Answer {
        try await send("GET", path, headers: headers, expect: expect, sourceLocation: sourceLocation)
    }

    @discardableResult
    func post(
        _ path: String, _ body: JSON = [:], headers: [(String, String)] = [], expect: Status? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Answer {
        try await send("POST", path, body, headers: headers, expect: expect, sourceLocation: sourceLocation)
    }

    @discardableResult
    func put(
        _ path: String, _ body: JSON? = nil, expect: Status? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Answer {
        try await send("PUT", path, body, expect: expect, sourceLocation: sourceLocation)
    }

    @discardableResult
    func patch(
        _ path: String, _ body: JSON, headers: [(String, String)] = [], expect: Status? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Answer {
        try await send("PATCH", path, body, headers: headers, expect: expect, sourceLocation: sourceLocation)
    }

    @discardableResult
    func delete(
        _ path: String, _ body: JSON? = nil, headers: [(String, String)] = [], expect: Status? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Answer {
        try await send("DELETE", path, body, headers: headers, expect: expect, sourceLocation: sourceLocation)
    }

    // MARK: In the words of the service

    func befriend(_ other: Person) async throws {
        let asked = try await post("/v1/friend-requests", ["to": "\(other.id)"], expect: .created)
        let id = try #require(asked.json["id"]?.text)
        try await other.post("/v1/friend-requests/\(id)/accept", expect: .ok)
    }

    /// Drops a pin; `more` are further members of the body.
    @discardableResult
    func drop(_ name: String = "Ramen", at latitude: Double = 10, _ longitude: Double = 20, _ more: JSON = [:])
        async throws -> Pin
    {
        let body: [String: JSON] = [
            "latitude": .number(latitude), "longitude": .number(longitude), "name": .string(name),
        ]
        let answer = try await post(
            "/v1/pins", .object(body.merging(more.members, uniquingKeysWith: { $1 })), expect: .created)
        return try answer.decoded()
    }

    /// The ids of all pages of a list; `path` has a query already or none.
    func all(_ path: String, limit: Int? = nil) async throws -> [String] {
        var ids: [String] = []
        var cursor: String?
        repeat {
            var query = limit.map { ["limit=\($0)"] } ?? []
            if let cursor { query.append("cursor=\(cursor)") }
            let joint = query.isEmpty ? "" : path.contains("?") ? "&" : "?"
            let page = try await get(path + joint + query.joined(separator: "&"), expect: .ok)
            let items = page.ids
            if let limit {
                #expect(items.count <= limit)
                #expect(page.next == nil || items.count == limit, "a page that is not the last is full")
            }
            ids += items
            cursor = page.next
        } while cursor != nil
        return ids
    }
}

extension Answer {
    /// What the contract says of every answer.
    fileprivate func checkConventions(of request: String, _ location: SourceLocation) {
        let code = status.rawValue
        let isFault = code >= 500 && status != .insufficientStorage
        // What somebody may not see is 404; 403 speaks of how the request was made alone, or of the one who signs in.
        let isOfRequest = ["/problems/origin-refused", "/problems/insufficient-scope", "/problems/suspended"]
            .contains(json["type"]?.text)
        #expect(
            (code != 403 || isOfRequest) && !isFault, "\(request): \(code) \(text.prefix(200))",
            sourceLocation: location)
        if code == 401 { #expect(header("WWW-Authenticate") != nil, "\(request)", sourceLocation: location) }
        if code == 429 {
            #expect(header("Retry-After").flatMap { Int($0) } ?? 0 >= 1, "\(request)", sourceLocation: location)
        }
        guard code >= 400, !response.body.isEmpty else { return }
        let problem = try? decoded(Problem.self)
        #expect(header("Content-Type") == "application/problem+json", "\(request)", sourceLocation: location)
        #expect(problem?.status == code, "\(request): \(text)", sourceLocation: location)
        #expect(problem?.type.hasPrefix("/problems/") == true, "\(request): \(text)", sourceLocation: location)
    }
}
