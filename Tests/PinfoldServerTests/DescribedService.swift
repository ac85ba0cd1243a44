import Foundation
import HTTP
import Storage
import Testing

@testable import PinfoldServer

/// A server of its own for the tests of its description: every answer is held against what is said of it.
final class DescribedService: Sendable {
    let router: Router
    private let folder: String
    let app: App
    private let description = OpenAPIDescription()

    /// With a gazetteer of three places, one of them at 10 N 20 E.
    init() throws {
        try startCrypto()
        folder = NSTemporaryDirectory() + "pinfold-described-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let clock: @Sendable () -> Int64 = { 1_795_953_600_000 }
        let configuration = Schema.configuration(path: folder + "/pinfold.db", clock: clock)
        app = try App(
            database: DatabasePool(configuration, migrations: Schema.migrations),
            gazetteer: Gazetteer(
                path: folder + "/places.db", bundle: SmallGazetteer.write(to: folder), clock: clock),
            passwords: PasswordHasher(cost: .least), client: WebClient.files.get(), rateLimits: false, clock: clock,
            log: Log(descriptor: nil, clock: clock), temporaryFolder: folder)
        router = routes(app)
    }

    /// Lets an account do all that can be done.
    func makeAdmin(_ username: String) async throws {
        try await app.database.write { write in
            try write.run("UPDATE account SET role = 'admin' WHERE username = \(username)")
        }
    }

    deinit {
        app.database.close()
        app.gazetteer?.close()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// An answer and its JSON, null if it has none.
    struct Answer {
        let response: Response
        let json: JSONValue

        func text(_ name: String) -> String { json[name]?.text ?? "" }
    }

    /// Makes a call and expects `status` and that the description knows the call, its body and its answer.
    @discardableResult
    func call(
        _ method: String, _ target: String, as token: String? = nil, _ body: String? = nil, expect status: Int,
        headers: [Header] = [], sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Answer {
        let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
        var headers = headers
        if let token { headers.append(Header("Authorization", "Bearer \(token)")) }
        if body != nil { headers.append(Header("Content-Type", "application/json")) }
        let request = Request(
            id: "0123456789abcdef", method: method, path: parts[0], queryText: parts.count > 1 ? parts[1] : nil,
            headers: headers, body: Array((body ?? "").utf8))
        let response = await router.respond(to: request) { [app] in ProblemResponse.make($0, $1, app.log) }
        let type = response.header("Content-Type")?.prefix { $0 != ";" } ?? ""
        let isJSON = type == "application/json" || type.hasSuffix("+json")
        let answer = Answer(response: response, json: isJSON ? try JSONValue(parsing: response.body) : .null)

        var faults: [String] = response.status == status ? [] : ["the status is \(response.status): \(answer.json)"]
        if let operation = description.operation(method, parts[0]) {
            faults += self.faults(of: answer, to: operation, type: String(type))
            if let body, response.status < 300 { faults += try self.faults(ofBody: body, of: operation) }
        } else {
            faults.append("there is no such operation")
        }
        #expect(faults == [], "\(method) \(target)", sourceLocation: sourceLocation)
        return answer
    }

    private func faults(
        of answer: Answer, to operation: OpenAPIDescription.Operation, type: String
    ) -> [String] {
        let response = answer.response
        guard let described = operation.json["responses"]?[String(response.status)].map(description.resolved) else {
            return ["the status \(response.status) is not described"]
        }
        var faults: [String] = []
        let fields = described["headers"]?.members.map(\.name) ?? []
        // These come in some cases alone.
        let optional = ["Link", "Set-Cookie", "Clear-Site-Data"] + (response.status == 403 ? ["WWW-Authenticate"] : [])
        for field in fields where !optional.contains(field) && response.header(field) == nil {
            faults.append("no \(field)")
        }
        let known = Set(fields + ["Content-Type", "Content-Encoding", "Vary", "Cache-Control"])
        let isPage = type == "text/html" || response.header("Content-Security-Policy") != nil
        for header in response.headers where !known.contains(header.name) && !isPage {
            faults.append("\(header.name) is not described")
        }
        guard !response.body.isEmpty else { return faults + (described["content"] == nil ? [] : ["no body"]) }
        guard let media = described["content"]?[type] else { return faults + ["\(type) is not described"] }
        guard answer.json != .null, let schema = media["schema"] else { return faults }
        return faults + description.faults(of: answer.json, in: schema)
    }

    private func faults(ofBody body: String, of operation: OpenAPIDescription.Operation) throws -> [String] {
        guard let media = operation.json["requestBody"]?["content"]?.members.first?.value["schema"] else {
            return ["a body is not described"]
        }
        return description.faults(of: try JSONValue(parsing: Array(body.utf8)), in: media).map { "body: \($0)" }
    }

    /// A new account, signed in.
    func signUp(_ username: String) async throws -> (id: String, token: String, refreshToken: String) {
        let answer = try await call(
            "POST", "/v1/users",
            #"{"username": "\#(username)", "email": "\#(username)@example.org", "password": "correct horse battery"}"#,
            expect: 201)
        return (answer.json["user"]?["id"]?.text ?? "", answer.text("accessToken"), answer.text("refreshToken"))
    }
}
