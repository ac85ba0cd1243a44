import CZlib

/// Bodies in the content coding gzip (RFC 1952; RFC 9110, 8.4.1.3).
package enum Gzip {
    /// - Parameter level: 1, fast, to 9, small.
    /// - Returns: nil if there is no memory for it.
    package static func compress(_ bytes: [UInt8], level: Int32) -> [UInt8]? {
        guard bytes.count < Int32.max else { return nil }
        var stream = z_stream()
        let windowBits: Int32 = 15 + 16  // as zlib wants it for the frame of gzip
        guard
            deflateInit2_(
                &stream, level, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, zlibVersion(),
                Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { return nil }
        defer { deflateEnd(&stream) }
        var input = bytes
        let capacity = Int(deflateBound(&stream, UInt(bytes.count)))
        var isComplete = false
        let output = [UInt8](unsafeUninitializedCapacity: capacity) { output, count in
            input.withUnsafeMutableBufferPointer { input in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(capacity)
                isComplete = deflate(&stream, Z_FINISH) == Z_STREAM_END
                count = isComplete ? capacity - Int(stream.avail_out) : 0
            }
        }
        return isComplete ? output : nil
    }
}

extension Request {
    /// Whether the answer may come as gzip (RFC 9110, 12.5.3): it is named with a weight above 0, or `*` is and it is not
    /// named itself.
    package var takesGzip: Bool {
        guard let accepted = header("Accept-Encoding") else { return false }
        var byWildcard = false
        for element in accepted.split(separator: ",") {
            let parts = element.split(separator: ";")
            guard let coding = parts.first?.trimmingSpaces else { continue }
            let isGzip = coding.equalsIgnoringASCIICase("gzip") || coding.equalsIgnoringASCIICase("x-gzip")
            guard isGzip || coding == "*" else { continue }
            let isWanted = parts.dropFirst().allSatisfy { !Self.isZeroWeight($0) }
            if isGzip { return isWanted }
            byWildcard = isWanted
        }
        return byWildcard
    }

    /// `q=0`, with up to three zeros behind the point.
    private static func isZeroWeight(_ parameter: Substring) -> Bool {
        let text = parameter.trimmingSpaces
        return text.lowercased().hasPrefix("q=0") && text.dropFirst(3).allSatisfy { $0 == "." || $0 == "0" }
    }
}
