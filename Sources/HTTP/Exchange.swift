/// One request and how it was answered, for logs and counters.
package struct Exchange: Sendable {
    /// As in `X-Request-Id`.
    package let requestID: String
    /// As sent; empty if the request could not be read.
    package let method: String
    /// Percent-encoded, without the query.
    package let path: String
    /// The pattern of the route; nil if there was none.
    package let pattern: String?
    package let status: Int
    /// The length of the body that was sent.
    package let bytes: Int
    /// Nanoseconds from the arrival of the request line until the last byte of the answer was handed to the system.
    /// (`Duration` would bring 128-bit divisions to each request.)
    package let nanoseconds: Int64
    /// The client, behind trusted proxies as they name it.
    package let address: IPAddress
    /// The answer was sent to its end.
    package let isComplete: Bool
    private let headers: [Header]

    init(
        requestID: String, method: String, path: String, pattern: String?, status: Int, bytes: Int,
        nanoseconds: Int64, address: IPAddress, isComplete: Bool, headers: [Header]
    ) {
        self.requestID = requestID
        self.method = method
        self.path = path
        self.pattern = pattern
        self.status = status
        self.bytes = bytes
        self.nanoseconds = nanoseconds
        self.address = address
        self.isComplete = isComplete
        self.headers = headers
    }

    /// What the client calls itself.
    package var userAgent: String? {
        headers.first { $0.name.equalsIgnoringASCIICase("User-Agent") }?.value
    }
}
