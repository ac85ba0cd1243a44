/// Changes a text in UTF-16 into UTF-8, piece by piece. What is no character becomes U+FFFD.
struct Transcoder {
    private let isLittle: Bool
    /// A byte of UTF-16 whose other half is in the next piece.
    private var half: UInt8?
    /// A leading surrogate whose other half is still to come.
    private var leading: UInt16?

    init(_ encoding: TextEncoding) {
        isLittle = encoding == .utf16LittleEndian
    }

    /// - Parameter output: has room for three times the input and 8 bytes.
    /// - Returns: How many bytes were written.
    mutating func write(_ input: UnsafeRawBufferPointer, to output: UnsafeMutablePointer<UInt8>) -> Int {
        var count = 0
        var index = 0
        while index < input.count {
            let first: UInt8
            if let half {
                first = half
                self.half = nil
            } else {
                first = input[index]
                index += 1
                guard index < input.count else {
                    half = first
                    break
                }
            }
            let second = input[index]
            index += 1
            put(UInt16(isLittle ? first : second) | UInt16(isLittle ? second : first) << 8, output, &count)
        }
        return count
    }

    /// Writes what a text that ends within a character leaves.
    mutating func finish(_ output: UnsafeMutablePointer<UInt8>) -> Int {
        var count = 0
        if half != nil || leading != nil { Self.put(0xFFFD, output, &count) }
        half = nil
        leading = nil
        return count
    }

    private mutating func put(_ unit: UInt16, _ output: UnsafeMutablePointer<UInt8>, _ count: inout Int) {
        if let high = leading {
            leading = nil
            if UTF16.isTrailSurrogate(unit) {
                Self.put(0x10000 + (UInt32(high) - 0xD800) << 10 + (UInt32(unit) - 0xDC00), output, &count)
                return
            }
            Self.put(0xFFFD, output, &count)
        }
        if UTF16.isLeadSurrogate(unit) {
            leading = unit
        } else {
            Self.put(UTF16.isTrailSurrogate(unit) ? 0xFFFD : UInt32(unit), output, &count)
        }
    }

    private static func put(_ scalar: UInt32, _ output: UnsafeMutablePointer<UInt8>, _ count: inout Int) {
        func next(_ byte: UInt32) {
            output[count] = UInt8(truncatingIfNeeded: byte)
            count += 1
        }
        switch scalar {
        case ..<0x80: next(scalar)
        case ..<0x800:
            next(0xC0 | scalar >> 6)
            next(0x80 | scalar & 0x3F)
        case ..<0x10000:
            next(0xE0 | scalar >> 12)
            next(0x80 | scalar >> 6 & 0x3F)
            next(0x80 | scalar & 0x3F)
        default:
            next(0xF0 | scalar >> 18)
            next(0x80 | scalar >> 12 & 0x3F)
            next(0x80 | scalar >> 6 & 0x3F)
            next(0x80 | scalar & 0x3F)
        }
    }

    /// A text of single bytes.
    static func string(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        var scalars = String.UnicodeScalarView()
        for byte in bytes {
            // All of the table are scalars.
            scalars.append(Unicode.Scalar(UInt16(windows1252(byte))) ?? "\u{FFFD}")
        }
        return String(scalars)
    }

    private static func windows1252(_ byte: UInt8) -> UInt32 {
        (0x80...0x9F).contains(byte) ? UInt32(upper[Int(byte) - 0x80]) : UInt32(byte)
    }

    private static let upper: [UInt16] = [
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,
        0x017D,
        0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153,
        0x9D,
        0x017E, 0x0178,
    ]
}
