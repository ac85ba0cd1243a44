/// A language that mail is written in.
enum MailLanguage: String, CaseIterable, Sendable {
    case en, es, pl

    /// The best one that an `Accept-Language` field asks for (RFC 9110, 12.5.4), English if it asks for none of them.
    init(accepting field: String?) {
        self = .en
        var best = 0.0
        for range in (field ?? "").split(separator: ",").prefix(50) {
            let parts = range.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
            guard let name = parts.first, let language = Self(tag: name) else { continue }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
            guard weight.isFinite, weight > best else { continue }
            self = language
            best = weight
        }
    }

    private init?(tag: String) {
        guard let found = tag == "*" ? .en : LanguageTag(tag).flatMap({ Self(rawValue: $0.language) }) else {
            return nil
        }
        self = found
    }
}
