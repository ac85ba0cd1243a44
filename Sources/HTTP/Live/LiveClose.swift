/// Why a live connection ends, as in RFC 6455, 7.4: a code, and a reason of at most 123 bytes.
package struct LiveClose: Error, Sendable, Hashable {
    package let code: UInt16
    package let reason: String

    package init(_ code: UInt16, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    /// 1000: the purpose is fulfilled.
    package static let normal = LiveClose(1000, "")
    /// 1001: the server stops.
    package static let goingAway = LiveClose(1001, "going-away")
    /// 1005: the client closed and gave no code. Never sent.
    package static let noCode = LiveClose(1005, "")
    /// 1006: the connection broke without a close frame. Never sent.
    package static let lost = LiveClose(1006, "")
    /// 1006: nothing was heard for too long. Sent as going away, in case the client hears it after all.
    package static let silent = LiveClose(1006, "silent")
    /// 4408: the client takes messages more slowly than they come; it may resume with its last cursor.
    package static let slowReader = LiveClose(4408, "slow-reader")
    /// 4429: the client sends more messages than it may.
    package static let flood = LiveClose(4429, "flood")

    static func protocolError(_ reason: String) -> LiveClose { LiveClose(1002, reason) }
    static let slowMessage = LiveClose(1008, "a message took too long")
    static let notText = LiveClose(1003, "only text messages are read")
    static let notUTF8 = LiveClose(1007, "a text is not UTF-8")
    static let notInflatable = LiveClose(1007, "a compressed message is damaged")
    static func tooBig(limit: Int) -> LiveClose { LiveClose(1009, "messages have at most \(limit) bytes") }

    /// Whether a client may send the code (RFC 6455, 7.4.2, and the registry that it founds).
    static func mayBeSent(_ code: UInt16) -> Bool {
        switch code {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }

    /// The payload of a close frame. A reason that does not fit is cut between two characters.
    var payload: [UInt8] {
        if code == Self.noCode.code { return [] }
        let sent = code == Self.lost.code ? Self.goingAway.code : code
        var bytes = [UInt8(sent >> 8), UInt8(sent & 0xff)]
        for scalar in reason.unicodeScalars {
            guard bytes.count + UTF8.width(scalar) <= Self.payloadLimit else { break }
            bytes.append(contentsOf: UTF8.encode(scalar) ?? .init())  // every scalar can be encoded
        }
        return bytes
    }

    /// What a control frame holds at most (RFC 6455, 5.5).
    private static let payloadLimit = 125
}
