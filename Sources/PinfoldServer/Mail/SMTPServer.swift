import CCurl
import HTTP

/// A mail server that takes messages: `smtp://HOST[:PORT]` or `smtps://HOST[:PORT]`, with `USER:PASSWORD@` if it wants
/// them.
///
/// `smtps` is TLS from the first byte; `smtp` becomes TLS by STARTTLS (RFC 3207) or is not used at all, except on the
/// loopback, where nobody listens in.
package struct SMTPServer: Sendable, CustomStringConvertible {
    /// Why a URL is none of a mail server; says nothing of what is in it.
    package struct URLFault: Error, Sendable {
        package let message: String
    }

    let isTLSFromStart: Bool
    let host: String
    let port: Int
    let user: String?
    let password: String?

    /// - Throws: `URLFault`.
    package init(url text: String) throws {
        guard text.utf8.count <= 2000, let url = curl_url() else { throw URLFault(message: "is too long") }
        defer { curl_url_cleanup(url) }
        guard curl_url_set(url, CURLUPART_URL, text, 0) == CURLUE_OK else {
            throw URLFault(message: "must be a URL such as smtps://USER:PASSWORD@mail.example.org")
        }
        func part(_ part: CURLUPart, flags: Int32 = 0) throws -> String? {
            var value: UnsafeMutablePointer<CChar>?
            switch curl_url_get(url, part, &value, UInt32(flags)) {
            case CURLUE_OK:
                defer { curl_free(value) }
                return value.flatMap { String(validatingCString: $0) }
            case CURLUE_URLDECODE: throw URLFault(message: "has an escape that cannot be decoded")
            default: return nil
            }
        }
        switch try part(CURLUPART_SCHEME) {
        case "smtp": isTLSFromStart = false
        case "smtps": isTLSFromStart = true
        default: throw URLFault(message: "must start with smtp:// or smtps://")
        }
        let isBare = try part(CURLUPART_QUERY) == nil && part(CURLUPART_FRAGMENT) == nil
        guard isBare, ["", "/", nil].contains(try part(CURLUPART_PATH)), let host = try part(CURLUPART_HOST),
            !host.isEmpty
        else { throw URLFault(message: "must have a host, and nothing behind it but a port") }
        self.host = host
        // Submission has ports of its own: RFC 6409 and RFC 8314.
        port = try part(CURLUPART_PORT).flatMap { Int($0) } ?? (isTLSFromStart ? 465 : 587)
        guard port > 0 else { throw URLFault(message: "must have a port from 1 to 65535") }
        user = try part(CURLUPART_USER, flags: CURLU_URLDECODE)
        password = try part(CURLUPART_PASSWORD, flags: CURLU_URLDECODE)
        guard (user == nil) == (password == nil), user != "" else {
            throw URLFault(message: "must have a user and a password, or neither")
        }
    }

    /// The network does not leave the machine.
    var isLoopback: Bool {
        let name = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        return name.equalsIgnoringASCIICase("localhost") || IPAddress(name)?.isLoopback == true
    }

    /// Without user and password.
    package var description: String { "\(isTLSFromStart ? "smtps" : "smtp")://\(host):\(port)" }
}
