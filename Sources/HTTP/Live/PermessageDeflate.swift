/// What client and server agree on for permessage-deflate (RFC 7692, 7). Both always compress each message by itself, so
/// that a compressed message can be sent to many and no connection keeps a window.
struct PermessageDeflate: Hashable {
    /// The window that the client can inflate, 9 to 15 bits.
    let windowBits: UInt8
    private let namesWindow: Bool

    /// Takes the first offer that can be met; nil if there is none.
    ///
    /// - Parameter fields: the values of all `Sec-WebSocket-Extensions`, in order.
    init?(offers fields: [String]) {
        for field in fields {
            for offer in field.split(separator: ",", maxSplits: Self.offerLimit) {
                if let accepted = PermessageDeflate(offer: offer) {
                    self = accepted
                    return
                }
            }
        }
        return nil
    }

    private init?(offer: Substring) {
        var parts = offer.split(separator: ";", omittingEmptySubsequences: false).map(Self.trim)[...]
        guard parts.popFirst() == "permessage-deflate" else { return nil }
        var bits: UInt8?
        var names: Set<Substring> = []
        for part in parts {
            let equals = part.firstIndex(of: "=")
            let name = equals.map { Self.trim(part[..<$0]) } ?? part
            let value = equals.map { Self.unquoted(Self.trim(part[part.index(after: $0)...])) }
            guard names.insert(name).inserted else { return nil }
            switch (name, value) {
            case ("server_no_context_takeover", nil), ("client_no_context_takeover", nil),
                ("client_max_window_bits", nil):
                break
            case ("client_max_window_bits", let value?):
                // Whatever window the client compresses with, the largest one inflates.
                guard Self.bits(value) != nil else { return nil }
            case ("server_max_window_bits", let value?):
                // zlib has no window of 8 bits without a header of its own.
                guard let wanted = Self.bits(value), wanted >= 9 else { return nil }
                bits = wanted
            default: return nil
            }
        }
        windowBits = bits ?? 15
        namesWindow = bits != nil
    }

    /// The `Sec-WebSocket-Extensions` of the answer.
    var answer: String {
        "permessage-deflate; server_no_context_takeover; client_no_context_takeover"
            + (namesWindow ? "; server_max_window_bits=\(windowBits)" : "")
    }

    private static func bits(_ text: Substring) -> UInt8? {
        guard (1...2).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            text.first != "0", let bits = UInt8(text), (8...15).contains(bits)
        else { return nil }
        return bits
    }

    private static func trim(_ text: Substring) -> Substring {
        var text = text
        while text.utf8.first == 0x20 || text.utf8.first == 0x09 { text = text.dropFirst() }
        while text.utf8.last == 0x20 || text.utf8.last == 0x09 { text = text.dropLast() }
        return text
    }

    private static func unquoted(_ text: Substring) -> Substring {
        text.utf8.count >= 2 && text.first == "\"" && text.last == "\"" ? text.dropFirst().dropLast() : text
    }

    /// How many offers of a field are looked at.
    private static let offerLimit = 16
}
