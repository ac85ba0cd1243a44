import Foundation

/// What `Authorization: Basic` says (RFC 7617).
package struct BasicCredentials: Sendable {
    package let username: String
    package let password: String

    /// - Parameter credentials: what stands behind the scheme.
    /// - Returns: nil if that is not base64 of `username:password` in UTF-8.
    package init?(_ credentials: some StringProtocol) {
        guard credentials.utf8.count <= 4096, let data = Data(base64Encoded: String(credentials)),
            let text = String(validating: data, as: UTF8.self), let colon = text.firstIndex(of: ":")
        else { return nil }
        username = String(text[..<colon])
        password = String(text[text.index(after: colon)...])
    }
}
