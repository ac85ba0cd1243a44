import CSodium
import Foundation
import HTTP

/// Hashes and checks passwords with Argon2id (RFC 9106), at most `concurrency` at a time: each takes the memory of
/// `cost` and a core for tens of milliseconds.
///
/// Both calls block; call them on a pool thread.
package final class PasswordHasher: Sendable {
    package struct Cost: Sendable {
        /// Passes over the memory.
        package var passes: UInt64
        /// Memory in KiB.
        package var memoryKiB: Int

        /// 19 MiB and two passes, the OWASP Password Storage Cheat Sheet's first choice for Argon2id.
        package static let standard = Cost(passes: 2, memoryKiB: 19 * 1024)
        /// The least that Argon2id takes; for tests.
        package static let least = Cost(passes: 1, memoryKiB: 8)
    }

    private let cost: Cost
    private let gate: DispatchSemaphore
    /// The hash of no one's password, checked when there is no account, so that both cases are the same work.
    private let decoy: String

    package init(cost: Cost = .standard, concurrency: Int = 2) {
        self.cost = cost
        gate = DispatchSemaphore(value: concurrency)
        decoy = Self.argon2id(base64URL(randomBytes(16)), cost) ?? ""
    }

    /// 8 to 256 characters, anything but NUL.
    static var reader: FieldReader<JSONValue, String> { .text(8...256) }

    /// The hash of `password` with its salt and cost, in PHC string form.
    ///
    /// - Throws: `HTTPError` 503 when there is no memory for it.
    func hash(_ password: String) throws -> String {
        gate.wait()
        defer { gate.signal() }
        guard let hash = Self.argon2id(password, cost) else { throw HTTPError.unavailable(retryAfter: 1) }
        return hash
    }

    /// Whether `password` is the one behind `hash`; nil for an account that does not exist, at the same cost.
    func check(_ password: String, against hash: String?) -> Bool {
        gate.wait()
        defer { gate.signal() }
        let bytes = Self.normalized(password)
        let matches = (hash ?? decoy).withCString { stored in
            bytes.withUnsafeBufferPointer {
                crypto_pwhash_str_verify(stored, $0.baseAddress!, UInt64($0.count)) == 0  // never empty
            }
        }
        return matches && hash != nil
    }

    private static func argon2id(_ password: String, _ cost: Cost) -> String? {
        let bytes = normalized(password)
        var output = [CChar](repeating: 0, count: Int(crypto_pwhash_STRBYTES))
        let result = bytes.withUnsafeBufferPointer {
            crypto_pwhash_str_alg(
                &output, $0.baseAddress!, UInt64($0.count), cost.passes, cost.memoryKiB * 1024,  // never empty
                crypto_pwhash_ALG_ARGON2ID13)
        }
        guard result == 0 else { return nil }
        return String(decoding: output.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// NFC, so that one password typed on two keyboards is one (RFC 8265, OpaqueString).
    private static func normalized(_ password: String) -> [CChar] {
        password.precomposedStringWithCanonicalMapping.utf8.map { CChar(bitPattern: $0) }
            + (password.isEmpty ? [0] : [])
    }
}
