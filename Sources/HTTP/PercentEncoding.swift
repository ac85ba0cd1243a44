/// Percent-encoding of targets (RFC 3986, 2.1).
package enum PercentEncoding {
    /// The text behind `bytes`; nil for a `%` without two hexadecimal digits, for NUL and for what is not UTF-8.
    ///
    /// `plusIsSpace` is the rule of forms and of queries made by forms.
    package static func decode(_ bytes: some Sequence<UInt8>, plusIsSpace: Bool = false) -> String? {
        var decoded: [UInt8] = []
        var iterator = bytes.makeIterator()
        while var byte = iterator.next() {
            if byte == UInt8(ascii: "%") {
                guard
                    let high = iterator.next().flatMap(digit), let low = iterator.next().flatMap(digit)
                else { return nil }
                byte = high << 4 | low
            } else if plusIsSpace, byte == UInt8(ascii: "+") {
                byte = UInt8(ascii: " ")
            }
            guard byte != 0 else { return nil }
            decoded.append(byte)
        }
        return String(validating: decoded, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
