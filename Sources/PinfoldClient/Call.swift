import Foundation

/// One request of the API, before it has a token.
struct Call: Sendable {
    enum Method: String {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    enum Access {
        case everyone, signedIn
        /// With a token if there is one: then the answer has more.
        case signedInOrNot
    }

    enum Body {
        case data(Data, mediaType: String)
        /// Sent from a file, piece by piece.
        case file(URL, mediaType: String)
    }

    let method: Method
    /// Percent-encoded, without the base URL's.
    let path: String
    var query: [(name: String, value: String)] = []
    var headers: [(name: String, value: String)] = []
    var body: Body?
    var access = Access.signedIn
    /// Whether it does the same when it is sent again.
    var isRepeatable: Bool

    init(_ method: Method, _ path: String, access: Access = .signedIn) {
        self.method = method
        self.path = path
        self.access = access
        isRepeatable = method == .get || method == .put || method == .delete
    }

    /// With a JSON body. The same value is always the same bytes: a creation that is tried again later under its
    /// idempotency key must be the same request, and unsorted keys come in another order each time.
    func sending(_ body: some Encodable, as mediaType: String = "application/json") throws -> Call {
        var copy = self
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        copy.body = .data(try encoder.encode(body), mediaType: mediaType)
        return copy
    }

    /// As a creation that the server does once, however often it is sent.
    func once(_ key: IdempotencyKey) -> Call {
        var copy = with("Idempotency-Key", key.text)
        copy.isRepeatable = true
        return copy
    }

    /// Only if the resource is still as it was with this tag. Sent twice it is done once: the second time is refused.
    func ifMatch(_ tag: String?) -> Call {
        guard let tag else { return self }
        var copy = with("If-Match", tag)
        copy.isRepeatable = true
        return copy
    }

    /// Only if the resource is no longer as it was with this tag.
    func ifNoneMatch(_ tag: String?) -> Call { tag.map { with("If-None-Match", $0) } ?? self }

    func with(_ name: String, _ value: String) -> Call {
        var copy = self
        copy.headers.append((name, value))
        return copy
    }

    func query(_ name: String, _ value: String?) -> Call {
        guard let value else { return self }
        var copy = self
        copy.query.append((name, value))
        return copy
    }

    /// May be sent again though its method does not promise it.
    var repeatable: Call {
        var copy = self
        copy.isRepeatable = true
        return copy
    }

    /// The path and query behind the base URL's path.
    var target: String {
        guard !query.isEmpty else { return path }
        return path + "?" + query.map { "\($0.name)=\(Self.encoded($0.value))" }.joined(separator: "&")
    }

    /// A text as one part of a path.
    static func pathPart(_ text: String) -> String { encoded(text) }

    /// Percent-encoded but for letters, digits and `-._~` (RFC 3986, 2.3), and `,` and `:`, which a query may have.
    private static func encoded(_ text: String) -> String {
        let hex = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"), UInt8(ascii: ","), UInt8(ascii: ":"):
                bytes.append(byte)
            default: bytes += [UInt8(ascii: "%"), hex[Int(byte >> 4)], hex[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
