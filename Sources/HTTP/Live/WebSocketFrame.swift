/// The frames that a server sends: whole messages, unmasked (RFC 6455, 5.2).
enum WebSocketFrame {
    enum Opcode: UInt8 {
        case continuation = 0
        case text = 1
        case binary = 2
        case close = 8
        case ping = 9
        case pong = 10
    }

    static func make(_ opcode: Opcode, _ payload: [UInt8], isCompressed: Bool = false) -> SharedBytes {
        var head = [0x80 | (isCompressed ? 0x40 : 0) | opcode.rawValue]
        switch payload.count {
        case ..<126: head.append(UInt8(payload.count))
        case ..<65536: head += [126, UInt8(payload.count >> 8), UInt8(payload.count & 0xff)]
        default:
            head.append(127)
            for shift in stride(from: 56, through: 0, by: -8) { head.append(UInt8(payload.count >> shift & 0xff)) }
        }
        return SharedBytes(head, payload)
    }
}
