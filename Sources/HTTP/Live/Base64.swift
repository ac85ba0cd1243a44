/// Base64 with padding (RFC 4648, 4), for the few bytes of a handshake.
enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var word = group.reduce(0) { $0 << 8 | Int($1) }
            word <<= 8 * (3 - group.count)
            for index in 0..<4 {
                let digit = alphabet[word >> (18 - 6 * index) & 0x3f]
                text.append(index <= group.count ? digit : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Whether a text encodes 16 bytes. Bits that do not count are not looked at.
    static func isNonce(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return bytes.count == 24 && bytes[22...].elementsEqual("==".utf8) && bytes[..<22].allSatisfy(alphabet.contains)
    }
}
