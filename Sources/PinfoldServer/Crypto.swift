import CSodium
import HTTP

/// Makes libsodium ready; call once before anything else of it.
///
/// - Throws: `CryptoUnavailable` when the system offers no randomness.
package func startCrypto() throws {
    guard sodium_init() >= 0 else { throw CryptoUnavailable() }
}

/// libsodium cannot start.
package struct CryptoUnavailable: Error, CustomStringConvertible {
    package var description: String { "the system offers no source of randomness" }
}

/// `count` unpredictable bytes from the operating system.
package func randomBytes(_ count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
        if let start = buffer.baseAddress { randombytes_buf(start, count) }
        initialized = count
    }
}

/// BLAKE2b (RFC 7693) of `message`, `count` bytes (16–64) long, keyed if `key` is given.
package func blake2b(_ message: [UInt8], key: [UInt8] = [], count: Int = 32) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
        crypto_generichash(buffer.baseAddress!, count, message, UInt64(message.count), key, key.count)  // count > 0
        initialized = count
    }
}

/// BLAKE2b (RFC 7693), 32 bytes long, of a message that comes in pieces. It is used by one thread.
final class BLAKE2b {
    private let memory: UnsafeMutableRawPointer
    private var state: OpaquePointer { OpaquePointer(memory) }

    init() {
        memory = UnsafeMutableRawPointer.allocate(byteCount: crypto_generichash_statebytes(), alignment: 64)
        crypto_generichash_init(state, nil, 0, 32)
    }

    deinit { memory.deallocate() }

    func update(_ bytes: UnsafeRawBufferPointer) {
        crypto_generichash_update(
            state, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt64(bytes.count))
    }

    func update(_ text: String) {
        var text = text
        text.withUTF8 { update(UnsafeRawBufferPointer($0)) }
    }

    /// The digest; nothing comes after it.
    func finish() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 32) { buffer, initialized in
            crypto_generichash_final(state, buffer.baseAddress!, 32)  // it has 32 bytes
            initialized = 32
        }
    }
}

/// `message` enciphered or deciphered by XChaCha20 (draft-irtf-cfrg-xchacha), which alone does not keep it from changes.
///
/// - Parameters:
///   - key: 32 bytes.
///   - nonce: at most 24 bytes; shorter ones are filled up with 0.
func xchacha20(_ message: [UInt8], key: [UInt8], nonce: [UInt8]) -> [UInt8] {
    precondition(key.count == Int(crypto_stream_xchacha20_keybytes()), "the cipher reads so many")
    let size = Int(crypto_stream_xchacha20_noncebytes())
    let nonce = Array((nonce + Array(repeating: 0, count: size)).prefix(size))
    return [UInt8](unsafeUninitializedCapacity: max(1, message.count)) { buffer, initialized in
        crypto_stream_xchacha20_xor(buffer.baseAddress!, message, UInt64(message.count), nonce, key)  // 1 byte at least
        initialized = message.count
    }
}

/// Whether two byte strings are equal, in a time that does not depend on where they differ.
func equalsInConstantTime(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    a.count == b.count && sodium_memcmp(a, b, a.count) == 0
}

/// Base64url without padding (RFC 4648, 5).
func base64URL(_ bytes: [UInt8]) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count * 4 + 2) / 3)
    var index = 0
    while index < bytes.count {
        let left = bytes.count - index
        let group =
            UInt32(bytes[index]) << 16 | UInt32(left > 1 ? bytes[index + 1] : 0) << 8
            | UInt32(left > 2 ? bytes[index + 2] : 0)
        for position in 0..<min(4, left + 1) { text.append(alphabet[Int(group >> (18 - 6 * position) & 63)]) }
        index += 3
    }
    return String(decoding: text, as: UTF8.self)
}

/// The bytes of base64url text; nil unless it is canonical and without padding.
func bytes(base64URL text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count * 3 / 4)
    var group: UInt32 = 0
    var bits = 0
    for byte in text.utf8 {
        let digit: UInt8
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit = byte - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): digit = byte - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0") + 52
        case UInt8(ascii: "-"): digit = 62
        case UInt8(ascii: "_"): digit = 63
        default: return nil
        }
        group = group << 6 | UInt32(digit)
        bits += 6
        if bits >= 8 {
            bits -= 8
            bytes.append(UInt8(truncatingIfNeeded: group >> UInt32(bits)))
        }
    }
    guard bits < 6, group & ((1 << UInt32(bits)) - 1) == 0 else { return nil }
    return bytes
}
