import WebDriver

/// An account, and a session of it outside of any browser: what it does is what happens elsewhere.
struct Person: Sendable {
    let app: ServedApp
    let id: String
    let username: String
    private let token: String

    /// From the answer to signing up.
    init(_ app: ServedApp, _ username: String, _ answer: JSON) throws {
        guard let id = answer["user"]?["id"]?.text, let token = answer["accessToken"]?.text else {
            throw WebDriverError("\(username) is not signed up: \(answer)")
        }
        self.app = app
        self.id = id
        self.username = username
        self.token = token
    }

    static func password(of username: String) -> String { "correct horse \(username)" }
    var password: String { Self.password(of: username) }

    @discardableResult
    func send(_ method: String, _ path: String, _ body: JSON? = nil) throws -> JSON {
        try app.send(method, path, body, token: token)
    }

    /// Posts a text as it is.
    func sendText(_ path: String, _ text: String) throws -> JSON {
        try app.send("POST", path, text: text, token: token)
    }

    func befriend(_ other: Person) throws {
        let asked = try send("POST", "/v1/friend-requests", ["to": .string(other.id)])
        try other.send("POST", "/v1/friend-requests/\(asked["id"]?.text ?? "")/accept", [:])
    }

    /// Drops a pin and gives its id; `more` are further members of the body.
    @discardableResult
    func drop(_ name: String, at latitude: Double, _ longitude: Double, _ more: JSON = [:]) throws -> String {
        let body: [String: JSON] = [
            "latitude": .number(latitude), "longitude": .number(longitude), "name": .string(name),
        ]
        let pin = try send("POST", "/v1/pins", .object(body.merging(more.members, uniquingKeysWith: { $1 })))
        guard let id = pin["id"]?.text else { throw WebDriverError("the pin has no id: \(pin)") }
        return id
    }
}
