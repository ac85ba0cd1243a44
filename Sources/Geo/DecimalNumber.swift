extension Double {
    /// Reads a finite number of JSON's grammar (RFC 8259, 6), leading zeros allowed: `-93.1`, `093`, `1e-7`.
    ///
    /// What `Double.init` also takes is refused: `nan`, `inf`, hexadecimal, a leading `+`, a missing digit before or
    /// after the point, and any space. Exponents stay because JavaScript prints small numbers with one.
    public init?(decimal text: some StringProtocol) {
        guard text.utf8.count <= 40 else { return nil }
        var rest = text.utf8[...]
        func skipDigits() -> Bool {
            let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            rest = rest.dropFirst(digits.count)
            return !digits.isEmpty
        }
        func skip(_ bytes: UInt8...) -> Bool {
            guard let first = rest.first, bytes.contains(first) else { return false }
            rest = rest.dropFirst()
            return true
        }
        _ = skip(UInt8(ascii: "-"))
        guard skipDigits() else { return nil }
        if skip(UInt8(ascii: ".")) {
            guard skipDigits() else { return nil }
        }
        if skip(UInt8(ascii: "e"), UInt8(ascii: "E")) {
            _ = skip(UInt8(ascii: "-"), UInt8(ascii: "+"))
            guard skipDigits() else { return nil }
        }
        guard rest.isEmpty, let value = Double(String(text)), value.isFinite else { return nil }
        self = value
    }
}

extension [Double] {
    /// Reads exactly `count` numbers between commas; nil if one of them is none.
    init?(decimals text: some StringProtocol, count: Int) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == count else { return nil }
        let values = parts.compactMap { Double(decimal: $0) }
        guard values.count == count else { return nil }
        self = values
    }
}
