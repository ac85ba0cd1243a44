/// Text in quoted-printable (RFC 2045, 6.7): lines of at most 76 ASCII characters that a mail server leaves alone.
enum QuotedPrintable {
    private static let lineLength = 76

    /// - Parameter line: without its end, which the caller writes as CRLF.
    static func encode(line: [UInt8]) -> [UInt8] {
        let hex = Array("0123456789ABCDEF".utf8)
        var encoded: [UInt8] = []
        var column = 0
        var rest = line[...]
        while let byte = rest.popFirst() {
            let isBlank = byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
            // A blank at the end of a line may get lost.
            let isPlain =
                byte != UInt8(ascii: "=")
                && (isBlank ? !rest.isEmpty : (UInt8(ascii: "!")...UInt8(ascii: "~")).contains(byte))
            let piece = isPlain ? [byte] : [UInt8(ascii: "="), hex[Int(byte >> 4)], hex[Int(byte & 15)]]
            // Where more follows, the line needs room for the "=" that says so.
            if column + piece.count > lineLength - (rest.isEmpty ? 0 : 1) {
                encoded += Array("=\r\n".utf8)
                column = 0
            }
            encoded += piece
            column += piece.count
        }
        return encoded
    }
}
