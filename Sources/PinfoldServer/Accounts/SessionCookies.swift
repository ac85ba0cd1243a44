import HTTP

/// A browser's session: its two tokens as cookies that no script reads and that no other site's page sends along
/// (RFC 6265bis).
struct SessionCookies: Sendable {
    /// Whether browsers send them over https alone; then their names say so, which keeps others from setting them.
    let isSecure: Bool

    private var accessName: String { isSecure ? "__Host-pinfold_access" : "pinfold_access" }
    private var refreshName: String { isSecure ? "__Secure-pinfold_refresh" : "pinfold_refresh" }
    /// The refresh token goes nowhere else.
    private static let refreshPath = "/v1/sessions"

    func accessToken(of request: Request) -> Substring? { request.cookie(accessName) }

    func refreshToken(of request: Request) -> Substring? { request.cookie(refreshName) }

    /// Whether the request has one of them.
    func are(in request: Request) -> Bool { accessToken(of: request) != nil || refreshToken(of: request) != nil }

    /// Both for one generation of tokens. The access token's stays as long as the other's: one that is sent but no longer
    /// good is answered with 401, where none at all would be a stranger's request.
    func setting(_ tokens: TokenPair) -> [Header] {
        let lifetime = Session.refreshLifetime / 1000
        return [
            cookie(accessName, tokens.access, path: "/", lifetime: lifetime),
            cookie(refreshName, tokens.refresh, path: Self.refreshPath, lifetime: lifetime),
        ]
    }

    /// Takes both away.
    var clearing: [Header] {
        [
            cookie(accessName, "", path: "/", lifetime: 0),
            cookie(refreshName, "", path: Self.refreshPath, lifetime: 0),
        ]
    }

    private func cookie(_ name: String, _ value: String, path: String, lifetime: Int64) -> Header {
        let secure = isSecure ? "; Secure" : ""
        return Header(
            "Set-Cookie", "\(name)=\(value); Path=\(path); Max-Age=\(lifetime)\(secure); HttpOnly; SameSite=Strict")
    }
}

extension Request {
    /// The value of the first cookie called `name` (RFC 6265, 4.2.1).
    func cookie(_ name: String) -> Substring? {
        for field in headers where field.name.equalsIgnoringASCIICase("Cookie") {
            for pair in field.value.utf8.split(separator: UInt8(ascii: ";")) {
                let pair = pair.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
                guard pair.starts(with: name.utf8) else { continue }
                let rest = pair.dropFirst(name.utf8.count)
                guard rest.first == UInt8(ascii: "=") else { continue }
                return Substring(rest.dropFirst())
            }
        }
        return nil
    }
}
