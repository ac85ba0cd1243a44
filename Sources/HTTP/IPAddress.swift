/// An IPv4 or IPv6 address; IPv4-mapped IPv6 is kept as IPv4.
package struct IPAddress: Sendable, Hashable {
    /// 4 or 16 bytes in network order.
    package let bytes: [UInt8]

    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    package static let loopback = IPAddress(bytes: [127, 0, 0, 1])
}
