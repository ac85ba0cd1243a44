/// The fields of a message in turn (https://protobuf.dev/programming-guides/encoding/).
struct ProtocolBuffer {
    /// Goes behind a colon.
    struct Fault: Error {
        let message: String
    }

    struct Field {
        enum Content {
            case integer(UInt64)
            case bytes(ArraySlice<UInt8>)
        }

        let number: Int
        let content: Content

        func integer() throws(Fault) -> UInt64 {
            guard case .integer(let value) = content else { throw ProtocolBuffer.malformed }
            return value
        }

        func bytes() throws(Fault) -> ArraySlice<UInt8> {
            guard case .bytes(let value) = content else { throw ProtocolBuffer.malformed }
            return value
        }
    }

    static let malformed = Fault(message: "a message is malformed")

    private let bytes: ArraySlice<UInt8>
    private var index: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        index = bytes.startIndex
    }

    var isAtEnd: Bool { index >= bytes.endIndex }

    /// Nil behind the last.
    mutating func next() throws(Fault) -> Field? {
        guard !isAtEnd else { return nil }
        let key = try varint()
        let number = Int(truncatingIfNeeded: key >> 3)
        switch key & 7 {
        case 0: return Field(number: number, content: .integer(try varint()))
        case 1: return Field(number: number, content: .bytes(try take(8)))
        case 2: return Field(number: number, content: .bytes(try take(try varint())))
        case 5: return Field(number: number, content: .bytes(try take(4)))
        default: throw Self.malformed
        }
    }

    mutating func varint() throws(Fault) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while index < bytes.endIndex, shift < 64 {
            let byte = bytes[index]
            index += 1
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
        throw Self.malformed
    }

    /// A number in ZigZag form.
    mutating func signed() throws(Fault) -> Int64 {
        Self.signed(try varint())
    }

    static func signed(_ value: UInt64) -> Int64 {
        Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }

    private mutating func take(_ count: UInt64) throws(Fault) -> ArraySlice<UInt8> {
        guard count <= UInt64(bytes.endIndex - index) else { throw Self.malformed }
        defer { index += Int(count) }
        return bytes[index..<index + Int(count)]
    }
}
