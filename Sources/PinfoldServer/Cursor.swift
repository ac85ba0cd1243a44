import HTTP

/// Where a list goes on: the sort key of the last item shown, sealed so that only this server, for the same viewer and
/// the same list, takes it back.
///
/// Sealed form: base64url of the payload, enciphered by XChaCha20, followed by a 16-byte BLAKE2b MAC over the plain payload
/// and the list's description, which is the cipher's nonce too (as in SIV, RFC 5297). Nobody reads out of a cursor how
/// much others do.
struct CursorSeal: Sendable {
    private static let macLength = 16
    private static let maximumLength = 700
    let key: [UInt8]
    private let streamKey: [UInt8]

    init(key: [UInt8]) {
        self.key = key
        streamKey = blake2b(Array("stream".utf8), key: key)
    }

    /// - Parameter list: what the cursor is valid for: route, viewer and filters.
    func seal(_ payload: [UInt8], for list: String) -> String {
        let mac = mac(payload, list)
        return base64URL(xchacha20(payload, key: streamKey, nonce: mac) + mac)
    }

    /// The payload of `cursor`.
    ///
    /// - Parameter field: what the refusal names.
    /// - Throws: `HTTPError` 400 for a damaged or foreign cursor.
    func open(_ cursor: String, for list: String, field: String = "cursor") throws -> [UInt8] {
        let refusal = HTTPError.badRequest(field, "is damaged or belongs to another list")
        guard cursor.utf8.count <= Self.maximumLength, let sealed = bytes(base64URL: cursor),
            sealed.count >= Self.macLength
        else { throw refusal }
        let given = Array(sealed.suffix(Self.macLength))
        let payload = xchacha20(Array(sealed.dropLast(Self.macLength)), key: streamKey, nonce: given)
        guard equalsInConstantTime(given, mac(payload, list)) else {
            throw refusal
        }
        return payload
    }

    private func mac(_ payload: [UInt8], _ list: String) -> [UInt8] {
        var message = payload
        message.append(contentsOf: list.utf8)
        withUnsafeBytes(of: UInt64(payload.count).littleEndian) { message.append(contentsOf: $0) }
        return blake2b(message, key: key, count: Self.macLength)
    }
}

/// Which part of a list is asked for.
struct Page {
    /// 1–500.
    var limit: Int
    var cursor: String?

    static let limits = 1...500
    static let defaultLimit = 50

    init(_ query: inout QueryFields) {
        limit = query.optional("limit", .integer(Self.limits)) ?? Self.defaultLimit
        cursor = query.optional("cursor", .text(1...1000))
    }
}
