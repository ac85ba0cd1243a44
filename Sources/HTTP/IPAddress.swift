import Glibc

/// An IPv4 or IPv6 address; IPv4-mapped IPv6 is kept as IPv4.
package struct IPAddress: Sendable, Hashable {
    /// 4 or 16 bytes in network order.
    package let bytes: [UInt8]

    /// From 4 or 16 bytes in network order; `::ffff:a.b.c.d` becomes `a.b.c.d`.
    package init(bytes: [UInt8]) {
        precondition(bytes.count == 4 || bytes.count == 16, "an address has 4 or 16 bytes")
        self.bytes = bytes.count == 16 && bytes.starts(with: Self.mappedPrefix) ? Array(bytes[12...]) : bytes
    }

    /// Reads `192.0.2.1` or `2001:db8::1`, without brackets, port or zone; nil for anything else.
    package init?(_ text: some StringProtocol) {
        let text = String(text)
        guard !text.utf8.contains(0) else { return nil }
        var buffer = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, text, &buffer) == 1 {
            self.init(bytes: Array(buffer[..<4]))
        } else if inet_pton(AF_INET6, text, &buffer) == 1 {
            self.init(bytes: buffer)
        } else {
            return nil
        }
    }

    /// The address of a socket; nil for other families than IPv4 and IPv6.
    init?(_ address: UnsafePointer<sockaddr>) {
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            self.init(
                bytes: address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                    withUnsafeBytes(of: $0.pointee.sin_addr) { Array($0) }
                })
        case AF_INET6:
            self.init(
                bytes: address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                    withUnsafeBytes(of: $0.pointee.sin6_addr) { Array($0) }
                })
        default: return nil
        }
    }

    package static let loopback = IPAddress(bytes: [127, 0, 0, 1])

    package var isIPv4: Bool { bytes.count == 4 }

    /// `127.0.0.0/8` or `::1`.
    package var isLoopback: Bool {
        isIPv4 ? bytes[0] == 127 : bytes[15] == 1 && bytes[..<15].allSatisfy { $0 == 0 }
    }

    /// What one subscriber usually has to himself: an IPv4 address, or the /64 of an IPv6 address. Counts and throttles
    /// go by this, since anybody with IPv6 has 2^64 addresses.
    package var network: IPAddress {
        isIPv4 ? self : IPAddress(bytes: bytes[..<8] + [UInt8](repeating: 0, count: 8))
    }

    private static let mappedPrefix: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]
}

extension IPAddress: CustomStringConvertible {
    /// `192.0.2.1`, or the form of RFC 5952: `2001:db8::1`.
    package var description: String {
        if isIPv4 { return dotted }
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(AF_INET6, bytes, &text, socklen_t(text.count)) != nil else { return "?" }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Each line of the access log has one, so it is made without a detour.
    private var dotted: String {
        String(unsafeUninitializedCapacity: 15) { text in
            var count = 0
            for (index, byte) in bytes.enumerated() {
                if index > 0 {
                    text[count] = UInt8(ascii: ".")
                    count += 1
                }
                for (unit, isShown) in [(UInt8(100), byte >= 100), (10, byte >= 10), (1, true)] where isShown {
                    text[count] = UInt8(ascii: "0") + byte / unit % 10
                    count += 1
                }
            }
            return count
        }
    }
}
