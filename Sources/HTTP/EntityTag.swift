/// Conditional reads with entity tags (RFC 9110, 8.8.3 and 13.1.2).
enum EntityTag {
    /// What the server sends in the place of `response`: 304 with the fields that caches need if `ifNoneMatch` names the
    /// answer's own tag, and `response` otherwise.
    static func answer(_ response: Response, method: String, ifNoneMatch: String?) -> Response {
        guard
            let ifNoneMatch, response.status == 200, method == "GET", let tag = response.header("ETag"),
            matches(ifNoneMatch, tag)
        else { return response }
        return Response(
            status: 304,
            headers: response.headers.filter { header in
                kept.contains { header.name.equalsIgnoringASCIICase($0) }
            })
    }

    /// Whether a list of tags, or `*`, holds `tag`; weak and strong ones count as the same.
    static func matches(_ list: String, _ tag: String) -> Bool {
        let wanted = opaque(Substring(tag))
        var rest = Substring(list)
        while true {
            rest = rest.drop { $0 == " " || $0 == "\t" || $0 == "," }
            if rest.isEmpty { return false }
            if rest.first == "*" { return true }
            // A comma may stand inside a tag, so the list is read quote by quote.
            let start = rest.startIndex
            if rest.hasPrefix("W/") { rest = rest.dropFirst(2) }
            guard rest.first == "\"", let end = rest.dropFirst().firstIndex(of: "\"") else { return false }
            if opaque(rest.base[start...end]) == wanted { return true }
            rest = rest[rest.index(after: end)...]
        }
    }

    private static func opaque(_ tag: Substring) -> Substring {
        tag.hasPrefix("W/") ? tag.dropFirst(2) : tag
    }

    private static let kept = ["ETag", "Cache-Control", "Vary", "Content-Location", "Expires", "Last-Modified"]
}
