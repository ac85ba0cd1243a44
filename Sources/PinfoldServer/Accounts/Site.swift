import Foundation
import HTTP

/// How browsers reach the service: what its own pages are, and the cookies that these send.
struct Site: Sendable {
    /// The public URL's scheme, host and port, as browsers write an origin (RFC 6454, 6.2); nil if it is no such URL.
    let origin: String?
    let cookies: SessionCookies

    init(publicURL: String) {
        let url = URL(string: publicURL)
        let scheme = url?.scheme?.lowercased()
        cookies = SessionCookies(isSecure: scheme == "https")
        guard let scheme, let host = url?.host(percentEncoded: true)?.lowercased(), !host.isEmpty else {
            origin = nil
            return
        }
        let isIPv6 = host.contains(":") && !host.hasPrefix("[")
        let port = url?.port.flatMap { $0 == (scheme == "https" ? 443 : 80) ? nil : ":\($0)" } ?? ""
        origin = "\(scheme)://\(isIPv6 ? "[\(host)]" : host)\(port)"
    }

    /// Whether the page that sent the request is one of this service: its origin is that of the public URL, or of the host
    /// that the request itself names. Where the public URL is https, a page that came without it counts only on this
    /// machine: anybody on the way could have written it.
    func isOwnPage(_ request: Request) -> Bool {
        guard let sender = request.header("Origin")?.lowercased() else { return false }
        if sender == origin { return true }
        guard let host = request.header("Host")?.lowercased(), !host.isEmpty else { return false }
        return sender == "https://\(host)"
            || sender == "http://\(host)" && (!cookies.isSecure || Self.isThisMachine(host))
    }

    private static func isThisMachine(_ host: String) -> Bool {
        let name = host.hasPrefix("[") ? host.dropFirst().prefix { $0 != "]" } : host.prefix { $0 != ":" }
        return name == "localhost" || IPAddress(String(name))?.isLoopback == true
    }

    /// Whether the request stands on its cookies: `Authorization` would win over them.
    func relies(onCookiesOf request: Request) -> Bool {
        request.header("Authorization") == nil && cookies.are(in: request)
    }

    /// - Throws: `HTTPError` 403 if the request stands on what a browser sends along by itself, and no page of ours has sent
    ///   it: on cookies, or on a password of HTTP Basic that the browser has remembered. Programs name no origin.
    func requireOwnPage(_ request: Request) throws {
        let isSuspect =
            if let authorization = request.header("Authorization") {
                authorization.hasScheme("Basic") && request.header("Origin") != nil
            } else {
                cookies.are(in: request)
            }
        if isSuspect, !isOwnPage(request) { throw HTTPError.originRefused }
    }

    /// 204 to whoever has ended their session; a browser keeps nothing of it.
    func goodbye(to request: Request) -> Response {
        guard relies(onCookiesOf: request) else { return .noContent }
        let headers = cookies.clearing + [Header("Clear-Site-Data", #""cache", "cookies", "storage""#)]
        return Response(status: 204, headers: headers)
    }
}

extension String {
    /// Whether this value of `Authorization` is of an authentication scheme (RFC 9110, 11.4).
    func hasScheme(_ name: String) -> Bool {
        prefix { $0 != " " }.utf8.count == name.utf8.count && String(prefix(name.count)).equalsIgnoringASCIICase(name)
    }
}

extension HTTPError {
    /// 403 for what a cookie alone does not allow: the page that sends it along might be anybody's.
    static let originRefused = HTTPError(
        403, "origin-refused", "The request comes from another site's page",
        detail: "Origin must be the server's own, which behind a proxy is that of --public-url")
}
