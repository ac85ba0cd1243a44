/// A range of addresses as `10.0.0.0/8` or `2001:db8::/32` (RFC 4632, RFC 4291).
package struct CIDRBlock: Sendable, Hashable {
    package let base: IPAddress
    /// How many leading bits an address shares with `base`: 0–32 or 0–128.
    package let prefixLength: Int

    /// Reads an address with or without `/bits`; without, the block is that one address. Nil for anything else, and for
    /// a base with bits behind the prefix, which is most likely a slip.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let base = IPAddress(parts[0]) else { return nil }
        var length = base.bytes.count * 8
        if parts.count == 2 {
            guard
                parts[1].utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
                let bits = Int(parts[1]), bits <= length
            else { return nil }
            length = bits
        }
        self.base = base
        prefixLength = length
        for bit in length..<(base.bytes.count * 8) where base.bytes[bit / 8] & (0x80 >> UInt8(bit % 8)) != 0 {
            return nil
        }
    }

    package func contains(_ address: IPAddress) -> Bool {
        guard address.bytes.count == base.bytes.count else { return false }
        let whole = prefixLength / 8
        guard address.bytes[..<whole] == base.bytes[..<whole] else { return false }
        let rest = UInt8(prefixLength % 8)
        return rest == 0 || (address.bytes[whole] ^ base.bytes[whole]) >> (8 - rest) == 0
    }
}

extension CIDRBlock: CustomStringConvertible {
    package var description: String { "\(base)/\(prefixLength)" }
}

extension [CIDRBlock] {
    package func contains(_ address: IPAddress) -> Bool {
        contains { $0.contains(address) }
    }

    /// The client of a request that came from `peer`, when these blocks are the trusted proxies.
    ///
    /// Each proxy appends to `X-Forwarded-For` whom it was called by, so the list is read from its right end and only as
    /// far as trusted hands wrote it: the first address that is no trusted proxy is the client, whatever stands left of
    /// it. An entry that is no address ends the reading at the hop before it.
    package func client(peer: IPAddress, forwardedFor fields: [String]) -> IPAddress {
        var address = peer
        for entry in fields.reversed().lazy.flatMap({
            $0.split(separator: ",", omittingEmptySubsequences: false).reversed()
        }) {
            guard contains(address), let next = Self.address(ofHop: entry) else { break }
            address = next
        }
        return address
    }

    /// An entry of `X-Forwarded-For`: an address, which some proxies give a port.
    private static func address(ofHop entry: Substring) -> IPAddress? {
        var text = entry.drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        if text.first == "[" {
            guard let end = text.firstIndex(of: "]") else { return nil }
            return IPAddress(text[text.index(after: text.startIndex)..<end])
        }
        if let colon = text.firstIndex(of: ":"), text[text.index(after: colon)...].firstIndex(of: ":") == nil {
            text = text[..<colon]
        }
        return IPAddress(text)
    }
}
