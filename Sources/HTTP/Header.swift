/// One header field of a request or an answer, name and value as on the wire (RFC 9110, 5).
package struct Header: Sendable, Hashable {
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
