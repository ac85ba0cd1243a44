import HTTP

/// The header fields that every page for people has besides its content security policy.
enum PageHeaders {
    static let all = [
        Header("Cache-Control", "no-cache"),
        Header("X-Content-Type-Options", "nosniff"),
        Header("Referrer-Policy", "no-referrer"),
        Header("Permissions-Policy", "geolocation=(self)"),
        Header("Cross-Origin-Opener-Policy", "same-origin"),
    ]
}
