/// The attribution of a map that somebody else made, of which only text and links are kept: it is shown as HTML.
struct AttributionMarkup: Equatable {
    let html: String

    init(_ source: String) {
        var html = ""
        var rest = source[...]
        var isInLink = false
        while let start = rest.firstIndex(of: "<") {
            html += Self.escaped(rest[..<start])
            let next = rest[rest.index(after: start)...].first
            let isTag = next.map { $0.isASCII && $0.isLetter || $0 == "/" || $0 == "!" } ?? false
            guard isTag, let end = rest[start...].firstIndex(of: ">") else {
                rest = rest[rest.index(after: start)...]
                html += "&lt;"
                continue
            }
            let tag = rest[rest.index(after: start)..<end]
            rest = rest[rest.index(after: end)...]
            if tag.lowercased() == "/a", isInLink {
                html += "</a>"
                isInLink = false
            } else if !isInLink, let address = Self.address(ofLink: tag) {
                html += "<a href=\"\(Self.escaped(address[...]))\" rel=\"noopener\" target=\"_blank\">"
                isInLink = true
            }
        }
        html += Self.escaped(rest)
        if isInLink { html += "</a>" }
        self.html = html
    }

    /// The address of `a href="…"`, if it is one of the web.
    private static func address(ofLink tag: Substring) -> String? {
        guard let found = tag.firstMatch(of: #/^[aA]\s(?:.*\s)?[hH][rR][eE][fF]\s*=\s*(?:"([^"]*)"|'([^']*)')/#),
            let address = found.1 ?? found.2
        else { return nil }
        let decoded = address.replacing("&amp;", with: "&")
        return decoded.hasPrefix("https://") || decoded.hasPrefix("http://") ? String(decoded) : nil
    }

    /// Text as HTML has it. References to characters, which attributions often have, stay.
    private static func escaped(_ text: Substring) -> String {
        String(text).replacing(#/&(?!(?:[a-zA-Z]{2,12}|#[0-9]{1,6});)/#, with: "&amp;")
            .replacing("<", with: "&lt;").replacing(">", with: "&gt;").replacing("\"", with: "&quot;")
    }
}
