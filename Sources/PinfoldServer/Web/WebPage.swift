import CSodium
import Foundation
import HTTP

/// A self-contained HTML page, assembled once, with the header fields that let its own style and script run and no
/// others (Content Security Policy Level 3, hash sources).
package struct WebPage: Sendable {
    private let content: StaticContent

    /// `style` and `script` become the page's only `<style>` and `<script>`; `head` holds further metadata.
    init(title: String, head: String, style: String, body: String, script: String) {
        // The hash covers the element's text to the byte, so the text is set here and nowhere else.
        let styleText = "\n\(style)\n"
        let scriptText = "\n\(script)\n"
        let bytes = Array(
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
        let policy = [
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
        content = StaticContent(
            "text/html; charset=utf-8", bytes, tag: String(Self.digest(bytes + Array(policy.utf8)).prefix(16)),
            headers: PageHeaders.all + [Header("Content-Security-Policy", policy)])
    }

    /// In the form that the client takes.
    package func response(to request: Request) -> Response { content.response(to: request) }

    /// SHA-256 in base64, as CSP hash sources want it.
    private static func digest(_ bytes: [UInt8]) -> String {
        var digest = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
        crypto_hash_sha256(&digest, bytes, UInt64(bytes.count))
        return Data(digest).base64EncodedString()
    }
}
