/// One request, complete: its body is read before a handler sees it.
package struct Request: Sendable {
    /// The id that the log line and `X-Request-Id` carry: 16 lowercase hexadecimal digits.
    package let id: String
    /// The method as sent, but `GET` for `HEAD`, whose answer loses its body on the way out.
    package let method: String
    /// The path as sent, percent-encoded, without the query: starts with `/`.
    package let path: String
    /// What stands behind the `?`, percent-encoded; nil if there is none.
    package let queryText: String?
    package let headers: [Header]
    package let body: [UInt8]
    /// The body, where the route has it written to a file; `body` is empty then.
    package let upload: UploadedFile?
    /// The client, behind trusted proxies as they name it.
    package let address: IPAddress
    /// The decoded values of the route's `:name` parts, set by the router.
    package var parameters: [Header]

    package init(
        id: String, method: String, path: String, queryText: String? = nil, headers: [Header] = [],
        body: [UInt8] = [], upload: UploadedFile? = nil, address: IPAddress = .loopback, parameters: [Header] = []
    ) {
        self.id = id
        self.method = method
        self.path = path
        self.queryText = queryText
        self.headers = headers
        self.body = body
        self.upload = upload
        self.address = address
        self.parameters = parameters
    }

    /// The value of the first header field called `name`, whatever its case.
    package func header(_ name: String) -> String? {
        headers.first { $0.name.equalsIgnoringASCIICase(name) }?.value
    }

    /// The decoded value of the route's `:name` part.
    package func parameter(_ name: String) -> String? {
        parameters.first { $0.name == name }?.value
    }
}

extension String {
    /// Header names and tokens compare without case in ASCII alone (RFC 9110, 5.1).
    package func equalsIgnoringASCIICase(_ other: String) -> Bool {
        let (a, b) = (utf8, other.utf8)
        return a.count == b.count
            && zip(a, b).allSatisfy { x, y in
                x == y || (x | 0x20 == y | 0x20 && (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(x | 0x20))
            }
    }
}
