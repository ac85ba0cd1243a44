import CSodium
import Foundation
import HTTP

/// A self-contained HTML page, assembled once, with the header fields that let its own style and script run and no
/// others (Content Security Policy Level 3, hash sources).
package struct WebPage: Sendable {
    /// The document in UTF-8.
    package let bytes: [UInt8]
    /// The value of `Content-Security-Policy`.
    package let contentSecurityPolicy: String
    /// A strong entity tag, quotes included.
    package let entityTag: String

    /// `style` and `script` become the page's only `<style>` and `<script>`; `head` holds further metadata.
    init(title: String, head: String, style: String, body: String, script: String) {
        // The hash covers the element's text to the byte, so the text is set here and nowhere else.
        let styleText = "\n\(style)\n"
        let scriptText = "\n\(script)\n"
        bytes = Array(
            """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <title>\(title)</title>
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            \(head)
            <style>\(styleText)</style>
            </head>
            <body>
            \(body)
            <script>\(scriptText)</script>
            </body>
            </html>

            """.utf8)
        contentSecurityPolicy = [
            "default-src 'none'",
            "script-src 'sha256-\(Self.digest(Array(scriptText.utf8)))'",
            "style-src 'sha256-\(Self.digest(Array(styleText.utf8)))'",
            "connect-src 'self'",
            "img-src 'self' data:",
            "base-uri 'none'",
            "form-action 'self'",
            "frame-ancestors 'none'",
            "require-trusted-types-for 'script'",
        ].joined(separator: "; ")
        // The policy belongs to the page: a change of either must not be answered with 304.
        entityTag = "\"\(Self.digest(bytes + Array(contentSecurityPolicy.utf8)).prefix(16))\""
    }

    package var response: Response {
        Response(
            status: 200,
            headers: [
                Header("Content-Type", "text/html; charset=utf-8"),
                Header("ETag", entityTag),
                Header("Cache-Control", "no-cache"),
                Header("Content-Security-Policy", contentSecurityPolicy),
                Header("X-Content-Type-Options", "nosniff"),
                Header("Referrer-Policy", "no-referrer"),
                Header("Permissions-Policy", "geolocation=(self)"),
                Header("Cross-Origin-Opener-Policy", "same-origin"),
            ], body: bytes)
    }

    /// SHA-256 in base64, as CSP hash sources want it.
    private static func digest(_ bytes: [UInt8]) -> String {
        var digest = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
        crypto_hash_sha256(&digest, bytes, UInt64(bytes.count))
        return Data(digest).base64EncodedString()
    }
}
