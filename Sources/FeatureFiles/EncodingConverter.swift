import Foundation

/// Brings text in another encoding to UTF-8, piece by piece, by the C library's tables.
final class EncodingConverter {
    private let descriptor: iconv_t
    /// Bytes of a character whose rest is still to come.
    private var pending: [UInt8] = []

    /// The names that files may use, lower-case and without anything but letters and digits, with those of the C library.
    /// There is no other way in: some of what `iconv` knows keeps states, which nobody needs here.
    private static let names: [String: String] = {
        var names = [
            "utf16": "UTF-16", "utf16le": "UTF-16LE", "utf16be": "UTF-16BE", "usascii": "WINDOWS-1252",
            "ascii": "WINDOWS-1252", "ansi": "WINDOWS-1252", "iso88591": "WINDOWS-1252", "latin1": "WINDOWS-1252",
            "88591": "WINDOWS-1252", "koi8r": "KOI8-R", "koi8u": "KOI8-U", "sjis": "CP932", "shiftjis": "CP932",
            "eucjp": "EUC-JP", "gbk": "GB18030", "gb2312": "GB18030", "gb18030": "GB18030", "936": "GB18030",
            "cp936": "GB18030", "big5": "BIG5", "950": "BIG5", "cp950": "BIG5", "euckr": "CP949",
            "macroman": "MACINTOSH",
            "10000": "MACINTOSH",
        ]
        for page in [437, 737, 775, 850, 852, 855, 857, 860, 861, 862, 863, 865, 866, 869, 874, 932, 949] {
            for prefix in ["", "cp", "oem", "ibm", "ansi", "windows"] { names["\(prefix)\(page)"] = "CP\(page)" }
        }
        for page in 1250...1258 {
            for prefix in ["", "cp", "ansi", "windows", "win"] { names["\(prefix)\(page)"] = "CP\(page)" }
        }
        for part in 2...16 where part != 12 {
            for prefix in ["iso8859", "8859"] { names["\(prefix)\(part)"] = "ISO-8859-\(part)" }
        }
        return names
    }()

    /// The name without case and punctuation.
    static func plain(_ name: String) -> String {
        String(
            decoding: name.utf8.lazy.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }.filter {
                (0x61...0x7A).contains($0) || (0x30...0x39).contains($0)
            }, as: UTF8.self)
    }

    static func isUTF8(_ name: String) -> Bool {
        ["utf8", "65001", "cp65001"].contains(plain(name))
    }

    /// Nil for an encoding that is not read. UTF-8 is none to transcode.
    init?(_ name: String) {
        guard let known = Self.names[Self.plain(name)] else { return nil }
        // "//IGNORE" would leave out what is no character; it is marked instead, below.
        descriptor = iconv_open("UTF-8", known)
        // The C library says that it has none by -1.
        guard Int(bitPattern: descriptor) != -1 else { return nil }
    }

    deinit {
        iconv_close(descriptor)
    }

    /// What the next bytes are in UTF-8. What is no character becomes U+FFFD.
    ///
    /// - Parameter isLast: nothing comes behind, so that half a character is none.
    func utf8(of bytes: some Sequence<UInt8>, isLast: Bool) -> [UInt8] {
        var input = pending
        input.append(contentsOf: bytes)
        pending = []
        var output: [UInt8] = []
        output.reserveCapacity(input.count * 2)
        let room = 4096
        let buffer = UnsafeMutablePointer<CChar>.allocate(capacity: room)
        defer { buffer.deallocate() }
        input.withUnsafeMutableBytes { input in
            var next = input.baseAddress?.assumingMemoryBound(to: CChar.self)
            var left = input.count
            while left > 0 {
                var target: UnsafeMutablePointer<CChar>? = buffer
                var free = room
                let result = iconv(descriptor, &next, &left, &target, &free)
                output.append(
                    contentsOf: UnsafeRawBufferPointer(start: buffer, count: room - free))
                guard result == -1, errno != E2BIG else { continue }
                if errno == EINVAL, !isLast {
                    pending = [UInt8](input.suffix(left))
                    return
                }
                output.append(contentsOf: [0xEF, 0xBF, 0xBD])
                next = next.map { $0 + 1 }
                left -= 1
            }
        }
        return output
    }
}
