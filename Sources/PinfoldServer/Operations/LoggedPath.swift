import HTTP

/// A path as the log may have it: without the names of things whose name is a secret.
enum LoggedPath {
    /// Collections whose items are named by what only their holder knows.
    private static let secretCollections = ["password-resets", "invites"]

    /// Whatever stands behind the name of such a collection becomes `…`, wherever that stands and however it is escaped:
    /// a mistyped path is logged too.
    static func of(_ path: String) -> String {
        guard mayHoldSecret(path) else { return path }
        var isSecret = false
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map { part in
            guard !isSecret else { return part.isEmpty ? "" : "…" }
            let name = PercentEncoding.decode(part.utf8) ?? ""
            isSecret = secretCollections.contains(name)
            return String(part)
        }
        return parts.joined(separator: "/")
    }

    /// Most paths are looked through once, and are done.
    private static func mayHoldSecret(_ path: String) -> Bool {
        var rest = path.utf8[...]
        var startsPart = true
        while !rest.isEmpty {
            if startsPart, secretCollections.contains(where: { rest.starts(with: $0.utf8) }) { return true }
            let byte = rest.removeFirst()
            if byte == UInt8(ascii: "%") { return true }
            startsPart = byte == UInt8(ascii: "/")
        }
        return false
    }
}
