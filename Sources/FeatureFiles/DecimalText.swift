/// Reads numbers in decimal notation from bytes.
enum DecimalText {
    private static let powers: [Double] = (0...22).map { power in (0..<power).reduce(1.0) { value, _ in value * 10 } }

    /// A number of JSON's grammar (RFC 8259, 6) that begins at `index`, which then stands behind it.
    ///
    /// - Returns: Nil if there is none. The number may be infinite.
    @inline(__always)
    static func number(_ bytes: UnsafePointer<UInt8>, _ index: inout Int, end: Int) -> Double? {
        let first = index
        var at = index
        let isNegative = at < end && bytes[at] == UInt8(ascii: "-")
        if isNegative { at += 1 }
        var mantissa: UInt64 = 0
        let whole = at
        while at < end, bytes[at] &- 48 < 10 {
            mantissa = mantissa &* 10 &+ UInt64(bytes[at] &- 48)
            at += 1
        }
        var digits = at - whole
        guard digits > 0, digits == 1 || bytes[whole] != UInt8(ascii: "0") else { return nil }
        var exponent = 0
        if at < end, bytes[at] == UInt8(ascii: ".") {
            at += 1
            let fraction = at
            while at < end, bytes[at] &- 48 < 10 {
                mantissa = mantissa &* 10 &+ UInt64(bytes[at] &- 48)
                at += 1
            }
            guard at > fraction else { return nil }
            exponent = fraction - at
            digits -= exponent
        }
        if at < end, bytes[at] | 0x20 == UInt8(ascii: "e") {
            at += 1
            let isDown = at < end && bytes[at] == UInt8(ascii: "-")
            if at < end, isDown || bytes[at] == UInt8(ascii: "+") { at += 1 }
            let power = at
            var value = 0
            while at < end, bytes[at] &- 48 < 10 {
                value = min(100_000, value * 10 + Int(bytes[at] &- 48))
                at += 1
            }
            guard at > power else { return nil }
            exponent += isDown ? -value : value
        }
        index = at
        // Both the digits and the power are exact, and their product or quotient is rounded once (Clinger 1990).
        if digits <= 19, mantissa < 1 << 53, exponent >= -22, exponent <= 22 {
            let value = Double(mantissa)
            let scaled = powers.withUnsafeBufferPointer {
                exponent < 0 ? value / $0[-exponent] : value * $0[exponent]
            }
            return isNegative ? -scaled : scaled
        }
        return Double(String(decoding: UnsafeBufferPointer(start: bytes + first, count: at - first), as: UTF8.self))
    }
}
