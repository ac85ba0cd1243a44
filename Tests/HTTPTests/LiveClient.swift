import CZlib
import Glibc

@testable import HTTP

/// A WebSocket client whose frames are written by hand, well-formed or not.
final class LiveClient: @unchecked Sendable {  // used by one thread at a time
    struct Frame: Equatable {
        let opcode: UInt8
        var isFinal = true
        var isCompressed = false
        var payload: [UInt8]

        var text: String { String(decoding: payload, as: UTF8.self) }
        /// The code of a close frame; 1005 if there is none.
        var code: Int { payload.count < 2 ? 1005 : Int(payload[0]) << 8 | Int(payload[1]) }
    }

    static let key = "dGhlIHNhbXBsZSBub25jZQ=="
    let raw: RawClient
    /// The head of the answer.
    let head: String
    private var buffer: [UInt8] = []
    private var start = 0

    /// - Parameter following: bytes that are sent together with the request.
    init(port: UInt16, path: String = "/live", fields: String = "", following: [UInt8] = []) throws {
        raw = try RawClient(port: port)
        let request = """
            GET \(path) HTTP/1.1\r\nHost: x\r\nConnection: keep-alive, Upgrade\r\nUpgrade: WebSocket\r\n\
            Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: \(Self.key)\r\n\(fields)\r\n
            """
        raw.send(Array(request.utf8) + following)
        var bytes: [UInt8] = []
        while !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            guard let piece = raw.receiveBytes(1), !piece.isEmpty else { break }
            bytes += piece
        }
        head = String(decoding: bytes, as: UTF8.self)
    }

    static func frame(
        _ opcode: UInt8, _ payload: [UInt8] = [], isFinal: Bool = true, reserved: UInt8 = 0, isMasked: Bool = true
    ) -> [UInt8] {
        var bytes = [(isFinal ? 0x80 : 0) | reserved << 4 | opcode]
        let mask: UInt8 = isMasked ? 0x80 : 0
        switch payload.count {
        case ..<126: bytes.append(mask | UInt8(payload.count))
        case ..<65536: bytes += [mask | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xff)]
        default: bytes += [mask | 127] + (0..<8).map { UInt8(payload.count >> (56 - 8 * $0) & 0xff) }
        }
        guard isMasked else { return bytes + payload }
        let key: [UInt8] = [0x37, 0xfa, 0x21, 0x3d]
        return bytes + key + payload.enumerated().map { $1 ^ key[$0 % 4] }
    }

    @discardableResult
    func send(_ opcode: UInt8, _ payload: [UInt8] = [], isFinal: Bool = true, reserved: UInt8 = 0) -> Bool {
        raw.send(Self.frame(opcode, payload, isFinal: isFinal, reserved: reserved))
    }

    @discardableResult
    func send(text: String) -> Bool { send(1, Array(text.utf8)) }

    /// The next frame; nil when the server has closed, or says nothing for as long as `patience`.
    func next() -> Frame? {
        guard let head = take(2) else { return nil }
        var count = Int(head[1] & 0x7f)
        if count >= 126 {
            guard let length = take(count == 126 ? 2 : 8) else { return nil }
            count = length.reduce(0) { $0 << 8 | Int($1) }
        }
        guard let payload = take(count) else { return nil }
        return Frame(
            opcode: head[0] & 0xf, isFinal: head[0] & 0x80 != 0, isCompressed: head[0] & 0x40 != 0, payload: payload)
    }

    /// The code of the close frame that comes, after whatever else; nil if none comes.
    func closeCode() -> Int? {
        while let frame = next() {
            if frame.opcode == 8 { return frame.code }
        }
        return nil
    }

    /// Whether the server closes the connection now.
    var isAtEnd: Bool { next() == nil && raw.receiveBytes(1).map(\.isEmpty) ?? false }

    private func take(_ count: Int) -> [UInt8]? {
        while buffer.count - start < count {
            guard let piece = raw.receiveBytes(65536), !piece.isEmpty else { return nil }
            if start > 0 {
                buffer.removeFirst(start)
                start = 0
            }
            buffer += piece
        }
        defer { start += count }
        return Array(buffer[start..<start + count])
    }

    /// A message as permessage-deflate without context compresses it, made with zlib alone.
    static func deflate(_ bytes: [UInt8], windowBits: Int32 = 15) -> [UInt8] {
        var stream = z_stream()
        deflateInit2_(
            &stream, 9, Z_DEFLATED, -windowBits, 8, Z_DEFAULT_STRATEGY, zlibVersion(),
            Int32(MemoryLayout<z_stream>.size))
        defer { deflateEnd(&stream) }
        var (input, output) = (bytes, [UInt8](repeating: 0, count: bytes.count + 1024))
        let count = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                CZlib.deflate(&stream, Z_SYNC_FLUSH)
                return output.count - Int(stream.avail_out)
            }
        }
        return Array(output[..<(count - 4)])
    }

    /// Nil if the bytes are no message that was compressed with a window of so many bits at most.
    static func inflate(_ bytes: [UInt8], windowBits: Int32 = 15) -> [UInt8]? {
        var stream = z_stream()
        inflateInit2_(&stream, -windowBits, zlibVersion(), Int32(MemoryLayout<z_stream>.size))
        defer { inflateEnd(&stream) }
        var (input, output) = (bytes + [0, 0, 0xff, 0xff], [UInt8](repeating: 0, count: 1 << 20))
        return input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                let result = CZlib.inflate(&stream, Z_SYNC_FLUSH)
                guard result == Z_OK, stream.avail_in == 0 else { return nil }
                return Array(output[..<(output.count - Int(stream.avail_out))])
            }
        }
    }
}
